#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/tree.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace beadwork::exports {
namespace {

using Json = nlohmann::ordered_json;

// Class weights of the rows of each tree node, parents after children.
std::vector<std::vector<std::int64_t>> weights_of(const Plan& plan, const std::vector<TreeNode>& tree) {
  std::vector<std::vector<std::int64_t>> out(tree.size(), std::vector<std::int64_t>(plan.classes().size()));
  for (std::size_t i = tree.size(); i-- > 0;) {
    if (tree[i].leaf) {
      const auto counts = plan.model.counts().of(tree[i].first_path);
      out[i].assign(counts.begin(), counts.end());
      continue;
    }
    for (std::size_t k = 0; k < out[i].size(); ++k) out[i][k] = out[tree[i].low][k] + out[tree[i].high][k];
  }
  return out;
}

std::int64_t sum(const std::vector<std::int64_t>& weights) {
  std::int64_t total = 0;
  for (const std::int64_t w : weights) total += w;
  return total;
}

// Shares of the classes. scikit-learn answers with the first largest: where that is not the answer of a leaf (no rows,
// a tie, costs) the answer has it all.
std::vector<double> shares(const BranchCounts& branches, const TreeNode& node,
                           const std::vector<std::int64_t>& weights) {
  std::vector<double> out(weights.size());
  const auto total = static_cast<double>(sum(weights));
  if (total > 0)
    for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<double>(weights[k]) / total;
  if (!node.leaf) return total > 0 ? out : std::vector<double>(out.size(), 1.0 / static_cast<double>(out.size()));
  if (total == 0) out = shares_of(branches.of(node.first_path));
  const auto largest = static_cast<std::size_t>(std::max_element(out.begin(), out.end()) - out.begin());
  if (largest == node.answer()) return out;
  std::fill(out.begin(), out.end(), 0.0);
  out[node.answer()] = 1;
  return out;
}

// scikit-learn goes left where x <= threshold, and compares x as a float32. So thresholds are the nearest float32:
// rounding x and the threshold alike keeps x <= threshold, and x > threshold unless both round to the same float32.
struct Split {
  std::size_t column = 0;
  double threshold = 0.5;  // 0 goes left, 1 right
  bool low_left = true;
};

Split split_of(const Plan& plan, Feature f) {
  if (!plan.raw()) return {f(), 0.5, true};
  const Test& test = plan.tests()[f()];
  if (test.kind == TestKind::missing)  // all numbers go left, what is missing goes right
    return {test.column, static_cast<double>(std::numeric_limits<float>::max()), true};
  return {test.column, static_cast<double>(static_cast<float>(test.threshold)), false};
}

// The arrays of scikit-learn's Tree, one entry for each node.
Json tree_arrays(const Plan& plan) {
  const std::vector<TreeNode> tree = unrolled(plan);
  const auto weights = weights_of(plan, tree);
  const BranchCounts branches(plan.model.diagram(), plan.model.counts());
  std::vector<std::string> names = plan.input_names();
  if (names.empty()) names.emplace_back("unused");
  Json out{{"format", "scikit-learn tree arrays"},
           {"writer", std::string("beadwork ") + BEADWORK_VERSION},
           {"inputs", plan.raw() ? "raw columns; a missing value is NaN" : "binary features, 1 where the test holds"},
           {"target", plan.model.binarizer().target()},
           {"feature_names", names},
           {"classes", plan.classes()},
           {"n_features", names.size()},
           {"n_classes", Json::array({plan.classes().size()})},
           {"n_outputs", 1},
           {"node_count", tree.size()},
           {"max_depth", 0}};
  std::size_t depth = 0;
  const auto scale = static_cast<double>(plan.model.training().weight_scale);
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const TreeNode& node = tree[i];
    const Split split = node.leaf ? Split{} : split_of(plan, node.feature);
    const std::vector<double> here = shares(branches, node, weights[i]);
    double gini = 1;
    for (const double p : here) gini -= p * p;
    const double weight = static_cast<double>(sum(weights[i])) / scale;
    out["children_left"].push_back(node.leaf ? -1 : static_cast<std::int64_t>(split.low_left ? node.low : node.high));
    out["children_right"].push_back(node.leaf ? -1 : static_cast<std::int64_t>(split.low_left ? node.high : node.low));
    out["feature"].push_back(node.leaf ? -2 : static_cast<std::int64_t>(split.column));
    out["threshold"].push_back(node.leaf ? -2.0 : split.threshold);
    out["impurity"].push_back(std::max(0.0, gini));
    out["n_node_samples"].push_back(std::llround(weight));
    out["weighted_n_node_samples"].push_back(weight);
    out["missing_go_to_left"].push_back(0);
    out["value"].push_back(Json::array({here}));
    depth = std::max(depth, node.depth);
  }
  out["max_depth"] = depth;
  return out;
}

}  // namespace

Result<std::string> to_sklearn(const Plan& plan) {
  if (plan.raw())
    for (const InputColumn& column : plan.columns())
      if (column.text())
        return option_error("column " + in_quotes(column.name, 40) +
                                " is not numeric, and scikit-learn's trees test only numbers; use binary",
                            "inputs");
  if (const auto fits = check_unrolled(plan, "sklearn"); !fits) return fits.error();
  const Json out = tree_arrays(plan);
  std::string text = "{";
  for (const auto& [key, entry] : out.items())
    text += (text.size() == 1 ? "\n \"" : ",\n \"") + key +
            "\": " + entry.dump(-1, ' ', true, Json::error_handler_t::replace);
  return text + "\n}\n";
}

}  // namespace beadwork::exports
