#pragma once
#include "learner.hpp"
#include "record.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

struct StudySet {
  std::string name;
  std::string path;
  std::vector<std::string> shares;  // instead of the plan's, if there are any
};

// A column of a table: the mean of a measure of one learner, and where the published value stands.
struct StudyColumn {
  std::string title, learner, measure;
  std::string published{};  // column of the published csv; empty: none
  int digits = 2;
  std::vector<std::string> solved_by{};  // only rows to learn from on which all of these learners have a proven answer
};
struct StudyTable {
  std::string name, caption;
  std::string published;          // path of a csv; empty: none
  std::vector<std::string> keys;  // of its rows: "dataset", "depth", "ratio"; means are over the rest
  std::vector<StudyColumn> columns;
};

struct StudySeries {
  std::string title, learner, measure;
  std::string published;  // column of the published csv, instead of a learner
  // race: the measure or published column, in %, that says how full the marks are; empty: full, or hollow at a limit
  std::string share;
};
struct StudyFigure {
  enum class Kind { scatter, boxes, race };
  std::string name, caption;
  Kind kind = Kind::scatter;
  std::string published;            // path of a csv, for series that are published
  std::vector<StudySeries> series;  // scatter: x and y; boxes: one box each; race: one row of marks each
  double timeout = 0;               // race: what "TO" stands for, in seconds
};

// A grid: every set, every part of every draw, every depth, every learner.
struct StudyPlan {
  std::string name;
  std::vector<StudySet> sets;
  std::vector<std::size_t> depths;
  std::vector<std::uint64_t> seeds;
  std::size_t folds = 0;            // cross-validation
  std::vector<std::string> shares;  // or hold-out, with these shares of the rows to train on
  bool stratified = false;
  std::vector<StudyLearner> learners;
  std::vector<StudyTable> tables;
  std::vector<StudyFigure> figures;
};

// A study file is JSON, described in docs/studies.md. Paths in it are relative to `data`, those of published values to
// the folder of the file, or else to `data`. It need not be trusted: it
// names no file to be written but plain names in the folder of a report, and whether its solvers run is up to
// run_study.
Result<StudyPlan> read_plan(const std::string& path, const std::string& data);
Result<StudyPlan> parse_plan(std::string_view text, const std::string& name, const std::string& data);

// One cell of the grid. `part` is "fold 0 of 5", "share 0.05" or "whole", the `place`-th of its draw.
struct StudyRun {
  std::size_t set = 0, learner = 0;
  std::string part;
  std::size_t place = 0;
  std::uint64_t seed = 0;
  std::optional<std::size_t> depth;
};
// All runs, in the order of sets, depths, seeds, parts, learners.
std::vector<StudyRun> runs_of(const StudyPlan& plan);
// What is known of a run before it is run, its key above all.
StudyEntry entry_of(const StudyPlan& plan, const StudyRun& run);

}  // namespace beadwork
