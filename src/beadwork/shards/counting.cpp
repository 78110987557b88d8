#include <beadwork/shards/counting.hpp>

#include <algorithm>

namespace beadwork::detail {

std::int64_t cost_of(const Counts& counts, std::size_t classes, const std::vector<std::int64_t>& costs) {
  std::int64_t sum = 0;
  for (std::size_t from = 0; from < counts.size(); from += classes) {
    std::int64_t least = INT64_MAX;
    for (std::size_t answer = 0; answer < classes; ++answer) {
      std::int64_t cost = 0;
      for (std::size_t k = 0; k < classes; ++k)
        cost += counts[from + k] * (costs.empty() ? std::int64_t{k != answer} : costs[k * classes + answer]);
      least = std::min(least, cost);
    }
    sum += least;
  }
  return sum;
}

Counts without(const Counts& counts, std::size_t classes, std::size_t features, std::size_t place) {
  const std::size_t run = (std::size_t{1} << (features - 1 - place)) * classes;  // cells that differ in later features
  Counts out;
  out.reserve(counts.size() / 2);
  for (std::size_t from = 0; from < counts.size(); from += 2 * run)
    for (std::size_t i = from; i < from + run; ++i) out.push_back(counts[i] + counts[i + run]);
  return out;
}

// Cells of the first `level` + 1 features from those of the first `level`.
void SetCounter::part(std::size_t level, Feature f) {
  const LocalFamilies::Place place = families_.of[f()];
  std::vector<std::uint32_t>& to = cells_[level];
  to.assign(rows_.num_rows, 0);
  for (std::size_t r = 0; r < rows_.num_rows; ++r)
    to[r] = 2 * (level == 0 ? 0 : cells_[level - 1][r]) + (value(place, r) ? 1 : 0);
}

Counts SetCounter::count(const FeatureSet& set) {
  const std::size_t classes = rows_.num_classes;
  const auto same = std::mismatch(set.begin(), set.end(), last_.begin(), last_.end()).first - set.begin();
  if (cells_.size() < set.size()) cells_.resize(set.size());
  for (auto level = static_cast<std::size_t>(same); level < set.size(); ++level) part(level, set[level]);
  last_ = set;
  Counts out(classes << set.size());
  for (std::size_t r = 0; r < rows_.num_rows; ++r) {
    const std::size_t cell = set.empty() ? 0 : cells_[set.size() - 1][r];
    for (std::size_t k = 0; k < classes; ++k) out[cell * classes + k] += rows_.class_weights[r * classes + k];
  }
  return out;
}

}  // namespace beadwork::detail
