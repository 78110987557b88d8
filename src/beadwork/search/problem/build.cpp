#include <beadwork/search/problem/problem.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace beadwork::detail {
namespace {

std::size_t count_features(const Condensed& data) {
  std::size_t n = data.features.size() + data.constants.size();
  for (const auto& a : data.aliases) n += a.size();
  return n;
}

std::vector<Feature> increasing(std::vector<Feature> features) {
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  return features;
}

Status check(const SearchOptions& options, std::size_t num_features, std::size_t classes) {
  std::vector<const std::vector<Feature>*> lists{&options.require, &options.forbid};
  for (const auto& group : options.require_any) lists.push_back(&group);
  for (const auto* list : lists)
    for (const Feature f : *list)
      if (f() >= num_features) return option_error(fmt::format("there is no feature {}", f()), "require");
  std::vector<bool> seen(num_features);
  for (const auto& group : increasing_groups(options.require_any))
    for (const Feature f : group) {
      require(!seen[f()], "search: a feature is in one group at most");
      seen[f()] = true;
    }
  for (const Feature f : options.require)
    if (std::find(options.forbid.begin(), options.forbid.end(), f) != options.forbid.end())
      return option_error(fmt::format("feature {} is required and forbidden", f()), "require");
  return check_cost_matrix(options.costs, classes);
}

// Looks at the control now and then, after so many steps of work.
struct Polls {
  const Control& control;
  std::size_t steps = 0;
  void after(std::size_t more) {
    constexpr std::size_t kBetween = std::size_t{1} << 20;
    steps += more;
    if (steps < kBetween) return;
    steps = 0;
    poll(control);
  }
};

// Splits the rows by the required features. Returns which condensed columns are taken by them.
std::vector<bool> take_required(Problem& p) {
  const Condensed& data = *p.data;
  std::vector<bool> taken(data.features.size(), false);
  p.cell.assign(data.num_rows, 0);
  std::uint32_t num_cells = 1;
  const auto names = [](std::size_t i, const Condensed& d, Feature f) {
    return d.features[i] == f ||
           std::any_of(d.aliases[i].begin(), d.aliases[i].end(), [f](const Alias& a) { return a.feature == f; });
  };
  for (const Feature f : p.required)
    for (std::size_t i = 0; i < data.features.size(); ++i) {
      if (taken[i] || !names(i, data, f)) continue;
      taken[i] = true;
      num_cells = refine_cells(p.cell, num_cells, [&](std::size_t r) { return bit(data.columns[i], r); });
    }
  return taken;
}

// Is a feature of it required by itself?
bool is_met(const std::vector<Feature>& group, const std::vector<Feature>& required) {
  return std::any_of(group.begin(), group.end(),
                     [&](Feature f) { return std::binary_search(required.begin(), required.end(), f); });
}

// The group of each feature, counted from 1; 0: of none that is open.
std::vector<std::uint32_t> numbered(const Problem& p, std::size_t num_features) {
  std::vector<std::uint32_t> out(num_features, 0);
  for (std::uint32_t g = 0; g < p.asked_any.size(); ++g)
    for (const Feature f : p.asked_any[g])
      if (!is_met(p.asked_any[g], p.asked)) out[f()] = g + 1;
  return out;
}

// The families that are free, each under the name of its least allowed feature in each group and outside of all.
std::vector<Candidate> free_candidates(const Problem& p, const std::vector<bool>& taken,
                                       const std::vector<std::uint32_t>& group_of) {
  const Condensed& data = *p.data;
  std::vector<Candidate> out;
  for (std::size_t i = 0; i < data.features.size(); ++i) {
    if (taken[i]) continue;
    const std::size_t first = out.size();
    const auto allow = [&](Feature f) {
      if (std::binary_search(p.forbidden.begin(), p.forbidden.end(), f)) return;
      std::size_t at = first;
      while (at < out.size() && out[at].group != group_of[f()]) ++at;
      if (at == out.size()) out.push_back({f, static_cast<std::uint32_t>(i), 0, group_of[f()]});
      out[at].feature = std::min(out[at].feature, f);
      ++out[at].copies;
    };
    allow(data.features[i]);
    for (const Alias& a : data.aliases[i]) allow(a.feature);
  }
  std::sort(out.begin(), out.end(), [](const Candidate& a, const Candidate& b) { return a.feature < b.feature; });
  return out;
}

// Groups that the required features leave open become bits, the one with fewest candidates first. One without any has
// its least allowed feature required, which tells nothing that other features do not.
Status settle_groups(Problem& p) {
  constexpr std::size_t kMost = 20;
  std::vector<std::size_t> members(p.asked_any.size(), 0), open;
  for (const Candidate& c : p.candidates)
    if (c.group > 0) ++members[c.group - 1];
  for (std::size_t g = 0; g < p.asked_any.size(); ++g) {
    const auto& group = p.asked_any[g];
    if (is_met(group, p.asked)) continue;
    const auto allowed = std::find_if_not(group.begin(), group.end(), [&](Feature f) {
      return std::binary_search(p.forbidden.begin(), p.forbidden.end(), f);
    });
    if (allowed == group.end())
      return option_error("one of some features is required, and all are forbidden", "require");
    if (members[g] > 0)
      open.push_back(g);
    else
      p.required.push_back(*allowed);
  }
  std::sort(p.required.begin(), p.required.end());
  if (open.size() > kMost) return option_error(fmt::format("more than {} groups are required", kMost), "require");
  std::stable_sort(open.begin(), open.end(), [&](std::size_t a, std::size_t b) { return members[a] < members[b]; });
  std::vector<std::uint32_t> bit_of(p.asked_any.size() + 1, 0);
  for (std::size_t i = 0; i < open.size(); ++i) bit_of[open[i] + 1] = std::uint32_t{1} << i;
  for (Candidate& c : p.candidates) c.group = bit_of[c.group];
  p.groups = (std::uint32_t{1} << open.size()) - 1;
  return Done{};
}

// Rows that agree on the candidates and on the cell are one row: the row -> merged row map, dense by first.
std::vector<std::uint32_t> merge_equal(const Problem& p, const Control& control) {
  std::vector<std::uint32_t> to = p.cell;
  std::vector<std::uint64_t> bits(to.size(), 0);
  renumber(to, bits);
  for (std::size_t from = 0; from < p.candidates.size(); from += 64) {
    std::fill(bits.begin(), bits.end(), 0);
    for (std::size_t i = from; i < std::min(from + 64, p.candidates.size()); ++i) {
      poll(control);
      const BitColumn& column = p.data->columns[p.candidates[i].column];
      for (std::size_t r = 0; r < bits.size(); ++r) bits[r] = bits[r] << 1 | std::uint64_t{bit(column, r)};
    }
    renumber(to, bits);
  }
  return to;
}

// Adds up equal rows, takes the base off, and keeps the rows that cost something; the first condensed row of each.
std::vector<std::uint32_t> settle_rows(Problem& p, std::vector<std::int64_t> sums, const std::vector<std::uint32_t>& to,
                                       const Control& control) {
  const std::size_t k = p.num_channels;
  const std::size_t merged = to.empty() ? 0 : *std::max_element(to.begin(), to.end()) + std::size_t{1};
  std::vector<std::uint32_t> first(merged, UINT32_MAX), kept, cells;
  Polls polls{control};
  for (std::size_t r = 0; r < to.size(); ++r) {  // `to` is dense by first: a row goes to its own place or to one before
    const bool fresh = first[to[r]] == UINT32_MAX;
    if (fresh) first[to[r]] = static_cast<std::uint32_t>(r);
    polls.after(k);
    for (std::size_t c = 0; c < k && to[r] != r; ++c)
      sums[to[r] * k + c] = sums[r * k + c] + (fresh ? 0 : sums[to[r] * k + c]);
  }
  sums.resize(merged * k);
  p.costs.reserve(sums.size());
  for (std::size_t m = 0; m < merged; ++m) {
    polls.after(k);
    const auto row = std::span(sums).subspan(m * k, k);
    const std::int64_t least = *std::min_element(row.begin(), row.end());
    const std::int64_t most = *std::max_element(row.begin(), row.end()) - least;
    p.base += least;
    if (most == 0) continue;
    for (const std::int64_t c : row) p.costs.push_back(c - least);
    p.total += most;
    kept.push_back(first[m]);
    cells.push_back(p.cell[first[m]]);
  }
  p.cell = std::move(cells);
  p.num_rows = kept.size();
  return kept;
}

// The columns of the candidates over the rows kept, the rarer value as 1.
void gather(Problem& p, const std::vector<std::uint32_t>& kept, const Control& control) {
  BitColumn mask(words_for(p.data->num_rows));
  for (const std::uint32_t r : kept) set_bit(mask, r);
  for (const Candidate& c : p.candidates) {
    poll(control);
    BitColumn column = compress(p.data->columns[c.column], mask, kept.size());
    if (2 * count_ones_of_and(column.data(), column.data(), column.size()) > kept.size()) {
      for (std::uint64_t& word : column) word = ~word;
      if (kept.size() % 64 != 0) column.back() &= (std::uint64_t{1} << kept.size() % 64) - 1;
    }
    p.columns.push_back(std::move(column));
  }
}

}  // namespace

