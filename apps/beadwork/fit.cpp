#include "commands.hpp"
#include "costs_file.hpp"
#include "file_plan.hpp"
#include "fit_limits.hpp"
#include "fit_plan.hpp"
#include "fit_report.hpp"
#include "page.hpp"
#include "page_flags.hpp"
#include "verify.hpp"

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
  std::string output, front_plot, report, test;
  PageFlags page;
  PlanFlags plan;
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

// What belongs to the model is asked of 'state merge', not of the plan or a part.
Status check_division(const Flags& flags, const Request& request) {
  if (auto ok = flags.plan.check(); !ok || !flags.plan.asked()) return ok;
  const std::pair<const char*, bool> later[] = {
      {"--output", !flags.output.empty()},
      {"--report", !flags.report.empty()},
      {"--front-plot", !flags.front_plot.empty()},
      {"--test", !flags.test.empty()},
      {"--json", flags.json},
      {"--certificate", static_cast<bool>(request.only_of<ForSearch>().certificate)}};
  for (const auto& [name, given] : later)
    if (given) return usage_error("belongs to 'beadwork state merge', not to a plan or its parts", name);
  if (flags.input.path == "-") return usage_error("a plan needs a file: standard input is gone when the parts run");
  return check_divisible(request);
}

int divide(const Flags& flags, const LoadedData& data, const Request& request, const std::string& features_from) {
  const auto scale = static_cast<double>(data.dataset.weight_scale());
  Control control = limited(console::control(scale), request);
  if (data.deadline.remaining() < control.deadline.remaining()) control.deadline = data.deadline;
  if (flags.plan.part) return run_part(flags.plan, data, request, control);
  std::vector<std::string> files = flags.lists.at("costs");
  files.push_back(flags.input.path);
  files.push_back(features_from);
  if (flags.plan.host) return flags.plan.host(data, request, words_of_fit(files), control);
  return write_plan(flags.plan, data, request, words_of_fit(files), control);
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
Result<Request> complete(Request request, const Flags& flags, const LoadedData& data) {
  if (const auto& files = flags.lists.at("costs"); !files.empty()) {
    auto costs = read_costs(files.back(), data.dataset);
    if (!costs) return costs.error();
    request.cost.costs = *std::move(costs);
  }
  return with_columns(std::move(request), data.binarizer);
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

Result<std::optional<Committee>> voters(const LoadedData& data, const Request& request, const Outcome& outcome,
                                        const Model& model) {
  if (!outcome.committee) return std::optional<Committee>{};
  auto made = committee_of(data.binarizer, data.dataset, request, outcome, model);
  if (!made) return made.error();
  return std::optional(*std::move(made));
}

int fit(const Flags& flags, const MergedFit* parts = nullptr) {
  auto asked = read_request(flags);
  if (!asked) return console::fail(asked.error());
  const std::string features_from = asked->choice.features_from.file;
  if (auto ok = check_division(flags, *asked); !ok) return console::fail(ok.error());
  if (auto ok = check_files(flags, *asked, features_from); !ok) return console::fail(ok.error());
  asked = read_named_features(*std::move(asked));
  if (!asked) return console::fail(asked.error());
  console::Leftover leftover;
  const auto lock = checkpoint_lock(*asked, leftover);
  if (!lock) return console::fail(lock.error());
  auto data = load_data(flags.input, *asked);
  if (!data) return console::fail(data.error());
  if (auto ok = flags.page.check_positive(data->binarizer.class_names()); !ok) return console::fail(ok.error());
  const auto request = complete(*std::move(asked), flags, *data);
  if (!request) return console::fail(request.error());
  if (flags.plan.asked()) return divide(flags, *data, *request, features_from);
  if (parts != nullptr)
    if (auto ok = check_plan(parts->plan, data->dataset, *request); !ok) return console::fail(ok.error());
  const bool hashed = !flags.output.empty() || !flags.report.empty();
  const std::string hash = hashed ? data_sha256(data->dataset) : "not hashed";  // a part of reading: no limit counts it
  const auto scale = static_cast<double>(data->dataset.weight_scale());
  BoundsRecorder recorder(scale);
  Control control = limited(console::control(scale), *request);
  if (data->deadline.remaining() < control.deadline.remaining()) control.deadline = data->deadline;
  if (!flags.quiet) describe(*data, sooner(control));
  if (!flags.quiet) note_features(*data, *request);
  const auto limit = default_limit(*request, parts != nullptr || flags.options.at("time_limit").has_value());
  if (limit) control.deadline = Deadline::in(*limit);
  const Control beside = control;  // for what is learnt beside the diagram
  if (!flags.report.empty()) control = recorder.listen(std::move(control));
  const auto exchange = parts != nullptr ? parts->merged.exchange() : open_exchange(*request, control);
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
  const auto committee = voters(*data, *request, *outcome, *model);
  if (!committee) return console::fail(committee.error());
  const Fitted fitted{*data, *request, *outcome, *model, *committee};
  if (const int code = write_files(flags, fitted, recorder.moments(), clock.seconds(), control); code != 0) return code;
  const int code = console::emit(flags.json ? outcome_json(data->dataset, *request, *outcome) : summary(fitted), "");
  if (code != 0 || !stopped_early(*outcome)) return code;
  if (!limit || !control.deadline.passed() || control.interrupted() || outcome->out_of_memory) return console::kStopped;
  console::warn(fmt::format("stopped after {:g} seconds, the default limit; --time-limit none lifts it", *limit));
  return 0;
}

void add_flags(const Arguments& command, const std::shared_ptr<Flags>& flags) {
  command.add_option("FILE", flags->input.path, "CSV, ARFF or 0/1 matrix file").required();
  add_options(command, *flags);
  command.add_option("-o,--output", flags->output, "write the model to this file (JSON)").file();
  command.add_option("--front-plot", flags->front_plot, "draw the trade-offs of --front to this file (SVG)").file();
  command.add_option("--report", flags->report, "write a report page to this file (HTML, docs/report.md)").file();
  command.add_option("--test", flags->test, "table of test rows for the report").file();
  flags->page.add(command);
  flags->plan.add(command);
  command.add_flag("--json", flags->json, "print the result as JSON");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
}

}  // namespace

console::Command add_fit(const Arguments& program) {
  auto flags = std::make_shared<Flags>();
  add_flags(program.add_subcommand("fit", "learn a diagram from a table"), flags);
  return [flags] { return fit(*flags); };
}

namespace {

// Flags that somebody else has kept, as words.
Result<std::shared_ptr<Flags>> flags_in(const std::vector<std::string>& kept) {
  Program program(
      "beadwork", "", [] { return std::string(); }, "");
  auto flags = std::make_shared<Flags>();
  add_flags(program.arguments().add_subcommand("fit", ""), flags);
  std::vector<const char*> words{"beadwork", "fit"};
  for (const std::string& word : kept) words.push_back(word.c_str());
  const auto read = program.parse(static_cast<int>(words.size()), words.data());
  if (!read) return read.error();
  if (read->text) return usage_error("expected the arguments of a fit");
  return flags;
}

}  // namespace

int fit_for_host(const std::vector<std::string>& words, PartsHost host) {
  const auto flags = flags_in(words);
  if (!flags) return console::fail(flags.error());
  (*flags)->plan.host = std::move(host);
  return fit(**flags);
}

int fit_merged(const MergedFit& with) {
  const auto kept = flags_in(with.plan.words);
  const auto flags = kept ? *kept : nullptr;
  const bool plain = flags != nullptr && flags->output.empty() && flags->report.empty() && flags->front_plot.empty() &&
                     flags->test.empty() && !flags->options.at("certificate");
  if (!plain) return console::fail(input_error("the plan's command is not one that makes a plan"));
  if (!with.data.empty()) flags->input.path = with.data;
  flags->output = with.output;
  flags->report = with.report;
  flags->json = with.json;
  flags->quiet = flags->quiet || with.quiet;
  if (!with.certificate.empty()) flags->options["certificate"] = with.certificate;
  flags->options["time_limit"] = with.time_limit;
  if (with.threads) flags->options["threads"] = with.threads;
  return fit(*flags, &with);
}

}  // namespace beadwork
