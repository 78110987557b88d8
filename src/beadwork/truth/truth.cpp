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
  require(num_classes >= 1 && order.size() <= kMaxDepth && counts.size() == num_classes << order.size(),
          "TruthTable: counts for every cell and class");
  return from_merits(std::move(order), num_classes, merits_of(counts, num_classes));
}

TruthTable TruthTable::from_merits(std::vector<Feature> order, std::size_t num_classes, std::span<const Merit> merits) {
  TruthTable t(std::move(order), num_classes);
  std::vector<Class> best;
  for (auto cell = merits.begin(); cell != merits.end();) {
    const auto end = std::find_if(cell, merits.end(), [&](const Merit& m) { return m.cell != cell->cell; });
    std::int64_t most = cell->amount;
    for (auto m = cell; m != end; ++m) most = std::max(most, m->amount);
    const auto listed = static_cast<std::size_t>(end - cell);
    if (listed < num_classes) most = std::max<std::int64_t>(most, 0);  // of those that are not
    best.clear();
    if (most == 0 && listed < num_classes) {
      auto m = cell;
      for (std::uint32_t k = 0; k < num_classes; ++k) {
        const bool is_listed = m != end && m->label == k;
        if (!is_listed || m->amount == 0) best.emplace_back(k);
        if (is_listed) ++m;
      }
    } else {
      for (auto m = cell; m != end; ++m)
        if (m->amount == most) best.emplace_back(m->label);
    }
    t.restrict_to(cell->cell, best);
    cell = end;
  }
  return t;
}

std::vector<Merit> merits_of(std::span<const std::int64_t> counts, std::size_t num_classes) {
  std::vector<Merit> out;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] != 0)
      out.push_back(
          {static_cast<std::uint32_t>(i / num_classes), static_cast<std::uint32_t>(i % num_classes), counts[i]});
  return out;
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

void TruthTable::copy_cell(std::size_t cell, const TruthTable& from, std::size_t its_cell) {
  require(cell < num_cells() && its_cell < from.num_cells(), "TruthTable: a cell of the table");
  require(num_classes_ == from.num_classes_, "TruthTable: as many classes");
  const auto words = from.words(its_cell);
  std::copy(words.begin(), words.end(), allowed_.begin() + static_cast<std::ptrdiff_t>(cell * words_per_cell_));
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
    out.copy_cell(cell, table, old);
  }
  return out;
}

TruthTable fill_by_first(const TruthTable& table) {
  TruthTable out = table;
  for (std::size_t c = 0; c < table.num_cells(); ++c) out.decide(c, table.first_allowed(c));
  return out;
}

}  // namespace beadwork
