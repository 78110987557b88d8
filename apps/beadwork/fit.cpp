#include "commands.hpp"
#include "costs_file.hpp"
#include "evaluation.hpp"
#include "file_plan.hpp"
#include "fit_limits.hpp"
#include "fit_plan.hpp"
#include "fit_report.hpp"
#include "fit_steps.hpp"
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

using namespace fit_steps;

Result<int> fit(const Flags& flags, const MergedFit* parts = nullptr) {
  if (flags.input.path.empty()) return usage_error("FILE is required (see 'beadwork fit --help')");
  auto asked = read_request(flags);
  if (!asked) return asked.error();
  const std::string features_from = asked->choice.features_from.file;
  TRY_DONE(check_division(flags, *asked));
  TRY_DONE(check_files(flags, *asked, features_from));
  asked = read_named_features(*std::move(asked));
  if (!asked) return asked.error();
  console::Leftover leftover;
  TRY(const auto lock, checkpoint_lock(*asked, leftover));
  const bool hashed = !flags.output.empty() || !flags.report.empty();
  const auto stamp = stamp_of(flags.input.path);
  TRY(auto data, load_data(flags.input, *asked, !flags.report.empty()));
  TRY_DONE(check_loaded(flags, data, parts != nullptr));
  TRY(auto possible, without_bans_on(*std::move(asked), data.file.left_out, data.binarizer));
  const auto request = complete(std::move(possible), flags, data.dataset);
  if (!request) return request.error();
  if (flags.plan.asked()) return divide(flags, data, *request);
  if (parts != nullptr) TRY_DONE(check_plan(parts->plan, data.dataset, *request));
  const auto hashes = hashed
                          ? hashes_of(flags.input.path, stamp, data.dataset)  // a part of reading: no limit counts it
                          : Result<DataHashes>(DataHashes{"not hashed", {}});
  if (!hashes) return hashes.error();
  const auto scale = static_cast<double>(data.dataset.weight_scale());
  Control control = limits_of(*request, console::control(scale));
  if (data.deadline.remaining() < control.deadline.remaining()) control.deadline = data.deadline;
  const auto limit = default_limit(*request, parts != nullptr || flags.options.at("time_limit").has_value());
  if (!flags.quiet) describe_fit(flags, *request, data, limit, quarter_of(control), parts == nullptr);
  if (limit) control.deadline = Deadline::in(*limit);
  if (flags.quiet) control.log = console::warnings_alone(std::move(control.log));
  Host host{control};
  if (parts != nullptr)
    host.exchange = [&](const Request&, const Control&) -> Result<Exchange> { return parts->merged.exchange(); };
  const Stopwatch clock;
  auto learnt = learn_rows(data.binarizer, data.dataset, *request, host);
  console::end_progress_line();
  if (!learnt) return learnt.error();
  const Outcome& outcome = learnt->outcome;
  if (!outcome.diagram) return report_nothing(data, flags, *request, outcome);
  if (!flags.quiet) note_what_is_open(outcome, *request);
  TRY(const auto models,
      models_of(data.binarizer, data.dataset, *request, outcome, {to_string(data.thresholds), *hashes, data.reading}));
  const Fitted fitted{data, *request, outcome, models.model, models.committee};
  TRY(const int written, write_files(flags, fitted, std::move(learnt->bounds), clock.seconds(), control));
  if (written != 0) return written;
  TRY(const int code, tell(flags, fitted));
  return code != 0 ? code : end(outcome, *request, limit, control);
}

// How often the shards were read, and what was compared.
std::string shards_words(const ShardStats& stats) {
  return fmt::format("read the {} {} times; listed {} near the optima of shards and compared {}",
                     console::counted(stats.optima.size(), "shard"), stats.passes + 1,
                     console::counted(stats.listed, "feature set"), stats.candidates);
}

