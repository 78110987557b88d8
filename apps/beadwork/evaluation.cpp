#include "evaluation.hpp"

#include <beadwork/report.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

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

}  // namespace

Result<Tested> test_on(const Predictor& predictor, const std::string& path, ReadOptions options, bool quiet) {
  const Binarizer& binarizer = optimum_of(predictor).binarizer();
  options.target = binarizer.target();
  options.learning = true;  // rows that count nothing may have classes of their own
  TRY(const auto file, read_for_model(predictor, path, std::move(options), quiet));
  auto answers = answers_of(predictor, file.table);
  if (!answers) return input_error(answers.error().message, path);
  const auto labels = binarizer.labels(file.table);
  if (!labels) return input_error(labels.error().message, path);
  warn_of_unseen(answers->unseen);
  const auto weight = file.table.weight();
  return Tested{
      evaluate(*labels, answers->classes,
               weight ? std::span<const double>(file.table.column(*weight).numbers) : std::span<const double>(),
               binarizer.class_names().size(), optimum_of(predictor).costs()),
      labels->size(), weight.has_value(), std::move(answers->unseen)};
}

nlohmann::ordered_json to_json(const Tested& tested, const std::vector<std::string>& class_names) {
  using Json = nlohmann::ordered_json;
  const Evaluation& e = tested.evaluation;
  Json j{{"rows", tested.num_rows},
         {"total_weight", e.total},
         {"errors", e.errors},
         {"accuracy", e.accuracy},
         {"balanced_accuracy", e.balanced_accuracy},
         {"classes", class_names},
         {"confusion", e.confusion}};
  if (e.confusion.empty()) j["confusion"] = nullptr;  // too many classes
  if (e.cost) j["cost"] = *e.cost;
  j["per_class"] = Json::array();
  for (std::size_t k = 0; k < e.per_class.size(); ++k)
    j["per_class"].push_back({{"class", class_names[k]},
                              {"support", e.per_class[k].support},
                              {"precision", e.per_class[k].precision},
                              {"recall", e.per_class[k].recall},
                              {"f1", e.per_class[k].f1}});
  j["unseen"] = Json::object();
  for (const auto& [column, count] : tested.unseen) j["unseen"][column] = count;
  return j;
}

std::string to_text(const Tested& tested, const std::vector<std::string>& class_names) {
  const Evaluation& e = tested.evaluation;
  std::vector<std::string> names;
  std::size_t width = 9;
  for (const std::string& name : class_names) {
    names.push_back(printable(name, 20));
    width = std::max(width, names.back().size() + 1);
  }
  const std::string rows = console::counted(static_cast<double>(tested.num_rows), "row");
  const std::string kinds = e.cost ? kinds_of_errors(e.confusion, class_names) : "";
  std::string out = fmt::format("{}{}{}\naccuracy          {:.4f}\nbalanced accuracy {:.4f}\n\n",
                                e.cost ? fmt::format("cost {}: ", format_number(*e.cost)) : "",
                                tested.weighted ? fmt::format("errors of weight {} in {}, {}", format_number(e.errors),
                                                              format_number(e.total), rows)
                                                : fmt::format("{} in {}", console::counted(e.errors, "error"), rows),
                                kinds.empty() ? "" : " (" + kinds + ")", e.accuracy, e.balanced_accuracy);
  out += fmt::format("{:<{}}{:>{}}{:>{}}{:>{}}{:>{}}\n", "class", width, tested.weighted ? "weight" : "rows", 10,
                     "precision", 11, "recall", 10, "f1", 10);
  for (std::size_t k = 0; k < names.size(); ++k)
    out += fmt::format("{:<{}}{:>10}{:>11.4f}{:>10.4f}{:>10.4f}\n", names[k], width, e.per_class[k].support,
                       e.per_class[k].precision, e.per_class[k].recall, e.per_class[k].f1);
  if (e.confusion.empty())
    return out + fmt::format("\nno confusion matrix: {} classes are more than {}\n", names.size(), kMostConfused);
  out += fmt::format("\nconfusion matrix (rows: true class, columns: predicted)\n{:<{}}", "", width);
  for (const std::string& name : names) out += fmt::format("{:>{}}", name, width);
  for (std::size_t i = 0; i < names.size(); ++i) {
    out += fmt::format("\n{:<{}}", names[i], width);
    for (const double cell : e.confusion[i]) out += fmt::format("{:>{}}", cell, width);
  }
  return out + "\n";
}

}  // namespace beadwork
