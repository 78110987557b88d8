#include "commands.hpp"
#include "coverage.hpp"
#include "file_plan.hpp"
#include "input_flags.hpp"
#include "page.hpp"
#include "page_flags.hpp"
#include "verify.hpp"
#include <beadwork/evidence.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
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
  for (const MissingCode& code : reading.missing_of) add("--missing", code.column + "=" + code.text);
  if (!reading.encoding.empty()) add("--text-encoding", reading.encoding);
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

const OptionInfo* find_info(std::string_view option) {
  const auto table = option_table();
  const auto info = std::find_if(table.begin(), table.end(), [&](const auto& o) { return o.name == option; });
  return info == table.end() ? nullptr : &*info;
}

// How the model's own options look on the command line. A flag with its value in one word where the value looks like a
// flag itself.
void add_asked(const AskedFor& asked, const std::vector<std::string>& class_names, std::vector<std::string>& words) {
  for (const auto& [name, texts] : option_texts(asked)) {
    const std::string flag = flag_of(name);
    const OptionInfo* info = find_info(name);
    if (info == nullptr) continue;  // command_note names it
    for (const std::string& text : texts) {
      if (info->type == OptionType::flag && text == "true")
        words.push_back(flag);
      else if (info->type != OptionType::flag && text.starts_with('-'))
        words.push_back(fmt::format("{}={}", flag, text));
      else if (info->type != OptionType::flag)
        words.insert(words.end(), {flag, text});
    }
  }
  if (asked.costs.empty()) return;
  const std::size_t classes = class_names.size();
  nlohmann::ordered_json costs{{"classes", class_names}, {"rows", nlohmann::ordered_json::array()}};
  for (std::size_t i = 0; i < asked.costs.size(); i += classes)
    costs["rows"].push_back(std::vector(asked.costs.begin() + static_cast<std::ptrdiff_t>(i),
                                        asked.costs.begin() + static_cast<std::ptrdiff_t>(i + classes)));
  words.insert(words.end(), {"--costs", costs.dump()});
}

bool has_option(const AskedFor& asked, std::string_view name) {
  return std::any_of(asked.options.begin(), asked.options.end(), [&](const auto& o) { return o.first == name; });
}

// What the command cannot say, as a comment behind it.
std::string command_note(const Model& model) {
  const Claim& c = model.claim();
  if (!model.training().asked) return "  # this model file does not keep what else was asked";
  if (c.objective.mixed_labels) return "  # with the labels mixed as then, which is possible no more";
  for (const auto& [name, _] : model.training().asked->options)
    if (find_info(name) == nullptr) return "  # without an option of another version: " + name;
  if (c.prover.resumed) return "  # the fit went on from a checkpoint";
  if (c.prover.exact() && (!is_proven(c) || !c.canonical))
    return "  # the fit was stopped early: another run may be stopped elsewhere";
  return "";
}

constexpr std::size_t kMostShardsShown = 100;  // nobody reads more, and a forged model may claim any number

// Empty: no command makes it.
std::string fit_command(const Model& model, const ReportFlags& flags) {
  const Training& t = model.training();
  const Claim& c = model.claim();
  if (!model.edits().empty() || c.near_optimum || c.prover.kind == Prover::Kind::hand) return "";
  if (find_engine(t.engine) == nullptr || c.prover.shards > kMostShardsShown) return "";
  std::vector<std::string> words{"beadwork", "fit"};
  std::string data = flags.input.path.empty() ? "DATA" : file_name(flags.input.path);
  if (data.starts_with('-') && data != "-") data.insert(0, "./");
  if (c.prover.shards > 1) {
    words.emplace_back("--shards");
    for (std::size_t i = 1; i <= c.prover.shards; ++i) words.push_back(fmt::format("DATA{}", i));
  } else {
    words.push_back(data);
  }
  const auto add = [&](const std::string& flag, const std::string& value) {
    if (value.starts_with('-'))
      words.push_back(flag + "=" + value);
    else
      words.insert(words.end(), {flag, value});
  };
  add("--target", model.binarizer().target());
  add("--engine", t.engine);
  add("--thresholds", t.thresholds);
  add("--seed", std::to_string(t.seed));
  if (!t.asked) {
    add("--depth", std::to_string(c.scope.depth));
    if (c.scope.exactly) words.emplace_back("--faithful");
  } else {
    if (!has_option(*t.asked, "depth")) add("--depth", std::to_string(Request{}.depth()));
    add_asked(*t.asked, model.class_names(), words);
    if (is_proven(c) && !has_option(*t.asked, "time_limit")) add("--time-limit", "none");
  }
  if (!model.reading().header) words.emplace_back("--no-header");
  if (model.reading().drop_unlabelled) words.emplace_back("--drop-unlabelled");
  add_reading(model.reading(), add);
  add("--output", file_name(flags.model));
  return console::shell_words(words) + command_note(model);
}

