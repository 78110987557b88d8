#include "learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace beadwork {
namespace {

using Task = StudyLearner::Task;
constexpr double kNoLimit = 1e9;

Result<std::size_t> parse_depth(const std::string& name, const std::string& text) {
  const auto value = parse_number(text);
  if (!value || *value < 1 || *value > 20 || *value != static_cast<double>(static_cast<int>(*value)))
    return input_error(fmt::format("{} is a depth from 1 to 20", name));
  return static_cast<std::size_t>(*value);
}

Status apply(StudyLearner& learner, const std::string& name, const std::string& text) {
  if (learner.task == Task::min_depth && (name == "start" || name == "floor")) {
    const auto depth = parse_depth(name, text);
    if (!depth) return depth.error();
    (name == "start" ? learner.start : learner.floor) = *depth;
    return Done{};
  }
  std::string option = name;
  std::replace(option.begin(), option.end(), '-', '_');
  if (option == "depth") learner.by_depth = false;
  return set_option(learner.options, option, text);
}

// Zero columns were dropped before the split. bdd2 reads the data as the paper does, asked to or not.
bool keeps_zero_columns(const Options& options) {
  return options.faithful || options.encoding == "bdd2";
}

}  // namespace

Result<StudyLearner> make_learner(std::string name, Task task, const std::string& engine,
                                  const Settings& settings) {
  StudyLearner learner;
  learner.name = std::move(name);
  learner.task = task;
  learner.by_depth = task == Task::learn;
  learner.settings = settings;
  if (task == Task::learn) learner.options.engine = engine;
  if (task == Task::min_depth) learner.options.encoding = "bdd2";
  for (const auto& [option, text] : settings)
    if (auto ok = apply(learner, option, text); !ok) return ok.error();
  if (task == Task::learn)
    if (auto ok = check_options(learner.options); !ok) return ok.error();
  return learner;
}

Result<StudyLearner> parse_learner(std::string_view text, const Settings& shared) {
  const std::string name(text);
  Settings settings = shared;
  std::size_t colon = text.find(':');
  const std::string engine(text.substr(0, colon));
  while (colon != std::string_view::npos) {
    text.remove_prefix(colon + 1);
    colon = text.find(':');
    const std::string_view setting = text.substr(0, colon);
    const std::size_t equals = setting.find('=');
    settings.emplace_back(setting.substr(0, equals),
                          equals == std::string_view::npos ? "true" : setting.substr(equals + 1));
  }
  return make_learner(name, Task::learn, engine, settings);
}

bool names_a_state_file(std::string_view option) {
  constexpr std::array kNames = {"proof", "certificate", "checkpoint", "resume"};
  return std::find(kNames.begin(), kNames.end(), option) != kNames.end();
}

std::string engine_of(const StudyLearner& learner) {
  return learner.task == Task::learn ? learner.options.engine : learner.task == Task::min_depth ? "sat" : "";
}

const std::string& program_of(const StudyLearner& learner) {
  return learner.options.solver;
}

double seconds_of(const StudyLearner& learner) {
  const double limit = learner.options.time_limit;
  return limit < kNoLimit ? limit : std::numeric_limits<double>::infinity();
}

std::size_t depth_of(const StudyLearner& learner) {
  return static_cast<std::size_t>(learner.options.depth);
}

Result<Outcome> learn_with(const StudyLearner& learner, std::size_t depth, const Dataset& train,
                           const Control& control) {
  Options options = learner.options;
  options.depth = static_cast<std::int64_t>(depth);
  options.keep_all_zero = keeps_zero_columns(options);
  return learn(train, options, control);
}

Result<MinDepth> least_depth_with(const StudyLearner& learner, const Dataset& train, const Control& control) {
  Options options = learner.options;
  options.keep_all_zero = true;
  Control limited = control;
  limited.deadline = Deadline::in(options.time_limit);
  return min_depth(train, learner.start, options, limited, learner.floor);
}

std::size_t formula_features(const StudyLearner& learner, std::size_t depth, const Dataset& train,
                             const Control& control) {
  if (learner.options.features_from != "cart") return train.num_features();
  Options cart;
  cart.engine = "cart";
  cart.depth = static_cast<std::int64_t>(depth);
  cart.seed = learner.options.seed;
  cart.impurity = learner.options.impurity;
  cart.min_split = learner.options.min_split;
  cart.min_leaf = learner.options.min_leaf;
  const auto tree = learn(train, cart, control);
  return tree && tree->diagram ? tree->diagram->used_features().size() : train.num_features();
}

}  // namespace beadwork
