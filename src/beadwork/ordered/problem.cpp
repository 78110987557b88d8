#include <beadwork/ordered/lanes.hpp>
#include <beadwork/ordered/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace beadwork::ordered {
namespace {

// What each answer costs in each row.
Result<std::vector<std::int64_t>> costs_of_rows(const RankedData& data, const CostMatrix& costs) {
  const std::size_t k = data.num_classes();
  TRY_DONE(check_cost_matrix(costs, k));
  CheckedTotal all;
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    require(data.weight(r) >= 0, "search_ordered: weights are not negative");
    if (!all.add(data.weight(r))) return input_error("the weights add up to more than 2^56; scale them down");
  }
  TRY_DONE(worst_total(class_totals(data).weights, costs));
  std::vector<std::int64_t> out(data.num_rows() * k, 0);
  for (std::size_t r = 0; r < data.num_rows(); ++r)
    add_costs(std::span(out).subspan(r * k, k), costs, data.labels[r](), data.weight(r));
  return out;
}

Status check(const RankedData& data, const OrderedOptions& o) {
  if (o.depth > 20) return usage_error(fmt::format("depth {} is above 20", o.depth), "depth");
  for (const auto* list : {&o.forbid_columns, &o.require_columns, &o.candidate_columns})
    for (const std::uint32_t c : *list) require(c < data.columns.size(), "search_ordered: columns named exist");
  for (const auto* list : {&o.forbid, &o.require, &o.candidates})
    for (const Cut& c : *list)
      require(c.column < data.columns.size() && c.rank < data.columns[c.column].num_cuts(),
              "search_ordered: cuts named exist");
  for (const Cut& c : o.require)
    if (std::count(o.forbid.begin(), o.forbid.end(), c) +
            std::count(o.forbid_columns.begin(), o.forbid_columns.end(), c.column) >
        0)
      return usage_error("a test is required and forbidden", "require");
  return Done{};
}

std::vector<WorkColumn> work_columns(const RankedData& data, const std::vector<std::vector<bool>>& allowed) {
  std::vector<WorkColumn> out;
  for (std::uint32_t c = 0; c < data.columns.size(); ++c) {
    WorkColumn w(c);
    std::vector<std::uint32_t> to(data.columns[c].num_ranks, 0);
    for (std::uint32_t k = 0; k < allowed[c].size(); ++k) {
      if (allowed[c][k]) w.cuts.push_back(k);
      to[k + 1] = static_cast<std::uint32_t>(w.cuts.size());
    }
    if (w.cuts.empty()) continue;
    w.ranks = data.columns[c].ranks;
    if (w.cuts.size() < allowed[c].size()) {
      w.own.reserve(data.num_rows());
      for (const std::uint32_t r : w.ranks) w.own.push_back(to[r]);
      w.ranks = w.own;
    }
    out.push_back(std::move(w));
  }
  return out;
}

void split_required(const RankedData& data, Problem& p) {
  p.cell.assign(data.num_rows(), 0);
  for (const Cut& c : p.required) {
    const auto& ranks = data.columns[c.column].ranks;
    const auto cells = refine_cells(p.cell, p.num_cells, [&](std::size_t r) { return ranks[r] > c.rank; });
    p.num_cells = std::max<std::size_t>(cells, 1);
  }
}

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ (x + 0x9e3779b97f4a7c15ULL)) * 0x9fb21c651e98df25ULL;
  return h ^ (h >> 29);
}

// Rows that agree on every work column and on the cell, each group led by its first row: leader[row]. Nothing if
// stopped.
std::vector<std::uint32_t> group_equal(const Problem& p, const Control& control) {
  const std::size_t rows = p.cell.size();
  std::vector<std::uint64_t> hash(rows);
  for (std::size_t r = 0; r < rows; ++r) hash[r] = mix(1, p.cell[r]);
  for (const WorkColumn& c : p.columns) {
    if (control.stopping()) return {};
    for (std::size_t r = 0; r < rows; ++r) hash[r] = mix(hash[r], c.ranks[r]);
  }
  const auto equal = [&](std::uint32_t a, std::uint32_t b) {
    return p.cell[a] == p.cell[b] && std::all_of(p.columns.begin(), p.columns.end(),
                                                 [&](const WorkColumn& c) { return c.ranks[a] == c.ranks[b]; });
  };
  std::size_t mask = 1;
  while (mask < 2 * rows) mask *= 2;
  std::vector<std::uint32_t> slots(mask--, UINT32_MAX), leader(rows);
  for (std::uint32_t r = 0; r < rows; ++r) {
    std::size_t at = hash[r] & mask;
    while (slots[at] != UINT32_MAX && !(hash[slots[at]] == hash[r] && equal(slots[at], r))) at = (at + 1) & mask;
    if (slots[at] == UINT32_MAX) slots[at] = r;
    leader[r] = slots[at];
  }
  return leader;
}

