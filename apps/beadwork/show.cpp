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

int show(const Committee& committee, const ShowFlags& flags) {
  if (flags.format == "text") return console::emit(text_report(committee), flags.output);
  if (flags.format == "json") return console::emit(to_json(committee), flags.output);
  return console::fail(usage_error("a committee is shown as text or json", "--format"));
}

int run(const ShowFlags& flags) {
  if (auto ok = console::check_output(flags.output, flags.model); !ok) return console::fail(ok.error());
  const auto predictor = load_predictor(flags.model);
  if (!predictor) return console::fail(predictor.error());
  if (const auto* committee = std::get_if<Committee>(&*predictor)) return show(*committee, flags);
  const Model* model = std::get_if<Model>(&*predictor);
  if (flags.format == "text") return console::emit(text_report(*model), flags.output);
  if (flags.format == "dot") return console::emit(to_dot(*model), flags.output);
  if (flags.format == "svg") return console::emit(to_svg(*model), flags.output);
  if (flags.format == "json") return console::emit(to_json(*model), flags.output);
  if (flags.format != "png" && flags.format != "pdf")
    return console::fail(usage_error(
        fmt::format("expected text, dot, svg, png, pdf or json, got '{}'", printable(flags.format)), "--format"));
  if (flags.output.empty() && ::isatty(STDOUT_FILENO) != 0)
    return console::fail(usage_error(flags.format + " cannot be shown on a terminal; name a file", "--output"));
  const auto picture = export_model(*model, flags.format);
  return picture ? console::emit(*picture, flags.output) : console::fail(picture.error());
}

}  // namespace

console::Command add_show(const Arguments& program) {
  const Arguments command = program.add_subcommand("show", "print a model as text, Graphviz, picture or JSON");
  auto flags = std::make_shared<ShowFlags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("--format", flags->format, "text, dot, svg, png, pdf or json").show_default();
  command.add_option("-o,--output", flags->output, "write to this file (default standard output)").word("FILE").file();
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
