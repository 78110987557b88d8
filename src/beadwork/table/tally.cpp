#include <beadwork/table/number.hpp>
#include <beadwork/table/tally.hpp>

#include <algorithm>

namespace beadwork::table {

void NumberTally::add(double number, std::size_t count, double weight) {
  const std::uint64_t key = key_of(number);
  if (sink_ != nullptr) return sink_->add(key, weight);
  if (!lumps_.empty()) {
    const auto at = std::upper_bound(starts_.begin(), starts_.end(), key) - starts_.begin();
    return lumps_[static_cast<std::size_t>(at)].add(key, count, weight);
  }
  Slot& slot = slot_of(key);
  if (slot.weight >= 0) {
    slot.weight += weight;
    slot.count += count;
    return;
  }
  slot = {key, weight, count};
  if (++used_ > most_) return make_lumps();
  if (2 * used_ > slots_.size()) grow();
}

void NumberTally::make_lumps() {
  constexpr std::size_t kLumps = 4096;
  std::erase_if(slots_, [](const Slot& slot) { return slot.weight < 0; });
  std::sort(slots_.begin(), slots_.end(), [](const Slot& a, const Slot& b) { return a.key < b.key; });
  const std::size_t share = std::max<std::size_t>(1, slots_.size() / kLumps);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    if (i % share == 0) {
      if (i != 0) starts_.push_back(slots_[i].key);
      lumps_.emplace_back();
    }
    lumps_.back().add(slots_[i].key, slots_[i].count, slots_[i].weight);
  }
  slots_ = {};
}

NumberTally::Slot& NumberTally::slot_of(std::uint64_t key) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = ((key ^ key >> 32) * 0x9E3779B97F4A7C15ULL >> 20) & mask;
  while (slots_[at].weight >= 0 && slots_[at].key != key) at = (at + 1) & mask;
  return slots_[at];
}

void NumberTally::grow() {
  std::vector<Slot> old(2 * slots_.size());
  slots_.swap(old);
  for (const Slot& slot : old)
    if (slot.weight >= 0) slot_of(slot.key) = slot;
}

std::vector<std::pair<double, double>> NumberTally::sorted() const {
  std::vector<std::pair<double, double>> out;
  for (const Slot& slot : slots_)
    if (slot.weight >= 0) out.emplace_back(number_of_key(slot.key), slot.weight);
  std::sort(out.begin(), out.end());
  return out;
}

void ColumnTally::add_number(double number) {
  if (!std::isnan(number)) return numbers.add(number, 1, *weight);
  ++num_missing;
  missing_weight += *weight;
}

void ColumnTally::add_code(std::uint32_t code) {
  if (code == Codes::kMissing) return add_number(kNoNumber);
  if (code >= counts.size()) {
    counts.resize(code + 1);
    weights.resize(code + 1);
  }
  ++counts[code];
  weights[code] += *weight;
}

void ColumnTally::turn_into_numbers(const std::vector<std::string>& levels) {
  for (std::size_t i = 0; i < counts.size(); ++i) numbers.add(levels[i] == "1" ? 1 : 0, counts[i], weights[i]);
  counts.clear();
  weights.clear();
}

void ColumnTally::start_again() {
  *this = ColumnTally(most, weight);
}

Cells ColumnTally::cells() const {
  Cells out{counts, 0};
  for (const std::size_t n : counts) out.total += n;
  return out;
}

void ColumnTally::take(bool numeric, std::size_t levels, std::vector<double>& out_numbers, Codes& out_codes) {
  counts.resize(std::max(counts.size(), levels));
  weights.resize(counts.size());
  if (numeric)
    for (const auto& [number, w] : numbers.sorted()) {
      out_numbers.push_back(number);
      weights_taken.push_back(w);
    }
  for (std::size_t i = 0; !numeric && i < counts.size(); ++i)
    if (counts[i] != 0) {
      out_codes.push_back(static_cast<std::uint32_t>(i));
      weights_taken.push_back(weights[i]);
    }
  if (num_missing == 0) return;
  weights_taken.push_back(missing_weight);
  if (numeric)
    out_numbers.push_back(kNoNumber);
  else
    out_codes.push_back(Codes::kMissing);
}

}  // namespace beadwork::table
