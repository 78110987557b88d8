#include "commands.hpp"
#include "evaluation.hpp"

#include <memory>

namespace beadwork {
namespace {

struct EvaluateFlags {
  InputFlags input;
  std::string model;
  bool json = false;
};

Result<int> run(EvaluateFlags flags) {
  model_first(flags.model, flags.input.path);
  TRY(const auto predictor, load_predictor(flags.model));
  TRY(auto options, flags.input.read_options());
  TRY(const auto tested, test_on(predictor, flags.input.path, std::move(options)));
  const auto& names = optimum_of(predictor).class_names();
  return console::emit(flags.json ? to_json(tested, names).dump(1) + "\n" : to_text(tested, names), "");
}

}  // namespace

console::Command add_evaluate(const Arguments& program) {
  const Arguments command = program.add_subcommand("evaluate", "measure a model on a table with known classes");
  auto flags = std::make_shared<EvaluateFlags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("DATA", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow, also .gz, .zst").required();
  command.add_flag("--json", flags->json, "print the result as JSON");
  flags->input.add_reading(command, false);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