Status check_shards(const Flags& flags, const Request& request) {
  if (!flags.input.path.empty()) return usage_error("cannot be given with another FILE", "--shards");
  if (std::find(flags.shards.begin(), flags.shards.end(), "-") != flags.shards.end())
    return usage_error("standard input cannot be a shard: each is read several times", "--shards");
  for (const auto& [flag, value] : {std::pair("--report", &flags.report), std::pair("--front-plot", &flags.front_plot)})
    if (!value->empty()) return usage_error("cannot be used with --shards", flag);
  if (flags.plan.asked() || !flags.plan.folder.empty())
    return usage_error("a search over shards cannot be divided into parts", "--shards");
  return check_for_shards(request);
}

// As fit, of which one shard at a time is in memory.
Result<int> fit_shards(const Flags& flags) {
  auto asked = read_request(flags);
  if (!asked) return asked.error();
  TRY_DONE(check_shards(flags, *asked));
  TRY_DONE(check_files(flags, *asked, asked->choice.features_from.file));
  asked = read_named_features(*std::move(asked));
  if (!asked) return asked.error();
  TRY(const auto reading, flags.input.read_options());
  std::optional<ThresholdRule> rule;
  if (flags.input.thresholds != "auto") {
    TRY(const auto named, parse_threshold_rule(flags.input.thresholds));
    rule = named;
  }
  const console::SignalGuard guard;
  const Control signals = console::control(1);
  const ShardTables parts = parts_of_files(flags.shards, reading, signals, [&](const TableFile& file) {
    if (!flags.quiet) show_findings(file);
  });
  TRY(const auto whole, survey(parts, {*asked, reading, rule}, signals));
  if (!flags.quiet) show_findings({{}, {}, whole.findings.notes, whole.findings.warnings, {}, {}});
  TRY(const auto request, complete(*std::move(asked), flags, whole.frame));
  if (!flags.quiet)
    console::note(fmt::format("{}, {}, {}", console::counted(flags.shards.size(), "shard"),
                              console::counted(whole.num_rows, "row"),
                              console::counted(whole.binarizer.num_features(), "feature")));
  Control control = limits_of(request, console::control(static_cast<double>(whole.scale.scale)));
  if (flags.quiet) control.log = console::warnings_alone(std::move(control.log));
  const auto limit = default_limit(request, flags.options.at("time_limit").has_value());
  if (limit) control.deadline = Deadline::in(*limit);
  if (!flags.quiet) note_defaults(flags, request, {{}, reading, whole.thresholds, whole.binarizer, whole.frame}, limit);
  auto learnt =
      learn_shards(whole.binarizer, whole.shards(parts), whole.frame, request, !flags.output.empty(), {control});
  console::end_progress_line();
  if (!learnt) return learnt.error();
  auto& [found, bounds] = *learnt;
  if (!flags.quiet) console::note(shards_words(found.stats));
  LoadedData data{{}, whole.reading, whole.thresholds, whole.binarizer, std::move(found.dataset)};
  const Outcome& outcome = found.outcome;
  if (!outcome.diagram) return report_nothing(data, flags, request, outcome);
  if (!flags.quiet) note_what_is_open(outcome, request);
  const DataHashes hashes{flags.output.empty() ? "not hashed" : found.rows_sha256, {}};
  TRY(const auto models,
      models_of(data.binarizer, data.dataset, request, outcome, {to_string(data.thresholds), hashes, whole.reading}));
  const Fitted fitted{data, request, outcome, models.model, models.committee};
  TRY(const int written, write_files(flags, fitted, {}, outcome.seconds, control));
  if (written != 0) return written;
  TRY(const int code, tell(flags, fitted));
  return code != 0 ? code : end(outcome, request, limit, control);
}

constexpr const char* kMore =
    "Without --time-limit a search stops after 60 seconds, except with\n"
    "--certificate, --checkpoint, --resume or --faithful. Examples: docs/start.md";

