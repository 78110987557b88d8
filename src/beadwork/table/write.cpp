#include <beadwork/table.hpp>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::string_view kFormulaStarts = "=+-@";

class CsvWriter {
 public:
  CsvWriter(char delimiter, bool guard) : delimiter_(delimiter), guard_(guard) {}

  void add_name(std::string_view name) { add(name, !plain_name(name)); }
  void add_text(std::string_view text) { add(text, needs_quotes(text)); }
  void add_number(double number) { separate() += format_number(number); }
  // A line with nothing on it would be a blank line, not a row of one missing value.
  void add_missing(bool only_column) { separate() += only_column ? "\"\"" : ""; }
  void end_row() {
    out_ += '\n';
    first_ = true;
  }
  std::string take() { return std::move(out_); }

 private:
  // Nothing that a reader could take for data, another delimiter or another format (a zip archive starts with PK\3\4).
  static bool plain_name(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto control = [](char c) { return static_cast<unsigned char>(c) < ' '; };
    return letter(name.front()) && std::none_of(name.begin(), name.end(), control) && !needs_quotes(name);
  }
  static bool needs_quotes(std::string_view text) {
    static const std::vector<std::string> missing = ReadOptions{}.missing;
    const auto blank = [](char c) { return c == ' ' || c == '\t'; };
    return text.find_first_of(",;\t|\"\r\n") != std::string_view::npos ||
           std::find(missing.begin(), missing.end(), text) != missing.end() || blank(text.front()) ||
           blank(text.back());
  }
  std::string& separate() {
    if (!first_) out_ += delimiter_;
    first_ = false;
    return out_;
  }
  void add(std::string_view text, bool quoted) {
    separate();
    const bool formula = !text.empty() && kFormulaStarts.find(text.front()) != std::string_view::npos;
    const std::string_view guard = guard_ && formula && !parse_number(text) ? "'" : "";
    if (!quoted) {
      out_.append(guard).append(text);
      return;
    }
    out_.append("\"").append(guard);
    for (const char c : text) out_.append(c == '"' ? 2 : 1, c);
    out_ += '"';
  }

  char delimiter_;
  bool guard_;
  bool first_ = true;
  std::string out_;
};

}  // namespace

std::string write_csv(const Table& table, char delimiter, bool guard_formulas, bool header) {
  require(delimiter == ',' || delimiter == ';' || delimiter == '\t', "write_csv: the delimiter is , ; or tab");
  CsvWriter writer(delimiter, guard_formulas);
  for (const Column& column : table.columns())
    if (header) writer.add_name(column.name);
  if (header) writer.end_row();
  for (std::size_t row = 0; row < table.num_rows(); ++row) {
    for (const Column& column : table.columns()) {
      if (column.missing(row))
        writer.add_missing(table.num_columns() == 1);
      else if (column.type == ColumnType::numeric && column.reading.kind != Reading::Kind::ordinal)
        writer.add_number(column.numbers[row]);
      else
        writer.add_text(column.text(row));
    }
    writer.end_row();
  }
  return writer.take();
}

}  // namespace beadwork
