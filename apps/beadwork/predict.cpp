#include "commands.hpp"
#include "file_plan.hpp"
#include "input_flags.hpp"
#include <beadwork/model.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
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

// What a model or a committee says of the rows.
struct Answers {
  std::vector<Class> classes;
  std::vector<std::vector<double>> shares;  // of the classes, each kind of row once
  std::vector<std::size_t> kinds;           // of the rows
  std::vector<std::uint64_t> paths;         // of a single model
  UnseenCounts unseen;

  const std::vector<double>& of(std::size_t row) const { return shares[kinds[row]]; }
  bool voted() const { return paths.empty() && !classes.empty(); }
};

Result<Answers> answers_of(const Model& model, const Table& table) {
  auto p = predict(model, table);
  if (!p) return p.error();
  Answers out{std::move(p->classes), {}, {}, std::move(p->paths), std::move(p->unseen)};
  std::unordered_map<std::uint64_t, std::size_t> known;
  for (const std::uint64_t path : out.paths) {
    const auto [it, fresh] = known.try_emplace(path, out.shares.size());
    if (fresh) out.shares.push_back(probabilities(model, path));
    out.kinds.push_back(it->second);
  }
  return out;
}

Result<Answers> answers_of(const Committee& committee, const Table& table) {
  auto v = vote(committee, table);
  if (!v) return v.error();
  Answers out{std::move(v->classes), {}, {}, {}, std::move(v->unseen)};
  std::map<std::vector<std::size_t>, std::size_t> known;
  for (const auto& votes : v->votes) {
    const auto [it, fresh] = known.try_emplace(votes, out.shares.size());
    if (fresh) {
      out.shares.emplace_back();
      for (const std::size_t n : votes)
        out.shares.back().push_back(static_cast<double>(n) / static_cast<double>(committee.members().size()));
    }
    out.kinds.push_back(it->second);
  }
  return out;
}

Column text_column(std::string name, const std::vector<std::string>& levels, const std::vector<Class>& codes) {
  Column c{std::move(name), ColumnType::nominal, {}, {}, levels};
  for (const Class k : codes) c.codes.push_back(static_cast<std::uint32_t>(k()));
  return c;
}

Result<std::string> as_csv(const std::vector<std::string>& names, const Answers& a, std::vector<Column> columns,
                           bool all_classes) {
  columns.push_back(text_column("prediction", names, a.classes));
  for (std::size_t k = 0; all_classes && k < names.size(); ++k) {
    Column c{fmt::format("P({})", names[k]), ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < a.classes.size(); ++r) c.numbers.push_back(a.of(r)[k]);
    columns.push_back(std::move(c));
  }
  if (!all_classes) {
    Column c{a.voted() ? "agreement" : "probability", ColumnType::numeric, {}, {}, {}};
    for (std::size_t r = 0; r < a.classes.size(); ++r) c.numbers.push_back(a.of(r)[a.classes[r]()]);
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

std::string as_json(const std::vector<std::string>& names, const Answers& a) {
  nlohmann::ordered_json j{{"classes", names}};
  j["predictions"] = nlohmann::ordered_json::array();
  for (std::size_t r = 0; r < a.classes.size(); ++r) {
    nlohmann::ordered_json row{{"class", names[a.classes[r]()]}, {"probabilities", a.of(r)}};
    if (a.voted())
      row["agreement"] = a.of(r)[a.classes[r]()];
    else
      row["path"] = a.paths[r];
    j["predictions"].push_back(std::move(row));
  }
  j["unseen"] = nlohmann::ordered_json::object();
  for (const auto& [column, count] : a.unseen) j["unseen"][column] = count;
  return j.dump(1) + "\n";
}

int run(Flags flags) {
  model_first(flags.model, flags.input.path);
  FilePlan plan;
  plan.reads(flags.model);
  plan.reads(flags.input.path);
  plan.writes(flags.output);
  if (auto ok = plan.check(); !ok) return console::fail(ok.error());
  auto model = load_predictor(flags.model);
  if (!model) return console::fail(model.error());
  auto options = flags.input.read_options();
  if (!options) return console::fail(options.error());
  const auto kept = names_in(flags.with_columns);
  options->nominal = kept;  // as they are spelled
  auto file = read_for_model(*model, flags.input.path, *std::move(options), flags.quiet);
  if (!file) return console::fail(file.error());
  auto answers = std::visit([&](const auto& m) { return answers_of(m, file->table); }, *model);
  if (!answers) return console::fail(input_error(answers.error().message, flags.input.path));
  warn_of_unseen(answers->unseen);
  const auto& names = std::visit(
      [](const auto& m) -> const auto& { return m.class_names(); }, *model);
  if (flags.json) return console::emit(as_json(names, *answers), flags.output);
  auto csv = as_csv(names, *answers, columns_named(file->table, kept), flags.probabilities);
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
  command.add_flag("--probabilities", flags->probabilities,
                   "also write the probability of each class; of a committee: its share of the votes");
  command.add_flag("--json", flags->json, "print the result as JSON");
  command.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  flags->input.add_reading(command, false);
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
