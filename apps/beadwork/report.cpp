#include "commands.hpp"
#include "file_plan.hpp"
#include "input_flags.hpp"
#include "page.hpp"
#include "page_flags.hpp"
#include "verify.hpp"
#include <beadwork/evidence.hpp>

#include <fmt/format.h>

#include <array>
#include <memory>

namespace beadwork {
namespace {

struct ReportFlags {
  InputFlags input;
  std::string model;
  std::string test;
  PageFlags page;
  std::string certificate;
  double verify_limit = 60;
  std::string output;
};

// The flags with which the training table was read.
template <class Add>
void add_reading(const ReadOptions& reading, const Add& add) {
  const ReadOptions plain;
  const auto all = [&](const char* flag, const std::vector<std::string>& names) {
    for (const std::string& name : names) add(flag, name);
  };
  const auto sign = [&](const char* flag, char c) {
    if (c != 0) add(flag, c == '\t' ? "tab" : std::string(1, c));
  };
  sign("--delimiter", reading.delimiter);
  if (reading.missing != plain.missing) all("--missing", reading.missing);
  all("--numeric", reading.numeric);
  all("--nominal", reading.nominal);
  for (const OrderedWords& words : reading.ordered)
    add("--ordered", fmt::format("{}={}", words.column, fmt::join(words.levels, ",")));
  all("--ignore", reading.ignore);
  sign("--decimal", reading.decimal);
  sign("--thousands", reading.thousands);
  static constexpr std::array kOrders{"ymd", "dmy", "mdy"};
  if (reading.dates) add("--dates", kOrders[static_cast<std::size_t>(*reading.dates)]);
  all("--keep-column", reading.keep);
  if (reading.max_categories != plain.max_categories) add("--max-categories", std::to_string(reading.max_categories));
  if (reading.target_bins != 0) add("--target-bins", std::to_string(reading.target_bins));
  if (!reading.weight.empty()) add("--weight", reading.weight);
}

std::string fit_command(const Model& model, const ReportFlags& flags) {
  const Training& t = model.training();
  std::vector<std::string> words{"beadwork", "fit", flags.input.path.empty() ? "DATA" : file_name(flags.input.path)};
  const auto add = [&](const std::string& flag, const std::string& value) {
    words.push_back(flag);
    words.push_back(value);
  };
  add("--target", model.binarizer().target());
  add("--depth", std::to_string(model.claim().scope.depth));
  add("--engine", t.engine);
  add("--thresholds", t.thresholds);
  add("--seed", std::to_string(t.seed));
  if (model.claim().scope.exactly) words.emplace_back("--faithful");
  if (!model.reading().header) words.emplace_back("--no-header");
  add_reading(model.reading(), add);
  add("--output", file_name(flags.model));
  return console::shell_words(words);
}

// The certificate by its hash, and what the checker says of it, if the rows that the model was learnt from are here.
Status add_certificate(ReportFacts& facts, const ReportFlags& flags, const std::optional<LearntFrom>& learnt) {
  if (flags.certificate.empty()) return Done{};
  auto certificate = certificate_facts(flags.certificate);
  if (!certificate) return certificate.error();
  Verdict verdict{false, "not checked: that needs the training rows"};
  if (learnt)
    verdict = verify(learnt->dataset, flags.model, flags.certificate, flags.verify_limit, console::control(1));
  certificate->verdict = verdict.line;
  if (verdict.line.starts_with("REJECTED")) facts.standing = Standing::rejected;
  if (verdict.verified) facts.standing = Standing::verified;
  if (!verdict.verified) console::warn(fmt::format("{}: {}", flags.certificate, verdict.line));
  facts.certificate = *std::move(certificate);
  return Done{};
}

// The rows that the model was learnt from, if the file has them when it is read like the training table.
std::optional<LearntFrom> read_as_learnt(const Model& model, const std::string& path, const std::string& text,
                                         const ReadOptions& given, std::vector<ReportRows>& rows) {
  ReadOptions options = given == ReadOptions{} ? model.reading() : given;
  options.target = model.binarizer().target();
  auto file = parse_table(text, path, options, console::control(1));
  if (!file) return std::nullopt;
  auto learnt = learnt_from(model, file->table);
  if (learnt) rows.push_back({ReportRows::Role::other, file_name(path), std::move(file->table)});
  return learnt;
}

Result<ReportFacts> read_facts(const Model& model, const ReportFlags& flags) {
  const auto options = flags.input.read_options();
  if (!options) return options.error();
  std::vector<ReportRows> read;
  std::optional<LearntFrom> learnt;
  for (const bool test : {false, true}) {
    const std::string& path = test ? flags.test : flags.input.path;
    if (path.empty()) continue;
    const auto text = input_text(path);  // once: both readings are of the same bytes
    if (!text) return text.error();
    if (!test) learnt = read_as_learnt(model, path, *text, *options, read);
    if (learnt && !test) continue;
    auto rows = read_rows(model, path, *text, *options, test ? ReportRows::Role::test : ReportRows::Role::other);
    if (!rows) return rows.error();
    read.push_back(*std::move(rows));
  }
  if (!learnt && !flags.input.path.empty())
    console::note(fmt::format("{}: these are not the model's training rows, or they were read with other options",
                              read.front().name));
  auto facts = facts_of(model, std::move(read), learnt, console::control(1));
  if (!facts) return facts;
  if (auto ok = add_certificate(*facts, flags, learnt); !ok) return ok.error();
  return facts;
}

int run(ReportFlags flags) {
  model_first(flags.model, flags.input.path);
  FilePlan plan;
  for (const std::string& input : {flags.model, flags.input.path, flags.test, flags.certificate}) plan.reads(input);
  plan.writes(flags.output);
  if (auto ok = flags.page.check(plan, true); !ok) return console::fail(ok.error());
  if (auto ok = plan.check(); !ok) return console::fail(ok.error());
  auto model = load_model(flags.model);
  if (!model) return console::fail(model.error());
  if (auto ok = flags.page.check_positive(model->class_names()); !ok) return console::fail(ok.error());
  auto facts = read_facts(*model, flags);
  if (!facts) return console::fail(facts.error());
  if (auto ok = flags.page.fill(*facts); !ok) return console::fail(ok.error());
  facts->command = fit_command(*model, flags);
  auto page = html_report(*model, *facts);
  return page ? console::emit(*page, flags.output) : console::fail(page.error());
}

}  // namespace

console::Command add_report(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("report", "write an offline HTML page: diagram, form, rows, evidence");
  auto flags = std::make_shared<ReportFlags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("DATA", flags->input.path, "training rows, or other rows, with classes");
  command.add_option("--test", flags->test, "test rows, with classes");
  flags->page.add(command);
  command.add_option("--certificate", flags->certificate,
                     "certificate of the model; the installed beadcheck verifies it");
  command.add_option("--verify-limit", flags->verify_limit, "time limit of beadcheck, in seconds")
      .between(0, 1e9)
      .show_default();
  command.add_option("-o,--output", flags->output, "write to this file (default: standard output)");
  flags->input.add_reading(command, false);
  command.add_list("--ignore", flags->input.ignore, "column that fit was told to ignore");
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
