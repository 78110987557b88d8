#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace beadwork {
namespace {

using Keys = std::map<std::string, std::string>;

// "0.10" and "0.1" are one key.
bool same_value(const std::string& a, const std::string& b) {
  const auto x = parse_number(a), y = parse_number(b);
  return x && y ? *x == *y : a == b;
}

std::string key_value(const StudyEntry& e, const std::string& key) {
  if (key == "dataset") return e.set;
  if (key == "depth") return e.depth ? std::to_string(*e.depth) : "";
  if (key == "ratio" && e.part.starts_with("share ")) return e.part.substr(6);
  return "";
}

std::vector<std::string> split_line(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; std::getline(in, word, ',');) {
    if (!word.empty() && word.back() == '\r') word.pop_back();
    words.push_back(word);
  }
  return words;
}

StudyRow means_of(const FilledTable& t) {
  StudyRow row;
  for (std::size_t c = 0; c < t.table.columns.size(); ++c) {
    double ours = 0, theirs = 0;
    std::size_t both = 0, any = 0;
    const bool published = !t.table.columns[c].published.empty();
    for (const StudyRow& r : t.rows) {
      const StudyCell& cell = r.cells[c];
      if (!cell.ours || (published && !cell.theirs)) continue;
      ++any;
      ours += *cell.ours;
      if (cell.theirs) theirs += *cell.theirs, ++both;
    }
    StudyCell mean;
    mean.runs = t.rows.size();
    mean.counted = any;
    if (any > 0) mean.ours = ours / static_cast<double>(any);
    if (both > 0) mean.theirs = theirs / static_cast<double>(both);
    row.cells.push_back(mean);
  }
  return row;
}

}  // namespace

std::string Published::text(const Keys& keys, const std::string& column) const {
  for (const auto& row : rows) {
    const bool here = std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
      const auto found = row.find(key.first);
      return found != row.end() && same_value(found->second, key.second);
    });
    if (here)
      if (const auto found = row.find(column); found != row.end()) return found->second;
  }
  return "";
}

std::optional<double> Published::value(const Keys& keys, const std::string& column) const {
  return parse_number(text(keys, column));
}

Result<Published> read_published(const std::string& path) {
  Published out;
  if (path.empty()) return out;
  TRY(auto text, read_file(path));
  std::istringstream lines(text);
  std::string line;
  std::getline(lines, line);
  out.columns = split_line(line);
  for (int at = 2; std::getline(lines, line); ++at) {
    const auto words = split_line(line);
    if (words.size() != out.columns.size())
      return input_error(fmt::format("{} values, but the first line has {}", words.size(), out.columns.size()),
                         fmt::format("{}:{}", path, at));
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < words.size(); ++i) row[out.columns[i]] = words[i];
    out.rows.push_back(std::move(row));
  }
  return out;
}

namespace {

// "optimal" is a share of all runs.
std::optional<double> value_in(const StudyEntry& e, const std::string& measure) {
  if (measure == to_string(SolveStatus::optimal) || measure == "solved") return e.proven() ? 100 : 0;
  const auto found = e.measures.find(measure);
  return found == e.measures.end() ? std::nullopt : std::optional(found->second);
}

bool belongs(const StudyEntry& e, const Keys& keys) {
  return std::all_of(keys.begin(), keys.end(), [&](const auto& key) {
    const std::string value = key_value(e, key.first);
    return value.empty() || same_value(value, key.second);  // a run at any depth belongs to all
  });
}

}  // namespace

StudyCell measured(const std::vector<StudyEntry>& entries, const Keys& keys, const std::string& learner,
                   const std::string& measure) {
  StudyCell cell;
  std::vector<double> values;
  double sum = 0;
  for (const StudyEntry& e : entries) {
    if (e.learner != learner || !belongs(e, keys)) continue;
    ++cell.runs;
    if (const auto value = value_in(e, measure)) values.push_back(*value), sum += *value;
  }
  cell.counted = values.size();
  if (values.empty()) return cell;
  const double mean = sum / static_cast<double>(values.size());
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const double unit = measure.starts_with("literals") ? 1e4 : 1;  // that of the published sizes
  cell.ours = mean / unit;
  if (values.size() > 1) cell.deviation = std::sqrt(squares / static_cast<double>(values.size() - 1)) / unit;
  return cell;
}

std::vector<Keys> grid_keys(const StudyPlan& plan, const std::vector<std::string>& keys) {
  const auto asked = [&](const char* name) { return std::find(keys.begin(), keys.end(), name) != keys.end(); };
  std::vector<std::string> depths(asked("depth") ? 0 : 1);
  for (const std::size_t d : plan.depths)
    if (asked("depth")) depths.push_back(std::to_string(d));
  std::vector<Keys> out;
  const auto add = [&](const Keys& of_set, const std::vector<std::string>& shares) {
    for (const std::string& depth : depths)
      for (const std::string& share : asked("ratio") ? shares : std::vector<std::string>(1)) {
        out.push_back(of_set);
        if (asked("depth")) out.back()["depth"] = depth;
        if (asked("ratio")) out.back()["ratio"] = share;
      }
  };
  if (!asked("dataset")) add({}, plan.shares);
  for (const StudySet& set : plan.sets)
    if (asked("dataset")) add({{"dataset", set.name}}, set.shares.empty() ? plan.shares : set.shares);
  return out;
}

FilledTable fill(const StudyPlan& plan, const StudyTable& table, const Published& published,
                 const std::vector<StudyEntry>& entries) {
  FilledTable out;
  out.table = table;
  out.notes = notes_of(plan, table, entries);
  std::map<std::vector<std::string>, std::vector<StudyEntry>> narrowed;
  for (const StudyColumn& column : table.columns)
    if (!column.solved_by.empty() && !narrowed.contains(column.solved_by))
      narrowed[column.solved_by] = solved_by_all(entries, column.solved_by);
  for (const Keys& keys : grid_keys(plan, table.keys)) {
    StudyRow row{keys, {}};
    std::size_t runs = 0;
    for (const StudyColumn& column : table.columns) {
      StudyCell cell = measured(entries, keys, column.learner, column.measure);
      if (!column.solved_by.empty()) {
        const std::size_t all = cell.runs;
        cell = measured(narrowed.at(column.solved_by), keys, column.learner, column.measure);
        cell.runs = all;
      }
      if (!column.published.empty()) {
        cell.theirs = published.value(keys, column.published);
        cell.published = published.text(keys, column.published);
      }
      runs += cell.runs;
      row.cells.push_back(std::move(cell));
    }
    if (runs > 0) out.rows.push_back(std::move(row));
  }
  out.means = means_of(out);
  return out;
}

}  // namespace beadwork
