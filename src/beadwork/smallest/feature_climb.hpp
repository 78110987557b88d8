#pragma once
#include <beadwork/smallest/stages.hpp>

#include <set>

namespace beadwork {

// Places of features that may be used.
std::vector<std::size_t> allowed_places(const Condensed& data, const SearchOptions& options);

// Good diagrams of each size on h features, for h = 1, 2, ...: from the sets that were good with one feature less, all
// sets with one feature changed are looked at until none is better for any size. Nothing is proven.
class FeatureClimb {
 public:
  FeatureClimb(const Dataset& dataset, const Condensed& data, const SearchOptions& options);

  // Diagrams on at most h features, of the sizes that the goal lets in. One more than in the call before. The same
  // whatever the time, unless the control stops it.
  const EverySize& run(std::size_t h, const SizeGoal& goal, const Control& control);

 private:
  using Places = std::vector<std::size_t>;  // of features in the condensed data, increasing

  void extend(const Places& places, EverySize& found, const Control& control);
  std::vector<Places> sets_of(std::size_t h) const;
  // Into cells: where a row lies among the cells of the places.
  void part(const Places& places);
  void count(std::size_t place);

  const Condensed& data_;
  const std::vector<std::int64_t> costs_;  // of the distinct rows: row * classes + answer
  std::vector<std::size_t> free_;          // places that may be used
  EverySize best_;
  std::vector<std::uint32_t> cell_of_;
  std::vector<std::int64_t> cells_;
  std::uint64_t steps_ = 0;
};

}  // namespace beadwork
