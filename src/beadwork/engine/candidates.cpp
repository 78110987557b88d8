#include <beadwork/engine/candidates.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace beadwork {
namespace {

Result<std::vector<std::string>> names_in(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  std::vector<std::string> names;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (!line.empty()) names.push_back(line);
  }
  return names;
}

TruthTable renamed(const TruthTable& table, const std::vector<Feature>& names) {
  std::vector<Feature> order;
  for (const Feature f : table.order()) order.push_back(names[f()]);
  TruthTable out(std::move(order), table.num_classes());
  for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
    std::vector<Class> allowed;
    for (std::size_t k = 0; k < table.num_classes(); ++k)
      if (table.allows(cell, Class{k})) allowed.emplace_back(k);
    out.restrict_to(cell, allowed);
  }
  return out;
}

Diagram renamed(const Diagram& diagram, const std::vector<Feature>& names) {
  std::vector<DiagramNode> nodes = diagram.nodes();
  for (DiagramNode& n : nodes)
    if (!n.sink) n.feature = names[n.feature()];
  return *Diagram::make(std::move(nodes));
}

}  // namespace

Result<std::vector<Feature>> features_named(const Dataset& dataset, const std::vector<std::string>& names,
                                            bool one_each, const char* flag) {
  std::vector<Feature> out;
  for (const std::string& name : names) {
    const std::size_t before = out.size();
    for (std::size_t f = 0; f < dataset.num_features(); ++f)
      if (dataset.feature_name(Feature{f}) == name) out.emplace_back(f);
    if (out.size() == before)
      return usage_error(fmt::format("there is no feature '{}'", printable(name)), flag);
    if (one_each && out.size() > before + 1)
      return usage_error(fmt::format("several features are called '{}'", printable(name)), flag);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

bool restricted(const Options& options) {
  return !options.candidate.empty() || !options.features_from.empty();
}

Result<CartOptions> cart_options(const Options& options) {
  const auto impurity = parse_impurity(options.impurity);
  if (!impurity)
    return usage_error(fmt::format("expected gini or entropy, got '{}'", printable(options.impurity)),
                       "--impurity");
  return CartOptions{static_cast<std::size_t>(options.depth), *impurity,
                     static_cast<std::size_t>(options.min_split), static_cast<std::size_t>(options.min_leaf),
                     static_cast<std::uint64_t>(options.seed)};
}

Result<std::vector<Feature>> candidate_features(const Dataset& dataset, const Options& options,
                                                const Control& control) {
  require(restricted(options), "candidate_features: a restricted choice");
  if (options.features_from.empty()) return features_named(dataset, options.candidate, false, "--candidate");
  if (!options.candidate.empty())
    return usage_error("give either --candidate or --features-from", "--candidate");
  if (options.features_from == "cart") {
    const auto how = cart_options(options);
    if (!how) return how.error();
    Control quiet = control;  // its progress is not that of the search
    quiet.progress = {};
    auto used = cart(dataset, *how, quiet).diagram.used_features();
    std::sort(used.begin(), used.end());
    return used;
  }
  auto names = names_in(options.features_from);
  if (!names) return names.error();
  return features_named(dataset, *names, false, "--features-from");
}

Result<Found> learn_among_candidates(const Dataset& dataset, const Options& options, const Control& control,
                                     Result<Found> (*learn)(const Dataset&, const Options&, const Control&)) {
  const auto candidates = candidate_features(dataset, options, control);
  if (!candidates) return candidates.error();
  Options unrestricted = options;
  unrestricted.candidate.clear();
  unrestricted.features_from.clear();
  auto found = learn(dataset.select(*candidates), unrestricted, control);
  if (!found) return found;
  if (found->table) found->table = renamed(*found->table, *candidates);
  if (found->decided) found->decided = renamed(*found->decided, *candidates);
  if (found->diagram) found->diagram = renamed(*found->diagram, *candidates);
  return found;
}

}  // namespace beadwork
