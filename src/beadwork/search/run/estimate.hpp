#pragma once
// The work of a search, in units from which parts of about equal work can be made (docs/scale.md).
//
// The prefix that holds most is divided by its next position, and what it divides into estimated by dives, up to three
// positions, until all are small or enough work went into it. That is done in batches, whose size does not depend on
// the number of threads, and what a batch finds is offered after it: so everything follows from the problem, the
// incumbent and the seed.

#include <beadwork/search/run/dives.hpp>

#include <array>
#include <memory>
#include <queue>

namespace beadwork::detail {

// Collects what a search finds, while its limit stays as it is; hand_over() hands it on.
class FrozenSink : public Sink {
 public:
  explicit FrozenSink(Shared& shared) : shared_(&shared), sink_(shared.sink) {
    limit_ = sink_->limit();
    many_ties_ = sink_->many_ties();
    shared.sink = this;
  }
  FrozenSink(const FrozenSink&) = delete;
  FrozenSink& operator=(const FrozenSink&) = delete;
  ~FrozenSink() override { shared_->sink = sink_; }
  void offer(Candidates set, std::int64_t error) override {
    const std::lock_guard guard(mutex_);
    offered_.insert({error, std::move(set)});
  }
  bool best_only() const override { return sink_->best_only(); }
  bool improves(const Candidates& set, std::int64_t error) override { return sink_->improves(set, error); }
  std::int64_t cap_of(const Candidates& least) override { return sink_->cap_of(least); }

  void hand_over() {
    for (const auto& [error, set] : offered_)
      if (error < sink_->limit()) sink_->offer(set, error);
  }

 private:
  Shared* shared_;
  Sink* sink_;
  std::mutex mutex_;
  std::set<FoundSet> offered_;
};

template <class B>
class Estimate {
 public:
  using Node = typename B::Node;

  // `report` is told what share is done, now and then, by the thread that asks for units.
  Estimate(const B& backend, Shared& shared, const Node& root, bool by_weight, std::uint64_t seed, unsigned threads,
           std::function<void(double)> report)
      : shared_(&shared), report_(std::move(report)) {
    for (unsigned i = 0; i < std::max(1U, threads); ++i)
      dives_.push_back(std::make_unique<Dives<B>>(backend, shared, root, by_weight, seed));
  }

  // Units that may be cut into so many parts, in order; those that are dead are left out. Throws Stopped.
  std::vector<WorkUnit> units(std::size_t parts) {
    const std::vector<WorkUnit> first = divide_all({{}}).front();
    double all = 0;
    for (const WorkUnit& u : first) all += u.work;
    most_ = all / (kFiner * static_cast<double>(parts));
    const std::uint64_t before = work();
    const std::uint64_t enough = std::max(kLeast, static_cast<std::uint64_t>(std::min(1e18, kShare * all)));
    for (const WorkUnit& u : first) put(u);
    at_first_ = large_;
    for (std::size_t size = 1, divided = 0; !queue_.empty();) {
      const std::uint64_t spent = work() - before;
      if (divided > 0 && spent > 0) {  // no more than there is work left for; as doubles, which do not overflow
        const auto most = static_cast<double>(std::min(2 * size, kBatch));
        const double left = static_cast<double>(enough - std::min(enough, spent)) / static_cast<double>(spent);
        size = static_cast<std::size_t>(std::clamp(left * static_cast<double>(divided), 1.0, most));
      }
      const auto batch = spent > enough ? std::vector<WorkUnit>{} : largest(size);
      if (batch.empty()) break;
      divided += batch.size();
      divide(batch);
    }
    for (; !queue_.empty(); queue_.pop()) out_.push_back(queue_.top());
    std::sort(out_.begin(), out_.end(), [](const WorkUnit& x, const WorkUnit& y) { return x.prefix < y.prefix; });
    return std::move(out_);
  }

 private:
  static constexpr std::array<std::size_t, 3> kDives = {8, 2, 1};  // for each unit of the first, second, third level
  static constexpr std::size_t kBatch = 512;
  static constexpr double kFiner = 6;                              // units in a part, or more
  static constexpr double kShare = 1.0 / 32;                       // of the work, at most, for estimating it
  static constexpr std::uint64_t kLeast = std::uint64_t{1} << 36;  // or so much: a tenth of a second

  struct Smaller {
    bool operator()(const WorkUnit& a, const WorkUnit& b) const {
      return a.work != b.work ? a.work < b.work : a.prefix > b.prefix;
    }
  };
  using Queue = std::priority_queue<WorkUnit, std::vector<WorkUnit>, Smaller>;

  std::uint64_t work() const {
    std::uint64_t sum = 0;
    for (const auto& d : dives_) sum += d->work();
    return sum;
  }

  void put(const WorkUnit& u) {
    queue_.push(u);
    if (u.work > most_) large_ += u.work;
  }

  // Takes the largest units that are to be divided.
  std::vector<WorkUnit> largest(std::size_t count) {
    std::vector<WorkUnit> batch;
    while (batch.size() < count && !queue_.empty() && queue_.top().work > most_) {
      const WorkUnit& u = queue_.top();
      const bool divisible = u.prefix.size() < kDives.size() && u.prefix.size() + 1 < shared_->choose;
      (divisible ? batch : out_).push_back(u);
      large_ -= u.work;
      queue_.pop();
    }
    return batch;
  }

  // Puts what units divide into in their place; nothing where they are dead after all.
  void divide(const std::vector<WorkUnit>& batch) {
    std::vector<std::vector<std::uint32_t>> prefixes;
    for (const WorkUnit& u : batch) prefixes.push_back(u.prefix);
    const auto parts = divide_all(prefixes);
    for (std::size_t i = 0; i < batch.size(); ++i) {
      if (parts[i].empty()) out_.push_back(batch[i]);
      for (const WorkUnit& u : parts[i]) put(u);
    }
  }

  std::vector<std::vector<WorkUnit>> divide_all(const std::vector<std::vector<std::uint32_t>>& prefixes) {
    std::vector<std::vector<WorkUnit>> out(prefixes.size());
    FrozenSink frozen(*shared_);
    std::atomic<std::size_t> next{0};
    together(std::min(dives_.size(), prefixes.size()), [&](std::size_t thread) {
      try {
        for (std::size_t i = next++; i < prefixes.size(); i = next++) {
          out[i] = dives_[thread]->divide(prefixes[i], kDives.at(prefixes[i].size()));
          if (thread == 0) report_(share());
        }
      } catch (...) {
        next = prefixes.size();  // the others need not go on
        throw;
      }
    });
    frozen.hand_over();
    return out;
  }

  // What was too large at the beginning and is so no more.
  double share() const { return at_first_ > 0 ? std::clamp(1 - large_ / at_first_, 0.0, 1.0) : 0; }

  Shared* shared_;
  std::function<void(double)> report_;
  std::vector<std::unique_ptr<Dives<B>>> dives_;
  Queue queue_;
  std::vector<WorkUnit> out_;
  double most_ = 0;                  // of a unit that is not divided further
  double large_ = 0, at_first_ = 0;  // work of what is still to be divided
};

}  // namespace beadwork::detail
