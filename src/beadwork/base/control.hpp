#pragma once
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace beadwork {

// Seconds on the monotonic clock. Not inline: every file would have to compile <chrono>.
double monotonic_seconds();

// Work that is counted as it is done, in steps of about a nanosecond: the same for the same question, whatever the
// machine and whatever else it does, as long as one thread does it.
class WorkCount {
 public:
  WorkCount() = default;
  // Each look at a deadline counts as so many steps: with 10^9 of them the deadline comes at a look that its seconds
  // number, on any machine. For tests of what limits leave.
  explicit WorkCount(std::uint64_t steps_of_poll) : steps_of_poll_(steps_of_poll) {}
  void add(std::uint64_t steps) { steps_.fetch_add(steps, std::memory_order_relaxed); }
  void poll() {
    if (steps_of_poll_ > 0) add(steps_of_poll_);
  }
  double seconds() const { return 1e-9 * static_cast<double>(steps_.load(std::memory_order_relaxed)); }

 private:
  std::uint64_t steps_of_poll_ = 0;
  std::atomic<std::uint64_t> steps_ = 0;
};

// A point on the monotonic clock; "never" by default. A limit of 1e9 seconds or more means never. Where work is counted
// it also comes when so much is done; its parts are then parts of that work.
class Deadline {
 public:
  Deadline() = default;
  static Deadline never() { return {}; }
  static Deadline in(double seconds) {
    Deadline d;
    if (seconds < 1e9) d.at_ = monotonic_seconds() + seconds;
    return d;
  }
  bool passed() const {
    if (work_) work_->poll();
    return (work_ && work_->seconds() >= work_at_) || (at_ < kNever && monotonic_seconds() >= at_);
  }
  double remaining() const {
    const double work = work_ ? work_at_ - work_->seconds() : kNever;
    return at_ < kNever ? std::min(work, at_ - monotonic_seconds()) : work;
  }
  // Also when so many seconds' work of this count is done from now on.
  Deadline counted(std::shared_ptr<WorkCount> work, double seconds) const {
    Deadline d = *this;
    d.work_at_ = work->seconds() + seconds;
    d.work_ = std::move(work);
    return d;
  }
  // The same, but so many seconds from now at the latest.
  Deadline within(double seconds) const {
    Deadline d = *this;
    d.at_ = std::min(at_, in(seconds).at_);
    return d;
  }
  // After that share of what is left.
  Deadline part(double share) const {
    if (!work_) return in(share * remaining());
    Deadline d = *this;
    d.work_at_ = work_->seconds() + share * (work_at_ - work_->seconds());
    return d;
  }
  void count(std::uint64_t steps) const {
    if (work_) work_->add(steps);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  double at_ = kNever;
  std::shared_ptr<WorkCount> work_;
  double work_at_ = kNever;
};

class Stopwatch {
 public:
  double seconds() const { return monotonic_seconds() - start_; }

 private:
  double start_ = monotonic_seconds();
};

// A moment of a long computation. Bounds are on the objective (weighted errors); share is of the work, 0..1.
struct Progress {
  std::string_view phase;
  double share = 0;
  std::int64_t lower_bound = 0;
  std::optional<std::int64_t> upper_bound;
  double seconds = 0;
};

// After `share` of the work in so many seconds, how long the rest takes if it goes on like that: "about 3 hours left",
// or that there is no end in sight, which is said from a lifetime on.
std::string left_words(double share, double seconds);

// Resident memory of this process in bytes: now, and its peak. 0 where the system does not tell.
std::size_t current_memory();
std::size_t peak_memory();
// What the machine could give to programs now, in bytes; 0 where the system does not tell.
std::size_t available_memory();

enum class LogLevel { note, warning };

// What a long computation is given. Copy it freely; the interrupt flag must outlive the computation and may be set
// from a signal handler or another thread. A progress sink that returns false asks to stop.
struct Control {
  Deadline deadline;
  const std::atomic<bool>* interrupt = nullptr;
  std::size_t memory_limit = 0;                               // bytes; 0 = none
  double patience = std::numeric_limits<double>::infinity();  // seconds for which another program may say nothing
  std::function<bool(const Progress&)> progress;
  std::function<void(LogLevel, std::string_view)> log;

  bool interrupted() const { return interrupt != nullptr && interrupt->load(std::memory_order_relaxed); }
  bool stopping() const { return interrupted() || deadline.passed(); }
  // Tells of work done, for who counts it.
  void count(std::uint64_t steps) const { deadline.count(steps); }
  // Would this many bytes more pass the memory limit of this process?
  bool no_room_for(std::size_t bytes) const { return memory_limit != 0 && current_memory() + bytes > memory_limit; }
  bool report(const Progress& p) const { return !progress || progress(p); }
  void note(std::string_view text) const {
    if (log) log(LogLevel::note, text);
  }
  void warn(std::string_view text) const {
    if (log) log(LogLevel::warning, text);
  }
};

}  // namespace beadwork
