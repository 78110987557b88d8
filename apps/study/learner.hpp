#pragma once
#include <beadwork/dataset.hpp>
#include <beadwork/engine.hpp>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwork {

// Options by name and text, as on the command line.
using Settings = std::vector<std::pair<std::string, std::string>>;

// What a study does with a training set: learn with an engine, find the least depth by SAT, or describe the data. Only
// learner.cpp knows what the options are called.
struct StudyLearner {
  enum class Task { learn, min_depth, describe };
  std::string name;
  Task task = Task::learn;
  Request request;
  Settings settings;                 // as given, for the record
  std::size_t start = 7, floor = 1;  // of min_depth
  std::string literals;              // whose formula to count by its closed form: bdd1, bdd2 or dt; empty: none
  std::vector<std::string> biases;   // P, C or S: measures of each, from the solution of a run with bias S
  bool by_depth = true;              // run at every depth of the grid; false: once
};

// `engine` is read for the task `learn` only. A learner with a depth of its own is run once. Checked as `learn` does.
Result<StudyLearner> make_learner(std::string name, StudyLearner::Task task, const std::string& engine,
                                  const Settings& settings);
// "engine" or "engine:option=value:...", after the settings that all learners share; a flag needs no value.
Result<StudyLearner> parse_learner(std::string_view text, const Settings& shared);

// Refuses biases of a learner whose answer is not its solver's.
Status check_biases(const StudyLearner& learner);

std::string engine_of(const StudyLearner& learner);          // for the record
const std::string& program_of(const StudyLearner& learner);  // the command of the solver it runs; empty: none
double seconds_of(const StudyLearner& learner);              // its time limit; infinite: none

// On rows that were split from a set without zero columns: none are dropped from them.
Result<Outcome> learn_with(const StudyLearner& learner, std::size_t depth, const Dataset& train,
                           const Control& control);
Result<MinDepth> least_depth_with(const StudyLearner& learner, const Dataset& train, const Control& control);
std::size_t depth_of(const StudyLearner& learner);  // its own
// The features that its formula is over: all, or CART's.
std::size_t formula_features(const StudyLearner& learner, std::size_t depth, const Dataset& train,
                             const Control& control);

}  // namespace beadwork
