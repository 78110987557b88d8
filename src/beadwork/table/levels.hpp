#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwork::table {

// The distinct values of a nominal column, numbered as they come. Open addressing over the numbers: a column
// of a million different names costs its names once and eight bytes each.
class LevelIndex {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t find(std::string_view text) const { return slots_[slot_of(text)]; }

  std::uint32_t find_or_add(std::string_view text) {
    std::size_t slot = slot_of(text);
    if (slots_[slot] != kNone) return slots_[slot];
    if (2 * (levels_.size() + 1) > slots_.size()) {
      grow();
      slot = slot_of(text);
    }
    levels_.emplace_back(text);
    return slots_[slot] = static_cast<std::uint32_t>(levels_.size() - 1);
  }

  const std::vector<std::string>& levels() const { return levels_; }
  std::vector<std::string> take() { return std::move(levels_); }

 private:
  std::size_t slot_of(std::string_view text) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = std::hash<std::string_view>{}(text)&mask;
    while (slots_[slot] != kNone && levels_[slots_[slot]] != text) slot = (slot + 1) & mask;
    return slot;
  }
  void grow() {
    std::vector<std::uint32_t> wider(slots_.size() * 2, kNone);
    slots_.swap(wider);
    for (std::uint32_t code = 0; code < levels_.size(); ++code) slots_[slot_of(levels_[code])] = code;
  }

  std::vector<std::string> levels_;
  std::vector<std::uint32_t> slots_ = std::vector<std::uint32_t>(16, kNone);
};

}  // namespace beadwork::table
