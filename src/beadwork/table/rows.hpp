#pragma once
// What the three formats have in common: headings, then rows of fields that point into the text.

#include <beadwork/table.hpp>
#include <beadwork/table/source.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork::table {

inline constexpr std::size_t kLongestField = std::size_t{1} << 20;
inline constexpr std::size_t kMostColumns = std::size_t{1} << 20;

// `raw` lies in the source, inside the quotes if there are any. A literal field is never a missing value. Of a quoted
// field that is not literal (csv), MissingTokens says what its quotes mean.
struct Field {
  std::string_view raw;
  bool quoted = false;
  bool literal = false;
  char escape = 0;  // '"': "" stands for "; '\\': backslashes; 0: raw is the value
};

// The value of a field; `scratch` holds it where it is not the raw text.
inline std::string_view value(const Field& field, std::string& scratch) {
  if (field.escape == 0) return field.raw;
  scratch.clear();
  for (std::size_t i = 0; i < field.raw.size(); ++i) {
    char c = field.raw[i];
    if (c == field.escape && i + 1 < field.raw.size()) {
      c = field.raw[++i];
      if (field.escape == '\\') c = c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }
    scratch += c;
  }
  return scratch;
}

struct Row {
  std::vector<Field> fields;
  std::size_t end = 0;  // offset of the line break behind it
};

class RowReader {
 public:
  virtual ~RowReader() = default;
  virtual Result<bool> next(Row& row) = 0;  // false: no more rows
  virtual void again() = 0;                 // as before the last next(), which saw too little of the text
  virtual void moved(std::size_t by) = 0;   // the text has lost so many bytes at its start
  virtual void rewind() = 0;                // to the first data row; the text is at its start again
  virtual std::size_t offset() const = 0;   // everything before it is read
  virtual void report(std::vector<std::string>& notes) const = 0;
};

// What a file says of a column's type: nothing (csv), or in ARFF a number, any text, or one of `levels`.
enum class Declared { nothing, number, text, level };

struct Heading {
  std::string name;
  std::size_t offset = 0;
  Declared declared = Declared::nothing;
  std::vector<std::string> levels = {};
  bool declares_missing = false;        // '?' was among the levels
  bool empty = false;                   // it must be, and is skipped
  bool sure = false;                    // its numbers are typed as such
  std::vector<std::string> order = {};  // of its words, lowest first
  std::string date_format = {};         // declared
  bool date = false;                    // declared, in the usual format if none is named
  std::string left_out = {};            // why no value of it can be read
  bool plain = false;                   // csv: its name or its first value stands without quotes
};

struct OpenTable {
  TableFormat format;
  std::vector<Heading> headings;
  std::string_view counted_by;  // "the header has 4": who says how many values a row has
  std::unique_ptr<RowReader> rows;
  std::optional<std::size_t> weight = {};         // the column that the file itself says weighs the rows
  bool by_row = false;                            // places are rows: there are no lines that a person could see
  std::map<std::string, std::string> types = {};  // in Arrow's words, where the file has them
  std::vector<TableWarning> warnings = {};        // of its start
};

Result<OpenTable> open_csv(const Source& source, const ReadOptions& options, std::vector<std::string>& notes);
Result<OpenTable> open_arff(const Source& source);
Result<OpenTable> open_matrix(const Source& source);

bool looks_like_arff(std::string_view text);
bool looks_like_matrix(std::string_view text);

// Names are unique and not empty.
Status check_names(const Source& source, const std::vector<Heading>& headings);

}  // namespace beadwork::table
