#include <beadwork/engine/registry.hpp>

#include <algorithm>
#include <array>

namespace beadwork {

std::span<const Engine> engines() {
  static constexpr std::array kEngines = {
      Engine{"search", "exact search over feature sets with bounds; the default", true, learn_by_search,
             "faithful keep_all_zero certificate from_depth top within require forbid costs checkpoint "
             "checkpoint_every resume kernel no_bound candidate features_from impurity min_split min_leaf "
             "bias all_optima tie_break max_nodes node_penalty front"},
      Engine{"local", "greedy and best swaps with restarts: a good diagram without proof", false,
             learn_by_local_search,
             "bias require forbid costs kernel candidate features_from impurity min_split min_leaf"},
      Engine{"enumerate", "tries every set of features; exact, short, and the yardstick of the others", true,
             learn_by_enumeration,
             "bias faithful keep_all_zero candidate features_from impurity min_split min_leaf"},
      Engine{"maxsat", "core-boosted MaxSAT on the paper's model (--encoding bdd2) or on ours (bdd3, pair)",
             true, learn_by_maxsat,
             "bias faithful keep_all_zero encoding no_seed encode_limit solve_limit solver wcnf_format proof "
             "check_proof candidate features_from impurity min_split min_leaf"},
      Engine{"maxsat-dt", "optimal decision trees by MaxSAT (Hu et al. 2020), for small depths", true,
             learn_by_maxsat_dt,
             "no_seed encode_limit solve_limit solver wcnf_format candidate features_from impurity min_split "
             "min_leaf",
             true},
      Engine{"cart", "CART's decision tree, greedy and not pruned", false, learn_by_cart,
             "impurity min_split min_leaf"},
      Engine{"odt", "oblivious decision tree: greedily one feature a level", false, learn_by_odt},
      Engine{"oodg", "the same with compatible subtrees merged from the root down", false, learn_by_oodg,
             "merge_z"},
      Engine{"hoodg", "the same features, ordered and merged from the classes up", false, learn_by_hoodg},
  };
  return kEngines;
}

const Engine* find_engine(std::string_view name) {
  const auto all = engines();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Engine& e) { return e.name == name; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace beadwork
