#include <beadwork/heuristic/row_set.hpp>

#include <bit>

namespace beadwork {
namespace {

constexpr std::size_t kMostBitClasses = 8;

// Ones in rows & column, and in rows & column & label for each label column. Written once, compiled with the
// instruction for it and without.
[[gnu::always_inline]] inline std::size_t count_ones(const RowSet& rows, const std::uint64_t* column,
                                                     const std::vector<BitColumn>& labels, ClassCounts& out) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < rows.words.size(); ++i)
    total += static_cast<std::size_t>(std::popcount(rows.bits[i] & column[rows.words[i]]));
  for (std::size_t k = 0; k < labels.size(); ++k) {
    std::size_t ones = 0;
    const std::uint64_t* label = labels[k].data();
    for (std::size_t i = 0; i < rows.words.size(); ++i)
      ones += static_cast<std::size_t>(std::popcount(rows.bits[i] & column[rows.words[i]] & label[rows.words[i]]));
    out[k] = static_cast<std::int64_t>(ones);
  }
  return total;
}

std::size_t count_plain(const RowSet& rows, const std::uint64_t* column, const std::vector<BitColumn>& labels,
                        ClassCounts& out) {
  return count_ones(rows, column, labels, out);
}

#if defined(__x86_64__)
__attribute__((target("popcnt"))) std::size_t count_fast(const RowSet& rows, const std::uint64_t* column,
                                                         const std::vector<BitColumn>& labels, ClassCounts& out) {
  return count_ones(rows, column, labels, out);
}
#endif

using Count = std::size_t (*)(const RowSet&, const std::uint64_t*, const std::vector<BitColumn>&, ClassCounts&);

Count best_count() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("popcnt")) return count_fast;
#endif
  return count_plain;
}

}  // namespace

RowSet RowSet::all(std::size_t num_rows) {
  RowSet s;
  for (std::size_t w = 0; w < words_for(num_rows); ++w) {
    const std::size_t left = num_rows - 64 * w;
    s.words.push_back(static_cast<std::uint32_t>(w));
    s.bits.push_back(left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1);
  }
  return s;
}

RowSet RowSet::where(const BitColumn& column, bool value) const {
  RowSet s;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::uint64_t kept = bits[i] & (value ? column[words[i]] : ~column[words[i]]);
    if (kept == 0) continue;
    s.words.push_back(words[i]);
    s.bits.push_back(kept);
  }
  return s;
}

SideCounts operator-(SideCounts a, const SideCounts& b) {
  a.rows -= b.rows;
  for (std::size_t k = 0; k < a.weight.size(); ++k) a.weight[k] -= b.weight[k];
  return a;
}

RowCounter::RowCounter(const Dataset& dataset)
    : dataset_(&dataset), by_bits_(dataset.unit_weights() && dataset.num_classes() <= kMostBitClasses) {
  if (!by_bits_) return;
  of_class_.assign(dataset.num_classes() - 1, BitColumn(words_for(dataset.num_rows())));
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    if (const std::size_t k = dataset.label(Row{r})(); k < of_class_.size()) set_bit(of_class_[k], r);
}

SideCounts RowCounter::all(const RowSet& rows) const {
  return of(rows, BitColumn(words_for(dataset_->num_rows()), ~std::uint64_t{0}));
}

SideCounts RowCounter::of(const RowSet& rows, const BitColumn& column) const {
  SideCounts out;
  out.weight.assign(dataset_->num_classes(), 0);
  if (by_bits_) {
    static const Count count = best_count();
    out.rows = count(rows, column.data(), of_class_, out.weight);
    out.weight.back() = static_cast<std::int64_t>(out.rows);
    for (std::size_t k = 0; k + 1 < out.weight.size(); ++k) out.weight.back() -= out.weight[k];
    return out;
  }
  for (std::size_t i = 0; i < rows.words.size(); ++i)
    for (std::uint64_t left = rows.bits[i] & column[rows.words[i]]; left != 0; left &= left - 1) {
      const Row r{64 * std::size_t{rows.words[i]} + static_cast<std::size_t>(std::countr_zero(left))};
      ++out.rows;
      out.weight[dataset_->label(r)()] += dataset_->weight(r);
    }
  return out;
}

}  // namespace beadwork
