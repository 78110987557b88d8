#include "commands.hpp"
#include "fit_limits.hpp"
#include "input_flags.hpp"
#include <study/study.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct CompareFlags {
  InputFlags input;
  std::vector<std::string> engines = {"search", "cart", "odt", "oodg"};
  std::string depth = "4";
  std::int64_t threads = 1;
  std::uint64_t seed = 0, folds = 5, seeds = 5;
  double time_limit = std::numeric_limits<double>::infinity();
  std::int64_t memory_limit = 0;  // MiB; 0: none
  std::string output;
  bool stratified = false;
  bool json = false;
  bool csv = false;
  bool quiet = false;
};

// What is said of a learner at a depth.
struct Line {
  std::string name;
  std::size_t depth = 0;
  StudyCell train, test, size, features, seconds, optimal;
};

std::vector<Line> lines_of(const StudyPlan& plan, const std::vector<StudyEntry>& entries) {
  std::vector<Line> lines;
  for (const std::size_t depth : plan.depths)
    for (const StudyLearner& learner : plan.learners) {
      const std::map<std::string, std::string> keys{{"depth", std::to_string(depth)}};
      const auto cell = [&](const char* measure) { return measured(entries, keys, learner.name, measure); };
      lines.push_back({learner.name, depth, cell("train"), cell("test"), cell("size"), cell("features"),
                       cell("seconds"), cell("optimal")});
    }
  return lines;
}

std::string table_of_depth(const std::vector<Line>& lines) {
  std::size_t width = 8;
  for (const Line& l : lines) width = std::max(width, l.name.size() + 2);
  std::string out = fmt::format("{:<{}}{:>14}{:>16}{:>14}{:>14}{:>12}{:>11}\n", "engine", width, "train %", "test %",
                                "size", "features", "time s", "optimal %");
  const auto shown = [](const StudyCell& c) { return fmt::format("{:.2f} ±{:.2f}", *c.ours, c.deviation); };
  for (const Line& l : lines) {
    if (l.train.counted == 0) {
      out += fmt::format("{:<{}}no answer in {} runs\n", l.name, width, l.train.runs);
      continue;
    }
    out += fmt::format("{:<{}}{:>14}{:>16}{:>14}{:>14}{:>12.4f}{:>11.0f}\n", l.name, width, shown(l.train),
                       shown(l.test), shown(l.size), shown(l.features), *l.seconds.ours, *l.optimal.ours);
    if (l.train.counted < l.train.runs)
      out += fmt::format("{:<{}}no answer in {} of {} runs\n", "", width, l.train.runs - l.train.counted, l.train.runs);
  }
  return out;
}

// A table for each depth, if there are several.
std::string table(const std::vector<Line>& all, const std::vector<std::size_t>& depths) {
  if (depths.size() == 1) return table_of_depth(all);
  std::string out;
  for (const std::size_t depth : depths) {
    std::vector<Line> lines;
    std::copy_if(all.begin(), all.end(), std::back_inserter(lines), [&](const Line& l) { return l.depth == depth; });
    out += fmt::format("{}depth {}\n{}", out.empty() ? "" : "\n", depth, table_of_depth(lines));
  }
  return out;
}

