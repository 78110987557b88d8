#include <beadwork/dataset/row_merger.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace beadwork {
namespace {

using Square = std::array<std::uint64_t, 64>;

// Bit r of word f becomes bit f of word r: halves change places, then quarters inside them, and so on.
void turn(Square& a) {
  std::uint64_t mask = 0x00000000FFFFFFFFULL;
  for (std::size_t j = 32; j != 0; j /= 2, mask ^= mask << j)
    for (std::size_t k = 0; k < 64; k = ((k | j) + 1) & ~j) {
      const std::uint64_t swap = ((a[k] >> j) ^ a[k | j]) & mask;
      a[k | j] ^= swap;
      a[k] ^= swap << j;
    }
}

std::size_t hash_of(const std::uint64_t* key, std::size_t words) {
  std::uint64_t h = 0;
  for (std::size_t i = 0; i < words; ++i) {
    h = (h ^ key[i]) * 0x9E3779B97F4A7C15ULL;
    h ^= h >> 29;
  }
  return static_cast<std::size_t>(h ^ h >> 32);
}

}  // namespace

RowMerger::RowMerger(std::size_t features, std::size_t classes)
    : features_(features),
      classes_(classes),
      words_(words_for(features + static_cast<std::size_t>(std::bit_width(classes)))),
      block_(64 * words_) {}

void RowMerger::load_block(std::span<const BitColumn> columns, std::size_t block) {
  for (std::size_t w = 0; w < words_; ++w) {
    Square square{};
    for (std::size_t i = 0; i < 64 && 64 * w + i < features_; ++i) square[i] = columns[64 * w + i][block];
    turn(square);
    for (std::size_t r = 0; r < 64; ++r) block_[r * words_ + w] = square[r];
  }
}

void RowMerger::add(std::span<const BitColumn> columns, std::span<const Class> labels,
                    std::span<const double> weights) {
  for (std::size_t r = 0; r < labels.size(); ++r) {
    if (r % 64 == 0) load_block(columns, r / 64);
    std::uint64_t* key = block_.data() + r % 64 * words_;
    const std::size_t label = labels[r]();
    const std::int64_t weight = weights.empty() ? 1 : static_cast<std::int64_t>(weights[r]);
    for (std::size_t b = 0; label >> b != 0; ++b)
      key[(features_ + b) / 64] |= std::uint64_t{label >> b & 1} << (features_ + b) % 64;
    count(key, weight);
  }
  rows_ += labels.size();
}

std::size_t RowMerger::slot_of(const std::uint64_t* key) const {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(key, words_) & mask;
  while (slots_[slot] != kFree && !std::equal(key, key + words_, key_of(slots_[slot]))) slot = (slot + 1) & mask;
  return slot;
}

void RowMerger::count(std::uint64_t* key, std::int64_t weight) {
  std::size_t slot = slot_of(key);
  if (slots_[slot] == kFree) {
    if (3 * (weights_.size() + 1) > 2 * slots_.size()) {
      grow();
      slot = slot_of(key);
    }
    slots_[slot] = static_cast<std::uint32_t>(weights_.size());
    keys_.insert(keys_.end(), key, key + words_);
    weights_.push_back(0);
  }
  weights_[slots_[slot]] += weight;
}

void RowMerger::grow() {
  require(weights_.size() < kFree / 2, "RowMerger: at most 2^31 kinds of rows");
  const std::size_t size = 2 * slots_.size();
  slots_ = {};
  slots_.assign(size, kFree);
  for (std::size_t kind = 0; kind < weights_.size(); ++kind)
    slots_[slot_of(key_of(kind))] = static_cast<std::uint32_t>(kind);
}

void RowMerger::take(Dataset::Parts& parts) {
  slots_ = {};
  const std::size_t kinds = weights_.size();
  parts.columns.assign(features_, BitColumn(words_for(kinds)));
  for (std::size_t block = 0; block < words_for(kinds); ++block)
    for (std::size_t w = 0; w < words_for(features_); ++w) {
      Square square{};
      for (std::size_t r = 0; r < 64 && 64 * block + r < kinds; ++r) square[r] = key_of(64 * block + r)[w];
      turn(square);
      for (std::size_t i = 0; i < 64 && 64 * w + i < features_; ++i) parts.columns[64 * w + i][block] = square[i];
    }
  parts.labels.reserve(kinds);
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    std::size_t label = 0;
    for (std::size_t b = 0; classes_ >> b != 0; ++b)
      label |= (key_of(kind)[(features_ + b) / 64] >> (features_ + b) % 64 & 1) << b;
    parts.labels.emplace_back(label);
  }
  keys_ = {};
  parts.weights = std::move(weights_);
  parts.given_rows = rows_;
}

}  // namespace beadwork
