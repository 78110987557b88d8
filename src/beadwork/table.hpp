#pragma once
// table: text files in, typed columns out.
//
//   auto file = read_table("loans.csv", {.target = "approved"});
//   if (!file) complain(file.error().to_string());        // "loans.csv:12:3: expected ..."
//   for (const Column& c : file->table.columns()) ...     // numeric or nominal, in file order
//   file->notes                                           // what was detected: "delimiter ';'"
//
// Three formats of text, detected from the content unless `format` names one, plain or packed by gzip or zstd:
//
//   csv     RFC 4180: quotes, "" escapes, quoted line breaks, CRLF, UTF-8 byte-order mark; delimiter , ; tab |
//   arff    @relation/@attribute/@data: numeric, real, integer, nominal, string, date
//   matrix  0/1 numbers separated by blanks, the class first, no header (columns: class, f1, f2, ...)
//
// Parquet and Arrow (Feather) files are recognised by their first bytes and read by pyarrow, as a child process
// (table/arrow.hpp).
//
// A column is numeric if every value that is not missing is a decimal number, except that a column of nothing
// but 0 and 1 is nominal; `numeric` and `nominal` overrule that. The target is always nominal (its labels
// keep their spelling), the weight always numeric. ARFF declarations decide the type unless overruled. A column of
// words with an order (`ordered`) is numeric: each word is its place in the order. No other word may occur in it.
//
// A value equal to one of the `missing` texts is missing, unless it is quoted ("NA" is the text NA) in a file that
// does not quote everything: one value without quotes in the columns that are read, or one of their names, says so, in
// whatever row. A quoted empty value is missing all the same. In ARFF a bare ? is always
// missing; a nominal attribute that declares '?' among its values means the same by it, quoted or not (so it is not a
// level, and a note says so); no other declared value is ever missing. A column with no value at all is numeric. A
// column of numbers that holds nan or inf is refused, unless that spelling is declared missing.
//
// Other spellings of values are read where they explain a column of text, and a note says so (table/tidy.hpp): numbers
// with a decimal comma, thousands separators, a currency or a percent sign, dates and times, yes and no in mixed
// spellings, a "-" or "n/a" among numbers. Where two readings disagree, the column stays text, with a warning that
// names the option to give. A column of text in which nearly every value is different is left out, with a warning.
//
// Nothing is guessed silently: a quote inside an unquoted CSV value, text after a closing quote, a
// lone carriage return, a value over 1 MiB and a header of unquoted numbers are refused. Blanks around
// unquoted values are trimmed (and counted in the notes).
//
// Bad files give one Error whose `where` is file:line:column (column counts characters, from 1). Nothing is repaired
// silently; what is tolerated (blank lines, a missing final newline, a byte-order mark) is reported in `notes`.

#include <beadwork/base.hpp>
#include <beadwork/table/reading.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace beadwork {

enum class ColumnType { numeric, nominal };
enum class TableFormat { detect, csv, arff, matrix };

// Codes of a nominal column, one byte each while they fit in one, then two, then four: a million rows of
// yes/no is a megabyte.
class Codes {
 public:
  static constexpr std::uint32_t kMissing = std::numeric_limits<std::uint32_t>::max();

  std::size_t size() const;
  std::uint32_t operator[](std::size_t i) const;  // kMissing for a missing value
  void push_back(std::uint32_t code);
  friend bool operator==(const Codes& a, const Codes& b);  // as sequences, whatever the width

 private:
  std::variant<std::vector<std::uint8_t>, std::vector<std::uint16_t>, std::vector<std::uint32_t>> data_;
};

// numeric: `numbers` has one entry a row, NaN where missing. nominal: `codes` index into `levels`, which are
// in order of first appearance (declared order in ARFF; declared levels that never occur are kept).
struct Column {
  std::string name;
  ColumnType type = ColumnType::numeric;
  std::vector<double> numbers;
  Codes codes;
  std::vector<std::string> levels;
  Reading reading = {};  // how its texts were read; not part of what it holds
  // Its levels are texts that nobody has read yet (ReadOptions::as_found); not part of it either.
  bool as_found = false;

  std::size_t num_rows() const { return type == ColumnType::numeric ? numbers.size() : codes.size(); }
  bool missing(std::size_t row) const;
  // The value as a person wrote it (numbers in their shortest form); empty where missing.
  std::string text(std::size_t row) const;
  friend bool operator==(const Column&, const Column&);  // NaN equals NaN
};

// Immutable. All columns have the same number of rows; names are unique and not empty.
class Table {
 public:
  Table() = default;
  static Result<Table> make(std::vector<Column> columns, std::optional<std::size_t> target = {},
                            std::optional<std::size_t> weight = {});