// A name may hold a comma or a quote, as file names do.
std::string csv_text(std::string text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

std::size_t proven(const Line& l) {
  return static_cast<std::size_t>(std::llround(l.optimal.ours.value_or(0) / 100 * static_cast<double>(l.optimal.runs)));
}

std::string csv(const std::vector<Line>& lines) {
  std::string out =
      "engine,depth,runs,answered,optimal,train_accuracy,train_sd,test_accuracy,test_sd,size,size_sd,features,"
      "features_sd,time_s\n";
  for (const Line& l : lines) {
    out += fmt::format("{},{},{},{},{}", csv_text(l.name), l.depth, l.train.runs, l.train.counted, proven(l));
    for (const StudyCell& c : {l.train, l.test})
      out += fmt::format(",{:.6f},{:.6f}", c.ours.value_or(0) / 100, c.deviation / 100);
    for (const StudyCell& c : {l.size, l.features})
      out += fmt::format(",{:.4f},{:.4f}", c.ours.value_or(0), c.deviation);
    out += fmt::format(",{:.6f}\n", l.seconds.ours.value_or(0));
  }
  return out;
}

Json json_of(const StudyCell& c, double unit = 1) {
  return {{"mean", c.ours.value_or(0) / unit}, {"sd", c.deviation / unit}};
}

Json json_of(const Line& l) {
  return {{"engine", l.name},
          {"depth", l.depth},
          {"runs", l.train.runs},
          {"answered", l.train.counted},
          {"optimal", proven(l)},
          {"train_accuracy", json_of(l.train, 100)},
          {"test_accuracy", json_of(l.test, 100)},
          {"size", json_of(l.size)},
          {"features", json_of(l.features)},
          {"time_s", json_of(l.seconds)}};
}

Json json_of(const StudyRun& run, const StudyEntry& entry) {
  Json j{{"engine", entry.learner},
         {"depth", entry.depth.value_or(0)},
         {"seed", entry.seed},
         {"fold", run.place},
         {"status", entry.status}};
  const auto& m = entry.measures;
  if (m.contains("size"))
    j.update(Json{{"train_accuracy", m.at("train") / 100},
                  {"test_accuracy", m.at("test") / 100},
                  {"size", static_cast<std::size_t>(m.at("size"))},
                  {"features", static_cast<std::size_t>(m.at("features"))}});
  j["time_s"] = m.at("seconds");
  return j;
}

Json json_of(const StudyPlan& plan, const std::vector<StudyEntry>& entries) {
  Json j{{"depth", plan.depths.back()},   {"folds", plan.folds},      {"seeds", plan.seeds.size()},
         {"stratified", plan.stratified}, {"engines", Json::array()}, {"runs", Json::array()}};
  for (const Line& l : lines_of(plan, entries)) j["engines"].push_back(json_of(l));
  const auto runs = runs_of(plan);
  for (std::size_t i = 0; i < entries.size(); ++i) j["runs"].push_back(json_of(runs[i], entries[i]));
  return j;
}

// 4, or 2..6.
Result<std::vector<std::size_t>> depths_of(const std::string& text) {
  Request scratch;
  TRY_DONE(set_option(scratch, "depth", text));
  const DepthRange& range = scratch.run.depth;
  if (range.chosen) return usage_error("expected a number or A..B: every depth is shown", "--depth");
  std::vector<std::size_t> out(range.most - range.from.value_or(range.most) + 1);
  std::iota(out.begin(), out.end(), range.from.value_or(range.most));
  return out;
}

// The study that the flags describe: one set, some depths.
Result<StudyPlan> plan_of(const CompareFlags& flags) {
  Settings shared = {{"threads", std::to_string(flags.threads)}, {"seed", std::to_string(flags.seed)}};
  if (std::isfinite(flags.time_limit)) shared.emplace_back("time-limit", fmt::format("{}", flags.time_limit));
  if (flags.memory_limit > 0) shared.emplace_back("memory-limit", std::to_string(flags.memory_limit));
  StudyPlan plan;
  plan.sets = {{flags.input.path, flags.input.path, {}}};
  TRY(auto depths, depths_of(flags.depth));
  plan.depths = std::move(depths);
  plan.folds = flags.folds;
  plan.stratified = flags.stratified;
  plan.seeds.resize(flags.seeds);
  std::iota(plan.seeds.begin(), plan.seeds.end(), 1);
  for (const std::string& text : flags.engines) {
    TRY(auto learner, parse_learner(text, shared));
    for (const StudyLearner& other : plan.learners)
      if (other.name == learner.name)
        return usage_error(fmt::format("'{}' is listed twice", printable(text)), "--engines");
    plan.learners.push_back(std::move(learner));
  }
  return plan;
}

// The limits of a run are those of the preparation as well.
Request limits_of(const CompareFlags& flags) {
  Request out;
  if (std::isfinite(flags.time_limit)) out.run.time_limit = flags.time_limit;
  if (flags.memory_limit > 0) out.run.memory_limit = flags.memory_limit;
  return out;
}

// Did a limit stop one of the runs?
bool limited(const StudyPlan& plan, const std::vector<StudyEntry>& entries) {
  const auto runs = runs_of(plan);
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (engine_of(plan.learners[runs[i].learner].request).exact() &&
        (entries[i].status == to_string(SolveStatus::feasible) || entries[i].status == to_string(SolveStatus::unknown)))
      return true;
  return false;
}

Result<int> run(const CompareFlags& flags) {
  if (flags.json && flags.csv) return usage_error("cannot be combined with --json", "--csv");
  TRY(const auto plan, plan_of(flags));
  TRY_DONE(console::check_output(flags.output, flags.input.path));
  const auto rule = parse_threshold_rule(flags.input.thresholds);
  if (rule && rule->kind == ThresholdRule::Kind::mdlp)
    return usage_error("mdlp would use the classes of the held-out rows; use quantiles or all", "--thresholds");
  const Request preparing = limits_of(flags);
  TRY(auto data, load_within(flags.input, preparing, plan.depths.back()));
  Control control = limits_of(preparing, console::control(1));
  if (flags.quiet) control.log = console::warnings_alone(std::move(control.log));
  control.progress = {};  // of one run after another: it would only flicker
  control.deadline = data.deadline;
  if (!flags.quiet) describe(data, quarter_of(control));
  control.deadline = Deadline::never();  // each run has its own
  TRY(const auto entries, cross_validate(plan, data.dataset, control));
  const std::size_t planned = flags.folds * flags.seeds * plan.learners.size() * plan.depths.size();
  if (entries.empty()) return Error{ErrorCode::limit, "stopped before the first run finished", {}};
  if (entries.size() < planned) console::warn(fmt::format("stopped after {} of {} runs", entries.size(), planned));
  const int code = console::emit(flags.json  ? json_of(plan, entries).dump(1) + "\n"
                                 : flags.csv ? csv(lines_of(plan, entries))
                                             : table(lines_of(plan, entries), plan.depths),
                                 flags.output);
  return code == 0 && (entries.size() < planned || limited(plan, entries)) ? console::kStopped : code;
}

}  // namespace

