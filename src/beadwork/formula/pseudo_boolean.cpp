#include "beadwork/formula/adder.hpp"
#include <beadwork/formula.hpp>

#include <algorithm>
#include <optional>

namespace beadwork {

namespace {

using Sums = std::vector<Term>;  // outputs by increasing sum; the last may stand for everything above the cap

Weight capped(Weight a, Weight b, Weight cap) {
  return a > cap - std::min(b, cap) ? cap : std::min(a + b, cap);
}

std::vector<Weight> reachable(const Sums& a, const Sums& b, Weight cap) {
  std::vector<Weight> sums;
  for (const Term& x : a) sums.push_back(std::min(x.weight, cap));
  for (const Term& y : b) sums.push_back(std::min(y.weight, cap));
  for (const Term& x : a)
    for (const Term& y : b) sums.push_back(capped(x.weight, y.weight, cap));
  std::sort(sums.begin(), sums.end());
  sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
  return sums;
}

class GeneralizedTotalizer {
 public:
  GeneralizedTotalizer(const std::vector<Term>& terms, Weight cap, std::size_t guard)
      : terms_(terms), cap_(cap), guard_(guard) {}

  // Nothing when it would take more clauses than the guard allows; then some were written already, which do
  // no harm (they define outputs that nothing reads), so the size is first tried on a counting sink.
  std::optional<Sums> build(ClauseSinkRef sink) {
    clauses_ = 0;
    return terms_.empty() ? Sums{} : build(sink, 0, terms_.size());
  }

 private:
  std::optional<Sums> build(ClauseSinkRef sink, std::size_t first, std::size_t last) {
    if (last - first == 1) return Sums{{terms_[first].lit, std::min(terms_[first].weight, cap_)}};
    const std::size_t middle = first + (last - first) / 2;
    const auto a = build(sink, first, middle);
    if (!a) return {};
    const auto b = build(sink, middle, last);
    if (!b) return {};
    clauses_ += (a->size() + 1) * (b->size() + 1);
    if (clauses_ > guard_) return {};
    return merge(sink, *a, *b);
  }

  Sums merge(ClauseSinkRef sink, const Sums& a, const Sums& b) const {
    Sums out;
    for (const Weight w : reachable(a, b, cap_)) out.push_back({sink.fresh_var(), w});
    const auto output = [&](Weight w) {
      return std::lower_bound(out.begin(), out.end(), w, [](const Term& t, Weight v) { return t.weight < v; })->lit;
    };
    for (const Term& x : a) sink.add_clause({~x.lit, output(x.weight)});
    for (const Term& y : b) sink.add_clause({~y.lit, output(y.weight)});
    for (const Term& x : a)
      for (const Term& y : b) sink.add_clause({~x.lit, ~y.lit, output(capped(x.weight, y.weight, cap_))});
    return out;
  }

  const std::vector<Term>& terms_;
  Weight cap_;
  std::size_t guard_;
  std::size_t clauses_ = 0;
};

Weight checked_total(const std::vector<Term>& terms) {
  Weight total = 0;
  for (const Term& t : terms) {
    require(t.weight >= 1 && t.weight <= kMaxWeight - total, "WeightedBound: weights are at least 1, their sum < 2^63");
    total += t.weight;
  }
  return total;
}

}  // namespace

WeightedBound::WeightedBound(ClauseSinkRef sink, const std::vector<Term>& terms, Weight largest_bound, Kind kind,
                             std::size_t clause_guard)
    : largest_bound_(largest_bound) {
  const Weight total = checked_total(terms);
  std::vector<Term> sorted = terms;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Term& a, const Term& b) { return a.weight < b.weight; });
  const std::size_t guard = kind == Kind::totalizer ? SIZE_MAX : clause_guard;
  GeneralizedTotalizer gte(sorted, std::min(largest_bound, total) + 1, guard);
  CountingSink trial;
  adder_ = kind == Kind::adder || !gte.build(trial);
  if (adder_)
    bits_ = add_up(sink, sorted);
  else
    sums_ = *gte.build(sink);
}

void WeightedBound::at_most(ClauseSinkRef sink, Weight bound) {
  require(bound <= largest_bound_, "WeightedBound: bound above the largest one announced");
  if (adder_) return compare_at_most(sink, bits_, bound);
  for (const Term& t : sums_)
    if (t.weight > bound) sink.add_clause({~t.lit});
}

}  // namespace beadwork
