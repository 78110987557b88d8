#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "input_flags.hpp"
#include "page.hpp"

namespace beadwork {
namespace {

struct Flags {
  InputFlags input;
  std::string model;
  std::string test;
  std::string certificate;
  std::string output;
};

// The table as it was learnt from, if this is it: the model holds the hash of its 0/1 matrix.
struct LearntFrom {
  Binarizer binarizer;
  Dataset dataset;
};
std::optional<LearntFrom> learnt_from(const Model& model, const Table& table) {
  auto rule = parse_threshold_rule(model.training().thresholds);
  if (!rule) return std::nullopt;
  auto binarizer = Binarizer::fit(table, {*rule});
  if (!binarizer) return std::nullopt;
  auto dataset = binarizer->apply(table);
  if (!dataset || sha256(*dataset) != model.training().data_sha256) return std::nullopt;
  return LearntFrom{*std::move(binarizer), *std::move(dataset)};
}

std::string fit_command(const Model& model, const Flags& flags) {
  const Training& t = model.training();
  std::vector<std::string> words{"beadwork", "fit",
                                 flags.input.path.empty() ? "DATA" : file_name(flags.input.path)};
  const auto add = [&](const std::string& flag, const std::string& value) {
    words.push_back(flag);
    words.push_back(value);
  };
  add("--target", model.binarizer().target());
  add("--depth", std::to_string(t.depth));
  add("--engine", t.engine);
  add("--thresholds", t.thresholds);
  add("--seed", std::to_string(t.seed));
  if (t.faithful) words.emplace_back("--faithful");
  for (const std::string& name : flags.input.ignore) add("--ignore", name);
  if (!flags.input.weight.empty()) add("--weight", flags.input.weight);
  add("--output", file_name(flags.model));
  return console::shell_words(words);
}

Status add_rows(const Model& model, const Flags& flags, ReportFacts& facts) {
  const auto options = flags.input.read_options();
  if (!options) return options.error();
  for (const bool test : {false, true}) {
    const std::string& path = test ? flags.test : flags.input.path;
    if (path.empty()) continue;
    auto rows = read_rows(model, path, *options, test ? ReportRows::Role::test : ReportRows::Role::other);
    if (!rows) return rows.error();
    facts.rows.push_back(*std::move(rows));
  }
  if (flags.input.path.empty()) return Done{};
  ReportRows& first = facts.rows.front();
  const auto learnt = learnt_from(model, first.table);
  if (!learnt) {
    console::note(fmt::format("{}: not the rows that the model was learnt from, or read with other options",
                              first.name));
    return Done{};
  }
  first.role = ReportRows::Role::training;
  facts.binarizer = learnt->binarizer;
  if (model.training().engine == "cart") return Done{};
  return add_cart(learnt->binarizer, learnt->dataset, model.training().depth, facts);
}

int run(Flags flags) {
  model_first(flags.model, flags.input.path);
  for (const std::string& input : {flags.model, flags.input.path, flags.test, flags.certificate})
    if (auto ok = console::check_output(flags.output, input); !ok) return console::fail(ok.error());
  auto model = load_model(flags.model);
  if (!model) return console::fail(model.error());
  ReportFacts facts;
  if (auto ok = add_rows(*model, flags, facts); !ok) return console::fail(ok.error());
  if (!flags.certificate.empty()) {
    auto certificate = certificate_facts(flags.certificate);
    if (!certificate) return console::fail(certificate.error());
    facts.certificate = *std::move(certificate);
  }
  const Training& t = model->training();
  if (const Engine* engine = find_engine(t.engine); engine != nullptr && engine->of_trees) {
    facts.all_sets = false;
    if (t.status == to_string(SolveStatus::optimal))
      facts.claim = fmt::format(
          "Proven optimal: no decision tree of depth {} on these {} features makes fewer errors on the "
          "training rows.",
          t.depth, t.num_features);
  }
  facts.command = fit_command(*model, flags);
  auto page = html_report(*model, facts);
  return page ? console::emit(*page, flags.output) : console::fail(page.error());
}

}  // namespace

console::Command add_report(const Arguments& program) {
  const Arguments command = program.add_subcommand(
      "report", "one offline HTML page: the diagram, a form to ask it, the rows, the evidence");
  auto flags = std::make_shared<Flags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("DATA", flags->input.path, "the rows that it was learnt from, or others, with labels");
  command.add_option("--test", flags->test, "rows that were not learnt from, with labels");
  command.add_option("--certificate", flags->certificate, "its certificate, to be named by its hash");
  command.add_option("-o,--output", flags->output, "write here (default: standard output)");
  flags->input.add_reading(command, false);
  command.add_list("--ignore", flags->input.ignore, "column that was left out of learning");
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
