#include "commands.hpp"
#include "file_plan.hpp"
#include "input_flags.hpp"
#include <beadwork/model.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <unordered_map>

namespace beadwork {
namespace {

struct Flags {
  InputFlags input;
  std::string model;
  std::string output;
  std::string with_columns;
  bool quiet = false;
  bool probabilities = false;
  bool json = false;
};

// Each path is looked up once, however many rows take it.
class PathProbabilities {
 public:
  explicit PathProbabilities(const Model& model) : model_(model) {}
  const std::vector<double>& of(std::uint64_t path) {
    const auto [it, fresh] = known_.try_emplace(path);
    if (fresh) it->second = probabilities(model_, path);
    return it->second;
  }

 private:
  const Model& model_;
  std::unordered_map<std::uint64_t, std::vector<double>> known_;
};

Column text_column(std::string name, const std::vector<std::string>& levels, const std::vector<Class>& codes) {
  Column c{std::move(name), ColumnType::nominal, {}, {}, levels};
  for (const Class k : codes) c.codes.push_back(static_cast<std::uint32_t>(k()));
  return c;
}

Result<std::string> as_csv(const Model& model, const Predictions& p, std::vector<Column> columns, bool all_classes) {
  PathProbabilities chance(model);
  columns.push_back(text_column("prediction", model.class_names(), p.classes));
  if (all_classes) {
    for (std::size_t k = 0; k < model.class_names().size(); ++k) {
      Column c{fmt::format("P({})", model.class_names()[k]), ColumnType::numeric, {}, {}, {}};
      for (const std::uint64_t path : p.paths) c.numbers.push_back(chance.of(path)[k]);
      columns.push_back(std::move(c));
    }
  } else {
    Column c{"probability", ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < p.paths.size(); ++r) c.numbers.push_back(chance.of(p.paths[r])[p.classes[r]()]);
    columns.push_back(std::move(c));
  }
  auto table = Table::make(std::move(columns));
  if (!table) return table.error();
  return write_csv(*table);
}

std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at < list.size();) {
    const std::size_t end = std::min(list.find(',', at), list.size());
    std::string name = list.substr(at, end - at);
    name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
    name.erase(name.find_last_not_of(' ') + 1);
    if (!name.empty()) names.push_back(name);
    at = end + 1;
  }
  return names;
}

std::vector<Column> columns_named(const Table& table, const std::vector<std::string>& names) {
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back(table.column(*table.find(name)));
  return columns;
}

std::string as_json(const Model& model, const Predictions& p) {
  PathProbabilities chance(model);
  nlohmann::ordered_json j{{"classes", model.class_names()}};
  j["predictions"] = nlohmann::ordered_json::array();
  for (std::size_t r = 0; r < p.classes.size(); ++r)
    j["predictions"].push_back({{"class", model.class_names()[p.classes[r]()]},
                                {"probabilities", chance.of(p.paths[r])},
                                {"path", p.paths[r]}});
  j["unseen"] = nlohmann::ordered_json::object();
  for (const auto& [column, count] : p.unseen) j["unseen"][column] = count;
  return j.dump(1) + "\n";
}

int run(Flags flags) {
  model_first(flags.model, flags.input.path);
  FilePlan plan;
  plan.reads(flags.model);
  plan.reads(flags.input.path);
  plan.writes(flags.output);
  if (auto ok = plan.check(); !ok) return console::fail(ok.error());
  auto model = load_model(flags.model);
  if (!model) return console::fail(model.error());
  auto options = flags.input.read_options();
  if (!options) return console::fail(options.error());
  const auto kept = names_in(flags.with_columns);
  options->nominal = kept;  // as they are spelled
  auto file = read_for_model(*model, flags.input.path, *std::move(options), flags.quiet);
  if (!file) return console::fail(file.error());
  auto predictions = predict(*model, file->table);
  if (!predictions) return console::fail(input_error(predictions.error().message, flags.input.path));
  warn_of_unseen(predictions->unseen);
  if (flags.json) return console::emit(as_json(*model, *predictions), flags.output);
  auto csv = as_csv(*model, *predictions, columns_named(file->table, kept), flags.probabilities);
  if (!csv) return console::fail(csv.error());
  return console::emit(*csv, flags.output);
}

}  // namespace

console::Command add_predict(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("predict", "predict the classes of a table; columns are matched by name");
  auto flags = std::make_shared<Flags>();
  command.add_option("MODEL", flags->model, "model file").required();
  command.add_option("DATA", flags->input.path, "CSV, ARFF or 0/1 matrix file; - for standard input").required();
  command.add_option("-o,--output", flags->output, "write the predictions to this file (default: standard output)")
      .file();
  command.add_option("--with-columns", flags->with_columns,
                     "put these columns of the table before the prediction: names, separated by commas");
  command.add_flag("--probabilities", flags->probabilities, "also write the probability of each class");
  command.add_flag("--json", flags->json, "print the result as JSON");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, false);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
