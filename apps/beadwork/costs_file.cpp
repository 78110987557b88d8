#include "costs_file.hpp"

#include <beadwork/json.hpp>
#include <beadwork/table.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace beadwork {
namespace {

// Where each class stands among the names; an Error names what is missing, unknown or there twice.
Result<std::vector<std::size_t>> places(const std::vector<std::string>& names, const Dataset& dataset,
                                        const std::string& path, std::string_view what) {
  std::vector<std::size_t> out(dataset.num_classes(), SIZE_MAX);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& classes = dataset.class_names();
    const auto at = std::find(classes.begin(), classes.end(), names[i]);
    if (at == classes.end())
      return input_error(
          fmt::format("{} '{}' is not a class{}", what, printable(names[i]), did_you_mean(names[i], classes)), path);
    std::size_t& place = out[static_cast<std::size_t>(at - classes.begin())];
    if (place != SIZE_MAX) return input_error(fmt::format("{} '{}' appears twice", what, printable(names[i])), path);
    place = i;
  }
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k] == SIZE_MAX)
      return input_error(fmt::format("no {} for class '{}'", what, printable(dataset.class_name(Class{k}))), path);
  return out;
}

// Names of classes and rows of numbers, as a model file has them: {"classes": ["no", "yes"], "rows": [[0, 1], [5, 0]]}.
Result<std::vector<double>> costs_in(const std::string& text, const Dataset& dataset) {
  const char* where = "--costs";
  TRY(const auto json, parse_json(text, where, "costs"));
  const Error expected = input_error("expected {\"classes\": [names], \"rows\": [[numbers], ...]}", where);
  std::vector<std::string> names;
  if (!json.contains("classes") || !json.contains("rows") || json.size() != 2) return expected;
  for (const auto& name : json["classes"]) {
    if (!name.is_string()) return expected;
    names.push_back(name.get<std::string>());
  }
  TRY(const auto place, places(names, dataset, where, "class"));
  const auto& rows = json["rows"];
  const auto whole = [&](const auto& list) { return list.is_array() && list.size() == names.size(); };
  if (!whole(rows) || !std::all_of(rows.begin(), rows.end(), whole)) return expected;
  std::vector<double> out;
  for (const std::size_t j : place)
    for (const std::size_t k : place) {
      const auto& cost = rows[j][k];
      if (!cost.is_number() || !(cost.get<double>() >= 0))
        return input_error(fmt::format("expected a number of at least 0, got '{}'", printable(cost.dump())), where);
      out.push_back(cost.get<double>());
    }
  return out;
}

}  // namespace

bool are_costs(const std::string& text) {
  return text.starts_with('{');
}

Result<std::vector<double>> read_costs(const std::string& path, const Dataset& dataset) {
  if (are_costs(path)) return costs_in(path, dataset);
  ReadOptions options;
  options.format = TableFormat::csv;
  options.header = false;  // the corner may be empty
  options.missing = {""};
  for (std::size_t i = 0; i <= dataset.num_classes(); ++i) options.nominal.push_back(fmt::format("c{}", i + 1));
  options.target = options.nominal.back();
  const auto file = read_table(path, options);
  if (!file) return Error(file.error()).without_remedy();  // the options are those of the table to learn from
  const Table& t = file->table;
  std::vector<std::string> across, down;
  for (std::size_t c = 1; c < t.num_columns(); ++c) across.push_back(t.column(c).text(0));
  for (std::size_t r = 1; r < t.num_rows(); ++r) down.push_back(t.column(0).text(r));
  TRY(const auto column, places(across, dataset, path, "column"));
  TRY(const auto row, places(down, dataset, path, "row"));
  std::vector<double> out;
  for (const std::size_t j : row)
    for (const std::size_t k : column) {
      const std::string cost = t.column(k + 1).text(j + 1);
      const auto number = parse_number(cost);
      if (!number || *number < 0)
        return input_error(fmt::format("expected a number of at least 0, got '{}'", printable(cost)), path);
      out.push_back(*number);
    }
  return out;
}

}  // namespace beadwork