// A few rows that count more than once are quicker as several rows: then all costs are 1 (lanes.hpp).
void repeat_rows(Problem& p, std::vector<std::uint32_t>& kept) {
  const auto total = static_cast<std::size_t>(p.total);
  if (p.num_channels != 2 || total == kept.size() || p.total > Lanes::kMostRows ||
      total > kept.size() + kept.size() / 8)
    return;
  std::vector<std::uint32_t> rows;
  std::vector<std::int64_t> costs;
  for (std::size_t i = 0; i < kept.size(); ++i)
    for (std::int64_t copy = std::max(p.costs[2 * i], p.costs[2 * i + 1]); copy > 0; --copy) {
      rows.push_back(kept[i]);
      for (const std::size_t c : {2 * i, 2 * i + 1}) costs.push_back(p.costs[c] > 0 ? 1 : 0);
    }
  kept = std::move(rows);
  p.costs = std::move(costs);
}

// Adds up groups, takes the base off, and returns the rows that are left.
std::vector<std::uint32_t> condense_rows(Problem& p, std::vector<std::int64_t>& costs, const Control& control) {
  const std::size_t k = p.num_channels;
  const auto leader = group_equal(p, control);
  for (std::size_t r = 0; r < leader.size(); ++r)
    if (leader[r] != r)
      for (std::size_t c = 0; c < k; ++c) costs[leader[r] * k + c] += costs[r * k + c];
  std::vector<std::uint32_t> kept;
  for (std::uint32_t r = 0; r < leader.size(); ++r) {
    if (leader[r] != r) continue;
    const auto row = std::span(costs).subspan(r * k, k);
    const std::int64_t least = *std::min_element(row.begin(), row.end());
    const std::int64_t most = *std::max_element(row.begin(), row.end()) - least;
    p.base += least;
    if (most == 0) continue;
    for (const std::int64_t c : row) p.costs.push_back(c - least);
    p.total += most;
    kept.push_back(r);
  }
  repeat_rows(p, kept);
  return kept;
}

std::vector<std::uint32_t> kept_of(std::span<const std::uint32_t> values, const std::vector<std::uint32_t>& rows) {
  std::vector<std::uint32_t> out;
  out.reserve(rows.size());
  for (const std::uint32_t r : rows) out.push_back(values[r]);
  return out;
}

void keep(WorkColumn& c, const std::vector<std::uint32_t>& rows) {
  if (rows.size() == c.ranks.size() && std::adjacent_find(rows.begin(), rows.end()) == rows.end()) return;
  c.own = kept_of(c.ranks, rows);
  c.ranks = c.own;
}

void sort_rows(WorkColumn& c) {
  std::vector<std::uint32_t> first(c.cuts.size() + 2, 0);
  for (const std::uint32_t r : c.ranks) ++first[r + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  c.order.resize(c.ranks.size());
  for (std::uint32_t row = 0; row < c.ranks.size(); ++row) c.order[first[c.ranks[row]]++] = row;
}

// Required cuts and columns; false where they cannot be met.
bool settle_required(const OrderedOptions& o, Problem& p) {
  p.required = o.require;
  std::sort(p.required.begin(), p.required.end());
  p.required.erase(std::unique(p.required.begin(), p.required.end()), p.required.end());
  for (const std::uint32_t c : o.require_columns) {
    if (std::any_of(p.required.begin(), p.required.end(), [&](const Cut& r) { return r.column == c; })) continue;
    const auto it =
        std::find_if(p.columns.begin(), p.columns.end(), [&](const WorkColumn& w) { return w.column == c; });
    if (it == p.columns.end()) return false;
    p.must.push_back(static_cast<std::uint32_t>(it - p.columns.begin()));
  }
  std::sort(p.must.begin(), p.must.end());
  p.must.erase(std::unique(p.must.begin(), p.must.end()), p.must.end());
  if (p.required.size() + p.must.size() > o.depth) return false;
  p.choose = o.depth - p.required.size();
  std::size_t cuts = 0;
  for (const WorkColumn& c : p.columns) cuts += c.cuts.size();
  p.choose = std::min(p.choose, cuts);
  return true;
}

}  // namespace

