#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

// The bits of some rows, the first feature as the highest bit of the first word: words in order are texts in order.
class PackedRows {
 public:
  PackedRows(const Dataset& dataset, std::span<const std::uint32_t> rows)
      : width_(words_for(std::max<std::size_t>(dataset.num_features(), 1))), words_(rows.size() * width_) {
    for (std::size_t f = 0; f < dataset.num_features(); ++f) {
      const BitColumn& column = dataset.column(Feature{f});
      const std::uint64_t mask = std::uint64_t{1} << (63 - f % 64);
      for (std::size_t i = 0; i < rows.size(); ++i)
        if (bit(column, rows[i])) words_[i * width_ + f / 64] |= mask;
    }
  }
  bool value(std::size_t row, std::size_t feature) const {
    return (words_[row * width_ + feature / 64] >> (63 - feature % 64) & 1) != 0;
  }
  bool before(std::size_t a, std::size_t b) const {
    const auto at = [&](std::size_t row) { return words_.begin() + static_cast<std::ptrdiff_t>(row * width_); };
    const auto width = static_cast<std::ptrdiff_t>(width_);
    return std::lexicographical_compare(at(a), at(a) + width, at(b), at(b) + width);
  }

 private:
  std::size_t width_;
  std::vector<std::uint64_t> words_;
};

std::string sha256_of_distinct_rows(const Dataset& dataset) {
  const DistinctRows distinct = distinct_rows(dataset);
  const PackedRows packed(dataset, distinct.first);
  std::vector<std::uint32_t> order(distinct.first.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return packed.before(a, b); });
  Sha256 hash;
  std::string bits(dataset.num_features(), '0');
  for (const std::uint32_t row : order) {
    for (std::size_t f = 0; f < bits.size(); ++f) bits[f] = packed.value(row, f) ? '1' : '0';
    for (std::size_t k = 0; k < dataset.num_classes(); ++k)
      if (const std::int64_t weight = distinct.class_weights[row * dataset.num_classes() + k]; weight != 0)
        hash.update(fmt::format("{} {} {}\n", k, weight, bits));
  }
  return hash.hex_digest();
}

}  // namespace

std::string data_sha256(const Dataset& dataset) {
  return dataset.ranks() ? sha256(*dataset.ranks()) : sha256_of_distinct_rows(dataset);
}

}  // namespace beadwork
