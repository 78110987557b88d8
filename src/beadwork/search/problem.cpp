#include <beadwork/search/problem.hpp>

#include <algorithm>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>

namespace beadwork::detail {
namespace {

constexpr std::int64_t kMaxTotal = std::int64_t{1} << 56;  // sums of 20 weights stay far from overflow

// The condensed column of a dataset feature, if it is not constant.
std::vector<std::int64_t> family_of(const Condensed& data, std::size_t num_features) {
  std::vector<std::int64_t> family(num_features, -1);
  for (std::size_t i = 0; i < data.features.size(); ++i) {
    family[data.features[i]()] = static_cast<std::int64_t>(i);
    for (const Alias& a : data.aliases[i]) family[a.feature()] = static_cast<std::int64_t>(i);
  }
  return family;
}

std::size_t count_features(const Condensed& data) {
  std::size_t n = data.features.size() + data.constants.size();
  for (const auto& a : data.aliases) n += a.size();
  return n;
}

Result<std::vector<std::int64_t>> row_costs(const Condensed& data, const SearchOptions& options) {
  const std::size_t k = data.num_classes;
  if (!options.costs.empty() && options.costs.size() != k * k)
    return usage_error(fmt::format("expected {} x {} costs, got {} numbers", k, k, options.costs.size()),
                       "costs");
  for (const std::int64_t c : options.costs)
    if (c < 0) return usage_error("a cost is negative", "costs");
  const Error too_large = options.costs.empty()
                              ? input_error("the weights add up to more than 2^56; scale them down")
                              : input_error("weights times costs are too large", "costs");
  std::vector<std::int64_t> out(data.num_rows * k, 0);
  std::int64_t total = 0;
  for (std::size_t r = 0; r < data.num_rows; ++r)
    for (std::size_t j = 0; j < k; ++j) {
      const std::int64_t w = data.class_weights[r * k + j];
      if (w == 0) continue;
      std::int64_t most = 0;
      for (std::size_t p = 0; p < k; ++p) {
        const std::int64_t c = options.costs.empty() ? (j == p ? 0 : 1) : options.costs[j * k + p];
        if (c != 0 && w > kMaxTotal / c) return too_large;
        out[r * k + p] += c * w;
        most = std::max(most, c * w);
      }
      total += most;
      if (total > kMaxTotal) return too_large;
    }
  return out;
}

std::uint64_t mix(std::uint64_t h, std::uint64_t x) {
  h = (h ^ x) * 0x9fb21c651e98df25ULL;
  return h ^ (h >> 29);
}

struct RowKey {
  std::vector<std::uint64_t> bits;
  friend bool operator==(const RowKey&, const RowKey&) = default;
};
struct RowKeyHash {
  std::size_t operator()(const RowKey& k) const {
    std::uint64_t h = 1;
    for (const std::uint64_t b : k.bits) h = mix(h, b);
    return h;
  }
};

// Rows that agree on the candidates and on the cell are one row. Returns the row -> merged row map, dense by
// first.
std::vector<std::uint32_t> merge_equal(const Condensed& data, const std::vector<Candidate>& candidates,
                                       const std::vector<std::uint32_t>& cell) {
  std::vector<std::uint32_t> to(data.num_rows);
  std::unordered_map<RowKey, std::uint32_t, RowKeyHash> seen;
  for (std::size_t r = 0; r < data.num_rows; ++r) {
    RowKey key{std::vector<std::uint64_t>(1 + (candidates.size() + 63) / 64)};
    key.bits[0] = cell[r];
    for (std::size_t i = 0; i < candidates.size(); ++i)
      if (bit(data.columns[candidates[i].column], r)) key.bits[1 + i / 64] |= std::uint64_t{1} << i % 64;
    to[r] = seen.try_emplace(std::move(key), static_cast<std::uint32_t>(seen.size())).first->second;
  }
  return to;
}

void fingerprint(const Condensed& data, const SearchOptions& options, Problem& p) {
  Sha256 h;
  h.update(
      fmt::format("search 1 rows {} classes {} depth {}\n", data.num_rows, data.num_classes, options.depth));
  for (const std::int64_t w : data.class_weights) h.update(fmt::format("{} ", w));
  for (const std::int64_t c : options.costs) h.update(fmt::format("c{} ", c));
  for (const Feature f : p.required) h.update(fmt::format("r{} ", f()));
  for (const Candidate& c : p.candidates) {
    h.update(fmt::format("f{} ", c.feature()));
    const BitColumn& column = data.columns[c.column];
    for (const std::uint64_t word : column) h.update(fmt::format("{:x} ", word));
  }
  p.hash = h.hex_digest();
}

}  // namespace

Result<Problem> make_problem(const Condensed& data, const SearchOptions& options) {
  if (options.depth > 20) return usage_error(fmt::format("depth {} is above 20", options.depth), "depth");
  const std::size_t num_features = count_features(data);
  for (const auto* list : {&options.require, &options.forbid})
    for (const Feature f : *list)
      if (f() >= num_features)
        return usage_error(fmt::format("there is no feature {}", f()), "require, forbid");

  Problem p;
  p.required = options.require;
  std::sort(p.required.begin(), p.required.end());
  p.required.erase(std::unique(p.required.begin(), p.required.end()), p.required.end());
  if (p.required.size() > options.depth)
    return usage_error(fmt::format("{} features are required at depth {}", p.required.size(), options.depth),
                       "require");
  std::vector<bool> forbidden(num_features, false);
  for (const Feature f : options.forbid) forbidden[f()] = true;
  for (const Feature f : p.required)
    if (forbidden[f()])
      return usage_error(fmt::format("feature {} is required and forbidden", f()), "require");

  const auto family = family_of(data, num_features);
  std::vector<bool> taken(data.features.size(), false);
  p.cell.assign(data.num_rows, 0);
  std::uint32_t num_cells = 1;
  for (const Feature f : p.required) {
    if (family[f()] < 0 || taken[static_cast<std::size_t>(family[f()])]) continue;
    const std::size_t column = static_cast<std::size_t>(family[f()]);
    taken[column] = true;
    std::vector<std::uint32_t> number(2 * num_cells, UINT32_MAX);
    std::uint32_t next = 0;
    for (std::size_t r = 0; r < data.num_rows; ++r) {
      std::uint32_t& n = number[2 * p.cell[r] + bit(data.columns[column], r)];
      if (n == UINT32_MAX) n = next++;
      p.cell[r] = n;
    }
    num_cells = next;
  }
  for (std::size_t i = 0; i < data.features.size(); ++i) {
    if (taken[i]) continue;
    Candidate c{data.features[i], static_cast<std::uint32_t>(i), 0};
    bool any = false;
    auto allow = [&](Feature f) {
      if (forbidden[f()]) return;
      if (!any || f < c.feature) c.feature = f;
      any = true;
      ++c.copies;
    };
    allow(data.features[i]);
    for (const Alias& a : data.aliases[i]) allow(a.feature);
    if (any) p.candidates.push_back(c);
  }
  std::sort(p.candidates.begin(), p.candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.feature < b.feature; });
  p.choose = std::min(options.depth - p.required.size(), p.candidates.size());
  p.num_channels = data.num_classes;
  fingerprint(data, options, p);

