#include "commands.hpp"
#include "input_flags.hpp"
#include <beadwork/exports.hpp>

#include <fmt/format.h>

#include <map>
#include <memory>
#include <unistd.h>

namespace beadwork {
namespace {

struct ExportFlags {
  std::string model;
  std::string format;
  std::string output;
  std::map<std::string, std::string> options;  // those that set_export_option takes
  bool probabilities = false;
};

std::string list_of_formats() {
  std::string out = "Formats and the inputs they take, raw columns or binary features (the first is the default):";
  for (const ExportFormat& f : export_formats())
    out += fmt::format("\n  {:<11} {:<12} {}", f.name,
                       f.circuit && f.raw  ? "binary, raw"
                       : f.raw && f.binary ? "raw, binary"
                       : f.raw             ? "raw"
                                           : "binary",
                       f.what);
  return out +
         "\nsklearn uses raw columns by default only if all tested columns are numeric. Committees go to "
         "code, sql, dbt, onnx and json.";
}

bool text_format(std::string_view name) {
  for (const ExportFormat& f : export_formats())
    if (f.name == name) return f.text;
  return true;
}

Result<int> run(ExportFlags& flags) {
  TRY_DONE(console::check_output(flags.output, flags.model));
  ExportOptions options;
  options.probabilities = flags.probabilities;
  for (const auto& [name, text] : flags.options)
    if (!text.empty())
      if (const auto set = set_export_option(options, name, text); !set) return set.error();
  if ((flags.output.empty() || flags.output == "-") && !text_format(flags.format) && ::isatty(STDOUT_FILENO) != 0)
    return usage_error(flags.format + " cannot be shown on a terminal; name a file", "--output");
  TRY(auto model, load_predictor(flags.model));
  TRY(auto text, std::visit([&](const auto& m) { return export_model(m, flags.format, options); }, model));
  return console::emit(text, flags.output);
}

}  // namespace

console::Command add_export(const Arguments& program) {
  const Arguments command = program.add_subcommand("export", "write a model as code, query, circuit, tree or picture");
  auto flags = std::make_shared<ExportFlags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("--to", flags->format, "write this format, one of those below").required();
  const auto add = [&](const std::string& name, const std::string& help) {
    command.add_option("--" + name, flags->options[name], help);
  };
  add("inputs", "take raw columns or binary features: raw, binary (default raw if it can)");
  add("name", "begin names in the output so: TEXT_class (default beadwork)");
  add("numbers", "compute in C with double, float, int8 to int64; in circuits intN (default int32)");
  add("scale", "scale integers: with 10, 25 stands for 2.5 (default 1)");
  add("point", "give integers this many bits behind the point, instead of --scale");
  add("categories", "take categories in C as text or enum (default text)");
  add("header", "include this file in C, made by c-header, instead of declaring again");
  add("dialect", "write SQL for standard (SQLite, PostgreSQL, DuckDB), mysql, sqlserver, bigquery or snowflake");
  command.add_flag("--probabilities", flags->probabilities,
                   "also write the shares of the classes, as predict gives them");
  command.add_option("-o,--output", flags->output, "write to this file (default standard output)").word("FILE");
  command.footer(list_of_formats());
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
