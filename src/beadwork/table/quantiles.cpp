#include <beadwork/table/quantiles.hpp>

#include <algorithm>

namespace beadwork::table {
namespace {

constexpr std::size_t kParts = 4096;

// Numbers by key, the weight of each number once.
std::vector<Lump> singles(std::vector<std::pair<std::uint64_t, double>> numbers) {
  std::sort(numbers.begin(), numbers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Lump> out;
  for (const auto& [key, weight] : numbers) {
    if (out.empty() || out.back().least != key) out.emplace_back();
    out.back().add(key, 1, weight);
  }
  return out;
}

std::size_t part_of(const Lump& lump, std::uint64_t key) {
  const std::uint64_t width = (lump.greatest - lump.least) / kParts + 1;
  return static_cast<std::size_t>((key - lump.least) / width);
}

}  // namespace

// As the rule for quantiles goes (dataset/thresholds.cpp): the first number at which the weight reaches the goal, or
// the one before it, and the number that follows. Of the lumps before and after only the ends count, which are known.
std::vector<std::size_t> QuantileLumps::undecided() const {
  std::vector<double> below;
  std::vector<std::size_t> lump;
  double sum = 0;
  for (std::size_t i = 0; i < lumps_.size(); ++i) {
    if (!lumps_[i].single()) {
      below.push_back(sum);
      lump.push_back(i);
    }
    below.push_back(sum += lumps_[i].weight);
    lump.push_back(i);
  }
  std::vector<std::size_t> out;
  for (std::size_t q = 1; q <= quantiles_; ++q) {
    const double goal = sum * static_cast<double>(q) / static_cast<double>(quantiles_ + 1);
    const auto i = static_cast<std::size_t>(std::lower_bound(below.begin(), below.end() - 2, goal) - below.begin());
    out.push_back(lump[i]);
    if (i + 2 == below.size()) out.push_back(lump[i + 1]);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  std::erase_if(out, [&](std::size_t i) { return lumps_[i].single(); });
  return out;
}

bool QuantileLumps::look_closer(std::size_t room) {
  inside_.clear();
  const auto open = undecided();
  std::size_t all = 0;
  for (const std::size_t i : open) all += lumps_[i].count;
  for (const std::size_t i : open) {
    inside_.push_back({i, {}, {}});
    if (all > room) inside_.back().parts.resize(kParts);
  }
  return !open.empty();
}

void QuantileLumps::add(std::uint64_t key, double weight) {
  const auto before = [&](const Inside& in, std::uint64_t k) { return lumps_[in.lump].greatest < k; };
  const auto in = std::lower_bound(inside_.begin(), inside_.end(), key, before);
  if (in == inside_.end() || key < lumps_[in->lump].least) return;
  if (in->parts.empty())
    in->numbers.emplace_back(key, weight);
  else
    in->parts[part_of(lumps_[in->lump], key)].add(key, 1, weight);
}

void QuantileLumps::looked() {
  std::vector<Lump> finer;
  std::size_t next = 0;
  for (std::size_t i = 0; i < lumps_.size(); ++i) {
    if (next == inside_.size() || inside_[next].lump != i) {
      finer.push_back(lumps_[i]);
      continue;
    }
    Inside& in = inside_[next++];
    for (const Lump& part : in.parts.empty() ? singles(std::move(in.numbers)) : std::move(in.parts))
      if (part.count != 0) finer.push_back(part);
  }
  lumps_ = std::move(finer);
  inside_.clear();
}

std::vector<std::pair<double, double>> QuantileLumps::values() const {
  std::vector<std::pair<double, double>> out;
  for (const Lump& lump : lumps_) {
    if (!lump.single()) out.emplace_back(number_of_key(lump.least), 0);
    out.emplace_back(number_of_key(lump.greatest), lump.weight);
  }
  return out;
}

}  // namespace beadwork::table
