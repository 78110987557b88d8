#pragma once
// How long a fit may take, and how much memory.
#include <beadwork/engine.hpp>

namespace beadwork {

// Searches that could go on for days stop after a minute where the command says nothing about time (told: it does),
// unless the run is to be finished in any case: for a certificate, at a checkpoint, under the paper's reading. The
// environment variable BEADWORK_TIME_LIMIT gives another number of seconds, or none.
std::optional<double> default_limit(const Request& request, bool told);
// The defaults that limit the answer, in one line; empty: none does. `cut`: the rule by which numbers were cut, if
// nobody chose it.
std::string defaults_words(const Request& request, std::size_t num_features, const std::string& cut,
                           std::optional<double> limit);
// Why the search stopped before its proof, how far it was, and what helps.
std::string stop_words(const Outcome& outcome, const Request& request, std::optional<double> limit,
                       const Control& control);
// Notes about the data may take a quarter of the time.
Control quarter_of(Control control);

}  // namespace beadwork