  std::size_t num_rows() const { return columns_.empty() ? 0 : columns_.front().num_rows(); }
  std::size_t num_columns() const { return columns_.size(); }
  const std::vector<Column>& columns() const { return columns_; }
  const Column& column(std::size_t i) const { return columns_[i]; }
  std::optional<std::size_t> find(std::string_view name) const;
  // The rows whose weight is not 0, which are those that are learnt from. Levels that only others have are gone.
  Result<Table> rows_that_count() const;
  // Which column is to be learnt, and which weighs the rows; the others are inputs.
  std::optional<std::size_t> target() const { return target_; }
  std::optional<std::size_t> weight() const { return weight_; }
  friend bool operator==(const Table&, const Table&) = default;

 private:
  std::vector<Column> columns_;
  std::vector<std::uint32_t> by_name_;  // their numbers, sorted by their names
  std::optional<std::size_t> target_;
  std::optional<std::size_t> weight_;
};

// A text that means no value in one column, with and without quotes; a number does so however it is spelled.
struct MissingCode {
  std::string column;
  std::string text;
  friend bool operator==(const MissingCode&, const MissingCode&) = default;
};

// The words of a column in their order, lowest first: small, medium, large.
struct OrderedWords {
  std::string column;
  std::vector<std::string> levels;
  friend bool operator==(const OrderedWords&, const OrderedWords&) = default;
};

// How to read. Columns are named, or given by number: "3" is the third column (from 1) and "-1" the last,
// where no column has that name.
struct ReadOptions {
  TableFormat format = TableFormat::detect;
  char delimiter = 0;  // csv: ',' ';' '\t' or '|'; 0 = detect, and say so in the notes
  bool header = true;  // csv: false names the columns c1, c2, ...
  std::vector<std::string> missing = {"", "?", "NA", "NaN"};
  std::vector<MissingCode> missing_of = {};  // besides
  // csv: is "NA" in quotes the text NA, and are blanks inside quotes part of a value? Nothing: yes, unless the file
  // quotes everything, or `missing` is not the usual list.
  std::optional<bool> quotes_mean_text = {};
  // Bytes of text: "" (UTF-8, or UTF-16 where the first bytes show it), utf-8, latin-1, windows-1252 or utf-16.
  std::string encoding = {};
  bool drop_unlabelled = false;  // rows without a class are left out, and counted in the notes
  // Empty: the last column of csv and arff, the first of a matrix, passing over the weight and what `ignore`
  // leaves out.
  std::string target = {};
  // false (prediction): no column is the target unless `target` names one, and it is a model that asks for the columns
  // in `target`, `numeric` and `nominal`, by name only.
  bool needs_target = true;
  // Rows of weight 0 are left out, as they are where a target is needed: what is learnt from holds none.
  bool learning = false;
  bool part = false;        // of a table in several files: it may have no rows, or none that counts
  bool only_named = false;  // leave out all columns but those that an option names
  // Columns of a part whose texts are read with those of the others: read_texts.
  std::vector<std::string> as_found = {};
  std::string weight = {};  // empty: none
  std::vector<std::string> numeric = {};
  std::vector<std::string> nominal = {};
  std::vector<std::string> beside = {};    // those of `nominal` that a person asks for, and not the model
  std::vector<OrderedWords> ordered = {};  // columns of words that become numbers: their places
  std::vector<std::string> ignore = {};    // columns to leave out
  // Of columns that nobody gave a type: 0 and nothing = detect.
  char decimal = 0;    // '.' or ','
  char thousands = 0;  // ',' '.' '\'' or ' '
  std::optional<Reading::Order> dates = {};
  std::vector<std::string> keep = {};  // columns of text to keep though nearly every value is different
  // Of a column; the rest becomes "other". SIZE_MAX: all stay, and no column is left out.
  std::size_t max_categories = 64;
  std::size_t target_bins = 0;  // a target of numbers becomes this many classes, cut at quantiles; 0: none
  friend bool operator==(const ReadOptions&, const ReadOptions&) = default;
};

// Something to look at, and the options that settle it, each with a value: give one of them `to` do so.
struct TableWarning {
  std::string message;
  std::vector<std::pair<std::string, std::string>> options;
  std::string to;
};
struct Findings {
  std::vector<std::string> notes;
  std::vector<TableWarning> warnings;
  std::vector<std::string> left_out;
};

struct TableFile {
  Table table;
  TableFormat format = TableFormat::csv;
  std::vector<std::string> notes;
  std::vector<TableWarning> warnings;
  std::vector<std::string> left_out;  // columns of the file that are not in the table
  // What quotes meant, if any value was read that stands and falls with them: ReadOptions for tables of the same
  // making.
  std::optional<bool> quotes_mean_text = {};
};

