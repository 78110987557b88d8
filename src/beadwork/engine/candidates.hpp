#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

// Features by name, increasing. An Error names the flag: no such feature, or, with `one_each`, several of a name.
Result<std::vector<Feature>> features_named(const Dataset& dataset, const std::vector<std::string>& names,
                                            bool one_each, const char* flag);

// Is the choice of features restricted, by options.candidate or options.features_from?
bool restricted(const Options& options);
// To these, increasing. Contract: it is restricted.
Result<std::vector<Feature>> candidate_features(const Dataset& dataset, const Options& options,
                                                const Control& control);

// For engines that know nothing of candidates: runs one on the candidates alone and tells its answer in terms of the whole.
Result<Found> learn_among_candidates(const Dataset& dataset, const Options& options, const Control& control,
                                     Result<Found> (*learn)(const Dataset&, const Options&, const Control&));

// Options of CART from those of an engine.
Result<CartOptions> cart_options(const Options& options);

}  // namespace beadwork
