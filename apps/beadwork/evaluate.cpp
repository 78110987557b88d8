#include "commands.hpp"
#include "input_flags.hpp"
#include <beadwork/model.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  InputFlags input;
  std::string model;
  bool json = false;
};

Json as_json(const Model& model, const Evaluation& e, std::size_t rows, const UnseenCounts& unseen) {
  Json j{{"rows", rows},
         {"total_weight", e.total},
         {"errors", e.errors},
         {"accuracy", e.accuracy},
         {"balanced_accuracy", e.balanced_accuracy},
         {"classes", model.class_names()},
         {"confusion", e.confusion}};
  j["per_class"] = Json::array();
  for (std::size_t k = 0; k < e.per_class.size(); ++k)
    j["per_class"].push_back({{"class", model.class_names()[k]},
                              {"support", e.per_class[k].support},
                              {"precision", e.per_class[k].precision},
                              {"recall", e.per_class[k].recall},
                              {"f1", e.per_class[k].f1}});
  j["unseen"] = Json::object();
  for (const auto& [column, count] : unseen) j["unseen"][column] = count;
  return j;
}

std::string as_text(const Model& model, const Evaluation& e, std::size_t rows) {
  std::vector<std::string> names;
  std::size_t width = 9;
  for (const std::string& name : model.class_names()) {
    names.push_back(printable(name, 20));
    width = std::max(width, names.back().size() + 1);
  }
  std::string out = fmt::format("{} in {}\naccuracy          {:.4f}\nbalanced accuracy {:.4f}\n\n",
                                console::counted(e.errors, "error"), console::counted(static_cast<double>(rows), "row"),
                                e.accuracy, e.balanced_accuracy);
  out += fmt::format("{:<{}}{:>{}}{:>{}}{:>{}}{:>{}}\n", "class", width, "rows", 10, "precision", 11, "recall", 10,
                     "f1", 10);
  for (std::size_t k = 0; k < names.size(); ++k)
    out += fmt::format("{:<{}}{:>10}{:>11.4f}{:>10.4f}{:>10.4f}\n", names[k], width, e.per_class[k].support,
                       e.per_class[k].precision, e.per_class[k].recall, e.per_class[k].f1);
  out += fmt::format("\nconfusion matrix (rows: true class, columns: predicted)\n{:<{}}", "", width);
  for (const std::string& name : names) out += fmt::format("{:>{}}", name, width);
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += fmt::format("\n{:<{}}", names[i], width);
    for (const double cell : e.confusion[i]) out += fmt::format("{:>{}}", cell, width);
  }
  return out + "\n";
}

struct Answers {
  std::vector<Class> classes;
  UnseenCounts unseen;
};

Result<Answers> answers_of(const Predictor& predictor, const Table& table) {
  const auto taken = [](auto&& p) -> Result<Answers> {
    if (!p) return p.error();
    return Answers{std::move(p->classes), std::move(p->unseen)};
  };
  const Committee* committee = std::get_if<Committee>(&predictor);
  return committee != nullptr ? taken(vote(*committee, table)) : taken(predict(std::get<Model>(predictor), table));
}

int run(Flags flags) {
  model_first(flags.model, flags.input.path);
  const auto predictor = load_predictor(flags.model);
  if (!predictor) return console::fail(predictor.error());
  const Model* model = &optimum_of(*predictor);
  auto options = flags.input.read_options();
  if (!options) return console::fail(options.error());
  options->target = model->binarizer().target();
  auto file = read_for_model(*predictor, flags.input.path, *std::move(options));
  if (!file) return console::fail(file.error());
  auto predictions = answers_of(*predictor, file->table);
  if (!predictions) return console::fail(input_error(predictions.error().message, flags.input.path));
  auto labels = model->binarizer().labels(file->table);
  if (!labels) return console::fail(input_error(labels.error().message, flags.input.path));
  warn_of_unseen(predictions->unseen);
  const auto weight = file->table.weight();
  const Evaluation e =
      evaluate(*labels, predictions->classes,
               weight ? std::span<const double>(file->table.column(*weight).numbers) : std::span<const double>(),
               model->class_names().size());
  if (flags.json) return console::emit(as_json(*model, e, labels->size(), predictions->unseen).dump(1) + "\n", "");
  return console::emit(as_text(*model, e, labels->size()), "");
}

}  // namespace

console::Command add_evaluate(const Arguments& program) {
  const Arguments command = program.add_subcommand("evaluate", "measure a model on a table with known classes");
  auto flags = std::make_shared<Flags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("DATA", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow file, also .gz or .zst")
      .required();
  command.add_flag("--json", flags->json, "print the result as JSON");
  flags->input.add_reading(command, false);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
