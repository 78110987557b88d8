#include "tables.hpp"
#include "text_for.hpp"

#include <fmt/format.h>

namespace beadwork {
namespace {

std::string number(const std::optional<double>& value, int digits) {
  return value ? fmt::format("{:.{}f}", *value, digits) : "";
}

std::string signed_number(double value, int digits) {
  const std::string text = fmt::format("{:+.{}f}", value, digits);
  return text.find_first_of("123456789") == std::string::npos ? fmt::format("{:.{}f}", 0.0, digits) : text;
}

std::string difference(const StudyCell& cell, int digits) {
  return cell.ours && cell.theirs ? signed_number(*cell.ours - *cell.theirs, digits) : "";
}

// What a cell is over, where that is not all of its runs.
std::string extent(const StudyCell& cell) {
  if (cell.runs == 0) return "not run";
  return cell.counted < cell.runs ? fmt::format("[{} of {}]", cell.counted, cell.runs) : "";
}

std::string with_blank(const std::string& text) {
  return text.empty() ? "" : " " + text;
}

std::vector<std::string> heads_of(const FilledTable& t, const StudyRow& r) {
  std::vector<std::string> heads;
  for (const std::string& key : t.table.keys) heads.push_back(r.keys.at(key));
  return heads;
}

std::vector<std::string> heads_of_means(const FilledTable& t) {
  std::vector<std::string> heads(t.table.keys.size());
  if (!heads.empty()) heads[0] = "mean";
  return heads;
}

// Each row with its heads, the means last.
template <class Row>
std::string rows_by(const FilledTable& t, const Row& row) {
  std::string out;
  for (const StudyRow& r : t.rows) out += row(r, heads_of(t, r));
  return out + row(t.means, heads_of_means(t));
}

std::string titles(const ColumnNote& note) {
  return fmt::format("{}", fmt::join(note.titles, ", "));
}

std::string markdown_cell(const StudyCell& cell, int digits) {
  std::string text = number(cell.ours, digits);
  if (cell.theirs && cell.ours)
    text += fmt::format(" ({}, {})", number(cell.theirs, digits), difference(cell, digits));
  else if (!cell.published.empty())
    text += fmt::format(" ({})", for_markdown(cell.published));
  return text + with_blank(extent(cell));
}

std::string latex_cell(const StudyCell& cell, int digits) {
  std::string text = number(cell.ours, digits);
  if (!cell.published.empty())
    text += fmt::format(" ({})", for_latex(cell.published));
  else if (cell.theirs)
    text += fmt::format(" ({})", number(cell.theirs, digits));
  if (cell.ours && cell.theirs) text += fmt::format(" [{}]", difference(cell, digits));
  return text + with_blank(extent(cell));
}

std::string csv_cell(const StudyCell& cell, const StudyColumn& column) {
  const int digits = column.digits + 2;
  std::string text = number(cell.ours, digits);
  if (!column.published.empty())
    text += fmt::format(",{},{}", cell.published.empty() ? number(cell.theirs, digits) : for_csv(cell.published),
                        difference(cell, digits));
  return text + fmt::format(",{},{}", cell.counted, cell.runs);
}

}  // namespace

std::string to_markdown(const FilledTable& t) {
  const auto row = [&](const StudyRow& r, const std::vector<std::string>& heads) {
    std::string line = "|";
    for (const std::string& head : heads) line += fmt::format(" {} |", for_markdown(head));
    for (std::size_t c = 0; c < r.cells.size(); ++c)
      line += fmt::format(" {} |", markdown_cell(r.cells[c], t.table.columns[c].digits));
    return line + "\n";
  };
  std::string out =
      fmt::format("### {}\n\n{}\n\n{}\n|", t.table.name, for_markdown(t.table.caption), to_markdown(t.notes));
  for (const std::string& key : t.table.keys) out += fmt::format(" {} |", key);
  for (const StudyColumn& c : t.table.columns) out += fmt::format(" {} |", for_markdown(c.title));
  out += "\n|";
  for (std::size_t i = 0; i < t.table.keys.size(); ++i) out += "---|";
  for (std::size_t i = 0; i < t.table.columns.size(); ++i) out += "---:|";
  return out + "\n" + rows_by(t, row);
}

std::string to_csv(const FilledTable& t) {
  // for_terminal keeps line breaks out.
  std::string out = t.table.caption.empty() ? "" : fmt::format("# {}\n", for_terminal(t.table.caption));
  for (const ColumnNote& note : t.notes)
    out += fmt::format("# {}: {}\n", for_terminal(titles(note)), for_terminal(note.how));
  for (const std::string& key : t.table.keys) out += fmt::format("{},", key);
  for (std::size_t c = 0; c < t.table.columns.size(); ++c) {
    const std::string& title = t.table.columns[c].title;
    out += fmt::format("{}{}", c > 0 ? "," : "", for_csv(title));
    if (!t.table.columns[c].published.empty())
      out += fmt::format(",{},{}", for_csv(title + " published"), for_csv(title + " difference"));
    out += fmt::format(",{},{}", for_csv(title + " counted"), for_csv(title + " runs"));
  }
  const auto row = [&](const StudyRow& r, const std::vector<std::string>& heads) {
    std::string line;
    for (const std::string& head : heads) line += for_csv(head) + ",";
    for (std::size_t c = 0; c < r.cells.size(); ++c)
      line += fmt::format("{}{}", c > 0 ? "," : "", csv_cell(r.cells[c], t.table.columns[c]));
    return line + "\n";
  };
  return out + "\n" + rows_by(t, row);
}

std::string to_latex(const FilledTable& t) {
  std::string caption = for_latex(t.table.caption);
  for (const ColumnNote& note : t.notes)
    caption += fmt::format(" {}: {}.", for_latex(titles(note)), for_latex(note.how));
  std::string out = fmt::format("\\begin{{table*}}\n\\caption{{{}}}\n\\begin{{tabular}}{{{}{}}}\n\\hline\n", caption,
                                std::string(t.table.keys.size(), 'l'), std::string(t.table.columns.size(), 'r'));
  for (std::size_t i = 0; i < t.table.keys.size(); ++i)
    out += fmt::format("{}{}", i > 0 ? " & " : "", for_latex(t.table.keys[i]));
  for (const StudyColumn& c : t.table.columns) out += fmt::format(" & {}", for_latex(c.title));
  out += " \\\\\n\\hline\n";
  const auto row = [&](const StudyRow& r, const std::vector<std::string>& heads) {
    std::string line = &r == &t.means ? "\\hline\n" : "";
    for (std::size_t i = 0; i < heads.size(); ++i) line += fmt::format("{}{}", i > 0 ? " & " : "", for_latex(heads[i]));
    for (std::size_t c = 0; c < r.cells.size(); ++c)
      line += fmt::format(" & {}", latex_cell(r.cells[c], t.table.columns[c].digits));
    return line + " \\\\\n";
  };
  return out + rows_by(t, row) + "\\hline\n\\end{tabular}\n\\end{table*}\n";
}

}  // namespace beadwork
