#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>

namespace beadwork {

// Seconds on the monotonic clock. Not inline: every file would have to compile <chrono>.
double monotonic_seconds();

// A point on the monotonic clock; "never" by default. A limit of 1e9 seconds or more means never.
class Deadline {
 public:
  Deadline() = default;
  static Deadline never() { return {}; }
  static Deadline in(double seconds) {
    Deadline d;
    if (seconds < 1e9) d.at_ = monotonic_seconds() + seconds;
    return d;
  }
  bool passed() const { return at_ < kNever && monotonic_seconds() >= at_; }
  double remaining() const { return at_ < kNever ? at_ - monotonic_seconds() : kNever; }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  double at_ = kNever;
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

// Resident memory of this process in bytes: now, and its peak. 0 where the system does not tell.
std::size_t current_memory();
std::size_t peak_memory();

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
