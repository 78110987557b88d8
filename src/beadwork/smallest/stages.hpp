#pragma once
#include <beadwork/smallest.hpp>
#include <beadwork/smallest/cell_search.hpp>

#include <limits>
#include <map>
#include <memory>
#include <optional>

namespace beadwork {

// The best diagram found for each size, with at most so many features, and bounds that hold for every diagram.
struct Best {
  std::int64_t errors = 0;
  TruthTable table;
};

// What is looked for: limit(size) = most errors that a diagram of this size may have to be of interest. Does not grow
// with the size; negative: none.
struct SizeGoal {
  virtual ~SizeGoal() = default;
  virtual std::int64_t limit(std::size_t size) const = 0;
  virtual void offer(std::size_t size, const Best& best) = 0;  // within the limit
  virtual std::unique_ptr<SizeGoal> copy() const = 0;
};

// Least errors for every size.
struct EverySize : SizeGoal {
  std::int64_t limit(std::size_t size) const override;
  void offer(std::size_t size, const Best& found) override;
  std::unique_ptr<SizeGoal> copy() const override { return std::make_unique<EverySize>(*this); }

  std::map<std::size_t, Best> best;  // errors decrease as sizes grow
};

inline constexpr std::int64_t kAnyErrors = std::numeric_limits<std::int64_t>::max() / 4;

// What each diagram on these cells offers to the goal; costs as in CellSearch, and `base` more for each.
struct CellsSearched {
  bool whole = false;  // not stopped
  std::uint64_t steps = 0;
};
CellsSearched search_cells(const std::vector<Feature>& features, std::size_t num_classes,
                           std::span<const std::int64_t> costs, std::int64_t base, SizeGoal& goal,
                           const Control& control, bool all_features, std::uint64_t most_steps = ~std::uint64_t{0});

// One stage a number of features, from 0 on. After it: every diagram of at most `h` features that limit() lets in has
// been offered, or has at least `open` errors.
class Stages {
 public:
  virtual ~Stages() = default;
  virtual std::size_t depth() const = 0;  // of the last stage that can bring anything
  // The least errors of a diagram of at most `h` features that may have been missed, for sizes from h + 2 on; nothing
  // if all were seen.
  virtual Result<std::optional<std::int64_t>> run(std::size_t h, SizeGoal& goal) = 0;
  // No diagram on any number of features has fewer errors.
  virtual std::int64_t floor() const = 0;
  // Will later stages bring nothing?
  virtual bool over() const = 0;
};

// On features, set by set. What a climb has found before the first stage is a limit for all of them, and an answer
// where they are stopped; otherwise they find as good a diagram themselves, so the answer does not depend on it.
class FeatureStages final : public Stages {
 public:
  FeatureStages(const Dataset& dataset, const SearchOptions& options, const Control& control);

  std::size_t depth() const override { return depth_; }
  Result<std::optional<std::int64_t>> run(std::size_t h, SizeGoal& goal) override;
  std::int64_t floor() const override { return floor_; }
  bool over() const override { return false; }  // what the climb has found is offered all the same

 private:
  void climb(const SizeGoal& goal);
  void climb_diagrams(const SizeGoal& goal, const Control& control);
  Result<std::optional<std::int64_t>> look_through(std::size_t h, SizeGoal& goal);
  bool reporting(double share);
  bool search_set(const std::vector<Feature>& features, SizeGoal& goal, const Control& control);

  const Dataset& dataset_;
  SearchOptions options_;
  Control control_;
  std::optional<Condensed> data_;  // nothing: a limit came first
  std::size_t depth_ = 0;
  std::int64_t floor_ = 0;
  bool whole_ = true;  // the stages so far missed nothing: diagrams on fewer features than a stage's are settled
  Stopwatch clock_;
  double next_report_ = 0.2;
  std::vector<EverySize> climbed_;  // with at most so many features
};

}  // namespace beadwork
