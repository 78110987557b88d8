#include <beadwork/smallest/judge.hpp>

#include <algorithm>

namespace beadwork {

SizeJudge::SizeJudge(const RankedData& data, std::size_t h, std::int64_t base, std::int64_t least,
                     FunctionsBySize* functions, SizeGoal& goal, const Control& control)
    : data_(data), h_(h), base_(base), least_(least), functions_(functions), goal_(goal), control_(control) {
  ask_limits();
}

std::int64_t SizeJudge::limit_of(std::size_t size) const {
  const std::int64_t limit = goal_.limit(size);
  return limit < least_ ? -1 : limit - base_;
}

void SizeJudge::ask_limits() {
  limits_.clear();
  for (std::size_t size = 0; size <= (functions_ != nullptr ? functions_->largest() : h_ + 2); ++size)
    limits_.push_back(limit_of(size));
}

std::int64_t SizeJudge::distance(std::span<const std::int64_t> costs) {
  const std::int64_t limit = limits_[h_ + 2];
  if (limit < 0) return kAnyErrors;
  const std::size_t k = data_.num_classes();
  std::int64_t errors = -limit;
  for (auto cell = costs.begin(); cell != costs.end(); cell += static_cast<std::ptrdiff_t>(k))
    errors += *std::min_element(cell, cell + static_cast<std::ptrdiff_t>(k));
  if (errors > 0) return errors;
  return functions_ != nullptr ? functions_->least(costs, limits_, kAnyErrors) : by_search(costs);
}

// Far ones need not be told apart.
std::int64_t SizeJudge::by_search(std::span<const std::int64_t> costs) const {
  std::int64_t found = 1 + limits_[h_ + 2] / 64;
  CellSearch search(h_, data_.num_classes(), costs);
  const bool ended = search.run(
      [&](std::size_t size) {
        const std::int64_t limit = limit_of(size);
        return limit < 0 || found <= 0 ? -1 : std::max<std::int64_t>(-1, limit + found - 1);
      },
      [&](const CellSearch::SizedTable& f) { found = std::min(found, f.errors - limit_of(f.size)); }, control_, true);
  return ended ? found : 0;
}

void SizeJudge::take(const std::vector<Cut>& cuts, std::span<const std::int64_t> costs) {
  search_cells(features_of_cuts(data_, cuts), data_.num_classes(), costs, base_, goal_, control_, false);
  ask_limits();
}

std::vector<Feature> features_of_cuts(const RankedData& data, const std::vector<Cut>& cuts) {
  std::vector<Feature> out;
  for (const Cut& c : cuts) out.emplace_back(data.feature_number(c));
  return out;
}

std::vector<Cut> cuts_of_features(const RankedData& data, const std::vector<Feature>& features) {
  std::vector<Cut> out;
  for (const Feature f : features) out.push_back(data.cut_of(f()));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace beadwork
