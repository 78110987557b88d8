#pragma once
// The incumbent: from CART's tests, from nothing and from random beginnings, cuts are added greedily; then each in turn
// is replaced by the best cut of all columns, which one sweep a column finds, until none helps.

#include <beadwork/ordered/cells.hpp>
#include <beadwork/ordered/shared.hpp>

#include <queue>
#include <utility>

namespace beadwork::ordered {

template <class Cells>
class Local {
 public:
  using W = typename Cells::Weight;
  using Code = typename Cells::Code;

  Local(const Problem& problem, Shared& shared, std::uint64_t seed)
      : problem_(problem), shared_(shared), cells_(problem), rng_(seed) {}

  // The next beginning: CART's tests, nothing, then in turn random cuts and the incumbent with one of its cuts changed.
  void restart() {
    std::vector<Cut> set;
    if (round_ == 0) set = problem_.cart;
    if (round_ >= 2 && problem_.choose > 0) set = round_ % 2 == 0 ? random() : shaken();
    ++round_;
    climb(std::move(set));
  }

  void climb(std::vector<Cut> set) {
    fit(set);
    while (set.size() < problem_.choose && add(set, set.size())) {
    }
    shared_.offer(set, error_of(set));
    for (std::size_t i = 0, still = 0; still < set.size() && !ending(); i = (i + 1) % set.size()) {
      const Cut before = set[i];
      const W error = error_of(set);
      add(set, i);
      still = error_of(set) < error ? 0 : still + 1;
      if (still > 0)
        set[i] = before;
      else
        shared_.offer(set, error_of(set));
    }
  }

  // An error that `most` sets do not exceed, by a look at those with one cut changed; nothing where these are fewer.
  // The set has `choose` cuts, and no column is required.
  std::optional<std::int64_t> bound_on(std::size_t most, const std::vector<Cut>& set) {
    std::priority_queue<W> least;  // errors
    least.push(error_of(set));
    for (std::size_t i = 0; i < set.size(); ++i) {
      std::vector<Cut> others = set;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const W error = error_of(others);
      W need = least.size() < most ? -1 : error - least.top();
      sweep(others, {}, need, [&](const Range& cuts, W gain) {
        std::size_t count = cuts.hi - cuts.lo + 1;
        for (const Cut& c : set) count -= c.column == cuts.column && c.rank >= cuts.lo && c.rank <= cuts.hi ? 1 : 0;
        for (std::size_t j = 0; j < std::min(count, most); ++j) least.push(error - gain);
        while (least.size() > most) least.pop();
        if (least.size() == most) need = std::max(need, error - least.top());
        return false;
      });
    }
    return least.size() < most ? std::nullopt : std::optional<std::int64_t>(least.top());
  }

  std::uint64_t row_steps = 0;

  // Stops the climbing at this moment, or after a number of row steps (0: none), whichever comes first.
  void allow(Deadline until, std::uint64_t steps) {
    until_ = std::move(until);
    most_steps_ = steps;
  }
  bool ending() const { return shared_.ending() || until_.passed() || (most_steps_ != 0 && row_steps > most_steps_); }

  // Calls found(cuts, error) for all cuts together with this set, in their order: those that part the rows alike at
  // once. False, and no call, where the control ends it.
  template <class Take>
  bool extend(const std::vector<Cut>& set, Take&& found) {
    const W error = error_of(set);
    std::vector<std::pair<Range, W>> parting;
    W need = -1;
    sweep(set, {}, need, [&](const Range& cuts, W gain) {
      parting.emplace_back(cuts, gain);
      return false;
    });
    if (ending()) return false;
    auto next = parting.begin();
    for (std::uint32_t c = 0; c < problem_.columns.size(); ++c) {
      const auto end = static_cast<std::uint32_t>(problem_.columns[c].cuts.size());
      for (std::uint32_t k = 0; k < end;) {
        const bool more = next != parting.end() && next->first.column == c;
        const std::uint32_t upto = more ? next->first.lo : end;
        if (k < upto) found(Range{c, k, upto - 1}, error);
        if (more) found(next->first, error - next->second);
        k = more ? (next++)->first.hi + 1 : end;
      }
    }
    return true;
  }

 private:
  std::vector<Cut> random() {
    std::vector<Cut> set(problem_.choose < 2 ? 0 : 1 + rng_.below(problem_.choose - 1));
    for (Cut& c : set) c = any_cut();
    return set;
  }
  std::vector<Cut> shaken() {
    std::vector<Cut> set = shared_.incumbent();
    if (!set.empty()) set[rng_.below(set.size())] = any_cut();
    return set;
  }
  Cut any_cut() {
    const auto column = static_cast<std::uint32_t>(rng_.below(problem_.columns.size()));
    return {column, static_cast<std::uint32_t>(rng_.below(problem_.columns[column].cuts.size()))};
  }

