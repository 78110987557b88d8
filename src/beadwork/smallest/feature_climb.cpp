#include <beadwork/smallest/feature_climb.hpp>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

// Of the sizes that a goal lets in.
struct WantedSizes final : EverySize {
  explicit WantedSizes(const SizeGoal& w) : whole(w) {}
  std::int64_t limit(std::size_t size) const override { return std::min(whole.limit(size), EverySize::limit(size)); }
  const SizeGoal& whole;
};

// Rows passed; a step on cells takes as long as a thousand. Few features need no help.
std::uint64_t budget(std::size_t h) {
  return h < 4 ? 1'000'000 : std::uint64_t{2'000'000} << std::min<std::size_t>(2 * (h - 4), 7);
}

}  // namespace

std::vector<std::size_t> allowed_places(const Condensed& data, const SearchOptions& options) {
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < data.features.size(); ++i)
    if (std::find(options.forbid.begin(), options.forbid.end(), data.features[i]) == options.forbid.end())
      out.push_back(i);
  return out;
}

FeatureClimb::FeatureClimb(const Dataset& dataset, const Condensed& data, const SearchOptions& options)
    : data_(data),
      costs_(*row_costs(data, options.costs)),
      free_(allowed_places(data, options)),
      cell_of_(data.num_rows) {
  require(dataset.num_classes() == data.num_classes, "FeatureClimb: data of the dataset");
}

const EverySize& FeatureClimb::run(std::size_t h, const SizeGoal& goal, const Control& control) {
  WantedSizes found(goal);
  found.best = best_.best;
  std::set<Places> done;
  std::vector<Places> bases = h == 1 ? std::vector<Places>{{}} : sets_of(h - 1);
  steps_ = 0;
  while (!bases.empty() && steps_ < budget(h) && !control.stopping()) {
    const Places next = bases.back();
    bases.pop_back();
    if (done.insert(next).second) extend(next, found, control);
    if (!bases.empty()) continue;
    best_.best = found.best;
    for (const Places& set : sets_of(h))
      for (std::size_t i = 0; i < set.size(); ++i) {
        bases.push_back(set);
        bases.back().erase(bases.back().begin() + static_cast<std::ptrdiff_t>(i));
        if (done.contains(bases.back())) bases.pop_back();
      }
  }
  best_.best = std::move(found.best);
  return best_;
}

std::vector<FeatureClimb::Places> FeatureClimb::sets_of(std::size_t h) const {
  std::vector<Places> out;
  for (const auto& [_, best] : best_.best) {
    if (best.table.depth() != h) continue;
    Places places;
    for (const Feature f : best.table.order())
      places.push_back(static_cast<std::size_t>(std::lower_bound(data_.features.begin(), data_.features.end(), f) -
                                                data_.features.begin()));
    std::sort(places.begin(), places.end());
    out.push_back(std::move(places));
  }
  return out;
}

void FeatureClimb::part(const Places& places) {
  std::fill(cell_of_.begin(), cell_of_.end(), 0U);
  for (const std::size_t p : places) part_cells(cell_of_, [&](std::size_t r) { return bit(data_.columns[p], r); });
}

void FeatureClimb::count(std::size_t place) {
  std::fill(cells_.begin(), cells_.end(), 0);
  const std::size_t classes = data_.num_classes;
  for (std::size_t r = 0; r < data_.num_rows; ++r) {
    const std::size_t cell = cell_of_[r] << 1 | static_cast<std::uint32_t>(bit(data_.columns[place], r));
    for (std::size_t k = 0; k < classes; ++k) cells_[cell * classes + k] += costs_[r * classes + k];
  }
}

// By each feature there is.
void FeatureClimb::extend(const Places& places, EverySize& found, const Control& control) {
  constexpr std::uint64_t kMostSteps = 3000;  // on the cells of one set
  part(places);
  const std::size_t classes = data_.num_classes;
  cells_.resize((std::size_t{2} << places.size()) * classes);
  std::vector<Feature> features;
  for (const std::size_t p : places) features.push_back(data_.features[p]);
  features.emplace_back();
  for (const std::size_t place : free_) {
    if (std::find(places.begin(), places.end(), place) != places.end()) continue;
    if (control.stopping()) return;
    count(place);
    steps_ += data_.num_rows;
    control.count(data_.num_rows * (1 + classes / 2));
    if (least_costs(cells_, classes) > found.limit(features.size() + 2)) continue;
    features.back() = data_.features[place];
    steps_ += 1000 * search_cells(features, classes, cells_, 0, found, control, true, kMostSteps).steps;
  }
}

}  // namespace beadwork
