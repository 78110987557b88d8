#include <beadwork/dataset.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace beadwork {
namespace {

std::uint64_t mix(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * 0x9fb21c651e98df25ULL;
  return h ^ (h >> 32);
}

// A column with row 0 at zero: equal features and complements have the same one.
BitColumn normal_form(const BitColumn& column, std::size_t rows) {
  if ((column[0] & 1) == 0) return column;
  BitColumn flipped = column;
  for (std::uint64_t& w : flipped) w = ~w;
  if (rows % 64 != 0) flipped.back() &= (std::uint64_t{1} << rows % 64) - 1;
  return flipped;
}

std::uint64_t hash_of(const BitColumn& column, std::uint64_t flip, std::uint64_t last) {
  std::uint64_t h = 0x243f6a8885a308d3ULL;
  for (std::size_t i = 0; i + 1 < column.size(); ++i) h = mix(h, column[i] ^ flip);
  return mix(h, (column.back() ^ flip) & last);
}

// Thrown inside this file when the control asks to stop.
struct Stopped {};

void poll(const Control& control) {
  if (control.stopping()) throw Stopped{};
}

// Families by the hash of their normal form, row 0 at zero; no column is copied.
void merge_features(const Dataset& dataset, const Control& control, Condensed& out) {
  const std::size_t rows = dataset.num_rows();
  const std::uint64_t last = rows % 64 == 0 ? ~std::uint64_t{0} : (std::uint64_t{1} << rows % 64) - 1;
  const auto flip_of = [](const BitColumn& c) { return std::uint64_t{0} - (c[0] & 1); };
  std::unordered_multimap<std::uint64_t, std::size_t> families;  // hash -> index into out.features
  const std::uint64_t constant = hash_of(BitColumn(words_for(rows)), 0, last);
  const auto same = [&](const BitColumn& a, const BitColumn& b) {
    const std::uint64_t flip = flip_of(a) ^ flip_of(b);
    const bool start = std::equal(a.begin(), a.end() - 1, b.begin(),
                                  [flip](std::uint64_t x, std::uint64_t y) { return (x ^ y) == flip; });
    return start && ((a.back() ^ b.back() ^ flip) & last) == 0;
  };
  for (std::size_t i = 0; i < dataset.num_features(); ++i) {
    poll(control);
    const Feature f{i};
    const BitColumn& column = dataset.column(f);
    const std::uint64_t hash = hash_of(column, flip_of(column), last);
    if (hash == constant && same(column, BitColumn(column.size()))) {
      out.constants.push_back(f);
      continue;
    }
    const auto [begin, end] = families.equal_range(hash);
    const auto found =
        std::find_if(begin, end, [&](const auto& x) { return same(dataset.column(out.features[x.second]), column); });
    if (found == end) {
      families.emplace(hash, out.features.size());
      out.features.push_back(f);
      out.aliases.emplace_back();
    } else {
      const BitColumn& first = dataset.column(out.features[found->second]);
      out.aliases[found->second].push_back({f, (first[0] & 1) != (column[0] & 1)});
    }
  }
}

// Numbers the distinct rows by first appearance: refine the partition of rows column by column, by 64 columns at a
// time.
void merge_rows(const Dataset& dataset, const Control& control, Condensed& out) {
  const std::size_t rows = dataset.num_rows();
  out.row_of.assign(rows, 0);
  out.num_rows = rows == 0 ? 0 : 1;
  std::vector<std::uint64_t> bits(rows);
  for (std::size_t start = 0; start < out.features.size() && out.num_rows < rows; start += 64) {
    const std::size_t end = std::min(start + 64, out.features.size());
    std::fill(bits.begin(), bits.end(), 0);
    for (std::size_t i = start; i < end; ++i) {
      poll(control);
      const BitColumn& column = dataset.column(out.features[i]);
      for (std::size_t r = 0; r < rows; ++r) bits[r] = bits[r] << 1 | static_cast<std::uint64_t>(bit(column, r));
    }
    out.num_rows = renumber(out.row_of, bits);
  }
}

void gather(const Dataset& dataset, const Control& control, Condensed& out) {
  // With many classes there are billions of weights: so many between two looks.
  constexpr std::size_t kBlock = std::size_t{1} << 22;
  const std::size_t rows_of_block = std::max<std::size_t>(1, kBlock / out.num_classes);
  out.class_weights.reserve(out.num_rows * out.num_classes);
  for (std::size_t i = 0; i < out.num_rows; i += rows_of_block) {
    poll(control);
    out.class_weights.resize(std::min(i + rows_of_block, out.num_rows) * out.num_classes);
  }
  std::vector<std::uint32_t> first(out.num_rows);  // a dataset row for each distinct one
  for (std::size_t r = dataset.num_rows(); r-- > 0;) {
    first[out.row_of[r]] = static_cast<std::uint32_t>(r);
    out.class_weights[out.row_of[r] * out.num_classes + dataset.label(Row{r})()] += dataset.weight(Row{r});
  }
  for (const Feature f : out.features) {
    poll(control);
    const BitColumn& from = dataset.column(f);
    if (out.num_rows == dataset.num_rows()) {  // no row repeats another
      out.columns.push_back(from);
      continue;
    }
    BitColumn to(words_for(out.num_rows));
    for (std::size_t i = 0; i < out.num_rows; ++i)
      if (bit(from, first[i])) set_bit(to, i);
    out.columns.push_back(std::move(to));
  }
  for (std::size_t i = 0; i < out.num_rows; ++i) {
    if (i % rows_of_block == 0) poll(control);
    const auto weights = std::span(out.class_weights).subspan(i * out.num_classes, out.num_classes);
    out.unavoidable_errors += std::accumulate(weights.begin(), weights.end(), std::int64_t{0}) -
                              *std::max_element(weights.begin(), weights.end());
  }
}

}  // namespace