  auto costs = row_costs(data, options);
  if (!costs) return costs.error();
  std::vector<std::uint32_t> to(data.num_rows);
  std::iota(to.begin(), to.end(), 0u);
  const auto num_taken = static_cast<std::size_t>(std::count(taken.begin(), taken.end(), true));
  if (p.candidates.size() + num_taken < data.features.size()) to = merge_equal(data, p.candidates, p.cell);
  const std::size_t k = p.num_channels;
  const std::size_t merged = to.empty() ? 0 : *std::max_element(to.begin(), to.end()) + std::size_t{1};
  std::vector<std::int64_t> sums(merged * k, 0);
  std::vector<std::uint32_t> first(merged, UINT32_MAX);
  for (std::size_t r = 0; r < data.num_rows; ++r) {
    for (std::size_t c = 0; c < k; ++c) sums[to[r] * k + c] += (*costs)[r * k + c];
    first[to[r]] = std::min(first[to[r]], static_cast<std::uint32_t>(r));
  }
  std::vector<std::uint32_t> kept;
  std::vector<std::uint32_t> cells;
  for (std::size_t m = 0; m < merged; ++m) {
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
  for (const Candidate& c : p.candidates) {
    BitColumn column(words_for(p.num_rows));
    std::size_t ones = 0;
    for (std::size_t r = 0; r < kept.size(); ++r)
      if (bit(data.columns[c.column], kept[r])) {
        set_bit(column, r);
        ++ones;
      }
    if (2 * ones > p.num_rows)
      for (std::size_t r = 0; r < p.num_rows; ++r) column[r / 64] ^= std::uint64_t{1} << r % 64;
    p.columns.push_back(std::move(column));
  }
  return p;
}

std::int64_t evaluate(const Problem& p, std::span<const std::uint32_t> candidates) {
  std::vector<std::uint32_t> cell = p.cell;
  std::uint32_t num_cells = cell.empty() ? 0 : *std::max_element(cell.begin(), cell.end()) + 1;
  std::vector<std::uint32_t> number;
  for (const std::uint32_t i : candidates) {
    number.assign(2 * std::size_t{num_cells}, UINT32_MAX);
    num_cells = 0;
    for (std::size_t r = 0; r < p.num_rows; ++r) {
      std::uint32_t& n = number[2 * std::size_t{cell[r]} + bit(p.columns[i], r)];
      if (n == UINT32_MAX) n = num_cells++;
      cell[r] = n;
    }
  }
  const std::size_t k = p.num_channels;
  std::vector<std::int64_t> sums(num_cells * k, 0);
  for (std::size_t r = 0; r < p.num_rows; ++r)
    for (std::size_t c = 0; c < k; ++c) sums[cell[r] * k + c] += p.costs[r * k + c];
  std::int64_t out = p.base;
  for (std::size_t i = 0; i < num_cells; ++i)
    out += *std::min_element(sums.begin() + static_cast<std::ptrdiff_t>(i * k),
                             sums.begin() + static_cast<std::ptrdiff_t>((i + 1) * k));
  return out;
}

}  // namespace beadwork::detail
