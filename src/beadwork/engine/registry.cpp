#include <beadwork/engine/registry.hpp>

#include <algorithm>
#include <array>

namespace beadwork {

std::span<const Engine> engines() {
  static constexpr std::array kEngines = {
      Engine{"search", "exact search over feature sets with bounds; the default", true, learn_by_search,
             "faithful keep_all_zero certificate from_depth top within require forbid costs checkpoint "
             "checkpoint_every resume kernel no_bound all_optima max_nodes node_penalty front"},
      Engine{"local", "greedy and best swaps with restarts: a good diagram without proof", false,
             learn_by_local_search, "require forbid costs kernel"},
      Engine{"enumerate", "tries every set of features; exact, short, and the yardstick of the others", true,
             learn_by_enumeration, "faithful keep_all_zero"},
      Engine{"maxsat", "core-boosted MaxSAT on the paper's model (--encoding bdd2) or on ours (bdd3, pair)",
             true, learn_by_maxsat,
             "faithful keep_all_zero encoding no_seed encode_limit solve_limit solver wcnf_format proof "
             "check_proof"},
  };
  return kEngines;
}

const Engine* find_engine(std::string_view name) {
  const auto all = engines();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Engine& e) { return e.name == name; });
  return it == all.end() ? nullptr : &*it;
}

}  // namespace beadwork
