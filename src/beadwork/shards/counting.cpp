#include <beadwork/shards/counting.hpp>

#include <algorithm>

namespace beadwork::detail {

// Cells of the first `level` + 1 features from those of the first `level`.
void SetCounter::part(std::size_t level, Feature f) {
  const LocalFamilies::Place place = families_.of[f()];
  std::vector<std::uint32_t>& to = cells_[level];
  to.assign(rows_.num_rows, 0);
  for (std::size_t r = 0; r < rows_.num_rows; ++r)
    to[r] = 2 * (level == 0 ? 0 : cells_[level - 1][r]) + (value(place, r) ? 1 : 0);
}

CellCounts SetCounter::count(const FeatureSet& set) {
  const std::size_t classes = rows_.num_classes;
  const auto same = std::mismatch(set.begin(), set.end(), last_.begin(), last_.end()).first - set.begin();
  if (cells_.size() < set.size()) cells_.resize(set.size());
  for (auto level = static_cast<std::size_t>(same); level < set.size(); ++level) part(level, set[level]);
  last_ = set;
  CellCounts out(classes << set.size());
  for (std::size_t r = 0; r < rows_.num_rows; ++r) {
    const std::size_t cell = set.empty() ? 0 : cells_[set.size() - 1][r];
    for (std::size_t k = 0; k < classes; ++k) out[cell * classes + k] += rows_.class_weights[r * classes + k];
  }
  return out;
}

}  // namespace beadwork::detail
