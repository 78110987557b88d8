#include <beadwork/truth.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <optional>
#include <set>

namespace beadwork {

TruthTable::TruthTable(std::vector<Feature> order, std::size_t num_classes)
    : order_(std::move(order)), num_classes_(num_classes), words_per_cell_((num_classes + 63) / 64) {
  require(order_.size() <= kMaxDepth, "TruthTable: at most 20 features");
  require(num_classes_ >= 1, "TruthTable: at least one class");
  require(std::set<Feature>(order_.begin(), order_.end()).size() == order_.size(), "TruthTable: distinct features");
  std::vector<std::uint64_t> all(words_per_cell_, ~std::uint64_t{0});
  if (num_classes_ % 64 != 0) all.back() = (std::uint64_t{1} << num_classes_ % 64) - 1;
  allowed_.reserve(num_cells() * words_per_cell_);
  for (std::size_t c = 0; c < num_cells(); ++c) allowed_.insert(allowed_.end(), all.begin(), all.end());
}

Result<TruthTable> TruthTable::parse(std::string_view cells, std::vector<Feature> order, std::size_t num_classes) {
  TruthTable t(std::move(order), num_classes);
  if (cells.size() != t.num_cells())
    return input_error(
        fmt::format("a table of {} features has {} cells, got {}", t.depth(), t.num_cells(), cells.size()));
  for (std::size_t c = 0; c < cells.size(); ++c) {
    if (cells[c] == 'u') continue;
    const auto k = static_cast<std::size_t>(cells[c] - '0');
    if (cells[c] < '0' || cells[c] > '9' || k >= num_classes)
      return input_error(fmt::format("cell {} is '{}', expected a class or u", c, cells[c]));
    t.decide(c, Class{k});
  }
  return t;
}

TruthTable TruthTable::from_counts(std::vector<Feature> order, std::size_t num_classes,
                                   std::span<const std::int64_t> counts) {
  TruthTable t(std::move(order), num_classes);
  require(counts.size() == t.num_cells() * num_classes, "TruthTable: counts for every cell and class");
  for (std::size_t c = 0; c < t.num_cells(); ++c) {
    const auto cell = counts.subspan(c * num_classes, num_classes);
    const std::int64_t most = *std::max_element(cell.begin(), cell.end());
    std::vector<Class> best;
    for (std::size_t k = 0; k < num_classes; ++k)
      if (cell[k] == most) best.emplace_back(k);
    t.restrict_to(c, best);
  }
  return t;
}

bool TruthTable::allows(std::size_t cell, Class k) const {
  return words(cell)[k() / 64] >> (k() % 64) & 1;
}

std::size_t TruthTable::num_allowed(std::size_t cell) const {
  std::size_t n = 0;
  for (const std::uint64_t w : words(cell)) n += static_cast<std::size_t>(std::popcount(w));
  return n;
}

bool TruthTable::all_decided() const {
  for (std::size_t c = 0; c < num_cells(); ++c)
    if (!decided(c)) return false;
  return true;
}

Class TruthTable::first_allowed(std::size_t cell) const {
  std::size_t base = 0;
  for (const std::uint64_t w : words(cell)) {
    if (w != 0) return Class{base + static_cast<std::size_t>(std::countr_zero(w))};
    base += 64;
  }
  throw ContractViolation("TruthTable: a cell allows some class");
}

void TruthTable::decide(std::size_t cell, Class k) {
  require(cell < num_cells(), "TruthTable: a cell of the table");
  require(k() < num_classes_, "TruthTable: a class of the table");
  for (std::size_t w = 0; w < words_per_cell_; ++w)
    allowed_[cell * words_per_cell_ + w] = w == k() / 64 ? std::uint64_t{1} << k() % 64 : 0;
}

void TruthTable::restrict_to(std::size_t cell, std::span<const Class> classes) {
  require(cell < num_cells(), "TruthTable: a cell of the table");
  std::vector<std::uint64_t> kept(words_per_cell_);
  bool any = false;
  for (const Class k : classes) {
    require(k() < num_classes_, "TruthTable: a class of the table");
    if (!allows(cell, k)) continue;
    kept[k() / 64] |= std::uint64_t{1} << k() % 64;
    any = true;
  }
  require(any, "TruthTable: a cell keeps some class");
  std::copy(kept.begin(), kept.end(), allowed_.begin() + static_cast<std::ptrdiff_t>(cell * words_per_cell_));
}

bool TruthTable::cells_match(std::size_t a, std::size_t b) const {
  for (std::size_t w = 0; w < words_per_cell_; ++w)
    if ((words(a)[w] & words(b)[w]) != 0) return true;
  return false;
}

void TruthTable::narrow(std::size_t a, std::size_t b) {
  require(a < num_cells() && b < num_cells(), "TruthTable: a cell of the table");
  require(cells_match(a, b), "TruthTable: a cell keeps some class");
  for (std::size_t w = 0; w < words_per_cell_; ++w)
    allowed_[a * words_per_cell_ + w] &= allowed_[b * words_per_cell_ + w];
}

bool TruthTable::cells_equal(std::size_t a, std::size_t b) const {
  return std::ranges::equal(words(a), words(b));
}

bool TruthTable::ranges_equal(std::size_t a, std::size_t b, std::size_t length) const {
  const auto* base = allowed_.data();
  return std::equal(base + a * words_per_cell_, base + (a + length) * words_per_cell_, base + b * words_per_cell_);
}

bool TruthTable::ranges_match(std::size_t a, std::size_t b, std::size_t length) const {
  for (std::size_t i = 0; i < length; ++i)
    if (!cells_match(a + i, b + i)) return false;
  return true;
}

std::string TruthTable::to_string() const {
  static constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstvwxyz";  // without u
  std::string out;
  for (std::size_t c = 0; c < num_cells(); ++c) {
    if (unknown(c)) {
      out += 'u';
    } else {
      out += decided(c) && first_allowed(c)() < kDigits.size() ? kDigits[first_allowed(c)()] : '?';
    }
  }
  return out;
}

bool is_bead(const TruthTable& table, const Subtable& s) {
  return s.length == 1 || !table.ranges_equal(s.first, s.first + s.length / 2, s.length / 2);
}

std::vector<Subtable> beads(const TruthTable& table) {
  std::vector<Subtable> found;
  for (std::size_t level = 0; level <= table.depth(); ++level) {
    const std::size_t length = table.num_cells() >> level;
    const std::size_t start = found.size();
    for (std::size_t first = 0; first < table.num_cells(); first += length) {
      const Subtable s{level, first, length};
      const bool seen = std::any_of(found.begin() + static_cast<std::ptrdiff_t>(start), found.end(),
                                    [&](const Subtable& b) { return table.ranges_equal(b.first, first, length); });
      if (!seen && is_bead(table, s)) found.push_back(s);
    }
  }
  return found;
}

namespace {

// counts[level] holds the class weights of every branch of that level, summed from the cells up.
std::vector<std::vector<std::int64_t>> branch_sums(const TruthTable& table, std::span<const std::int64_t> counts) {
  const std::size_t classes = table.num_classes();
  std::vector<std::vector<std::int64_t>> sums(table.depth() + 1);
  sums.back().assign(counts.begin(), counts.end());
  for (std::size_t level = table.depth(); level-- > 0;) {
    sums[level].assign((std::size_t{1} << level) * classes, 0);
    for (std::size_t i = 0; i < sums[level + 1].size(); ++i)
      sums[level][i / (2 * classes) * classes + i % classes] += sums[level + 1][i];
  }
  return sums;
}

// The allowed class with strictly the largest count, if there is one.
std::optional<Class> clear_winner(const TruthTable& table, std::size_t cell, std::span<const std::int64_t> counts) {
  std::optional<Class> best;
  bool tied = false;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (!table.allows(cell, Class{k})) continue;
    if (!best || counts[k] > counts[(*best)()]) {
      best = Class{k};
      tied = false;
    } else if (counts[k] == counts[(*best)()]) {
      tied = true;
    }
  }
  return tied ? std::nullopt : best;
}

}  // namespace

