#include "commands.hpp"
#include "input_flags.hpp"

#include <memory>

namespace beadwork {
namespace {

struct BinarizeFlags {
  InputFlags input;
  std::string output;
  bool values = false;
  bool quiet = false;
};

int run(const BinarizeFlags& flags) {
  if (auto ok = console::check_output(flags.output, flags.input.path); !ok) return console::fail(ok.error());
  auto data = flags.values ? load_sorted(flags.input) : load_data(flags.input);
  if (!data) return console::fail(data.error());
  if (!flags.quiet) describe(*data);
  return console::emit(flags.values ? values_text(*data->dataset.ranks()) : matrix_text(data->dataset), flags.output);
}

}  // namespace

console::Command add_binarize(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("binarize", "write the 0/1 matrix that the engines learn from (docs/formats.md)");
  auto flags = std::make_shared<BinarizeFlags>();
  command.add_option("DATA", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow file, also .gz or .zst")
      .required();
  command.add_option("-o,--output", flags->output, "write to this file (default: standard output)").file();
  command.add_flag("--values", flags->values,
                   "write numbers as they are, for a certificate over all thresholds (docs/certificates.md)");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