std::vector<std::vector<Feature>> increasing_groups(std::vector<std::vector<Feature>> groups) {
  for (auto& group : groups) group = increasing(std::move(group));
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  return groups;
}

Result<Problem> make_problem(std::shared_ptr<const Condensed> data, const SearchOptions& options,
                             const Control& control) {
  TRY_DONE(check(options, count_features(*data), data->num_classes));
  // The columns once more, and for each row its costs twice, its cell, its bits and its slots.
  const std::size_t room =
      data->columns.size() * (words_for(data->num_rows) * 8 + 64) + data->num_rows * (32 + 16 * data->num_classes);
  if (control.no_room_for(room)) throw MemoryLimitReached{};
  Problem p;
  p.data = std::move(data);
  p.cost_matrix = options.costs;
  p.required = p.asked = increasing(options.require);
  p.asked_any = increasing_groups(options.require_any);
  p.forbidden = increasing(options.forbid);
  p.num_channels = p.data->num_classes;
  const auto taken = take_required(p);
  p.candidates = free_candidates(p, taken, numbered(p, count_features(*p.data)));
  TRY_DONE(settle_groups(p));
  poll(control);
  auto costs = row_costs(*p.data, p.cost_matrix, control);
  poll(control);
  if (!costs) return costs.error();
  // Rows of condensed data differ; only a family that is not allowed can have told them apart.
  std::vector<bool> told = taken;
  for (const Candidate& c : p.candidates) told[c.column] = true;
  std::vector<std::uint32_t> to(p.data->num_rows);
  std::iota(to.begin(), to.end(), 0u);
  if (std::find(told.begin(), told.end(), false) != told.end()) to = merge_equal(p, control);
  gather(p, settle_rows(p, *std::move(costs), to, control), control);
  return p;
}

}  // namespace beadwork::detail
