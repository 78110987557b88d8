#pragma once
#include "plan.hpp"
#include "provenance.hpp"
#include "record.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

// A csv file by the values of its key columns.
struct Published {
  std::vector<std::string> columns;
  std::vector<std::map<std::string, std::string>> rows;
  // The value of a column in the row with these keys; nothing where there is none or it is no number ("NA", "TO").
  std::optional<double> value(const std::map<std::string, std::string>& keys, const std::string& column) const;
  std::string text(const std::map<std::string, std::string>& keys, const std::string& column) const;
};
Result<Published> read_published(const std::string& path);

// Ours beside the published ones.
struct StudyCell {
  std::optional<double> ours, theirs;
  double deviation = 0;               // of ours, as that of a sample; 0 for one run
  std::string published;              // as written: "TO"
  std::size_t runs = 0, counted = 0;  // all of them, and those that have the measure
};
struct StudyRow {
  std::map<std::string, std::string> keys;
  std::vector<StudyCell> cells;
};
struct FilledTable {
  StudyTable table;
  std::vector<StudyRow> rows;
  StudyRow means;  // over the rows that have a value; differences over those that have both
  std::vector<ColumnNote> notes;
};
// Rows for which no run was recorded are left out.
FilledTable fill(const StudyPlan& plan, const StudyTable& table, const Published& published,
                 const std::vector<StudyEntry>& entries);

// With caption, notes and the row of means. A cell says how many of its runs it is over where that is not all of them.
std::string to_markdown(const FilledTable& table);
std::string to_csv(const FilledTable& table);  // caption and notes are lines that begin with #
std::string to_latex(const FilledTable& table);

// The mean of a measure over the runs of a learner on a set at a depth or share; "optimal" is a share of all runs in %.
StudyCell measured(const std::vector<StudyEntry>& entries, const std::map<std::string, std::string>& keys,
                   const std::string& learner, const std::string& measure);
// The key values of the grid: every set with every depth or share.
std::vector<std::map<std::string, std::string>> grid_keys(const StudyPlan& plan, const std::vector<std::string>& keys);

// A figure as SVG.
std::string draw(const StudyPlan& plan, const StudyFigure& figure, const Published& published,
                 const std::vector<StudyEntry>& entries);

}  // namespace beadwork
