#include "commands.hpp"
#include "file_plan.hpp"
#include "input_flags.hpp"
#include <beadwork/encoding.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace beadwork {
namespace {

struct EncodeFlags {
  InputFlags input;
  std::size_t depth = 4;
  std::string encoding = "bdd2";
  bool maxsat = false;
  std::string wcnf_format = "new";
  std::string output;
  bool json = false;
};

// Thrown out of an encoder when a signal came.
struct Stopped {};

// Counts on the way to a file, or to nowhere, and looks at signals now and then: clauses may be long.
struct Counted {
  const Control& control;
  std::size_t unseen = 0;  // literals and variables since the last look
  FormulaSize size = {};
  DimacsFile* file = nullptr;

  Var fresh_var() {
    look(1);
    ++size.variables;
    return file != nullptr ? file->fresh_var() : Var{size.variables - 1};
  }
  void add_clause(Clause clause) {
    count(clause);
    if (file != nullptr) file->add_clause(clause);
  }
  void add_soft(Clause clause, Weight weight) {
    count(clause);
    if (file != nullptr) file->add_soft(clause, weight);
  }
  void count(Clause clause) {
    look(clause.size() + 1);
    ++size.clauses;
    size.literals += clause.size();
  }
  void look(std::size_t work) {
    constexpr std::size_t kBetween = 1 << 14;
    unseen += work;
    if (unseen < kBetween) return;
    unseen = 0;
    if (control.stopping()) throw Stopped{};
  }
};

void encode(Encoding e, bool maxsat, const Examples& examples, std::size_t depth, Counted& sink) {
  NamedSink names = unnamed(sink);
  if (sink.file != nullptr) names.name = named(*sink.file).name;
  const SoftClauses soft = [&](Clause clause, Weight weight) { sink.add_soft(clause, weight); };
  if (e == Encoding::bdd1)
    encode_bdd1(examples, depth, names);
  else if (e == Encoding::bdd2)
    maxsat ? lift_bdd2(examples, depth, names, soft) : encode_bdd2(examples, depth, names);
  else if (e == Encoding::bdd3)
    lift_bdd3(examples, depth, names, soft);
  else if (e == Encoding::pair)
    lift_pair(examples, depth, names, soft);
  else
    lift_dt(examples, depth, names, soft);
}

Result<FormulaSize> write(const EncodeFlags& flags, Encoding e, bool maxsat, const Examples& examples) try {
  if (!flags.output.empty() && maxsat && flags.wcnf_format == "old") {
    const Wcnf wcnf = maxsat_model(e, examples, flags.depth);
    const std::string text = to_dimacs(wcnf, WcnfForm::classic);
    TRY_DONE(write_file(flags.output, text, console::control(1)));
    return size_of(wcnf);
  }
  const Control control = console::control(1);
  Counted sink{control};
  if (flags.output.empty()) {
    encode(e, maxsat, examples, flags.depth, sink);
    return sink.size;
  }
  TRY(auto file, DimacsFile::create(flags.output, maxsat ? DimacsFile::Kind::wcnf : DimacsFile::Kind::cnf));
  sink.file = &file;
  if (examples.base_errors > 0)
    file.comment(fmt::format("not counted: {} errors that no diagram can avoid", examples.base_errors));
  encode(e, maxsat, examples, flags.depth, sink);
  TRY_DONE(file.finish(control));
  return sink.size;
} catch (const Stopped&) {
  return Error{ErrorCode::limit, "stopped by a signal", flags.output};
}

Result<int> run(const EncodeFlags& flags) {
  const auto e = parse_encoding(flags.encoding);
  if (!e)
    return usage_error(fmt::format("expected bdd1, bdd2, bdd3, pair or dt, got '{}'", printable(flags.encoding)),
                       "--encoding");
  if (*e == Encoding::bdd1 && flags.maxsat) return usage_error("bdd1 has no MaxSAT form; use bdd2", "--maxsat");
  if (flags.wcnf_format != "new" && flags.wcnf_format != "old")
    return usage_error(fmt::format("expected new or old, got '{}'", printable(flags.wcnf_format)), "--wcnf-format");
  FilePlan plan;
  plan.reads(flags.input.path);
  plan.writes(flags.output);  // not printed: the sizes are
  TRY_DONE(plan.check());
  TRY(auto data, load_data(flags.input));
  const bool faithful = *e != Encoding::bdd3 && *e != Encoding::pair;  // every row by itself, as the paper counts
  // Signals end all this at once: only what writes a file has to clear up.
  TRY(auto rows, training_rows(std::move(data), flags.input, faithful, {}));
  auto examples = faithful ? faithful_examples(rows.dataset, true) : Result<Examples>(merged_examples(rows.dataset));
  if (!examples) return input_error(examples.error().message, flags.input.path);
  const bool maxsat = flags.maxsat || (*e != Encoding::bdd1 && *e != Encoding::bdd2);
  if (maxsat && *e == Encoding::bdd2) TRY_DONE(check_soft_weights(*examples, flags.depth));
  TRY(auto size, write(flags, *e, maxsat, *examples));
  if (flags.json)
    return console::emit(nlohmann::ordered_json{{"encoding", flags.encoding},
                                                {"maxsat", maxsat},
                                                {"depth", flags.depth},
                                                {"rows", examples->size()},
                                                {"features", examples->num_features()},
                                                {"base_errors", examples->base_errors},
                                                {"variables", size.variables},
                                                {"clauses", size.clauses},
                                                {"literals", size.literals}}
                                 .dump(1) +
                             "\n",
                         "");
  return console::emit(fmt::format("{} rows, {} features: {} variables, {} clauses, {} literals\n", examples->size(),
                                   examples->num_features(), size.variables, size.clauses, size.literals),
                       "");
}

}  // namespace

console::Command add_encode(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("encode", "write a table as a SAT or MaxSAT formula, and print its size");
  auto flags = std::make_shared<EncodeFlags>();
  command.add_option("FILE", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow, also .gz, .zst").required();
  command.add_option("--depth,-d", flags->depth, "use H features in the diagram")
      .word("H")
      .within(1, 20)
      .show_default();
  command
      .add_option("--encoding", flags->encoding,
                  "write bdd1, bdd2 (the paper's), or for MaxSAT bdd3, pair (ours), dt (trees)")
      .show_default();
  command.add_flag("--maxsat", flags->maxsat, "write the MaxSAT form of bdd2 instead of the SAT form");
  command
      .add_option("--wcnf-format", flags->wcnf_format,
                  "write WCNF as of 2022 (new: 'h' lines) or before (old: 'p wcnf')")
      .show_default();
  command
      .add_option("-o,--output", flags->output, "write the formula to this file; without it only its size is printed")
      .word("FILE");
  command.add_flag("--json", flags->json, "print the result as JSON");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  flags->input.add_splitting(command);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
