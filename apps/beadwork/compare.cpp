#include <fmt/format.h>

#include <algorithm>
#include <beadwork/study.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "input_flags.hpp"

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  InputFlags input;
  Options options;
  std::vector<std::string> engines = {"search", "cart", "odt", "oodg"};
  Protocol protocol;
  std::string output;
  bool json = false;
  bool csv = false;
  bool quiet = false;
};

std::string table(const std::vector<Summary>& summaries) {
  std::size_t width = 8;
  for (const Summary& s : summaries) width = std::max(width, s.name.size() + 2);
  std::string out = fmt::format("{:<{}}{:>14}{:>16}{:>14}{:>14}{:>12}{:>11}\n", "engine", width, "train %",
                                "test %", "size", "features", "time s", "optimal %");
  const auto cell = [](const Moments& m, double factor) {
    return fmt::format("{:.2f} ±{:.2f}", factor * m.mean, factor * m.deviation);
  };
  for (const Summary& s : summaries) {
    if (s.answered == 0) {
      out += fmt::format("{:<{}}no answer in {} runs\n", s.name, width, s.runs);
      continue;
    }
    out += fmt::format("{:<{}}{:>14}{:>16}{:>14}{:>14}{:>12.4f}{:>11.0f}\n", s.name, width,
                       cell(s.train_accuracy, 100), cell(s.test_accuracy, 100), cell(s.size, 1),
                       cell(s.used_features, 1), s.seconds.mean,
                       100.0 * static_cast<double>(s.optimal) / static_cast<double>(s.runs));
    if (s.answered < s.runs)
      out += fmt::format("{:<{}}no answer in {} of {} runs\n", "", width, s.runs - s.answered, s.runs);
  }
  return out;
}

// A name may hold a comma or a quote, as file names do.
std::string csv_text(std::string text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  for (std::size_t at = 0; (at = text.find('"', at)) != std::string::npos; at += 2) text.insert(at, 1, '"');
  return '"' + text + '"';
}

std::string csv(const std::vector<Summary>& summaries) {
  std::string out =
      "engine,runs,answered,optimal,train_accuracy,train_sd,test_accuracy,test_sd,size,size_sd,features,"
      "features_sd,time_s\n";
  for (const Summary& s : summaries)
    out +=
        fmt::format("{},{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.4f},{:.4f},{:.4f},{:.4f},{:.6f}\n",
                    csv_text(s.name), s.runs, s.answered, s.optimal, s.train_accuracy.mean,
                    s.train_accuracy.deviation, s.test_accuracy.mean, s.test_accuracy.deviation, s.size.mean,
                    s.size.deviation, s.used_features.mean, s.used_features.deviation, s.seconds.mean);
  return out;
}

Json json_of(const Moments& m) {
  return {{"mean", m.mean}, {"sd", m.deviation}};
}

Json json_of(const Flags& flags, const std::vector<Learner>& learners, const std::vector<FoldRun>& runs) {
  Json j{{"depth", flags.options.depth},  {"folds", flags.protocol.folds},
         {"seeds", flags.protocol.seeds}, {"stratified", flags.protocol.stratified},
         {"engines", Json::array()},      {"runs", Json::array()}};
  for (const Summary& s : summarise(learners, runs))
    j["engines"].push_back({{"engine", s.name},
                            {"runs", s.runs},
                            {"answered", s.answered},
                            {"optimal", s.optimal},
                            {"train_accuracy", json_of(s.train_accuracy)},
                            {"test_accuracy", json_of(s.test_accuracy)},
                            {"size", json_of(s.size)},
                            {"features", json_of(s.used_features)},
                            {"time_s", json_of(s.seconds)}});
  for (const FoldRun& r : runs) {
    Json run{{"engine", learners[r.learner].name},
             {"seed", r.seed},
             {"fold", r.fold},
             {"status", to_string(r.status)}};
    if (r.answered)
      run.update(Json{{"train_accuracy", r.train_accuracy},
                      {"test_accuracy", r.test_accuracy},
                      {"size", r.size},
                      {"features", r.used_features}});
    run["time_s"] = r.seconds;
    j["runs"].push_back(std::move(run));
  }
  return j;
}

int run(const Flags& flags) {
  if (flags.json && flags.csv) return console::fail(usage_error("give either --json or --csv", "--csv"));
  std::vector<Learner> learners;
  for (const std::string& text : flags.engines) {
    auto learner = parse_learner(text, flags.options);
    if (!learner) return console::fail(learner.error());
    learners.push_back(*std::move(learner));
  }
  if (auto ok = console::check_output(flags.output, flags.input.path); !ok) return console::fail(ok.error());
  const auto rule = parse_threshold_rule(flags.input.thresholds);
  if (rule && rule->kind == ThresholdRule::Kind::mdlp)
    return console::fail(usage_error(
        "mdlp looks at the classes of all rows, those held out too: take quantiles or all", "--thresholds"));
  auto data = load_data(flags.input);
  if (!data) return console::fail(data.error());
  if (!flags.quiet) describe(*data);
  Control control = console::control(1);
  control.progress = {};  // of one run after another: it would only flicker
  auto runs = cross_validate(data->dataset, learners, flags.protocol, control);
  if (!runs) return console::fail(runs.error());
  const std::size_t planned = flags.protocol.folds * flags.protocol.seeds * learners.size();
  if (runs->empty()) return console::fail({ErrorCode::limit, "stopped before any run was finished", {}});
  if (runs->size() < planned)
    console::warn(fmt::format("stopped after {} of {} runs", runs->size(), planned));
  const auto summaries = summarise(learners, *runs);
  return console::emit(flags.json  ? json_of(flags, learners, *runs).dump(1) + "\n"
                       : flags.csv ? csv(summaries)
                                   : table(summaries),
                       flags.output);
}

}  // namespace

console::Command add_compare(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("compare", "cross-validate several engines on the same folds");
  auto flags = std::make_shared<Flags>();
  command.add_option("FILE", flags->input.path, "csv, arff or 0/1 matrix").required();
  command
      .add_option("--depth,-d", flags->options.depth,
                  "most features of a diagram, most tests on a path of a tree")
      .within(0, 20)
      .show_default();
  command
      .add_option("--engines", flags->engines,
                  "comma between; options of one after colons, as in search:features-from=cart")
      .split_at(',')
      .show_default();
  command.add_option("--folds", flags->protocol.folds, "parts of the rows, each held out once")
      .within(2, 1000000)
      .show_default();
  command.add_option("--seeds", flags->protocol.seeds, "draws of the folds, seeds 1, 2, ...")
      .within(1, 1000000)
      .show_default();
  command.add_flag("--stratified", flags->protocol.stratified, "spread each class evenly over the folds");
  command.add_option("--time-limit", flags->options.time_limit, "seconds for each run")
      .between(0, 1e9)
      .show_default("none");
  command.add_option("--threads", flags->options.threads, "threads of each run")
      .within(1, 1024)
      .show_default();
  command.add_option("--seed", flags->options.seed, "seed of the engines themselves")
      .within(0, 9007199254740992)
      .show_default();
  command.add_option("-o,--output", flags->output, "write it here");
  command.add_flag("--json", flags->json, "print one JSON object, with every run");
  command.add_flag("--csv", flags->csv, "print comma-separated means");
  command.add_flag("-q,--quiet", flags->quiet, "no notes about the data");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
