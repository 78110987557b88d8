#include "fit_steps.hpp"

#include "commands.hpp"
#include "costs_file.hpp"
#include "evaluation.hpp"
#include "file_plan.hpp"
#include "fit_limits.hpp"
#include "fit_plan.hpp"
#include "fit_report.hpp"
#include "page.hpp"
#include "page_flags.hpp"
#include "verify.hpp"
#include <beadwork/fit.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

namespace beadwork::fit_steps {

namespace {

std::string heading(std::string_view section) {
  return static_cast<char>(section[0] - 'a' + 'A') + std::string(section.substr(1));
}

// Parts are run beside each other, and each thread takes memory: these have one.
std::int64_t default_threads(const Flags& flags) {
  const bool part = flags.plan.part || flags.plan.host;
  return part || flags.options.at("memory_limit")
             ? 1
             : static_cast<std::int64_t>(std::min<std::size_t>(1024, processors_here()));
}

}  // namespace

// One flag for each row of the table of options.
void add_options(const Arguments& every, Flags& flags, bool all) {
  for (const OptionInfo& info : option_table()) {
    const Arguments command = every.in(heading(info.section));
    const std::string name(info.name);
    const std::string help(info.help);
    if (!all && !is_kept(info)) {
      flags.options[name];  // not given
      continue;
    }
    const Argument added =
        info.type == OptionType::flag ? command.add_flag(flag_of(name), flags.switches[name], help)
        : name == "costs"             ? command.add_option(flag_of(name), flags.lists[name], help).values(1)
        : info.type == OptionType::list
            ? command.add_list(flag_of(name), flags.lists[name], help)
            : command.add_option(flag_of(name) + (name == "depth" ? ",-d" : ""), flags.options[name], help)
                  .show_default(name == "threads" ? "all" : info.default_value);
    if (info.type != OptionType::flag) added.word(std::string(info.word));
    added.expert(info.expert);
  }
}

Result<Request> read_request(const Flags& flags) {
  Request request;
  for (const auto& [name, text] : flags.options)
    if (text) TRY_DONE(set_option(request, name, *text));
  for (const auto& [name, on] : flags.switches)
    if (on) TRY_DONE(set_option(request, name, "true"));
  for (const auto& [name, values] : flags.lists)
    for (const std::string& value : values)
      if (name != "costs")  // a file, read once the classes are known
        TRY_DONE(set_option(request, name, value));
  if (!flags.options.at("threads") && takes(engine_of(request), "threads"))
    request.run.threads = default_threads(flags);
  if (flags.input.thresholds == "auto") {
    request = settled(std::move(request), {});
  } else {
    TRY(const auto rule, parse_threshold_rule(flags.input.thresholds));
    request = settled(std::move(request), rule);
  }
  if (!flags.front_plot.empty()) request.ask<ForSearch>().front = true;
  if (!flags.lists.at("costs").empty()) request.cost.costs = {1};  // so that it is checked with the others
  TRY_DONE(check_request(request));
  const bool saved = request.only_of<ForSearch>().checkpoint || flags.plan.asked() || flags.plan.host;
  if (flags.options.at("checkpoint_every") && !saved)
    return option_error("needs " + flag_of("checkpoint"), "checkpoint_every");
  request.cost.costs.clear();
  return request;
}

// Checks what the run reads and where it will write, before the work.
Status check_files(const Flags& flags, const Request& request, const std::string& features_from) {
  const auto& search = request.only_of<ForSearch>();
  FilePlan plan;
  for (const std::string& path : {flags.input.path, flags.test, features_from}) plan.reads(path);
  for (const std::string& path : flags.shards) plan.reads(path);
  for (const std::string& costs : flags.lists.at("costs"))
    if (!are_costs(costs)) plan.reads(costs);
  for (const std::string& path : {flags.output, flags.front_plot, flags.report}) plan.writes(path);
  plan.writes(search.certificate.path);
  plan.reads(search.resume.path, "checkpoint");
  if (search.resume) plan.reads(search.resume.path + ".old", "checkpoint");
  if (search.checkpoint) {
    for (const char* ending : {"", ".old"}) plan.writes(search.checkpoint.path + ending, "checkpoint");
    TRY(const auto lock, FileLock::name_for(search.checkpoint.path));
    plan.writes(lock);
  }
  if (const auto& proof = request.only_of<ForMaxsat>().proof)
    for (const char* ending : {"", ".cnf"}) plan.writes(proof.path + ending);
  TRY_DONE(flags.page.check(plan, !flags.report.empty()));
  TRY_DONE(plan.check());
  if (search.checkpoint) TRY_DONE(check_checkpoint(search.checkpoint.path));
  return flags.test.empty() ? Status(Done{}) : can_read(flags.test);  // found out before hours of search
}

Status check_loaded(const Flags& flags, const LoadedData& data, bool merged) {
  if (data.dataset.lacks_features() && (flags.plan.asked() || merged))
    return Error{ErrorCode::limit, "stopped while turning its columns into features", flags.input.path};
  if (flags.report.empty()) return Done{};
  const std::vector<std::string>& classes = data.binarizer.class_names();
  TRY_DONE(check_page(classes.size(), flags.report));
  TRY_DONE(flags.page.check_labels(data.binarizer, data.file.table, !flags.test.empty()));
  return flags.page.check_positive(classes);
}

// What belongs to the model is asked of 'state merge', not of the plan or a part.
Status check_division(const Flags& flags, const Request& request) {
  if (auto ok = flags.plan.check(); !ok || !flags.plan.asked()) return ok;
  const std::pair<const char*, bool> later[] = {
      {"--output", !flags.output.empty()},
      {"--report", !flags.report.empty()},
      {"--json", flags.json},
      {"--certificate", static_cast<bool>(request.only_of<ForSearch>().certificate)}};
  for (const auto& [name, given] : later)
    if (given) return usage_error("belongs to 'beadwork state merge', not to a plan or its parts", name);
  if (!flags.test.empty())
    return usage_error("a plan and its parts are no model yet; test the merged one with 'beadwork evaluate'", "--test");
  if (!flags.front_plot.empty())
    return usage_error("cannot be divided into parts: the front is a search of its own, over sizes", "--front-plot");
  if (flags.input.path == "-")
    return usage_error("needs a file, not standard input: every part reads the table again", "--plan");
  return check_divisible(request);
}

Result<DataHashes> hashes_of(const std::string& path, const Result<FileStamp>& before, const Dataset& dataset) {
  DataHashes out{rows_sha256(dataset), {}};
  std::error_code failed;
  const bool is_file = path != "-" && std::filesystem::is_regular_file(path, failed);  // else a pipe or a device
  if (!before && is_file) return before.error();
  if (!before) return out;
  auto hash = file_sha256(path, console::control(1));
  if (!hash && (is_file || hash.error().code == ErrorCode::limit)) return hash.error();
  if (!hash) return out;
  TRY_DONE(same_file(path, *before));
  out.file = *std::move(hash);
  return out;
}

Result<int> divide(const Flags& flags, const LoadedData& data, const Request& request) {
  const auto scale = static_cast<double>(data.dataset.weight_scale());
  Control control = limits_of(request, console::control(scale));
  if (data.deadline.remaining() < control.deadline.remaining()) control.deadline = data.deadline;
  if (flags.plan.part) return run_part(flags.plan, data, request, control);
  Kept kept = kept_of(flags.plan.given, flags.input.path);
  if (flags.plan.host) return flags.plan.host(data, request, std::move(kept), control);
  return write_plan(flags.plan, data, request, std::move(kept), control);
}

// Did a limit or a signal stop the run before everything was done?
bool stopped_early(const Outcome& o) {
  return o.without_features || o.cut_short || (o.claim.prover.kind != Prover::Kind::nobody && !is_proven(o.claim)) ||
         (o.near && !o.near->complete) || (o.front && !o.front->complete) || o.out_of_memory ||
         (o.choice && !o.choice->complete) ||
         (o.committee && o.committee->claim.extent == CommitteeClaim::Extent::stopped) ||
         std::any_of(o.columns.begin(), o.columns.end(),
                     [](const ColumnWorth& c) { return c.price && c.price->least < c.price->most; });
}

// Reads costs and names, once the data are known.
Result<Request> complete(Request request, const Flags& flags, const Dataset& dataset) {
  if (const auto& files = flags.lists.at("costs"); !files.empty()) {
    TRY(auto costs, read_costs(files.back(), dataset));
    request.cost.costs = std::move(costs);
  }
  return request;
}

// Locks the checkpoint, so that two runs do not write to it.
Result<std::optional<FileLock>> checkpoint_lock(const Request& request, console::Leftover& leftover) {
  const auto& checkpoint = request.only_of<ForSearch>().checkpoint;
  if (!checkpoint) return std::optional<FileLock>{};
  TRY(auto lock, FileLock::take(checkpoint.path));
  leftover.track(lock.name());
  return std::optional<FileLock>(std::move(lock));
}

Result<int> report_nothing(const LoadedData& data, const Flags& flags, const Request& request, const Outcome& o) {
  if (flags.json) console::emit(outcome_json(data.dataset, request, o), "");
  if (o.status() != SolveStatus::infeasible) return Error{ErrorCode::limit, to_words(o.claim), {}};
  console::note(fmt::format("{}; no model was written", to_words(o.claim)));
  return console::kInfeasible;
}

namespace {

// What the bias means where the engine, or the paper, has it not.
void note_bias(const Outcome& o, const Request& request) {
  if (!o.table || o.table->all_decided()) return;  // no cell was left to it
  const bool maxsat = engine_of(request).name == "maxsat";
  const EncodingChoice encoding = request.only_of<ForMaxsat>().encoding;
  const bool paper = request.reading.faithful || (maxsat && encoding == EncodingChoice::bdd2);
  if (request.shape.bias == Bias::neighbours && paper)
    console::note("cells without rows are answered by bias N, which is not the paper's: --bias P, C and S are");
  if (request.shape.bias == Bias::solver && !(maxsat && encoding != EncodingChoice::pair))
    console::note(
        fmt::format("bias S is what a MaxSAT solver leaves in cells without rows: {} has no such values, and takes {}",
                    maxsat ? "encoding pair" : fmt::format("engine {}", engine_of(request).name),
                    paper ? "the majority of the branch" : "the first class that a cell allows"));
}

}  // namespace

void note_what_is_open(const Outcome& o, const Request& request) {
  note_bias(o, request);
  if (is_proven(o.claim) && !o.claim.scope.max_nodes && o.claim.objective.node_penalty == 0 &&
      o.claim.scope.family == Scope::Family::diagrams && o.claim.scope.depth > o.features.size())
    console::note(fmt::format("used {} of at most {}: more {} would not give a better diagram", o.features.size(),
                              console::counted(o.claim.scope.depth, "feature"),
                              o.claim.scope.choice == Scope::Choice::all ? "features" : "candidates"));
  if (over_values(o.certificate))
    console::note(
        "the certificate is over all thresholds: for beadcheck, 'beadwork binarize --values' writes the table");
  if (!o.certificate.empty() && !is_proven(o.claim))
    console::note(
        fmt::format("the certificate covers only the lower bound {}", in_units(o.claim, o.claim.lower_bound)));
}

// Matrices of classes by classes, of the model and of the most frequent class, as numbers and as text.
std::size_t room_for_page(std::size_t classes) {
  return 40 * classes * classes;
}

Result<int> write_files(const Flags& flags, const Fitted& fitted, std::vector<ReportFacts::Moment> bounds,
                        double seconds, const Control& control) {
  const Outcome& o = fitted.outcome;
  const std::string certificate = fitted.request.only_of<ForSearch>().certificate.path;
  const std::string proof = fitted.request.only_of<ForMaxsat>().proof.path;
  int code = 0;  // of the first that cannot be written; all others are
  const auto write = [&](const std::string& path, const std::string& text) {
    const int failed = console::emit(text, path);
    if (code == 0) code = failed;
  };
  if (!flags.output.empty()) write(flags.output, fitted.committee ? to_json(*fitted.committee) : to_json(fitted.model));
  for (const auto& [path, text] : files_of(fitted.request, o)) write(path, text);
  if (!flags.front_plot.empty()) write(flags.front_plot, front_svg(plot_points(o), measure(o.claim)));
  if (!flags.report.empty() && control.no_room_for(room_for_page(fitted.model.class_names().size())))
    return Error{ErrorCode::limit, "the memory limit leaves no room for a page with so many classes", flags.report};
  if (!flags.report.empty()) {
    auto reading = flags.input.read_options();
    TRY(auto facts, page_facts(fitted, {flags.input.path, flags.test, certificate}, *std::move(reading),
                               std::move(bounds), seconds, control));
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
    TRY_DONE(flags.page.fill(facts));
    facts.command = console::command_line(files);
    for (auto& [name, value] : facts.options)
      if (std::find(files.begin(), files.end(), value) != files.end()) value = file_name(value);
    const auto page = html_report(fitted.model, facts);
    if (!page) return flags.page.told(page.error());
    write(flags.report, *page);
  }
  return code;
}

// What is printed: the answer, and how it does on the test rows. By then all files are written.
Result<int> tell(const Flags& flags, const Fitted& fitted) {
  std::optional<Tested> tested;
  std::optional<Error> failed;
  if (!flags.test.empty()) {
    const Predictor predictor = fitted.committee ? Predictor(*fitted.committee) : Predictor(fitted.model);
    auto result = test_on(predictor, flags.test, *flags.input.read_options(), flags.quiet);
    if (result)
      tested = *std::move(result);
    else
      failed = result.error();
  }
  const auto& names = fitted.model.class_names();
  std::string text = flags.json ? outcome_json(fitted.data.dataset, fitted.request, fitted.outcome) : summary(fitted);
  if (tested && flags.json) {
    auto all = nlohmann::ordered_json::parse(text);
    all["test"] = to_json(*tested, names);
    text = all.dump(1) + "\n";
  } else if (tested) {
    text += fmt::format("\nTest rows: {}", to_text(*tested, names));
  }
  const int code = console::emit(text, "");
  if (failed) return *failed;
  return code;
}

void note_defaults(const Flags& flags, const Request& request, const LoadedData& data,
                   const std::optional<double>& limit) {
  const bool cut = flags.input.thresholds == "auto" && !data.dataset.thresholds().empty();
  const std::string words =
      defaults_words(request, data.dataset.num_features(), cut ? to_string(data.thresholds) : "", limit);
  if (!words.empty()) console::note(words);
}

// Why a run over all thresholds takes long.
void note_features(const LoadedData& data, const Request& request) {
  constexpr std::size_t kMany = 10000;
  const std::string option = not_taken(request, Use::ranks);
  if (data.thresholds.kind == ThresholdRule::Kind::all && !option.empty() && data.binarizer.num_features() >= kMany)
    console::note(fmt::format("{} makes a feature of each of the {} thresholds, which takes time and memory",
                              flag_of(option), data.binarizer.num_features()));
}

void describe_fit(const Flags& flags, const Request& request, const LoadedData& data,
                  const std::optional<double>& limit, const Control& control, bool defaults) {
  describe(data, control);
  if (defaults) note_defaults(flags, request, data, limit);
  note_features(data, request);
}

// The exit code after all is said.
int end(const Outcome& o, const Request& request, const std::optional<double>& limit, const Control& control) {
  if (control.interrupted() && is_proven(o.claim) && !o.claim.canonical) {
    console::warn(
        "stopped by a signal after the proof: the model is optimal, but need not be the first by the rule for equally "
        "good "
        "ones, and another run may give another");
    return console::kStopped;
  }
  if (!stopped_early(o)) return 0;
  const bool by_default = limit && !control.interrupted() && !o.out_of_memory;
  if (by_default && !control.deadline.passed() && !engine_of(request).exact())
    console::warn(
        "fits of the folds were stopped early to leave time for the others; --time-limit none continues them");
  else if (by_default && !control.deadline.passed())
    console::warn(
        "the proof was stopped early to match the time spent on choosing the size; --time-limit none continues it");
  else if (by_default)
    console::warn(stop_words(o, request, limit, control));
  else
    console::note(stop_words(o, request, {}, control));
  return by_default ? 0 : console::kStopped;
}

}  // namespace beadwork::fit_steps