std::vector<std::vector<bool>> allowed_cuts(const RankedData& data, const OrderedOptions& o) {
  const bool listed = !o.candidate_columns.empty() || !o.candidates.empty();
  std::vector<std::vector<bool>> allowed;
  for (const RankedColumn& c : data.columns) allowed.emplace_back(c.num_cuts(), !listed);
  for (const std::uint32_t c : o.candidate_columns) allowed[c].assign(allowed[c].size(), true);
  for (const Cut& c : o.candidates) allowed[c.column][c.rank] = true;
  for (const std::uint32_t c : o.forbid_columns) allowed[c].assign(allowed[c].size(), false);
  for (const Cut& c : o.forbid) allowed[c.column][c.rank] = false;
  for (const Cut& c : o.require) allowed[c.column][c.rank] = false;
  return allowed;
}

Result<Problem> make_problem(const RankedData& data, const OrderedOptions& options, const Control& control) {
  TRY_DONE(check(data, options));
  TRY(auto costs, costs_of_rows(data, options.costs));
  Problem p;
  p.columns = work_columns(data, allowed_cuts(data, options));
  p.num_channels = data.num_classes();
  p.feasible = settle_required(options, p);
  split_required(data, p);
  if (!p.feasible) return p;
  Control brief = control;  // what CART has by then must do
  brief.deadline = control.deadline.part(shares::kCart);
  grow_cart(data, p.columns, p.choose, brief, p.cart);
  const auto kept = condense_rows(p, costs, control);
  p.complete = !control.stopping();
  if (!p.complete) return p;
  p.num_rows = kept.size();
  p.cell = kept_of(p.cell, kept);
  for (WorkColumn& c : p.columns) {
    if (control.stopping()) p.complete = false;
    keep(c, kept);
    if (p.complete) sort_rows(c);
  }
  return p;
}

std::int64_t evaluate(const Problem& p, const std::vector<Cut>& set) {
  const std::size_t k = p.num_channels;
  std::map<std::vector<std::uint32_t>, std::vector<std::int64_t>> cells;
  for (std::size_t r = 0; r < p.num_rows; ++r) {
    std::vector<std::uint32_t> cell{p.cell[r]};
    for (const Cut& c : set) cell.push_back(p.columns[c.column].ranks[r] > c.rank ? 1 : 0);
    auto& sums = cells[cell];
    sums.resize(k);
    for (std::size_t c = 0; c < k; ++c) sums[c] += p.costs[r * k + c];
  }
  std::int64_t out = 0;
  for (const auto& [_, sums] : cells) out += *std::min_element(sums.begin(), sums.end());
  return out;
}

std::vector<Cut> in_data(const Problem& p, const std::vector<Cut>& set) {
  std::vector<Cut> out = p.required;
  for (const Cut& c : set) out.push_back({p.columns[c.column].column, p.columns[c.column].cuts[c.rank]});
  std::sort(out.begin(), out.end());
  return out;
}

std::vector<Cut> in_work(const Problem& p, const std::vector<Cut>& set) {
  std::vector<Cut> out;
  for (const Cut& cut : set)
    for (std::uint32_t c = 0; c < p.columns.size(); ++c) {
      const auto& cuts = p.columns[c].cuts;
      const auto at = std::lower_bound(cuts.begin(), cuts.end(), cut.rank);
      if (p.columns[c].column == cut.column && at != cuts.end() && *at == cut.rank)
        out.push_back({c, static_cast<std::uint32_t>(at - cuts.begin())});
    }
  return out;
}

namespace {

std::size_t memory_of_thread(const Problem& p) {
  return p.num_rows * (p.columns.size() * 4 + 16) * p.choose;
}

}  // namespace

bool enough_memory(const Problem& p, const Control& control) {
  return control.memory_limit == 0 || current_memory() + memory_of_thread(p) < control.memory_limit;
}

unsigned threads_with_room(const Problem& p, unsigned asked, const Control& control) {
  const std::size_t used = current_memory(), each = memory_of_thread(p);
  const std::size_t room = control.memory_limit == 0     ? available_memory()
                           : control.memory_limit > used ? control.memory_limit - used
                                                         : 0;
  const bool unknown = control.memory_limit == 0 && room == 0;
  if (asked < 2 || unknown || room / asked > each) return std::max(1U, asked);
  return static_cast<unsigned>(std::max<std::size_t>(1, room / std::max<std::size_t>(1, each)));
}

}  // namespace beadwork::ordered

namespace beadwork {

std::size_t num_required(const OrderedOptions& o) {
  const std::set<Cut> cuts(o.require.begin(), o.require.end());
  std::set<std::uint32_t> columns(o.require_columns.begin(), o.require_columns.end());
  for (const Cut& c : cuts) columns.erase(c.column);
  return cuts.size() + columns.size();
}

}  // namespace beadwork
