#pragma once
// Between a search in coarser units and the sink that wants exact errors (problem/scale.hpp).

#include <beadwork/search/problem/scale.hpp>
#include <beadwork/search/tree/sink.hpp>

namespace beadwork::detail {

// Where the scale is not exact, every set that comes is evaluated anew, and the rule for sets that are no better than
// a part of theirs does not hold (best_only). Where sets tie in great numbers that costs more than it saves:
// `gives_up`.
class Scaled : public Sink {
 public:
  Scaled(Sink& sink, const Problem& problem, const Scale& scale, std::size_t choose)
      : sink_(&sink), problem_(&problem), scale_(scale), steps_(problem.num_rows * (choose + 2)) {
    follow();
  }

  void offer(Candidates set, std::int64_t error) override {
    if (scale_.exact) {
      error = scale_.fine(error);
    } else {
      error = evaluate(*problem_, set);
      if (!sink_->improves(set, error) || error >= sink_->limit()) wasted_ += steps_;
    }
    if (error < sink_->limit()) sink_->offer(std::move(set), error);
    follow();
  }
  bool best_only() const override { return scale_.exact && sink_->best_only(); }
  bool improves(const Candidates& set, std::int64_t error) override { return sink_->improves(set, scale_.fine(error)); }
  std::int64_t cap_of(const Candidates& least) override { return scale_.coarse(sink_->cap_of(least)); }
  bool gives_up() const override { return sink_->best_only() && wasted_ > kMostWasted && wasted_ > 256 * steps_; }

 private:
  static constexpr std::uint64_t kMostWasted = 100'000'000;  // rows looked at: some tenths of a second

  void follow() {
    std::int64_t limit = scale_.coarse(sink_->limit()), old = limit_;
    while (limit < old && !limit_.compare_exchange_weak(old, limit)) {
    }
    many_ties_ = sink_->many_ties();
  }

  Sink* sink_;
  const Problem* problem_;
  Scale scale_;
  std::uint64_t steps_;  // of one evaluation
  std::atomic<std::uint64_t> wasted_{0};
};

}  // namespace beadwork::detail
