#include "beadwork/proof/checker.hpp"

#include <algorithm>

namespace beadwork {

Checker::Checker(const Cnf& cnf) {
  values_.resize(2 * cnf.num_vars());
  watches_.resize(2 * cnf.num_vars());
  for (std::size_t i = 0; i < cnf.clauses().size() && !refuted_; ++i)
    add(std::vector<Lit>(cnf.clauses()[i].begin(), cnf.clauses()[i].end()));
}

void Checker::cover(const std::vector<Lit>& clause) {
  for (const Lit l : clause)
    if (const std::size_t size = (l.code() | 1U) + 1; size > values_.size()) {
      values_.resize(size);
      watches_.resize(size);
    }
}

void Checker::assign(Lit l) {
  values_[l.code()] = 1;
  values_[(~l).code()] = -1;
  trail_.push_back(l);
}

void Checker::undo(std::size_t trail_size) {
  for (std::size_t i = trail_size; i < trail_.size(); ++i) values_[trail_[i].code()] = values_[(~trail_[i]).code()] = 0;
  trail_.resize(trail_size);
  propagated_ = trail_size;
}

bool Checker::propagate() {
  while (propagated_ < trail_.size())
    if (!visit(~trail_[propagated_++])) return false;
  return true;
}

// Looks at every clause that watches this literal, which just became false. The list is compacted in place.
bool Checker::visit(Lit falsified) {
  std::vector<WatchedClause>& list = watches_[falsified.code()];
  std::size_t keep = 0, i = 0;
  bool fine = true;
  for (; i < list.size() && fine; ++i) {
    const WatchedClause w = list[i];
    list[keep++] = w;
    if (is_true(w.other)) continue;
    std::vector<Lit>& c = clauses_[w.clause];
    if (c.empty()) {  // deleted
      --keep;
      continue;
    }
    if (c[0] == falsified) std::swap(c[0], c[1]);
    if (is_true(c[0])) continue;
    const auto next = std::find_if(c.begin() + 2, c.end(), [&](Lit l) { return !is_false(l); });
    if (next != c.end()) {
      std::swap(c[1], *next);
      watches_[c[1].code()].push_back({w.clause, c[0]});
      --keep;
    } else if (is_false(c[0])) {
      fine = false;
    } else {
      assign(c[0]);
    }
  }
  for (; i < list.size(); ++i) list[keep++] = list[i];
  list.resize(keep);
  return fine;
}

// Puts the negations of the literals on the trail; false if one of them is true already.
bool Checker::assume_false(const std::vector<Lit>& clause, Lit except, bool has_except) {
  for (const Lit l : clause) {
    if (has_except && l == except) continue;
    if (is_true(l)) return false;
    if (!is_false(l)) assign(~l);
  }
  return true;
}

bool Checker::is_rup(const std::vector<Lit>& clause) {
  cover(clause);
  const std::size_t root = trail_.size();
  const bool conflict = !assume_false(clause, {}, false) || !propagate();
  undo(root);
  return conflict;
}

// The clause is false already and propagated; each clause with the negated pivot must then yield a conflict.
bool Checker::is_rat(const std::vector<Lit>& clause) {
  if (clause.empty()) return false;
  cover(clause);
  const Lit pivot = clause[0];
  const std::size_t root = trail_.size();
  bool fine = true;
  if (assume_false(clause, {}, false) && propagate()) {
    const std::size_t assumed = trail_.size();
    for (std::size_t id = 0; id < clauses_.size() && fine; ++id) {
      const std::vector<Lit>& c = clauses_[id];
      if (std::find(c.begin(), c.end(), ~pivot) == c.end()) continue;
      const std::vector<Lit> other = c;  // propagation reorders it
      fine = !assume_false(other, ~pivot, true) || !propagate();
      undo(assumed);
    }
  }
  undo(root);
  return fine;
}

std::uint64_t Checker::hash(const std::vector<Lit>& sorted) {
  std::uint64_t h = 1469598103934665603ULL;
  for (const Lit l : sorted) h = (h ^ l.code()) * 1099511628211ULL;
  return h;
}

namespace {

void sort_unique(std::vector<Lit>& clause) {
  std::sort(clause.begin(), clause.end());
  clause.erase(std::unique(clause.begin(), clause.end()), clause.end());
}

}  // namespace

// Only at the root, where everything has been propagated.
void Checker::add(std::vector<Lit> clause) {
  cover(clause);
  sort_unique(clause);
  const Id id = static_cast<Id>(clauses_.size());
  by_hash_.emplace(hash(clause), id);
  std::stable_partition(clause.begin(), clause.end(), [&](Lit l) { return !is_false(l); });
  const bool satisfied = std::any_of(clause.begin(), clause.end(), [&](Lit l) { return is_true(l); });
  if (clause.empty() || is_false(clause[0])) {
    refuted_ = true;
  } else if (clause.size() == 1 || is_false(clause[1])) {
    if (!satisfied) assign(clause[0]);
  }
  if (clause.size() > 1) {
    watches_[clause[0].code()].push_back({id, clause[1]});
    watches_[clause[1].code()].push_back({id, clause[0]});
  }
  clauses_.push_back(std::move(clause));
  if (!refuted_ && !propagate()) refuted_ = true;
}

bool Checker::is_root_unit(const std::vector<Lit>& clause) const {
  std::size_t open = 0;
  for (const Lit l : clause) open += is_false(l) ? 0 : 1;
  return open <= 1;
}

bool Checker::remove(std::vector<Lit> clause) {
  cover(clause);
  sort_unique(clause);
  if (is_root_unit(clause)) return false;
  const auto [first, last] = by_hash_.equal_range(hash(clause));
  for (auto i = first; i != last; ++i) {
    std::vector<Lit> stored = clauses_[i->second];
    std::sort(stored.begin(), stored.end());
    if (stored != clause) continue;
    clauses_[i->second] = {};  // its watches go when they are next met
    by_hash_.erase(i);
    return true;
  }
  return false;
}

}  // namespace beadwork