// The most frequent categories where there are more than `most`: which of them stay, in their order, and the name of
// the rest. Another spelling of one that stays (same_category) is no part of the rest, as predict has it.
struct FrequentLevels {
  std::vector<std::size_t> stay;
  std::string other;               // empty: nothing is left for it
  std::vector<std::size_t> place;  // of each level, in `stay`; behind it: the rest
};
FrequentLevels frequent_levels(const std::vector<std::string>& levels, const std::vector<std::size_t>& counts,
                               std::size_t most);
// What becomes of a column of text that nobody gave a type, by its texts and how often each occurs.
enum class TextsAre { categories, something_else, left_out };
TextsAre judge_texts(const std::vector<std::string>& texts, const std::vector<std::size_t>& counts,
                     const ReadOptions& options);
// The same column, as its texts mean: it holds each of them once, in this order. Nothing: left out, as the findings
// say.
Result<std::optional<Column>> read_texts(Column column, const std::vector<std::size_t>& counts,
                                         const ReadOptions& options, Findings& findings);
// Classes that no one would learn are refused, by how often each occurs (of a table in several files; else read_table
// does so).
Status check_target(const Column& target, const std::vector<std::size_t>& counts, Findings& findings);

// An Error of code limit where control says stop. A file from 64 MiB on is read through a window: only its columns need
// fit in memory.
Result<TableFile> read_table(const std::string& path, const ReadOptions& options = {}, const Control& control = {});
// The same from memory; `name` stands for the file in messages.
Result<TableFile> parse_table(std::string_view text, const std::string& name, const ReadOptions& options = {},
                              const Control& control = {});

// Whether quotes in this file mean that a value is text (see above); other formats than csv say what they mean.
Result<bool> quotes_say_something(const std::string& path, const ReadOptions& options, const Control& control = {});

// CSV with a header; quotes where needed, so that parse_table gives the same table back (told the types,
// where they do not show in the values; an empty level comes back as missing). `guard_formulas` puts a '
// before text that a spreadsheet would run (= + - @).
std::string write_csv(const Table& table, char delimiter = ',', bool guard_formulas = true, bool header = true);

// A file of any length, some rows at a time, in constant memory. The options name every column that is read, its type
// (`only_named`, `needs_target` false) and what quotes mean (text, if nothing else is said), so that no part depends on
// another: together they are what read_table gives.
//
//   auto parts = TableParts::open("long.csv.gz", read_options(model, {.only_named = true}));
//   while (auto table = parts->next(100000)) { if (!*table) break; use(**table); }
class TableParts {
 public:
  // "-": standard input, if `descriptor` is not negative.
  static Result<TableParts> open(const std::string& path, const ReadOptions& options, const Control& control = {},
                                 int descriptor = -1);
  TableParts(TableParts&&) noexcept;
  TableParts& operator=(TableParts&&) noexcept;
  ~TableParts();

  // Nothing: there are no more rows. After an Error there is nothing more to ask.
  Result<std::optional<Table>> next(std::size_t rows);
  // Reads on after the rows turned out to be of no use: an Error in the rest of the file, if there is one.
  Status read_rest();
  const std::vector<std::string>& notes() const;            // complete at the end
  const std::map<std::string, std::string>& types() const;  // of the columns, in Arrow's words, where the file has them

 private:
  struct State;
  explicit TableParts(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// A file that is written part by part and gets its name at the end, as FileWriter's; packed if its name ends in .gz or
// .zst. One that ends in .parquet, .arrow or .feather is given CSV, and pyarrow makes it; `types` are Arrow's names of
// the types of columns, text where there is none.
class TableWriter {
 public:
  static Result<TableWriter> create(const std::string& path, const std::map<std::string, std::string>& types = {});
  static bool typed(const std::string& path);  // a file for pyarrow
  TableWriter(TableWriter&&) noexcept;
  TableWriter& operator=(TableWriter&&) noexcept;
  ~TableWriter();

  Status write(std::string_view text, const Control& control = {});
  Status finish(const Control& control = {});

 private:
  struct State;
  explicit TableWriter(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// What a table would be, without its rows: for files whose columns do not fit in memory. Each column holds each of its
// values once (and once that one is missing), with the weight of its rows.
struct SurveyColumn {
  Column column;
  std::vector<double> weights;  // as many as the column has rows
};
struct Survey {
  std::vector<SurveyColumn> columns;
  std::size_t target = 0;
  std::optional<std::size_t> weight;
  std::size_t num_rows = 0;
  TableFile file;  // without its table
};
// As read_table would read it. A numeric column with very many values keeps those that decide the quantiles, which
// `quantiles` asks for, given the numbers of rows and inputs; other values are added to the next kept one. The file is
// read two times or more. Nothing: weights that are not whole, whose sum depends on the order of the rows.
Result<std::optional<Survey>> survey_table(const std::string& path, const ReadOptions& options,
                                           const std::function<std::size_t(std::size_t, std::size_t)>& quantiles,
                                           const Control& control = {});

}  // namespace beadwork
