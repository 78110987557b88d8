#include <beadwork/search.hpp>
#include <beadwork/search/problem/problem.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

std::string list_line(std::string_view key, const std::vector<Feature>& features) {
  std::string out = fmt::format("{} {}", key, features.size());
  for (const Feature f : features) out += fmt::format(" {}", f());
  return out + "\n";
}

std::vector<Feature> increasing(std::vector<Feature> features) {
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

// The order of the search, or, where it stopped before it had one, any order of the candidates.
Result<std::vector<Feature>> order_as_listed(const Dataset& dataset, const SearchOptions& options,
                                             const SearchState& state) {
  if (!state.order.empty()) return state.order;
  TRY(const auto problem, prepare(dataset, options, {}));
  std::vector<Feature> order;
  for (const detail::Candidate& c : problem.problem()->candidates) order.push_back(c.feature);
  return order;
}

}  // namespace

// An interrupted search claims its lower bound, which holds for the sets in done ranges (their errors are not below the
// incumbent's) and for the others (prefix bound): under that claim everything is done.
Result<std::string> certificate(const Dataset& dataset, const SearchOptions& options, const SearchOutcome& outcome) {
  if (!options.costs.empty()) return option_error("costs cannot be certified", "certificate");
  if (!options.require_any.empty()) return option_error("required columns cannot be certified", "certificate");
  if (dataset.num_classes() > 65536) return option_error("more than 65536 classes cannot be certified", "certificate");
  TRY(const auto order, order_as_listed(dataset, options, outcome.state));
  const bool optimal = outcome.status == SolveStatus::optimal;
  std::string out = fmt::format(
      "beadwork-certificate 1\ndata-sha256 {}\nrows {}\ncolumns {}\nclasses {}\ndepth {}\nclaim {}\n", sha256(dataset),
      dataset.num_rows(), dataset.num_features(), dataset.num_classes(), options.depth, outcome.lower_bound);
  out += list_line("forbidden", increasing(options.forbid));
  if (!options.require.empty()) out += list_line("required", increasing(options.require));
  out += list_line("model", optimal ? outcome.features : std::vector<Feature>{});
  out += list_line("order", order);
  auto done = outcome.state.done;
  if (!optimal || !tiles(done)) done = {SearchRange{}};
  out += fmt::format("ranges {}\n", done.size());
  for (const SearchRange& range : done) out += fmt::format("done {}\n", to_string(range));
  out += "end\n";
  return seal(std::move(out));
}

}  // namespace beadwork
