#include "reading.hpp"

#include <cmath>

namespace beadwork {
namespace {

// What the values do not show: which columns are numbers, and that nothing is to be learnt.
ReadOptions types_of(const Table& table, char delimiter = 0) {
  ReadOptions options{.delimiter = delimiter, .quotes_mean_text = true, .needs_target = false};
  for (const Column& column : table.columns())
    (column.type == ColumnType::numeric ? options.numeric : options.nominal).push_back(column.name);
  return options;
}

std::string random_text(Rng& rng) {
  static const Texts pieces{"a",          "Z",  "_",  "1",    "0", ".", "-",  "=", ",", ";", "\t",       "\"",
                            "'",          "\n", "\r", "\r\n", " ", "?", "NA", "@", "%", "{", "\xC3\xA9", "\xEF\xBB\xBF",
                            "@relation r"};
  std::string text;
  for (std::uint64_t n = 1 + rng.below(4); n > 0; --n) text += pieces[rng.below(pieces.size())];
  return text;
}

double random_number(Rng& rng) {
  switch (rng.below(4)) {
    case 0:
      return static_cast<double>(rng.below(3));
    case 1:
      return static_cast<double>(rng.below(2000000)) / 1000.0 - 1000;
    case 2:
      return std::ldexp(rng.unit() - 0.5, static_cast<int>(rng.below(600)) - 300);
    default:
      return std::nan("");
  }
}

Column random_column(Rng& rng, std::size_t num_rows) {
  Column column;
  column.type = rng.below(2) == 0 ? ColumnType::numeric : ColumnType::nominal;
  for (std::size_t i = 0; i < num_rows; ++i) {
    if (column.type == ColumnType::numeric) {
      column.numbers.push_back(random_number(rng));
    } else if (rng.below(4) == 0) {
      column.codes.push_back(Codes::kMissing);
    } else {
      const std::string text = random_text(rng);
      const auto found = std::find(column.levels.begin(), column.levels.end(), text);
      column.codes.push_back(static_cast<std::uint32_t>(found - column.levels.begin()));
      if (found == column.levels.end()) column.levels.push_back(text);
    }
  }
  return column;
}

Table random_table(Rng& rng) {
  const std::size_t num_rows = 1 + rng.below(6);
  std::vector<Column> columns;
  for (std::uint64_t n = 1 + rng.below(5); n > 0; --n) {
    columns.push_back(random_column(rng, num_rows));
    columns.back().name = random_text(rng).append(rng.below(2) == 0 ? "" : std::to_string(n));
    for (std::size_t i = 0; i + 1 < columns.size(); ++i)
      if (columns[i].name == columns.back().name) columns.back().name.append("#").append(std::to_string(n));
  }
  return *Table::make(std::move(columns));
}

TEST(WriteCsv, RandomTablesComeBack) {
  Rng rng(20240607);
  for (int i = 0; i < 20000; ++i) {
    const Table table = random_table(rng);
    const char delimiter = ",;\t"[rng.below(3)];
    const std::string text = write_csv(table, delimiter, false);
    const bool told = table.num_columns() == 1 || rng.below(2) == 0;
    const auto again = parse_table(text, "t", types_of(table, told ? delimiter : '\0'));
    ASSERT_TRUE(again) << again.error().to_string() << "\n" << text;
    ASSERT_TRUE(again->table == table) << text;
  }
}

TEST(WriteCsv, QuotesOnlyWhatNeedsIt) {
  const auto file = read("a b,\"c,d\",\"7\",y\n1.50,\"NA\",x y,\" k\"\n?,l;m,\"q\"\"r\",k\n", {.delimiter = ','});
  EXPECT_EQ(write_csv(file.table), "a b,\"c,d\",\"7\",y\n1.5,\"NA\",x y,\" k\"\n,\"l;m\",\"q\"\"r\",k\n");
}

TEST(WriteCsv, GuardsAgainstFormulas) {
  const auto file = read("=a,n,y\n=1+2,-5,-7\n@x,-6,\"+\"\"q\"\n");
  EXPECT_EQ(write_csv(file.table), "\"'=a\",n,y\n'=1+2,-5,-7\n'@x,-6,\"'+\"\"q\"\n");
  EXPECT_EQ(write_csv(file.table, ';', false), "\"=a\";n;y\n=1+2;-5;-7\n@x;-6;\"+\"\"q\"\n");
}

TEST(WriteCsv, AsksForAKnownDelimiter) {
  EXPECT_THROW(write_csv(Table{}, '|'), ContractViolation);
}

TEST(WriteCsv, QuotesANameThatWouldLookLikeAnArchive) {
  for (const std::string name : {"PK\x03\x04", "\xEF\xBB\xBFn", "@relation", "# beadwork matrix"}) {
    const TableFile file = read("\"" + name + "\",y\n0,k\n1,l\n", {.format = TableFormat::csv});
    const auto again = parse_table(write_csv(file.table, ',', false), "t");
    ASSERT_TRUE(again) << again.error().to_string();
    EXPECT_EQ(again->table, file.table) << name;
  }
}

// Any bytes at all: refused in one line or read into a table that survives its own writing.
TEST(ParseTable, SurvivesRandomText) {
  Rng rng(7);
  for (int i = 0; i < 20000; ++i) {
    std::string text = rng.below(3) == 0 ? "@relation r\n@attribute x {a,Z}\n@attribute y string\n@data\n" : "";
    for (std::uint64_t n = rng.below(20); n > 0; --n) text += random_text(rng);
    const auto file = parse_table(text, "t", {.needs_target = false});
    if (!file) {
      ASSERT_EQ(file.error().to_string().find('\n'), std::string::npos);
      continue;
    }
    const auto again = parse_table(write_csv(file->table, ',', false), "t", types_of(file->table, ','));
    ASSERT_TRUE(again) << again.error().to_string() << "\n" << text;
    ASSERT_EQ(again->table.num_rows(), file->table.num_rows()) << text;
  }
}

}  // namespace
}  // namespace beadwork
