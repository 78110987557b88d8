#include "commands.hpp"
#include "costs_file.hpp"
#include "file_plan.hpp"
#include "fit_limits.hpp"
#include "fit_report.hpp"
#include "page.hpp"
#include "page_flags.hpp"
#include "verify.hpp"
#include <beadwork/fit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>

namespace beadwork {
namespace {

struct Flags {
  InputFlags input;
  std::map<std::string, std::optional<std::string>> options;  // as given, by name
  std::map<std::string, bool> switches;
  std::map<std::string, std::vector<std::string>> lists;
  std::vector<std::string> shards;
  std::string output, front_plot, report, test;
  PageFlags page;
  bool json = false;
  bool quiet = false;
};

// One flag for each row of the table of options.
void add_options(const Arguments& command, Flags& flags) {
  for (const OptionInfo& info : option_table()) {
    const std::string name(info.name);
    const std::string help(info.help);
    if (info.type == OptionType::flag)
      command.add_flag(flag_of(name), flags.switches[name], help);
    else if (name == "costs")
      command.add_option(flag_of(name), flags.lists[name], help).values(1);
    else if (info.type == OptionType::list)
      command.add_list(flag_of(name), flags.lists[name], help);
    else
      command.add_option(flag_of(name) + (name == "depth" ? ",-d" : ""), flags.options[name], help)
          .show_default(info.default_value);
  }
}

Result<Request> read_request(const Flags& flags) {
  Request request;
  for (const auto& [name, text] : flags.options)
    if (text)
      if (auto ok = set_option(request, name, *text); !ok) return ok.error();
  for (const auto& [name, on] : flags.switches)
    if (on)
      if (auto ok = set_option(request, name, "true"); !ok) return ok.error();
  for (const auto& [name, values] : flags.lists)
    for (const std::string& value : values)
      if (name != "costs")  // a file, read once the classes are known
        if (auto ok = set_option(request, name, value); !ok) return ok.error();
  if (!flags.front_plot.empty()) request.ask<ForSearch>().front = true;
  if (!flags.lists.at("costs").empty()) request.cost.costs = {1};  // so that it is checked with the others
  if (auto ok = check_request(request); !ok) return ok.error();
  request.cost.costs.clear();
  return request;
}

// Checks what the run reads and where it will write, before the work.
Status check_files(const Flags& flags, const Request& request, const std::string& features_from) {
  const auto& search = request.only_of<ForSearch>();
  FilePlan plan;
  for (const std::string& path : {flags.input.path, flags.test, features_from}) plan.reads(path);
  for (const std::string& path : flags.shards) plan.reads(path);
  for (const std::string& path : flags.lists.at("costs")) plan.reads(path);
  for (const std::string& path : {flags.output, flags.front_plot, flags.report}) plan.writes(path);
  if (search.certificate.path != "-") plan.writes(search.certificate.path);
  plan.reads(search.resume.path, "checkpoint");
  if (search.resume) plan.reads(search.resume.path + ".old", "checkpoint");
  if (search.checkpoint)
    for (const char* ending : {"", ".old", ".lock"}) plan.writes(search.checkpoint.path + ending, "checkpoint");
  if (const auto& proof = request.only_of<ForMaxsat>().proof)
    for (const char* ending : {"", ".cnf"}) plan.writes(proof.path + ending);
  if (auto ok = flags.page.check(plan, !flags.report.empty()); !ok) return ok;
  if (auto ok = plan.check(); !ok) return ok;
  if (!flags.test.empty() && flags.report.empty()) return usage_error("needs --report", "--test");
  return flags.test.empty() ? Status(Done{}) : can_read(flags.test);  // found out before hours of search
}

// Did a limit or a signal stop the run before everything was done?
bool stopped_early(const Outcome& o) {
  return (o.claim.prover.kind != Prover::Kind::nobody && !is_proven(o.claim)) || (o.near && !o.near->complete) ||
         (o.front && !o.front->complete) || o.out_of_memory || (o.choice && !o.choice->complete) ||
         (o.committee && o.committee->claim.extent == CommitteeClaim::Extent::stopped) ||
         std::any_of(o.columns.begin(), o.columns.end(),
                     [](const ColumnWorth& c) { return c.price && c.price->least < c.price->most; });
}

// Reads costs and names, once the data are known.
Result<Request> complete(Request request, const Flags& flags, const Dataset& dataset, const Binarizer& binarizer) {
  if (const auto& files = flags.lists.at("costs"); !files.empty()) {
    auto costs = read_costs(files.back(), dataset);
    if (!costs) return costs.error();
    request.cost.costs = *std::move(costs);
  }
  return with_columns(std::move(request), binarizer);
}

// Locks the checkpoint, so that two runs do not write to it.
Result<std::optional<FileLock>> checkpoint_lock(const Request& request, console::Leftover& leftover) {
  const auto& checkpoint = request.only_of<ForSearch>().checkpoint;
  if (!checkpoint) return std::optional<FileLock>{};
  const auto target = follow_links(checkpoint.path);
  if (!target) return target.error();
  const std::string file = *target + ".lock";
  auto lock = FileLock::take(checkpoint.path);
  if (!lock) return lock.error();
  leftover.is(file);
  return std::optional<FileLock>(*std::move(lock));
}

int report_nothing(const LoadedData& data, const Flags& flags, const Request& request, const Outcome& o) {
  if (flags.json) console::emit(outcome_json(data.dataset, request, o), "");
  if (o.status() != SolveStatus::infeasible) return console::fail({ErrorCode::limit, to_words(o.claim), {}});
  console::note(to_words(o.claim));
  return 0;
}

void note_what_is_open(const Outcome& o) {
  if (is_proven(o.claim) && !o.claim.scope.max_nodes && o.claim.objective.node_penalty == 0 &&
      o.claim.scope.family == Scope::Family::diagrams && o.claim.scope.depth > o.features.size())
    console::note(fmt::format("used {} of at most {} features: more {} would not give a better diagram",
                              o.features.size(), o.claim.scope.depth,
                              o.claim.scope.choice == Scope::Choice::all ? "features" : "candidates"));
  if (over_values(o.certificate))
    console::note(
        "the certificate is over all thresholds: for beadcheck, 'beadwork binarize --values' writes the table");
  if (!o.certificate.empty() && !is_proven(o.claim))
    console::note(
        fmt::format("the certificate covers only the lower bound {}", in_units(o.claim, o.claim.lower_bound)));
}

int write_files(const Flags& flags, const Fitted& fitted, std::vector<ReportFacts::Moment> bounds, double seconds,
                const Control& control) {
  const Outcome& o = fitted.outcome;
  const std::string certificate = fitted.request.only_of<ForSearch>().certificate.path;
  const std::string proof = fitted.request.only_of<ForMaxsat>().proof.path;
  auto texts = files_of(fitted.request, o);
  if (!flags.output.empty())
    texts.insert(texts.begin(), {flags.output, fitted.committee ? to_json(*fitted.committee) : to_json(fitted.model)});
  if (!flags.front_plot.empty()) texts.emplace_back(flags.front_plot, front_svg(plot_points(o), measure(o.claim)));
  if (!flags.report.empty()) {
    auto reading = flags.input.read_options();
    auto facts = page_facts(fitted, {flags.input.path, flags.test, certificate}, *std::move(reading), std::move(bounds),
                            seconds, control);
    if (!facts) return console::fail(facts.error());
    const std::vector<std::string> files{flags.input.path,
                                         flags.front_plot,
                                         flags.output,
                                         flags.report,
                                         flags.test,
                                         flags.page.labels,
                                         certificate,
                                         proof,
                                         fitted.request.only_of<ForSearch>().checkpoint.path,
                                         fitted.request.only_of<ForSearch>().resume.path};
    if (auto ok = flags.page.fill(*facts); !ok) return console::fail(ok.error());
    facts->command = console::command_line(files);
    for (auto& [name, value] : facts->options)
      if (std::find(files.begin(), files.end(), value) != files.end()) value = file_name(value);
    auto page = html_report(fitted.model, *facts);
    if (!page) return console::fail(page.error());
    texts.emplace_back(flags.report, *std::move(page));
  }
  for (const auto& [path, text] : texts)
    if (const int code = console::emit(text, path); code != 0) return code;
  return 0;
}

// Why a run over all thresholds takes long.
void note_features(const LoadedData& data, const Request& request) {
  constexpr std::size_t kMany = 10000;
  const std::string option = needs_features(request);
  if (data.thresholds.kind == ThresholdRule::Kind::all && !option.empty() && data.binarizer.num_features() >= kMany)
    console::note(fmt::format("{} makes a feature of each of the {} thresholds, which takes time and memory",
                              flag_of(option), data.binarizer.num_features()));
}

// From here on the data are the features that the outcome speaks of.
void take_excerpt(Outcome& outcome, LoadedData& data) {
  data.binarizer = std::move(outcome.excerpt->binarizer);
  data.dataset = std::move(outcome.excerpt->dataset);
  outcome.excerpt.reset();
  warn_of_copies(data.dataset);
}

// The result on standard output, and the exit code.
int tell(const Flags& flags, const Fitted& fitted, const std::optional<double>& limit, const Control& control) {
  const Outcome& o = fitted.outcome;
  const int code =
      console::emit(flags.json ? outcome_json(fitted.data.dataset, fitted.request, o) : summary(fitted), "");
  if (code != 0 || !stopped_early(o)) return code;
  if (!limit || !control.deadline.passed() || control.interrupted() || o.out_of_memory) return console::kStopped;
  console::warn(fmt::format("stopped after {:g} seconds, the default limit; --time-limit none lifts it", *limit));
  return 0;
}

int fit(const Flags& flags) {
  if (flags.input.path.empty()) return console::fail(usage_error("FILE is required (see 'beadwork fit --help')"));
  auto asked = read_request(flags);
  if (!asked) return console::fail(asked.error());
  if (auto ok = check_files(flags, *asked, asked->choice.features_from.file); !ok) return console::fail(ok.error());
  asked = read_named_features(*std::move(asked));
  if (!asked) return console::fail(asked.error());
  console::Leftover leftover;
  const auto lock = checkpoint_lock(*asked, leftover);
  if (!lock) return console::fail(lock.error());
  auto data = load_data(flags.input, *asked);
  if (!data) return console::fail(data.error());
  if (auto ok = flags.page.check_positive(data->binarizer.class_names()); !ok) return console::fail(ok.error());
  const auto request = complete(*std::move(asked), flags, data->dataset, data->binarizer);
  if (!request) return console::fail(request.error());
  const bool hashed = !flags.output.empty() || !flags.report.empty();
  const std::string hash = hashed ? data_sha256(data->dataset) : "not hashed";  // a part of reading: no limit counts it
  const auto scale = static_cast<double>(data->dataset.weight_scale());
  BoundsRecorder recorder(scale);
  Control control = limited(console::control(scale), *request);
  if (data->deadline.remaining() < control.deadline.remaining()) control.deadline = data->deadline;
  if (!flags.quiet) describe(*data, sooner(control));
  if (!flags.quiet) note_features(*data, *request);
  const auto limit = default_limit(*request, flags.options.at("time_limit").has_value());
  if (limit) control.deadline = Deadline::in(*limit);
  const Control beside = control;  // for what is learnt beside the diagram
  if (!flags.report.empty()) control = recorder.listen(std::move(control));
  const auto exchange = open_exchange(*request, control);
  if (!exchange) return console::fail(exchange.error());
  const Stopwatch clock;
  auto outcome = learn(data->dataset, *request, control, *exchange);
  console::end_progress_line();
  if (!outcome) return console::fail(outcome.error());
  if (!outcome->diagram) return report_nothing(*data, flags, *request, *outcome);
  drop_implied_tests(*outcome, data->binarizer, *request);
  weigh_columns(*outcome, data->binarizer, data->dataset);
  if (auto ok = price_columns(*outcome, data->binarizer, data->dataset, *request, beside); !ok)
    return console::fail(ok.error());
  if (outcome->excerpt) take_excerpt(*outcome, *data);
  if (!flags.quiet) note_what_is_open(*outcome);
  const auto model =
      model_of(data->binarizer, data->dataset, *request, *outcome, to_string(data->thresholds), hash, data->reading);
  if (!model) return console::fail(model.error());
  std::optional<Committee> committee;
  if (outcome->committee) {
    auto made = committee_of(data->binarizer, data->dataset, *request, *outcome, *model);
    if (!made) return console::fail(made.error());
    committee = *std::move(made);
  }
  const Fitted fitted{*data, *request, *outcome, *model, committee};
  if (const int code = write_files(flags, fitted, recorder.moments(), clock.seconds(), control); code != 0) return code;
  return tell(flags, fitted, limit, control);
}

// What the lists of the shards came to.
std::string shards_words(const ShardStats& stats) {
  return fmt::format(
      "{} passes over {} shards after the first; the bounds were {} apart before {} sets near the optima "
      "of shards were listed, which stand for {} sets of the whole",
      stats.passes, stats.optima.size(), stats.gap, stats.listed, stats.candidates);
}

Status check_shards(const Flags& flags, const Request& request) {
  if (!flags.input.path.empty()) return usage_error("cannot be given with another FILE", "--shards");
  for (const auto& [flag, value] : {std::pair("--report", &flags.report), std::pair("--front-plot", &flags.front_plot)})
    if (!value->empty()) return usage_error("this is not possible where the rows come in shards", flag);
  return check_for_shards(request);
}

// As fit, of which one shard at a time is in memory.
int fit_shards(const Flags& flags) {
  auto asked = read_request(flags);
  if (!asked) return console::fail(asked.error());
  if (auto ok = check_shards(flags, *asked); !ok) return console::fail(ok.error());
  if (auto ok = check_files(flags, *asked, asked->choice.features_from.file); !ok) return console::fail(ok.error());
  asked = read_named_features(*std::move(asked));
  if (!asked) return console::fail(asked.error());
  const auto reading = flags.input.read_options();
  if (!reading) return console::fail(reading.error());
  std::optional<ThresholdRule> rule;
  if (flags.input.thresholds != "auto") {
    const auto named = parse_threshold_rule(flags.input.thresholds);
    if (!named) return console::fail(named.error());
    rule = *named;
  }
  const console::Watch watch;
  const Control signals = console::control(1);
  const TableParts parts = parts_of_files(flags.shards, *reading, signals, [&](const TableFile& file) {
    if (!flags.quiet) show_findings(file);
  });
  const auto whole = survey(parts, {*asked, *reading, rule}, signals);
  if (!whole) return console::fail(whole.error());
  const auto request = complete(*std::move(asked), flags, whole->frame, whole->binarizer);
  if (!request) return console::fail(request.error());
  if (!flags.quiet)
    console::note(fmt::format("{} shards, {} rows, {} features", flags.shards.size(), whole->num_rows,
                              whole->binarizer.num_features()));
  Control control = limited(console::control(static_cast<double>(whole->scale.scale)), *request);
  const auto limit = default_limit(*request, flags.options.at("time_limit").has_value());
  if (limit) control.deadline = Deadline::in(*limit);
  auto learnt = learn_from_shards(whole->shards(parts), whole->frame, *request, !flags.output.empty(), control);
  console::end_progress_line();
  if (!learnt) return console::fail(learnt.error());
  if (!flags.quiet) console::note(shards_words(learnt->stats));
  LoadedData data{{}, *reading, whole->thresholds, whole->binarizer, learnt->dataset};
  Outcome& outcome = learnt->outcome;
  if (!outcome.diagram) return report_nothing(data, flags, *request, outcome);
  drop_implied_tests(outcome, data.binarizer, *request);
  weigh_columns(outcome, data.binarizer, data.dataset);
  if (!flags.quiet) note_what_is_open(outcome);
  const auto model = model_of(data.binarizer, data.dataset, *request, outcome, to_string(data.thresholds),
                              flags.output.empty() ? "not hashed" : learnt->data_sha256, *reading);
  if (!model) return console::fail(model.error());
  const std::optional<Committee> none;
  const Fitted fitted{data, *request, outcome, *model, none};
  if (const int code = write_files(flags, fitted, {}, outcome.seconds, control); code != 0) return code;
  return tell(flags, fitted, limit, control);
}

}  // namespace

console::Command add_fit(const Arguments& program) {
  const Arguments command = program.add_subcommand("fit", "learn a diagram from a table");
  auto flags = std::make_shared<Flags>();
  command.add_option("FILE", flags->input.path, "CSV, ARFF or 0/1 matrix file");
  command.add_option("--shards", flags->shards,
                     "files of one table, read one at a time: the whole need not fit in memory (docs/shards.md)");
  add_options(command, *flags);
  command.add_option("-o,--output", flags->output, "write the model to this file (JSON)").file();
  command.add_option("--front-plot", flags->front_plot, "draw the trade-offs of --front to this file (SVG)").file();
  command.add_option("--report", flags->report, "write a report page to this file (HTML, docs/report.md)").file();
  command.add_option("--test", flags->test, "table of test rows for the report").file();
  flags->page.add(command);
  command.add_flag("--json", flags->json, "print the result as JSON");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  return [flags] { return flags->shards.empty() ? fit(*flags) : fit_shards(*flags); };
}

}  // namespace beadwork
