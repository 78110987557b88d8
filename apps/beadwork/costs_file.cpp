#include "costs_file.hpp"

#include <beadwork/table.hpp>

#include <fmt/format.h>

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
    if (at == classes.end()) return input_error(fmt::format("{} '{}' is not a class", what, printable(names[i])), path);
    std::size_t& place = out[static_cast<std::size_t>(at - classes.begin())];
    if (place != SIZE_MAX) return input_error(fmt::format("{} '{}' appears twice", what, printable(names[i])), path);
    place = i;
  }
  for (std::size_t k = 0; k < out.size(); ++k)
    if (out[k] == SIZE_MAX)
      return input_error(fmt::format("no {} for class '{}'", what, printable(dataset.class_name(Class{k}))), path);
  return out;
}

}  // namespace

Result<std::vector<double>> read_costs(const std::string& path, const Dataset& dataset) {
  ReadOptions options;
  options.format = TableFormat::csv;
  options.header = false;  // the corner may be empty
  options.missing = {""};
  for (std::size_t i = 0; i <= dataset.num_classes(); ++i) options.nominal.push_back(fmt::format("c{}", i + 1));
  options.target = options.nominal.back();
  const auto file = read_table(path, options);
  if (!file) return file.error();
  const Table& t = file->table;
  std::vector<std::string> across, down;
  for (std::size_t c = 1; c < t.num_columns(); ++c) across.push_back(t.column(c).text(0));
  for (std::size_t r = 1; r < t.num_rows(); ++r) down.push_back(t.column(0).text(r));
  const auto column = places(across, dataset, path, "column");
  if (!column) return column.error();
  const auto row = places(down, dataset, path, "row");
  if (!row) return row.error();
  std::vector<double> out;
  for (const std::size_t j : *row)
    for (const std::size_t k : *column) {
      const std::string cost = t.column(k + 1).text(j + 1);
      const auto number = parse_number(cost);
      if (!number || *number < 0)
        return input_error(fmt::format("expected a number of at least 0, got '{}'", printable(cost)), path);
      out.push_back(*number);
    }
  return out;
}

}  // namespace beadwork
