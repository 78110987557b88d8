#pragma once
#include <beadwork/dataset/binarizer.hpp>

#include <array>

namespace beadwork {

// Counts kinds of rows: the same bits and the same class. Each kind is kept once, as a key of bits with the class
// behind them, in a table of open addressing.
class RowMerger {
 public:
  RowMerger(std::size_t features, std::size_t classes);

  // Rows of bit columns, with their classes and weights (empty: all 1).
  void add(std::span<const BitColumn> columns, std::span<const Class> labels, std::span<const double> weights);
  // Bits, classes and weights of the kinds in the order in which they came, and what was given. Nothing is left here.
  void take(Dataset::Parts& parts);

 private:
  void load_block(std::span<const BitColumn> columns, std::size_t block);
  void count(std::uint64_t* key, std::int64_t weight);
  void grow();
  std::size_t slot_of(const std::uint64_t* key) const;
  const std::uint64_t* key_of(std::size_t kind) const { return keys_.data() + kind * words_; }

  static constexpr std::uint32_t kFree = ~std::uint32_t{0};
  std::size_t features_;
  std::size_t classes_;
  std::size_t words_;                  // of a key
  std::vector<std::uint64_t> block_;   // keys of 64 rows
  std::vector<std::uint64_t> keys_;    // of the kinds
  std::vector<std::int64_t> weights_;  // of the kinds
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(1024, kFree);
  std::size_t rows_ = 0;
};

}  // namespace beadwork
