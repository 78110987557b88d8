#include "commands.hpp"
#include "file_plan.hpp"
#include "input_flags.hpp"
#include <beadwork/instance.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
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

Result<InstanceSize> write(const EncodeFlags& flags, const Instance& instance) {
  const Examples& examples = instance.examples;
  const Control control = console::control(1);
  if (flags.output.empty()) {
    auto size = measure(instance, std::numeric_limits<std::size_t>::max(), control);
    if (!size) return size.error();
    return **size;
  }
  if (instance.maxsat && flags.wcnf_format == "old") {
    const Wcnf wcnf = maxsat_model(instance.encoding, examples, instance.depth);
    TRY(const auto packer, packer_for(flags.output));
    std::string text = packer->pack(to_dimacs(wcnf, WcnfForm::classic));
    text += packer->finish();
    TRY_DONE(write_file(flags.output, text, control));
    const FormulaSize size = size_of(wcnf);
    return InstanceSize{size.variables, wcnf.hard().size(), wcnf.soft().size(), size.literals};
  }
  std::vector<std::string> comments;
  if (examples.base_errors > 0)
    comments.push_back(fmt::format("not counted: {} errors that no diagram can avoid", examples.base_errors));
  return write_instance(instance, flags.output, comments, control);
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
  TRY(auto size, write(flags, {*e, *examples, flags.depth, maxsat}));
  if (flags.json)
    return console::emit(nlohmann::ordered_json{{"encoding", flags.encoding},
                                                {"maxsat", maxsat},
                                                {"depth", flags.depth},
                                                {"rows", examples->size()},
                                                {"features", examples->num_features()},
                                                {"base_errors", examples->base_errors},
                                                {"variables", size.variables},
                                                {"clauses", size.clauses()},
                                                {"literals", size.literals}}
                                 .dump(1) +
                             "\n",
                         "");
  return console::emit(fmt::format("{} rows, {} features: {} variables, {} clauses, {} literals\n", examples->size(),
                                   examples->num_features(), size.variables, size.clauses(), size.literals),
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
      .add_option("-o,--output", flags->output,
                  "write the formula to this file, a WCNF also to .gz or .zst; without it only its size is printed")
      .word("FILE");
  command.add_flag("--json", flags->json, "print the result as JSON");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  flags->input.add_splitting(command);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
