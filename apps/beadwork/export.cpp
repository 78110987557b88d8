#include "commands.hpp"
#include "input_flags.hpp"
#include <beadwork/exports.hpp>

#include <fmt/format.h>

#include <memory>
#include <unistd.h>

namespace beadwork {
namespace {

struct Flags {
  std::string model;
  std::string format;
  std::string inputs;
  std::string output;
  ExportOptions options;
};

std::string list_of_formats() {
  std::string out = "Formats and the inputs they take, raw columns or binary features (the first is the default):";
  for (const ExportFormat& f : export_formats())
    out += fmt::format("\n  {:<11} {:<12} {}", f.name,
                       f.raw && f.binary ? "raw, binary"
                       : f.raw           ? "raw"
                                         : "binary",
                       f.what);
  return out +
         "\nsklearn uses raw columns by default only if all tested columns are numeric. Committees: c, sql, onnx, "
         "json.";
}

bool text_format(std::string_view name) {
  for (const ExportFormat& f : export_formats())
    if (f.name == name) return f.text;
  return true;
}

int run(Flags& flags) {
  if (auto ok = console::check_output(flags.output, flags.model); !ok) return console::fail(ok.error());
  if (!flags.inputs.empty() && flags.inputs != "raw" && flags.inputs != "binary")
    return console::fail(
        usage_error(fmt::format("expected raw or binary, got '{}'", printable(flags.inputs)), "--inputs"));
  if (!flags.inputs.empty()) flags.options.inputs = flags.inputs == "raw" ? ExportInputs::raw : ExportInputs::binary;
  if (flags.output.empty() && !text_format(flags.format) && ::isatty(STDOUT_FILENO) != 0)
    return console::fail(usage_error(flags.format + " cannot be shown on a terminal; name a file", "--output"));
  auto model = load_predictor(flags.model);
  if (!model) return console::fail(model.error());
  auto text = std::visit([&](const auto& m) { return export_model(m, flags.format, flags.options); }, *model);
  return text ? console::emit(*text, flags.output) : console::fail(text.error());
}

}  // namespace

console::Command add_export(const Arguments& program) {
  const Arguments command = program.add_subcommand("export", "write a model as code, query, circuit, tree or picture");
  auto flags = std::make_shared<Flags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("--to", flags->format, "format, one of those below").required();
  command.add_option("--inputs", flags->inputs, "raw or binary (default: raw if the format allows it)");
  command.add_option("--name", flags->options.name, "prefix of the names in the output: NAME_class, NAME_model")
      .show_default();
  command.add_option("-o,--output", flags->output, "write to this file (default: standard output)").file();
  command.footer(list_of_formats());
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