std::optional<Condensed> condense(const Dataset& dataset, const Control& control) {
  Condensed out;
  out.num_classes = dataset.num_classes();
  const std::size_t rows = dataset.num_rows();
  if (rows == 0) return out;
  // The columns; and for each row its number twice, its bits, up to four slots and its weights.
  const std::size_t room = dataset.num_features() * (words_for(rows) * 8 + 64) + rows * (32 + 8 * out.num_classes);
  if (control.no_room_for(room)) return {};
  try {
    merge_features(dataset, control, out);
    merge_rows(dataset, control, out);
    gather(dataset, control, out);
  } catch (const Stopped&) {
    return {};
  }
  return out;
}

Condensed condense(const Dataset& dataset) {
  return *condense(dataset, {});
}

DistinctRows distinct_rows(const Dataset& dataset) {
  Condensed all;
  for (std::size_t f = 0; f < dataset.num_features(); ++f) all.features.emplace_back(f);
  merge_rows(dataset, {}, all);
  const std::size_t classes = dataset.num_classes();
  DistinctRows out{std::vector<std::uint32_t>(all.num_rows), std::vector<std::int64_t>(all.num_rows * classes)};
  for (std::size_t r = dataset.num_rows(); r-- > 0;) {
    out.first[all.row_of[r]] = static_cast<std::uint32_t>(r);
    out.class_weights[all.row_of[r] * classes + dataset.label(Row{r})()] += dataset.weight(Row{r});
  }
  return out;
}

namespace {

// The cuts with all rows of one class below and all of the other above. Most columns are done after a few rows.
std::vector<Feature> cuts_equal_to_label(const RankedData& data) {
  struct Ranks {
    std::int64_t low = std::numeric_limits<std::int64_t>::max(), high = -1;
  };
  std::vector<Feature> out;
  for (std::uint32_t c = 0; c < data.columns.size(); ++c) {
    std::array<Ranks, 2> of{};
    const auto apart = [&] { return of[0].high < of[1].low || of[1].high < of[0].low; };
    for (std::size_t r = 0; r < data.num_rows() && apart(); ++r) {
      Ranks& ranks = of[data.labels[r]()];
      ranks.low = std::min<std::int64_t>(ranks.low, data.columns[c].ranks[r]);
      ranks.high = std::max<std::int64_t>(ranks.high, data.columns[c].ranks[r]);
    }
    if (!apart() || of[0].high < 0 || of[1].high < 0) continue;
    const Ranks &below = of[0].high < of[1].low ? of[0] : of[1], &above = &below == &of[0] ? of[1] : of[0];
    for (std::int64_t k = below.high; k < above.low; ++k)
      out.emplace_back(data.feature_number({c, static_cast<std::uint32_t>(k)}));
  }
  return out;
}

}  // namespace

std::vector<Feature> features_equal_to_label(const Dataset& dataset) {
  std::vector<Feature> out;
  if (dataset.num_classes() != 2) return out;
  if (dataset.is_sorted()) return cuts_equal_to_label(*dataset.ranks());
  BitColumn label(words_for(dataset.num_rows()));
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    if (dataset.label(Row{r}) == Class{1}) set_bit(label, r);
  if (label.empty()) return out;
  const BitColumn wanted = normal_form(label, dataset.num_rows());
  for (std::size_t f = 0; f < dataset.num_features(); ++f)
    if (normal_form(dataset.column(Feature{f}), dataset.num_rows()) == wanted) out.emplace_back(f);
  const bool constant = std::all_of(wanted.begin(), wanted.end(), [](std::uint64_t w) { return w == 0; });
  return constant ? std::vector<Feature>{} : out;
}

}  // namespace beadwork
