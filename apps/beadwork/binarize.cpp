#include "commands.hpp"
#include "input_flags.hpp"
#include <beadwork/evidence.hpp>

#include <fmt/format.h>

#include <memory>

namespace beadwork {
namespace {

struct BinarizeFlags {
  InputFlags input;
  std::string output;
  std::string like;
  bool values = false;
  bool quiet = false;
};

// Reads and cuts as the training table was.
Result<Model> read_like(const std::string& path, InputFlags& input) {
  if (input.thresholds != InputFlags{}.thresholds)
    return usage_error("cannot be combined with --thresholds: the model has them", "--like");
  auto model = load_model(path);
  if (!model) return model;
  input.thresholds = model->training().thresholds;
  input.like = model->reading();
  input.like->target = model->binarizer().target();
  return model;
}

void warn_of_other_rows(const Model& model, const LoadedData& data, const BinarizeFlags& flags) {
  if (learnt_from(model, data.file.table)) return;
  const auto features = static_cast<std::int64_t>(data.dataset.num_features());
  const std::int64_t then = model.training().num_features;
  console::warn(fmt::format("{}: these are not the rows that the model was learnt from, or they are read otherwise{}",
                            flags.input.path,
                            features == then ? "" : fmt::format(": {} features in place of {}", features, then)));
}

Result<int> run(BinarizeFlags flags) {
  for (const std::string& input : {flags.input.path, flags.like}) TRY_DONE(console::check_output(flags.output, input));
  std::optional<Model> model;
  if (!flags.like.empty()) {
    TRY(auto read, read_like(flags.like, flags.input));
    model = std::move(read);
  }
  TRY(auto data, flags.values ? load_sorted(flags.input) : load_data(flags.input));
  if (!flags.quiet) describe(data);
  if (model) warn_of_other_rows(*model, data, flags);
  return console::emit(flags.values ? values_text(*data.dataset.ranks()) : matrix_text(data.dataset), flags.output);
}

}  // namespace

console::Command add_binarize(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("binarize", "write the 0/1 matrix that the engines learn from (docs/formats.md)");
  auto flags = std::make_shared<BinarizeFlags>();
  command.add_option("DATA", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow, also .gz, .zst").required();
  command.add_option("-o,--output", flags->output, "write to this file (default standard output)").word("FILE");
  command.add_flag("--values", flags->values,
                   "write numbers as they are, for a certificate over all thresholds (docs/certificates.md)");
  command.add_option("--like", flags->like,
                     "model file: read the table and cut its columns as for this model, for its certificate");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
