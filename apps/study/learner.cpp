#include "learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

namespace beadwork {
namespace {

using Kind = StudyLearner::Task;

Result<std::size_t> parse_depth(const std::string& name, const std::string& text) {
  const auto value = parse_number(text);
  if (!value || *value < 1 || *value > 20 || *value != static_cast<double>(static_cast<int>(*value)))
    return input_error(fmt::format("{}: expected a depth from 1 to 20", name));
  return static_cast<std::size_t>(*value);
}

Status apply(StudyLearner& learner, const std::string& name, const std::string& text) {
  if (learner.task == Kind::min_depth && (name == "start" || name == "floor")) {
    TRY(const auto depth, parse_depth(name, text));
    (name == "start" ? learner.start : learner.floor) = depth;
    return Done{};
  }
  std::string option = name;
  std::replace(option.begin(), option.end(), '-', '_');
  if (option == "depth") learner.by_depth = false;
  return set_option(learner.request, option, text);
}

// Zero columns were dropped before the split. bdd2 reads the data as the paper does, asked to or not.
bool keeps_zero_columns(const Request& request) {
  return request.reading.faithful || request.only_of<ForMaxsat>().encoding == EncodingChoice::bdd2;
}

}  // namespace

Result<StudyLearner> make_learner(std::string name, Kind task, const std::string& engine, const Settings& settings) {
  StudyLearner learner;
  learner.name = std::move(name);
  learner.task = task;
  learner.by_depth = task == Kind::learn;
  learner.settings = settings;
  if (task == Kind::learn) TRY_DONE(set_option(learner.request, "engine", engine));
  if (task == Kind::min_depth) learner.request.ask<ForMaxsat>().encoding = EncodingChoice::bdd2;
  for (const auto& [option, text] : settings) TRY_DONE(apply(learner, option, text));
  if (task == Kind::learn) TRY_DONE(check_request(learner.request));
  if (learner.request.only_of<ForSearch>().committee)
    return option_error("runs are judged by single diagrams", "committee");
  TRY(auto request, read_named_features(std::move(learner.request)));
  learner.request = std::move(request);
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
  return make_learner(name, Kind::learn, engine, settings);
}

Status check_biases(const StudyLearner& learner) {
  if (learner.biases.empty()) return Done{};
  for (const std::string& bias : learner.biases)
    if (bias != "P" && bias != "C" && bias != "S")
      return input_error(fmt::format("expected biases P, C or S, got '{}'", printable(bias)));
  if (learner.task != Kind::learn || engine_of(learner.request).name != "maxsat" ||
      learner.request.shape.bias != Bias::solver)
    return input_error("biases of one solution need engine maxsat with bias S");
  return Done{};
}

std::string engine_of(const StudyLearner& learner) {
  return learner.task == Kind::learn       ? std::string(engine_of(learner.request).name)
         : learner.task == Kind::min_depth ? "sat"
                                           : "";
}

const std::string& program_of(const StudyLearner& learner) {
  return learner.request.formula.solver;
}

double seconds_of(const StudyLearner& learner) {
  return learner.request.run.time_limit.value_or(std::numeric_limits<double>::infinity());
}

std::size_t depth_of(const StudyLearner& learner) {
  return learner.request.depth();
}

Result<Outcome> learn_with(const StudyLearner& learner, std::size_t depth, const Dataset& train,
                           const Control& control) {
  Request request = learner.request;
  request.run.depth.most = depth;
  request.reading.keep_all_zero = keeps_zero_columns(request);
  return learn(train, request, control);
}

Result<MinDepth> least_depth_with(const StudyLearner& learner, const Dataset& train, const Control& control) {
  Request request = learner.request;
  request.reading.keep_all_zero = true;
  Control limited = control;
  if (request.run.time_limit) limited.deadline = Deadline::in(*request.run.time_limit);
  return min_depth(train, learner.start, request, limited, learner.floor);
}

std::size_t formula_features(const StudyLearner& learner, std::size_t depth, const Dataset& train,
                             const Control& control) {
  if (!learner.request.choice.features_from.cart) return train.num_features();
  Request cart;
  cart.run.engine.chosen = find_engine("cart");
  cart.run.depth.most = depth;
  cart.run.seed = learner.request.run.seed;
  cart.cart = learner.request.cart;
  const auto tree = learn(train, cart, control);
  return tree && tree->diagram ? tree->diagram->used_features().size() : train.num_features();
}

}  // namespace beadwork
