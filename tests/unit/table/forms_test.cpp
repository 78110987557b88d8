#include "reading.hpp"
#include <beadwork/base.hpp>

#include <algorithm>
#include <random>

// What spreadsheets, web pages and programs add to a table, or leave out of it.
namespace beadwork {
namespace {

using namespace std::string_literals;

bool noted(const TableFile& file, std::string_view words) {
  const auto has = [&](const std::string& s) { return s.find(words) != std::string::npos; };
  return std::any_of(file.notes.begin(), file.notes.end(), has);
}

std::size_t warned(const TableFile& file, std::string_view words) {
  const auto has = [&](const TableWarning& w) { return w.message.find(words) != std::string::npos; };
  return static_cast<std::size_t>(std::count_if(file.warnings.begin(), file.warnings.end(), has));
}

std::string wide(std::string_view ascii, bool big, bool mark) {
  std::string out = !mark ? "" : big ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : ascii) out += big ? std::string{'\0', c} : std::string{c, '\0'};
  return out;
}

TEST(Forms, Encodings) {
  const auto plain = read(
      "a,gr\xC3\xB6\xC3\x9F"
      "e,y\n5,\xC3\xBC,k\n6,o,l\n");
  const std::string one_byte =
      "a,gr\xF6\xDF"
      "e,y\n5,\xFC,k\n6,o,l\n";
  for (const char* name : {"latin-1", "Latin1", "ISO-8859-1", "windows-1252", "cp1252"}) {
    const auto file = read(one_byte, {.encoding = name});
    EXPECT_EQ(file.table, plain.table) << name;
    EXPECT_TRUE(noted(file, "read as ")) << name;
  }
  EXPECT_EQ(read("a,y\n\x80,k\nx,l\n", {.encoding = "windows-1252"}).table.column(0).levels[0], "\xE2\x82\xAC");
  const std::string text = "a,y\n5,k\n6,l\n";
  for (const bool big : {false, true})
    for (const bool mark : {false, true}) {
      EXPECT_EQ(read(wide(text, big, mark)).table, read(text).table);
      EXPECT_EQ(read(wide(text, big, mark), {.encoding = "utf-16"}).table, read(text).table);
    }
  EXPECT_EQ(read("\xFF\xFE"s + wide("a,y\n", false, false) + "\x3D\xD8\x00\xDE"s + wide(",k\nx,l\n", false, false))
                .table.column(0)
                .levels[0],
            "\xF0\x9F\x98\x80");
}

TEST(Forms, EmptyValuesAndRowsAtTheEnd) {
  const auto table = read("a;b;y\n1;2;p\n3;4;q\n").table;
  EXPECT_EQ(read("a;b;y\n1;2;p;;;;\n3;4;q;;;;\n").table, table);
  EXPECT_EQ(read("a;b;y\n1;2;p\n3;4;q\n;;\n;;\n").table, table);
  EXPECT_TRUE(noted(read("a;b;y\n1;2;p\n;;;;\n3;4;q\n"), "1 row of empty values alone skipped"));
  EXPECT_EQ(refusal("a;b;y\n1;2;p;;x;\n"),
            "t:2:7: this row has 6 values, the header has 3; quote a value that contains the delimiter");
  // A row to predict is never passed over.
  EXPECT_EQ(read("a;b\n1;2\n;\n", {.needs_target = false}).table.num_rows(), 2U);
}

TEST(Forms, RowsWithoutAClass) {
  const std::string text = "a,y\n5,p\n6,\n7,q\nTotal,NA\n8,p\n";
  EXPECT_EQ(refusal(text),
            "t:3:3: the class is missing in 2 rows, this one first (column 'y'); remove them, or choose "
            "another target");
  EXPECT_NE(refusal("a,y\n5,p\n6,q\nTotal,\n").find("it begins with 'Total': is it a row of totals?"),
            std::string::npos);
  const auto file = read(text, {.drop_unlabelled = true});
  EXPECT_EQ(file.table, read("a,y\n5,p\n7,q\n8,p\n").table);  // and 'Total' makes no text of the column
  EXPECT_TRUE(noted(file, "2 rows without a class left out"));
  EXPECT_EQ(refusal("a,y\n5,\n6,\n", {.drop_unlabelled = true}), "t:4:1: a header but no rows");
}

// An error says by name which option helps; who shows it spells that in its own way.
TEST(Forms, ErrorsNameTheOptionThatHelps) {
  const auto remedy = [](const std::string& text, const ReadOptions& options = {}) {
    const auto file = parse_table(text, "t", options);
    return file || !file.error().remedy ? Remedy{} : *file.error().remedy;
  };
  EXPECT_EQ(remedy("a,y\n5,p\n6,\n"), (Remedy{"drop_unlabelled", ""}));
  EXPECT_EQ(remedy("a,y\n\xE9,p\n6,q\n"), (Remedy{"text_encoding", "latin-1"}));
  EXPECT_EQ(remedy("1,2\n3,4\n"), (Remedy{"no_header", ""}));
  EXPECT_EQ(remedy("1,1,y\n4,3,p\n"), (Remedy{"no_header", ""}));
  EXPECT_EQ(remedy("a;y\n4;p\n", {.delimiter = ','}), (Remedy{"delimiter", ";"}));
  EXPECT_EQ(remedy("a\ty\n4\tp\n", {.delimiter = ','}), (Remedy{"delimiter", "tab"}));
  EXPECT_EQ(remedy("a,y\n4,p\ninf,q\n"), (Remedy{"missing_also", "inf"}));
  EXPECT_EQ(remedy("a,y\n4,p,\"\n"), Remedy{});
}

TEST(Forms, SepLineOfExcel) {
  EXPECT_EQ(read("sep=;\r\na;y\r\n5;p\r\n6;q\r\n").table, read("a,y\n5,p\n6,q\n").table);
  EXPECT_EQ(read("sep=|\nsep=;y|z\n5|p\n6|q\n").table.column(0).name, "sep=;y");
  EXPECT_EQ(names(read("sep=,y\n5,p\n").table), (Texts{"sep=", "y"}));
}

TEST(Forms, ALineAboveTheHeaderIsNamed) {
  for (const char* title : {"Report of May\n\n", "# exported\n"})
    EXPECT_NE(refusal(title + "a,b,y\n1,2,p\n"s).find("is the first line a title or a comment?"), std::string::npos);
  EXPECT_NE(refusal("a  b  y\n1  2  p\n").find("columns parted by blanks"), std::string::npos);
}

TEST(Forms, AFirstLineThatLooksLikeData) {
  EXPECT_EQ(warned(read("5.1,3.5,x\n4.9,3.0,y\n4.7,3.2,x\n"), "looks like data"), 1U);
  EXPECT_EQ(warned(read("2019,2020,y\n4.9,3.0,p\n4.7,3.2,q\n"), "looks like data"), 0U);
  EXPECT_EQ(warned(read("0,1,2,y\n4,3,5,p\n4,3,1,q\n"), "looks like data"), 0U);
  EXPECT_EQ(warned(read("5.1,y\nred,p\nblue,q\n"), "looks like data"), 0U);
  EXPECT_NE(refusal("1,1,y\n4,3,p\n").find("say that the file has no header"), std::string::npos);
}

TEST(Forms, CodesWithLeadingZerosStayText) {
  const auto file = read("zip,y\n01007,p\n10115,q\n01067,p\n");
  EXPECT_EQ(file.table.column(0).levels, (Texts{"01007", "10115", "01067"}));
  EXPECT_EQ(warned(file, "'01007' begins with a zero"), 1U);
  EXPECT_EQ(read("zip,y\n10115,q\n2,q\n01007,p\n").table.column(0).levels, (Texts{"10115", "2", "01007"}));
  EXPECT_EQ(read("zip,y\n01007,p\n10115,q\n", {.numeric = {"zip"}}).table.column(0).numbers,
            (std::vector<double>{1007, 10115}));
  EXPECT_EQ(read("x,y\n0.5,p\n00.7,q\n").table.column(0).type, ColumnType::numeric);
  EXPECT_EQ(read("x,y\n1,p\n0,q\n00,q\n").table.column(0).levels, (Texts{"1", "0", "00"}));
}

TEST(Forms, YesAndNoWithTextsForNothing) {
  for (const char* nothing : {"", "\"\"", "\" \"", "-", "n/a"}) {
    const auto column = read("s,y\nyes,p\nno,q\n"s + nothing + ",p\nno,p\n").table.column(0);
    EXPECT_EQ(column.levels, (Texts{"yes", "no"})) << nothing;
    EXPECT_TRUE(column.missing(2)) << nothing;
  }
  const auto mixed = read("s,y\nYes,p\nno,q\n-,p\nYes,q\nyes,p\n").table.column(0);
  EXPECT_EQ(mixed.levels, (Texts{"no", "Yes"}));
  EXPECT_EQ(mixed.reading.missing, (Texts{"-"}));
}

TEST(Forms, CodesOfOneColumnMeanNoValue) {
  const ReadOptions options{.missing_of = {{"g", "0"}, {"c", "none"}}};
  const auto table = read("g,h,c,y\n0,0,none,p\n5,1,red,q\n0.0,2,blue,q\n7,0,red,q\n", options).table;
  EXPECT_EQ(texts(table.column(0)), (Texts{"", "5", "", "7"}));
  EXPECT_EQ(texts(table.column(1)), (Texts{"0", "1", "2", "0"}));
  EXPECT_EQ(texts(table.column(2)), (Texts{"", "red", "blue", "red"}));
  EXPECT_EQ(table.column(0).reading.missing, (Texts{"0"}));
  EXPECT_EQ(refusal("g,y\n1,p\n", {.missing_of = {{"q", "0"}}}).substr(0, 31), "missing: t has no column named ");
}

TEST(Forms, DifferentValuesThatBecomeOneNumber) {
  const auto many = [](const std::vector<std::string>& values) {
    std::string text = "x,y\n";
    for (std::size_t i = 0; i < values.size(); ++i) text += '"' + values[i] + (i % 2 == 0 ? "\",p\n" : "\",q\n");
    return warned(read(text), "read as the same");
  };
  EXPECT_EQ(many({"9007199254740992", "9007199254740993"}), 1U);
  EXPECT_EQ(many({"9007199254740992", "9007199254740994"}), 0U);
  EXPECT_EQ(many({"9007199254740992", "+9007199254740992.0"}), 0U);
  EXPECT_EQ(many({"0.1000000000000000055", "0.1000000000000000056"}), 1U);
  EXPECT_EQ(many({"0.30000000000000004", "0.3", "0.10000000000000001"}), 0U);  // floating point written out
  EXPECT_EQ(many({"1,152,921,504,606,846,976", "1,152,921,504,606,846,977"}), 1U);
  EXPECT_EQ(many({"2024-03-01T12:00:00.500000001", "2024-03-01T12:00:00.500000002"}), 1U);
  EXPECT_EQ(many({"2024-03-01T12:00:00.500001", "2024-03-01T12:00:00.500002"}), 0U);
  EXPECT_EQ(many({"2024-03-01T12:00:00.5", "2024-03-01T13:00:00.500+01:00"}), 0U);
}

TEST(Forms, WarningsOfTablesWithLittleToLearn) {
  EXPECT_EQ(warned(read("a,y\n1,p\n2,p\n"), "all rows have the class 'p'"), 1U);
  EXPECT_EQ(warned(read("a,y\n1,p\n2,q\n"), "all rows have the class"), 0U);
  std::vector<int> ids(30);
  for (int i = 0; i < 30; ++i) ids[static_cast<std::size_t>(i)] = i + 5;
  std::shuffle(ids.begin(), ids.end(), std::mt19937(3));
  std::string text = "id,y\n";
  for (const int id : ids) text += std::to_string(id) + (id % 2 == 0 ? ",p\n" : ",q\n");
  EXPECT_EQ(warned(read(text), "column 'id' numbers the rows from 5 to 34"), 1U);
  EXPECT_EQ(warned(read(text + "5,p\n"), "numbers the rows"), 0U);
  EXPECT_EQ(warned(read(text + ",p\n"), "numbers the rows"), 0U);
}

TEST(Forms, TextsThatDifferInUnseenCharacters) {
  for (const char* unseen : {"\xC2\xA0", "\xE2\x80\x8B", "\xEF\xBB\xBF", "\xE2\x80\xAF"})
    EXPECT_EQ(warned(read("c,y\nred,p\nblue,q\nred"s + unseen + ",q\n"), "are read as different"), 1U);
}

TEST(Forms, RowsWithoutAnEndAreRefusedEarly) {
  EXPECT_EQ(refusal("a,b,y\n1,2,p\n" + std::string(3000000, ',') + "\n1,2,p\n"),
            "t:3:16388: this row has more than 16384 values too many; is a line break missing?");
  EXPECT_EQ(refusal(std::string(3000000, ',') + "\n"),
            "t:1:1048577: more than 1048576 values in the first row; is a line break missing?");
}

TEST(Forms, DatesAsArffDeclaresThem) {
  const auto with = [](const std::string& format, const std::string& values) {
    return read("@relation r\n@attribute at date " + format + "\n@attribute c {p,q}\n@data\n" + values);
  };
  EXPECT_EQ(with("\"dd/MM/yyyy\"", "01/02/2024,p\n03/02/2024,q\n").table.column(0).reading.order,
            Reading::Order::day_first);
  EXPECT_EQ(with("\"MM/dd/yyyy\"", "01/02/2024,p\n03/02/2024,q\n").table.column(0).reading.order,
            Reading::Order::month_first);
  EXPECT_EQ(with("", "2024-01-02,p\n2024-02-03,q\n").table.column(0).reading.kind, Reading::Kind::date);
  EXPECT_EQ(with("\"yyyy-MM-dd'T'HH:mm:ss\"", "\"2024-01-02T10:00:00\",p\n").table.column(0).reading.kind,
            Reading::Kind::moment);
  for (const char* format : {"\"yyyy-dd-MM\"", "\"dd/MM/yy\"", "\"dd.MM.yyyy hh:mm a\""}) {
    const auto file = with(format, "2024-01-02,p\n2024-02-03,q\n");
    EXPECT_EQ(file.table.column(0).type, ColumnType::nominal) << format;
    EXPECT_EQ(warned(file, "stays text: its dates are declared as"), 1U) << format;
  }
}

}  // namespace
}  // namespace beadwork
