#pragma once
#include "plan.hpp"
#include "record.hpp"

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
  std::string only = {};                  // run only those whose key contains this text
  std::size_t limit = 0;                  // end after this many runs; 0 = all
  bool allow_solver = false;              // run the programs that learners name as their solvers
  std::string version = {};               // of the program, for the record
  std::function<void(const StudyProgress&)> progress = {};
};

struct StudySummary {
  std::size_t planned = 0, kept = 0, ran = 0, failed = 0;
  bool stopped = false;
};

// Runs what is missing from the record. Each run is a process of its own, so that its peak memory is known, a crash
// costs that run only, and a hard limit holds. A finished run is appended at once and never lost; a run that was cut
// off is repeated by the next call. Contract: the caller has no other threads (fork).
Result<StudySummary> run_study(const StudyPlan& plan, const StudyRunOptions& options, const Control& control = {});

// One run on a set, from which all-zero columns are gone. What goes wrong is in the entry.
StudyEntry run_one(const StudyPlan& plan, const StudyRun& run, const Dataset& whole, const Control& control = {});
// An Error of code limit where control says stop.
Result<Dataset> without_zero_columns(const Dataset& dataset, const Control& control = {});

// All runs of a plan with one set and folds, one after another in this process, on these rows: the first of
// runs_of(plan), or fewer if interrupted. The first run that fails is the Error. The time of a run counts from the
// moment at which its rows are parted from the others.
Result<std::vector<StudyEntry>> cross_validate(const StudyPlan& plan, const Dataset& dataset,
                                               const Control& control = {});

}  // namespace beadwork