void add_files(const Arguments& command, const std::shared_ptr<Flags>& flags) {
  const Arguments table = command.in("Table");
  table.add_option("--test", flags->test, "evaluate the model on this table of test rows").word("FILE");
  table.add_option("--shards", flags->shards, "read one table from several files, one at a time (docs/shards.md)")
      .word("FILE...")
      .expert();
  const Arguments output = command.in("Output");
  output.add_option("-o,--output", flags->output, "write the model to this file (JSON)").word("FILE");
  output.add_option("--report", flags->report, "write a report page to this file (HTML)").word("FILE");
  output.add_option("--front-plot", flags->front_plot, "draw the trade-offs of --front to this file (SVG)")
      .word("FILE")
      .expert();
  flags->page.add(output, true);
  flags->plan.add(command.in("Many machines"));
}

// All flags; or those that a plan keeps.
void add_flags(const Arguments& command, const std::shared_ptr<Flags>& flags, bool all = true) {
  command.in("Table").add_option("FILE", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow, also .gz, .zst");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  flags->input.add_passes(command);
  if (all) add_files(command, flags);
  add_options(command, *flags, all);
  if (!all) return;
  const Arguments output = command.in("Output");
  output.add_flag("--json", flags->json, "print the result as JSON");
  output.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  command.footer(kMore);
}

}  // namespace

console::Command add_fit(const Arguments& program) {
  auto flags = std::make_shared<Flags>();
  const Arguments command = program.add_subcommand("fit", "learn a diagram from a table");
  add_flags(command, flags);
  return [flags, command] {
    flags->plan.given = command.values_given();
    return flags->shards.empty() ? fit(*flags) : fit_shards(*flags);
  };
}

namespace {

// The flags of a fit that these words describe: of any, or of what a plan keeps.
Result<std::shared_ptr<Flags>> flags_in(const std::vector<std::string>& words, bool all) {
  Program program(
      "beadwork", "", [] { return std::string(); }, "");
  auto flags = std::make_shared<Flags>();
  const Arguments command = program.arguments().add_subcommand("fit", "");
  add_flags(command, flags, all);
  std::vector<const char*> whole{"beadwork", "fit"};
  for (const std::string& word : words) whole.push_back(word.c_str());
  TRY(const auto read, program.parse(static_cast<int>(whole.size()), whole.data()));
  if (read.text) return usage_error("expected the arguments of a fit");
  flags->plan.given = command.values_given();
  return flags;
}

}  // namespace

std::map<std::string, bool> options_kept() {
  Program program(
      "beadwork", "", [] { return std::string(); }, "");
  add_flags(program.arguments().add_subcommand("fit", ""), std::make_shared<Flags>(), false);
  std::map<std::string, bool> out;
  const CommandManual fit = program.manual().back();
  for (const OptionManual& option : fit.options)
    for (const std::string& name : option.names)
      if (name.starts_with("--")) out.emplace(name.substr(2), option.takes_value);
  return out;
}

Result<int> fit_for_host(const std::vector<std::string>& words, PartsHost host) {
  TRY(const auto flags, flags_in(words, true));
  flags->plan.host = std::move(host);
  return fit(*flags);
}

Result<int> fit_merged(const MergedFit& with) {
  TRY(const auto words, words_of(with.plan));
  const auto kept = flags_in(words, false);
  if (!kept) return input_error("the plan keeps what no plan keeps: " + kept.error().message);
  const auto& flags = *kept;
  if (!with.data.empty()) flags->input.path = with.data;
  flags->output = with.output;
  flags->report = with.report;
  if (!with.certificate.empty() || !with.report.empty()) flags->input.in_passes = false;  // these need all rows
  flags->json = with.json;
  flags->quiet = with.quiet;
  if (!with.certificate.empty()) flags->options["certificate"] = with.certificate;
  flags->options["time_limit"] = with.time_limit;
  flags->options["checkpoint_every"].reset();  // of the parts
  if (with.threads) flags->options["threads"] = with.threads;
  return fit(*flags, &with);
}

}  // namespace beadwork