// What the checker says of the certificate, and of what in the claim it says nothing.
Verdict judge(const Model& model, const ReportFlags& flags, const LearntFrom& learnt, ReportFacts& facts) {
  const console::SignalGuard guard;  // the checker is a child
  const auto text = read_file(flags.certificate);
  if (!text) return {false, "not checked: " + text.error().message};
  const auto scope = read_scope(*text, learnt.dataset.ranks().get());
  const auto missing = scope ? not_covered(*scope, model, learnt) : std::vector<std::string>{};
  const bool bound_alone = scope && scope->bound < model.training().errors;
  Verdict out = verify(learnt.dataset, bound_alone ? kNoModel : flags.model, flags.certificate, flags.verify_limit,
                       console::control(1));
  if (missing.empty() && out.line.starts_with("REJECTED")) facts.standing = Standing::rejected;
  if (missing.empty() && out.verified) facts.standing = Standing::verified;
  if (missing.empty()) return out;
  out.verified = false;
  out.line += fmt::format("; but the certificate does not cover the claim: {}", fmt::join(missing, "; "));
  return out;
}

// The certificate by its hash, and what the checker says of it, if the rows that the model was learnt from are here.
Status add_certificate(const Model& model, ReportFacts& facts, const ReportFlags& flags,
                       const std::optional<LearntFrom>& learnt) {
  if (flags.certificate.empty()) return Done{};
  TRY(auto certificate, certificate_facts(flags.certificate));
  const Verdict verdict =
      learnt ? judge(model, flags, *learnt, facts) : Verdict{false, "not checked: that needs the training rows"};
  certificate.verdict = verdict.line;
  if (!verdict.verified) console::warn(fmt::format("{}: {}", flags.certificate, verdict.line));
  facts.certificate = std::move(certificate);
  return Done{};
}

// The rows that the model was learnt from, if the file has them when it is read like the training table.
std::optional<LearntFrom> read_as_learnt(const Model& model, const std::string& path, const std::string& text,
                                         const ReadOptions& given, std::vector<ReportRows>& rows) {
  ReadOptions options = given == ReadOptions{} ? model.reading() : given;
  options.target = model.binarizer().target();
  const auto parsed = [&] {
    const console::SignalGuard guard;
    return parse_table(text, path, options, console::control(1));
  };
  auto file = parsed();
  if (!file) return std::nullopt;
  auto learnt = learnt_from(model, file->table);
  if (learnt) rows.push_back({ReportRows::Role::other, file_name(path), std::move(file->table)});
  return learnt;
}

Result<ReportFacts> read_facts(const Model& model, const ReportFlags& flags) {
  TRY(const auto options, flags.input.read_options());
  std::vector<ReportRows> read;
  std::optional<LearntFrom> learnt;
  for (const bool test : {false, true}) {
    const std::string& path = test ? flags.test : flags.input.path;
    if (path.empty()) continue;
    const auto text = input_text(path);  // once: both readings are of the same bytes
    if (!text) return text.error();
    if (!test) learnt = read_as_learnt(model, path, *text, options, read);
    if (learnt && !test) continue;
    TRY(auto rows, read_rows(model, path, *text, options, test ? ReportRows::Role::test : ReportRows::Role::other));
    read.push_back(std::move(rows));
  }
  if (!learnt && !flags.input.path.empty())
    console::note(fmt::format("{}: these are not the model's training rows, or they were read with other options",
                              read.front().name));
  auto facts = facts_of(model, std::move(read), learnt, {});  // a signal ends it at once: nothing has to be cleared up
  if (!facts) return facts;
  TRY_DONE(add_certificate(model, *facts, flags, learnt));
  return facts;
}

Result<int> run(ReportFlags flags) {
  model_first(flags.model, flags.input.path);
  FilePlan plan;
  for (const std::string& input : {flags.model, flags.input.path, flags.test, flags.certificate}) plan.reads(input);
  plan.prints(flags.output);
  TRY_DONE(flags.page.check(plan, true));
  TRY_DONE(plan.check());
  TRY(auto model, load_model(flags.model));
  TRY_DONE(check_page(model.class_names().size(), flags.model));
  TRY_DONE(flags.page.check_positive(model.class_names()));
  if (!model.sealed()) console::warn(fmt::format("{}: {}", flags.model, kNoChecksum));
  TRY(auto facts, read_facts(model, flags));
  TRY_DONE(flags.page.fill(facts));
  facts.command = fit_command(model, flags);
  const auto page = html_report(model, facts);
  if (!page) return flags.page.told(page.error());
  return console::emit(*page, flags.output);
}

}  // namespace

console::Command add_report(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("report", "write an offline HTML page: diagram, form, rows, evidence");
  auto flags = std::make_shared<ReportFlags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("DATA", flags->input.path, "training rows, or other rows, with classes");
  command.add_option("--test", flags->test, "show these test rows, with classes, too");
  flags->page.add(command, false);
  command.add_option("--certificate", flags->certificate, "verify this certificate of the model by beadcheck");
  command.add_option("--verify-limit", flags->verify_limit, "stop beadcheck after S seconds")
      .word("S")
      .between(0, 1e9)
      .show_default();
  command.add_option("-o,--output", flags->output, "write to this file (default standard output)").word("FILE");
  flags->input.add_reading(command, false);
  command.add_list("--ignore", flags->input.ignore, "leave out this column, as fit did");
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
