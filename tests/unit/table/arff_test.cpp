#include "reading.hpp"

namespace beadwork {
namespace {

TEST(Arff, ReadsDeclarationsAndRows) {
  const auto file = read(
      "% comment\n@RELATION pets\n\n@attribute 'the age' NUMERIC\n@ATTRIBUTE \"fur%\" {short, 'quoted, "
      "value' ,none}\n"
      "@attribute size\treal\n@attribute note string\n@attribute born DATE 'yyyy-MM-dd'\n@attribute "
      "class{a,b,c}\n@DATA\n"
      "1, short,2.5,'it\\'s',2001-01-02,b\n% in between\n\n?,'quoted, value',?,\"say \\\"x\\\"\",?,a\r\n");
  const Table& table = file.table;
  EXPECT_EQ(file.format, TableFormat::arff);
  EXPECT_EQ(names(table), (Texts{"the age", "fur%", "size", "note", "born", "class"}));
  EXPECT_EQ(texts(table.column(0)), (Texts{"1", ""}));
  EXPECT_EQ(table.column(0).type, ColumnType::numeric);
  EXPECT_EQ(table.column(1).levels, (Texts{"short", "quoted, value", "none"}));
  EXPECT_EQ(texts(table.column(1)), (Texts{"short", "quoted, value"}));
  EXPECT_EQ(texts(table.column(3)), (Texts{"it's", "say \"x\""}));
  EXPECT_EQ(texts(table.column(4)), (Texts{"2001-01-02", ""}));
  EXPECT_EQ(table.column(4).type, ColumnType::numeric);
  EXPECT_EQ(table.column(5).levels, (Texts{"a", "b", "c"}));
  EXPECT_EQ(table.target(), 5U);
}

TEST(Arff, DeclarationsDecideTheType) {
  const std::string text =
      "@relation r\n@attribute x integer\n@attribute z {1,2}\n@attribute y real\n@data\n0,1,1.0\n1,2,2\n";
  EXPECT_EQ(read(text).table.column(0).type, ColumnType::numeric);
  EXPECT_EQ(read(text).table.column(1).type, ColumnType::nominal);
  EXPECT_EQ(read(text).table.column(2).levels, (Texts{"1.0", "2"}));
  EXPECT_EQ(read(text, {.numeric = {"z"}}).table.column(1).numbers, (std::vector<double>{1, 2}));
  EXPECT_EQ(read(text, {.nominal = {"x"}}).table.column(0).levels, (Texts{"0", "1"}));
}

TEST(Arff, ADeclaredQuestionMarkIsMissingQuotedOrNot) {
  const auto file = read(
      "@relation r\n@attribute x {'?',a,NA}\n@attribute s string\n@attribute y {k}\n@data\n"
      "?,'?',k\n'?',?,k\nNA,b,k\na,b,k\n");
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"", "", "NA", "a"}));
  EXPECT_EQ(file.table.column(0).levels, (Texts{"a", "NA"}));
  EXPECT_TRUE(file.table.column(0).missing(1));
  EXPECT_EQ(file.table.column(1).levels, (Texts{"?", "b"}));
  EXPECT_EQ(file.notes.back(), "'?' declared as a value of 1 column read as missing");
}

TEST(Arff, QuestionMarkIsMissingWhateverTheOptionsSay) {
  const auto file = read("@relation r\n@attribute x real\n@attribute y {k}\n@data\n?,k\n-9,k\n", {.missing = {"-9"}});
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"", ""}));
}

std::string arff(const std::string& attribute, const std::string& rows) {
  return "@relation r\n" + attribute + "\n@attribute y {k,l}\n@data\n" + rows;
}