TruthTable fill_by_branch(const TruthTable& table, std::span<const std::int64_t> counts) {
  require(counts.size() == table.num_cells() * table.num_classes(), "fill_by_branch: counts for every cell and class");
  const auto sums = branch_sums(table, counts);
  TruthTable out = table;
  for (std::size_t c = 0; c < table.num_cells(); ++c) {
    std::optional<Class> winner;
    for (std::size_t level = table.depth() + 1; level-- > 0 && !winner;) {
      const std::size_t branch = c >> (table.depth() - level);
      winner =
          clear_winner(table, c, std::span(sums[level]).subspan(branch * table.num_classes(), table.num_classes()));
    }
    out.decide(c, winner.value_or(table.first_allowed(c)));
  }
  return out;
}

namespace {

// Counts of the cells at each distance from a cell. What is nearest is looked at first, by flipping features, as long
// as that is less work than looking at all cells that have counts at all.
class Neighbourhood {
 public:
  Neighbourhood(const TruthTable& table, std::span<const std::int64_t> counts)
      : depth_(table.depth()), classes_(table.num_classes()), counts_(counts) {
    for (std::size_t c = 0; c < table.num_cells(); ++c)
      if (std::any_of(at(c).begin(), at(c).end(), [](std::int64_t n) { return n != 0; })) occupied_.push_back(c);
  }

