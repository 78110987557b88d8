#include "beadwork/maxsat/objective.hpp"

#include <algorithm>
#include <map>

namespace beadwork {

NormalSofts normalise(const Wcnf& wcnf) {
  NormalSofts out;
  std::map<std::vector<Lit>, std::size_t> known;
  for (std::size_t i = 0; i < wcnf.soft().size(); ++i) {
    std::vector<Lit> c(wcnf.soft()[i].begin(), wcnf.soft()[i].end());
    std::sort(c.begin(), c.end());
    c.erase(std::unique(c.begin(), c.end()), c.end());
    if (c.empty()) {
      out.base += wcnf.weight(i);
      continue;
    }
    if (std::adjacent_find(c.begin(), c.end(), [](Lit a, Lit b) { return a == ~b; }) != c.end()) continue;
    const auto [at, is_new] = known.emplace(c, out.weights.size());
    if (is_new) {
      out.clauses.add(c);
      out.weights.push_back(wcnf.weight(i));
    } else {
      out.weights[at->second] += wcnf.weight(i);
    }
  }
  return out;
}

namespace {

// Two clauses that hold a literal and its negation cannot both be falsified. In a group of clauses that clash
// pairwise at most one is, so one relaxation literal serves them all without changing any cost: the 2^H
// clauses a row of an encoded truth table has become one soft literal. Greedy: a clause collects those that
// contain the negation of one of its literals, rarest literal first, as long as they clash with all collected
// so far. The work is bounded; what is left then stays single, which is always right.
class Grouping {
 public:
  explicit Grouping(const NormalSofts& softs) : softs_(softs), taken_(softs.weights.size(), false) {
    for (std::size_t i = 0; i < softs.clauses.size(); ++i)
      for (const Lit l : softs.clauses[i]) {
        if (l.code() / 2 * 2 + 2 > occurrences_.size()) {
          occurrences_.resize(l.code() / 2 * 2 + 2);
          marked_.resize(occurrences_.size(), false);
        }
        occurrences_[l.code()].push_back(i);
      }
  }

  std::vector<SoftGroup> run() {
    std::vector<SoftGroup> groups;
    for (std::size_t i = 0; i < taken_.size(); ++i)
      if (!taken_[i]) groups.push_back(collect(i));
    return groups;
  }

 private:
  SoftGroup collect(std::size_t seed) {
    SoftGroup group{{seed}, softs_.weights[seed]};
    taken_[seed] = true;
    std::vector<Lit> literals(softs_.clauses[seed].begin(), softs_.clauses[seed].end());
    const auto rarity = [&](Lit l) { return occurrences_[(~l).code()].size(); };
    std::stable_sort(literals.begin(), literals.end(), [&](Lit a, Lit b) { return rarity(a) < rarity(b); });
    for (const Lit l : literals)
      for (const std::size_t other : occurrences_[(~l).code()]) {
        if (work_ == 0) return group;
        --work_;
        if (!taken_[other] && softs_.weights[other] == group.weight && clashes(other, group)) {
          group.clauses.push_back(other);
          taken_[other] = true;
        }
      }
    return group;
  }

  bool clashes(std::size_t clause, const SoftGroup& group) {
    for (const Lit l : softs_.clauses[clause]) marked_[(~l).code()] = true;
    const bool all = std::all_of(group.clauses.begin(), group.clauses.end(), [&](std::size_t member) {
      const Clause c = softs_.clauses[member];
      work_ -= std::min(work_, c.size());
      return std::any_of(c.begin(), c.end(), [&](Lit l) { return marked_[l.code()]; });
    });
    for (const Lit l : softs_.clauses[clause]) marked_[(~l).code()] = false;
    return all;
  }

  const NormalSofts& softs_;
  std::vector<bool> taken_, marked_;
  std::vector<std::vector<std::size_t>> occurrences_;
  std::size_t work_ = 300'000'000;
};

std::vector<SoftGroup> singles(const NormalSofts& softs) {
  std::vector<SoftGroup> groups;
  for (std::size_t i = 0; i < softs.weights.size(); ++i) groups.push_back({{i}, softs.weights[i]});
  return groups;
}

Lit relax_group(const NormalSofts& softs, const SoftGroup& group, ClauseSinkRef sink) {
  const Clause first = softs.clauses[group.clauses.front()];
  if (group.clauses.size() == 1 && first.size() == 1) return first[0];
  const Lit relaxed = sink.fresh_var();
  std::vector<Lit> clause;
  for (const std::size_t i : group.clauses) {
    clause.assign(softs.clauses[i].begin(), softs.clauses[i].end());
    clause.push_back(relaxed);
    sink.add_clause(clause);
  }
  return ~relaxed;
}

}  // namespace

std::vector<SoftGroup> group_clashing(const NormalSofts& softs) {
  return Grouping(softs).run();
}

SoftObjective relax(const Wcnf& wcnf, ClauseSinkRef sink, bool group) {
  for (std::size_t i = 0; i < wcnf.hard().size(); ++i) sink.add_clause(wcnf.hard()[i]);
  const NormalSofts softs = normalise(wcnf);
  SoftObjective out{softs.base, {}};
  for (const SoftGroup& g : group ? group_clashing(softs) : singles(softs))
    out.softs.push_back({relax_group(softs, g, sink), g.weight});
  return out;
}

}  // namespace beadwork
