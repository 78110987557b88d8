#pragma once
#include <beadwork/study/plan.hpp>
#include <beadwork/study/record.hpp>
#include <functional>
#include <string>

namespace beadwork {

struct StudyProgress {
  std::size_t done = 0, total = 0;  // of this call: what the record had before is not counted
  double seconds = 0, seconds_left = 0;
  std::string_view last;  // the key of the run that ended last
};

struct StudyRunOptions {
  std::string record;                     // appended to; runs that it holds are not repeated
  unsigned jobs = 1;                      // runs at a time, a process each
  std::size_t shard = 0, num_shards = 1;  // run only every num_shards-th run, from this one on
  std::string only;                       // run only those whose key contains this text
  std::size_t limit = 0;                  // end after so many; 0 = all
  std::string version;                    // of the program, for the record
  std::function<void(const StudyProgress&)> progress;
};

struct StudySummary {
  std::size_t planned = 0, kept = 0, ran = 0, failed = 0;
  bool stopped = false;
};

// Runs what is missing from the record. Each run is a process of its own, so that its peak memory is known, a crash costs
// that run only, and a hard limit holds. A finished run is appended at once and never lost; a run that was cut off is
// repeated by the next call. Contract: the caller has no other threads (fork).
Result<StudySummary> run_study(const StudyPlan& plan, const StudyRunOptions& options,
                               const Control& control = {});

// What the child process does: one run, on the whole of a set.
StudyEntry run_one(const StudyPlan& plan, const StudyRun& run, const Dataset& whole,
                   const Control& control = {});

}  // namespace beadwork
