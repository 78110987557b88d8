#include <beadwork/engine/lazy_pairs.hpp>
#include <beadwork/engine/limited_sink.hpp>
#include <beadwork/engine/maxsat_solving.hpp>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace beadwork {
namespace {

using Rows = std::vector<std::size_t>;

// Rows that agree on the selected features, each cell sorted so that rows alike in all features are near each other.
std::vector<Rows> cells_of(const Examples& examples, const std::vector<std::size_t>& selected, PollCounter& polls) {
  std::map<std::vector<bool>, Rows> cells;
  for (std::size_t q = 0; q < examples.size(); ++q) {
    polls.poll();
    std::vector<bool> values;
    for (const std::size_t r : selected) values.push_back(examples.value(r, q));
    cells[values].push_back(q);
  }
  std::vector<Rows> out;
  for (auto& [values, rows] : cells) {
    std::stable_sort(rows.begin(), rows.end(), [&](std::size_t a, std::size_t b) {
      polls.poll();
      for (std::size_t r = 0; r < examples.num_features(); ++r)
        if (examples.value(r, a) != examples.value(r, b)) return examples.value(r, b);
      return false;
    });
    out.push_back(std::move(rows));
  }
  return out;
}

std::vector<std::int64_t> class_weights(const Examples& examples, const Rows& rows) {
  std::vector<std::int64_t> weights(examples.num_classes);
  for (const std::size_t q : rows) weights[examples.labels[q]()] += examples.weights[q];
  return weights;
}

std::int64_t errors_of(const Examples& examples, const std::vector<Rows>& cells) {
  std::int64_t errors = examples.base_errors;
  for (const Rows& rows : cells) {
    const auto weights = class_weights(examples, rows);
    errors += std::accumulate(weights.begin(), weights.end(), std::int64_t{0}) -
              *std::max_element(weights.begin(), weights.end());
  }
  return errors;
}

using Pairs = std::set<std::pair<std::size_t, std::size_t>>;

// Two classes: a transport of weight between them whose pairs cost the cell its errors, whatever rows are called wrong.
void transport(const Examples& examples, const Rows& rows, Pairs& pairs, PollCounter& polls) {
  Rows sides[2];
  for (const std::size_t q : rows) sides[examples.labels[q]()].push_back(q);
  std::size_t i = 0, j = 0;
  std::int64_t left = 0, right = 0;
  while (true) {
    polls.poll();
    if (left == 0) {
      if (i == sides[0].size()) return;
      left = examples.weights[sides[0][i++]];
    }
    if (right == 0) {
      if (j == sides[1].size()) return;
      right = examples.weights[sides[1][j++]];
    }
    pairs.insert(std::minmax(sides[0][i - 1], sides[1][j - 1]));
    const std::int64_t moved = std::min(left, right);
    left -= moved, right -= moved;
  }
}

// More classes: disjoint pairs are worth too little (three rows of three classes err by two), so all pairs of the cell.
void all_pairs(const Examples& examples, const Rows& rows, Pairs& pairs, PollCounter& polls) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = i + 1; j < rows.size(); ++j, polls.poll())
      if (examples.labels[rows[i]] != examples.labels[rows[j]]) pairs.insert(std::minmax(rows[i], rows[j]));
}

}  // namespace

std::size_t count_pairs(const Examples& examples) {
  std::vector<std::size_t> by_class(examples.num_classes);
  for (const Class k : examples.labels) ++by_class[k()];
  std::size_t same = 0;
  for (const std::size_t n : by_class) same += n * n;
  return (examples.size() * examples.size() - same) / 2;
}

Result<LazyPairs> solve_by_lazy_pairs(const Examples& examples, std::size_t depth,
                                      const std::vector<std::size_t>& start, const FormulaOptions& options,
                                      const Control& control) {
  LazyPairs out;
  out.lower_bound = examples.base_errors;
  const BddVariables v = lift_pair_selectors(examples, depth, unnamed(out.wcnf),
                                             [&](Clause clause, Weight weight) { out.wcnf.add_soft(clause, weight); });
  Pairs known;
  // Adds what makes a selection cost its errors, and remembers the best selection.
  bool limit = false;
  const auto add_pairs_of = [&](const std::vector<std::size_t>& selected) {
    PollCounter polls{control};
    const auto cells = cells_of(examples, selected, polls);
    const std::int64_t errors = errors_of(examples, cells);
    if (out.status == SolveStatus::unknown || errors < out.errors) {
      out.status = SolveStatus::feasible;
      out.errors = errors;
      out.selected = selected;
    }
    Pairs pairs;
    for (const Rows& rows : cells) (examples.num_classes == 2 ? transport : all_pairs)(examples, rows, pairs, polls);
    // Each clause stands in the formula, and in a solver.
    if (control.no_room_for(pairs.size() * examples.num_features() * 2 * sizeof(Lit))) throw LimitReached{};
    for (const auto& [x, y] : pairs) {
      for (std::size_t i = 0; i < examples.num_features(); i += 64) polls.poll();
      if (known.insert({x, y}).second) out.wcnf.add_clause(pair_clause(v, examples, x, y));
    }
    out.pairs = known.size();
  };
  const auto look_at = [&](const std::vector<std::size_t>& selected) {
    try {
      add_pairs_of(selected);
    } catch (const LimitReached&) {
      limit = true;
    }
  };
  if (!start.empty()) look_at(start);
  std::optional<Assignment> last;
  while (!control.stopping() && !limit) {
    ++out.rounds;
    TRY(auto solved, solve_as_asked(out.wcnf, last, options, control));
    out.lower_bound = std::max(out.lower_bound, examples.base_errors + static_cast<std::int64_t>(solved.lower));
    if (out.status != SolveStatus::unknown && out.lower_bound > out.errors) return wrong_answer(options);
    if (solved.status == MaxsatStatus::unknown) break;
    std::vector<std::size_t> selected;
    for (std::size_t r = 0; r < v.select.size(); ++r)
      if (solved.model[v.select[r]]) selected.push_back(r);
    const std::size_t before = known.size();
    look_at(selected);
    if (out.status != SolveStatus::unknown && out.errors <= out.lower_bound) {
      out.status = SolveStatus::optimal;
      out.cost = static_cast<Weight>(out.errors - examples.base_errors);
      break;
    }
    if (solved.status != MaxsatStatus::optimal || limit) break;
    // A selection that costs too little always parts more rows: the solver's optimum was none.
    if (known.size() == before) return wrong_answer(options);
    last = std::move(solved.model);
  }
  return out;
}

}  // namespace beadwork
