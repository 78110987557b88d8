#include "commands.hpp"
#include "input_flags.hpp"
#include <beadwork/exports.hpp>
#include <beadwork/report.hpp>

#include <fmt/format.h>

#include <memory>
#include <unistd.h>

namespace beadwork {
namespace {

struct ShowFlags {
  std::string model;
  std::string format = "text";
  std::string output;
};

Result<int> show(const Committee& committee, const ShowFlags& flags) {
  if (flags.format == "text") return console::emit(text_report(committee), flags.output);
  if (flags.format == "json") return console::emit(to_json(committee), flags.output);
  return usage_error("a committee is shown as text or json", "--format");
}

Result<int> run(const ShowFlags& flags) {
  TRY_DONE(console::check_output(flags.output, flags.model));
  TRY(const auto predictor, load_predictor(flags.model));
  if (const auto* committee = std::get_if<Committee>(&predictor)) return show(*committee, flags);
  const Model* model = std::get_if<Model>(&predictor);
  if (flags.format == "text") return console::emit(text_report(*model), flags.output);
  if (flags.format == "dot") return console::emit(to_dot(*model), flags.output);
  if (flags.format == "svg") return console::emit(to_svg(*model), flags.output);
  if (flags.format == "json") return console::emit(to_json(*model), flags.output);
  if (flags.format != "png" && flags.format != "pdf")
    return usage_error(fmt::format("expected text, dot, svg, png, pdf or json, got '{}'", printable(flags.format)),
                       "--format");
  if ((flags.output.empty() || flags.output == "-") && ::isatty(STDOUT_FILENO) != 0)
    return usage_error(flags.format + " cannot be shown on a terminal; name a file", "--output");
  TRY(const auto picture, export_model(*model, flags.format));
  return console::emit(picture, flags.output);
}

}  // namespace

console::Command add_show(const Arguments& program) {
  const Arguments command = program.add_subcommand("show", "print a model as text, Graphviz, picture or JSON");
  auto flags = std::make_shared<ShowFlags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("--format", flags->format, "text, dot, svg, png, pdf or json").show_default();
  command.add_option("-o,--output", flags->output, "write to this file (default standard output)").word("FILE");
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