console::Command add_compare(const Arguments& program) {
  const Arguments command = program.add_subcommand("compare", "compare engines by cross-validation on the same folds");
  auto flags = std::make_shared<CompareFlags>();
  command.add_option("FILE", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow, also .gz, .zst").required();
  command
      .add_option("--depth,-d", flags->depth,
                  "use at most H features, or tests on a path of a tree; A..B: at each depth")
      .word("H")
      .show_default();
  command
      .add_option("--engines", flags->engines,
                  "compare these, with options behind a colon: search:features-from=cart,oodg")
      .split_at(',')
      .show_default();
  command.add_option("--folds", flags->folds, "make N folds; each is held out once").within(2, 1000000).show_default();
  command.add_option("--seeds", flags->seeds, "draw the folds N times, with seeds 1, 2, ...")
      .within(1, 1000000)
      .show_default();
  command.add_flag("--stratified", flags->stratified, "spread each class evenly over the folds");
  command.add_option("--time-limit", flags->time_limit, "stop each run after S seconds, and the preparation")
      .word("S")
      .between(0, 1e9)
      .show_default("none");
  command.add_option("--memory-limit", flags->memory_limit, "use at most this much memory (MiB)")
      .word("MIB")
      .within(1, 1048576)
      .show_default("none");
  command.add_option("--threads", flags->threads, "use N threads for each run").within(1, 1024).show_default();
  command.add_option("--seed", flags->seed, "seed the engines").within(0, 9007199254740992).show_default();
  command.add_option("-o,--output", flags->output, "write the result to this file (default standard output)")
      .word("FILE");
  command.add_flag("--json", flags->json, "print the means and every run as JSON");
  command.add_flag("--csv", flags->csv, "print the means as CSV");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
