#include <beadwork/engine/registry.hpp>

#include <algorithm>
#include <array>

namespace beadwork {

std::span<const Engine> engines() {
  using enum Prover::Kind;
  using enum Use;
  static constexpr std::array kEngines = {
      Engine{"search", "exact search over feature sets (the default)", search, learn_by_search,
             "reading shape pin choice cart cost kernels", everywhere},
      Engine{"local", "local search: fast, proves nothing", nobody, learn_by_local_search,
             "shape pin choice cart cost kernels", ranks | passes | folds},
      Engine{"enumerate", "tries every feature set; exact, slow, used to check the others", enumeration,
             learn_by_enumeration, "reading shape choice cart"},
      Engine{"maxsat", "MaxSAT on the paper's formula (bdd2) or ours (bdd3, pair)", maxsat, learn_by_maxsat,
             "reading shape choice cart formula"},
      Engine{"maxsat-dt", "optimal decision trees by MaxSAT (Hu et al. 2020); for small depths", maxsat,
             learn_by_maxsat_dt, "choice cart formula", folds, Scope::Family::trees},
      Engine{"cart", "CART decision tree: greedy, not pruned", nobody, learn_by_cart, "cart", folds,
             Scope::Family::trees},
      Engine{"odt", "oblivious decision tree: greedy, one feature per level", nobody, learn_by_odt},
      Engine{"oodg", "the same, with compatible subtrees merged from the top down", nobody, learn_by_oodg},
      Engine{"hoodg", "the same features, ordered and merged from the bottom up", nobody, learn_by_hoodg},
  };
  return kEngines;
}

const Engine* find_engine(std::string_view name) {
  const auto all = engines();
  const auto it = std::find_if(all.begin(), all.end(), [&](const Engine& e) { return e.name == name; });
  return it == all.end() ? nullptr : &*it;
}

const Engine& engine_of(const Request& request) {
  return request.run.engine.chosen == nullptr ? engines().front() : *request.run.engine.chosen;
}

}  // namespace beadwork