  // At most `choose` cuts, different ones, with room for the required columns.
  void fit(std::vector<Cut>& set) const {
    std::sort(set.begin(), set.end());
    set.erase(std::unique(set.begin(), set.end()), set.end());
    for (std::size_t i = 0; i < problem_.must.size(); ++i) {
      const auto it = std::find_if(set.begin(), set.end(), [&](const Cut& c) { return c.column == problem_.must[i]; });
      if (it == set.end())
        set.insert(set.begin() + static_cast<std::ptrdiff_t>(i), Cut{problem_.must[i], 0});
      else
        std::rotate(set.begin() + static_cast<std::ptrdiff_t>(i), it, it + 1);
    }
    if (set.size() > problem_.choose) set.resize(problem_.choose);
  }

  // Puts the best cut at place i, which may be the end; false where there is none. The first places belong to the
  // required columns.
  bool add(std::vector<Cut>& set, std::size_t i) {
    std::vector<Cut> others = set;
    if (i < others.size()) others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
    W need = -1;
    std::optional<Cut> best;
    sweep(others, i < problem_.must.size() ? std::optional(problem_.must[i]) : std::nullopt, need,
          [&](const Range& cuts, W gain) {
            need = gain;
            best = Cut{cuts.column, cuts.lo};
            return false;
          });
    if (!best || std::find(others.begin(), others.end(), *best) != others.end()) return false;
    if (i < set.size())
      set[i] = *best;
    else
      set.push_back(*best);
    return true;
  }

  // Calls found(cuts, gain) for the cuts, of this column or of all, that lower the error of the set by more than
  // `need`, which found may raise. Cuts that part the rows alike come together.
  template <class Take>
  void sweep(const std::vector<Cut>& set, std::optional<std::uint32_t> only, W& need, Take&& found) {
    divide(set);
    const auto rows = static_cast<std::uint32_t>(problem_.num_rows);
    for (std::uint32_t c = 0; c < problem_.columns.size() && rows > 1 && !ending(); ++c) {
      if (only && *only != c) continue;
      const WorkColumn& column = problem_.columns[c];
      const auto rank = [&](std::uint32_t at) { return column.ranks[column.order[at]]; };
      row_steps += rows;
      shared_.control.count(kRowStep * rows);
      cells_.sweep_exact({column.order.data(), rows, 1, rows - 1, column.ranks.data(), code_.data()}, totals_.data(),
                         num_cells_, num_cells_, need, [&](std::uint32_t at, W gain) {
                           return found(Range{c, rank(at - 1), rank(at) - 1}, gain);
                         });
    }
  }

  // Cells of a set, numbered densely.
  void divide(const std::vector<Cut>& set) {
    cell_ = problem_.cell;
    num_cells_ = problem_.num_cells;
    for (const Cut& cut : set) {
      number_.assign(2 * num_cells_, UINT32_MAX);
      num_cells_ = 0;
      const auto& ranks = problem_.columns[cut.column].ranks;
      for (std::size_t r = 0; r < problem_.num_rows; ++r) {
        std::uint32_t& n = number_[2 * cell_[r] + (ranks[r] > cut.rank ? 1 : 0)];
        if (n == UINT32_MAX) n = static_cast<std::uint32_t>(num_cells_++);
        cell_[r] = n;
      }
    }
    totals_.assign(num_cells_ * cells_.channels(), 0);
    code_.resize(problem_.num_rows);
    for (std::uint32_t r = 0; r < problem_.num_rows; ++r) {
      cells_.add(totals_.data(), cell_[r], r);
      code_[r] = cells_.pack(cell_[r], r);
    }
  }
  W error_of(const std::vector<Cut>& set) {
    divide(set);
    W sum = 0;
    for (std::size_t c = 0; c < num_cells_; ++c) sum += cells_.error(totals_.data(), c);
    return sum;
  }

  const Problem& problem_;
  Shared& shared_;
  Cells cells_;
  Rng rng_;
  Deadline until_;
  std::uint64_t most_steps_ = 0;
  std::size_t round_ = 0, num_cells_ = 1;
  std::vector<std::uint32_t> cell_, number_;
  std::vector<Code> code_;
  std::vector<W> totals_;
};

}  // namespace beadwork::ordered