TEST(Arff, Refusals) {
  const std::string x = "@attribute x {a,b}";
  EXPECT_EQ(refusal(arff(x, "a,k\nc,k\n")),
            "t:6:1: 'c' is not among the values declared for 'x' {a,b}; declare it there");
  EXPECT_EQ(refusal(arff(x, "{0 a,1 k}\n")), "t:5:1: a sparse row {..}; write all values of the row");
  EXPECT_EQ(refusal(arff(x, "a,k,{5}\n")), "t:5:5: a row weight {..}; write the weights as a column");
  EXPECT_EQ(refusal(arff(x, "a\n")), "t:5:2: this row has 1 value, the header declares 2; complete or remove it");
  EXPECT_EQ(refusal(arff(x, "a,k,l\n")),
            "t:5:5: this row has 3 values, the header declares 2; quote a value that contains the delimiter");
  EXPECT_EQ(refusal(arff(x, "'a,k\n")), "t:5:1: the quote opened here is not closed on its line");
  EXPECT_EQ(refusal(arff(x, "'a\\")), "t:5:1: the quote opened here is not closed on its line");
  EXPECT_EQ(refusal(arff(x, "'a'b,k\n")), "t:5:4: text after a closing quote; write \\' for a quote inside");
  EXPECT_EQ(refusal(arff(x, "a'b,k\n")), "t:5:2: a quote inside an unquoted value; quote the whole value");
  EXPECT_EQ(refusal(arff(x, "a,k % c\n")), "t:5:5: % starts a comment; quote a value that contains it");
  EXPECT_EQ(refusal(arff(x, "a,k\n@attribute z real\n")),
            "t:6:1: a declaration after @data; quote a value that starts with @");
  EXPECT_EQ(refusal(arff(x, "a,?\n")),
            "t:5:3: the class is missing (column 'y'); remove the row, or choose another target");
  EXPECT_EQ(refusal(arff(x, "")), "t:5:1: a header but no rows");
  EXPECT_EQ(refusal(arff("@attribute x numeric", "1,k\nfoo,k\n")), "t:6:1: expected a number in column 'x', got 'foo'");
  EXPECT_EQ(refusal(arff("@attribute x relational", "")),
            "t:2:24: relational attributes are not supported; flatten the table");
  EXPECT_EQ(refusal(arff("@attribute x", "")),
            "t:2:13: expected numeric, real, integer, string, date or {values} after the name");
  EXPECT_EQ(refusal(arff("@attribute x {a,b", "")), "t:2:18: expected , or } in a nominal declaration");
  EXPECT_EQ(refusal(arff("@attribute x {a,,b}", "")), "t:2:17: an empty value in a nominal declaration; quote it");
  EXPECT_EQ(refusal(arff("@attribute x {a,b,a}", "")), "t:2:19: 'a' is declared twice");
  EXPECT_EQ(refusal(arff("@attribute y real", "1,k\n")), "t:3:12: two columns are named 'y'; rename one");
  EXPECT_EQ(refusal(arff("@attribute '' real", "1,k\n")), "t:2:12: column 1 has no name; give it one in the header");
  EXPECT_EQ(refusal(arff("attribute x real", "")), "t:2:1: expected @relation, @attribute or @data");
  EXPECT_EQ(refusal("@relation r\n@attribute x real\n"), "t:3:1: the file ends before @data");
  EXPECT_EQ(refusal("@relation r\n@data\n1\n"), "t:2:6: @data without any @attribute before it");
  EXPECT_EQ(refusal("@relation r\n@attribute y {k}\n@data\nk\n"),
            "t: no input column is left besides the target, the weight and the ignored columns");
}

TEST(Matrix, IsRecognisedByContent) {
  const auto file = read("\n1 0  1 \n0 1 1\r\n\n1 0 0");
  EXPECT_EQ(file.format, TableFormat::matrix);
  EXPECT_EQ(names(file.table), (Texts{"class", "f1", "f2"}));
  EXPECT_EQ(file.table.target(), 0U);
  EXPECT_EQ(texts(file.table.column(0)), (Texts{"1", "0", "1"}));
  EXPECT_EQ(file.table.column(2).levels, (Texts{"1", "0"}));
  EXPECT_EQ(file.notes, (Texts{"target 'class', the first column", "2 blank lines skipped",
                               "no line break at the end of the file"}));
}

TEST(Matrix, TabsNeedTheFormat) {
  EXPECT_EQ(read("1\t0\n0\t1\n", {.format = TableFormat::matrix}).table.num_rows(), 2U);
  EXPECT_EQ(read("1\t0\n0\t1\n", {.header = false}).table.target(), 1U);
  EXPECT_EQ(read("1 0\n0 1\n", {.header = false}).table.target(), 0U);
}

TEST(Matrix, Refusals) {
  EXPECT_EQ(refusal("1 0 1\n0 2 1\n"), "t:2:3: expected 0 or 1, got '2'; read other tables as CSV");
  EXPECT_EQ(refusal("1 0 1\n0 1\n"), "t:2:4: this row has 2 values, the first row has 3; complete or remove it");
  EXPECT_EQ(refusal("1 0 1\n0 1 1 0\n"), "t:2:7: this row has 4 values, the first row has 3; remove the extra values");
  EXPECT_EQ(refusal("1\n0\n", {.format = TableFormat::matrix}),
            "t:1:1: only one column; expected the class and at least one feature");
  EXPECT_EQ(refusal("x 1\n", {.format = TableFormat::matrix}),
            "t:1:1: expected 0 or 1, got 'x'; read other tables as CSV");
}

}  // namespace
}  // namespace beadwork