  // Adds up the cells within distance 0, 1, ... of a cell until `enough` holds of the sums; false if it never does.
  template <class Enough>
  bool grow(std::size_t cell, const Enough& enough) const {
    std::vector<std::int64_t> sums(at(cell).begin(), at(cell).end());
    double shell = 1;  // cells at that distance
    for (std::size_t d = 1; d <= depth_; ++d) {
      shell *= static_cast<double>(depth_ - d + 1) / static_cast<double>(d);
      if (shell > static_cast<double>(occupied_.size())) return grow_over_all(cell, d, sums, enough);
      std::size_t flips = (std::size_t{1} << d) - 1;
      while (flips < std::size_t{1} << depth_) {
        add(sums, cell ^ flips);
        const std::size_t low = flips & (~flips + 1);  // the next number with as many bits
        const std::size_t high = flips + low;
        flips = high | (((flips ^ high) / low) >> 2);
      }
      if (enough(sums)) return true;
    }
    return false;
  }

 private:
  std::span<const std::int64_t> at(std::size_t cell) const { return counts_.subspan(cell * classes_, classes_); }
  void add(std::vector<std::int64_t>& sums, std::size_t cell) const {
    for (std::size_t k = 0; k < classes_; ++k) sums[k] += at(cell)[k];
  }
  template <class Enough>
  bool grow_over_all(std::size_t cell, std::size_t from, std::vector<std::int64_t>& sums, const Enough& enough) const {
    std::vector<std::vector<std::int64_t>> shells(depth_ + 1, std::vector<std::int64_t>(classes_));
    for (const std::size_t c : occupied_) add(shells[static_cast<std::size_t>(std::popcount(c ^ cell))], c);
    for (std::size_t d = from; d <= depth_; ++d) {
      for (std::size_t k = 0; k < classes_; ++k) sums[k] += shells[d][k];
      if (enough(sums)) return true;
    }
    return false;
  }

  std::size_t depth_;
  std::size_t classes_;
  std::span<const std::int64_t> counts_;
  std::vector<std::size_t> occupied_;
};

}  // namespace

std::optional<TruthTable> fill_by_neighbours(const TruthTable& table, std::span<const std::int64_t> counts,
                                             const Control& control) {
  require(counts.size() == table.num_cells() * table.num_classes(),
          "fill_by_neighbours: counts for every cell and class");
  const Neighbourhood around(table, counts);
  std::size_t looked = 0;
  TruthTable out = table;
  for (std::size_t c = 0; c < table.num_cells(); ++c) {
    if (table.decided(c)) continue;
    if ((++looked & 0xFF) == 0 && control.stopping()) return std::nullopt;
    std::optional<Class> winner = clear_winner(table, c, counts.subspan(c * table.num_classes(), table.num_classes()));
    if (!winner)
      around.grow(c, [&](std::span<const std::int64_t> sums) {
        winner = clear_winner(table, c, sums);
        return winner.has_value();
      });
    out.decide(c, winner.value_or(table.first_allowed(c)));
  }
  return out;
}

TruthTable reordered(const TruthTable& table, std::vector<Feature> order) {
  TruthTable out(std::move(order), table.num_classes());
  require(out.depth() == table.depth(), "reordered: the same features");
  std::vector<std::size_t> stride;  // in the old table, of each feature of the new order
  for (const Feature f : out.order()) {
    const auto at = std::find(table.order().begin(), table.order().end(), f);
    require(at != table.order().end(), "reordered: the same features");
    stride.push_back(table.num_cells() >> (at - table.order().begin() + 1));
  }
  for (std::size_t cell = 0; cell < out.num_cells(); ++cell) {
    std::size_t old = 0;
    for (std::size_t i = 0; i < out.depth(); ++i)
      if ((cell >> (out.depth() - 1 - i) & 1) != 0) old += stride[i];
    std::vector<Class> allowed;
    for (std::size_t k = 0; k < table.num_classes(); ++k)
      if (table.allows(old, Class{k})) allowed.emplace_back(k);
    out.restrict_to(cell, allowed);
  }
  return out;
}

TruthTable fill_by_first(const TruthTable& table) {
  TruthTable out = table;
  for (std::size_t c = 0; c < table.num_cells(); ++c) out.decide(c, table.first_allowed(c));
  return out;
}

}  // namespace beadwork
