#include "reading.hpp"

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

namespace beadwork {
namespace {

using namespace std::string_literals;

TEST(Refusal, WhatIsNoText) {
  EXPECT_EQ(refusal(""), "t: the file is empty");
  EXPECT_EQ(refusal("\xEF\xBB\xBF\r\n \n"), "t: the file is empty");
  EXPECT_EQ(refusal("\xFF\xFE\x00\xD8,\0"s), "t: half a character at byte 3; the file is not UTF-16");
  EXPECT_EQ(refusal("\xFF\xFE"
                    "a\0,\0b"s),
            "t: half a character at byte 7; the file is not UTF-16");
  EXPECT_EQ(refusal("a,b\nk,\x81\n", {.encoding = "windows-1252"}), "t: byte 0x81 is none of windows-1252");
  EXPECT_EQ(refusal("a,b\nk,l\n", {.encoding = "ebcdic"}),
            "text_encoding: expected utf-8, latin-1, windows-1252 or utf-16");
  EXPECT_EQ(refusal("[\n {\"a\": 1}]\n"), "t: is JSON; save the table as CSV");
  EXPECT_EQ(refusal("<!DOCTYPE html>\n<p>"), "t: is HTML; save the table as CSV");
  EXPECT_EQ(refusal("\xD0\xCF\x11\xE0...."),
            "t: is an Excel file (.xls) or another one of old Office; save the table as CSV");
  EXPECT_EQ(refusal("\x1F\x8B\x08"), "t: is cut short: its packed data end too early");
  EXPECT_EQ(refusal("PK\x03\x04...."), "t: is a zip archive or a spreadsheet; save the table as CSV");
  EXPECT_EQ(refusal("a,b\nx,\0y\n"s), "t:2:3: a NUL byte; the file is not text");
  EXPECT_EQ(
      refusal("a,b\n\xC3\xA9,\xE9z\n"),
      "t:2:3: byte 0xe9 is not UTF-8; name the encoding (latin-1, windows-1252 or utf-16), or save the file as UTF-8");
}

TEST(Refusal, BytesAreCheckedToTheEnd) {
  std::string text = "a,b\n";
  while (text.size() < (std::size_t{9} << 20)) text += "\xC3\xA9\xE2\x82\xAC,k\n";
  EXPECT_EQ(read(text).table.column(0).levels.size(), 1U);
  EXPECT_NE(refusal(text + "\xE2\x82").find("byte 0xe2 is not UTF-8"), std::string::npos);
}

TEST(Refusal, Quotes) {
  EXPECT_EQ(refusal("a,b\n1,\"x\n2,y\n"), "t:2:3: the quote opened here is never closed");
  EXPECT_EQ(refusal("a,b\n1,\"x\"y\n"), "t:2:6: text after a closing quote; double the quotes inside a quoted value");
  EXPECT_EQ(refusal("a,b\n1,5\" pipe\n"),
            "t:2:4: a quote inside an unquoted value; quote the whole value and double the quote");
  EXPECT_EQ(refusal("a,b\n1, \"x\"\n"),
            "t:2:4: a quote inside an unquoted value; quote the whole value and double the quote");
  EXPECT_EQ(refusal("a,b\r1,2\r"),
            "t:1:4: a carriage return without a line feed; convert the line ends or quote the value");
  EXPECT_EQ(refusal("a,b\n1,\"" + std::string((1 << 20) + 1, 'x') + "\"\n"),
            "t:2:3: a value longer than 1 MiB; is a quote missing somewhere?");
  EXPECT_EQ(read("a,b\n1," + std::string(1 << 20, 'x') + "\n").table.num_rows(), 1U);
}

TEST(Refusal, RaggedRowsSayBothCounts) {
  EXPECT_EQ(refusal("a,b,c\n1,2,3\n\n1,2\n"), "t:4:4: this row has 2 values, the header has 3; complete or remove it");
  EXPECT_EQ(refusal("a,b\n1,2\n\xC3\xA9,2,x\n"),
            "t:3:5: this row has 3 values, the header has 2; quote a value that contains the delimiter");
  EXPECT_EQ(refusal("1,2\n3\n", {.header = false}),
            "t:2:2: this row has 1 value, the first row has 2; complete or remove it");
}

TEST(Refusal, Headers) {
  EXPECT_EQ(refusal("a,b,a\n1,2,3\n"), "t:1:5: two columns are named 'a'; rename one");
  EXPECT_EQ(refusal("a,,c\n1,2,3\n"), "t:1:3: column 2 has no name; give it one in the header");
  EXPECT_EQ(refusal(",b\n1,2\n"), "t:1:1: column 1 has no name; give it one in the header");
  EXPECT_EQ(refusal("a,b\n"), "t:2:1: a header but no rows");
  EXPECT_EQ(refusal("a,b"), "t:1:4: a header but no rows");
  EXPECT_EQ(refusal("5.1,3.5,1\n4.9,3,2\n"),
            "t:1:1: the header has only numbers; use the option for files without a header, or quote the names");
}

TEST(Refusal, Delimiters) {
  EXPECT_EQ(refusal("a;b\n1;2\n", {.delimiter = ','}),
            "t:1:1: only one column with delimiter ',', but the line contains ';'; is that the delimiter?");
  EXPECT_EQ(refusal("a\tb\n1\t2\n", {.delimiter = ','}),
            "t:1:1: only one column with delimiter ',', but the line contains tab; is that the delimiter?");
  EXPECT_EQ(refusal("a,b\n1,2\n", {.delimiter = ';'}),
            "t:1:1: only one column with delimiter ';', but the line contains ','; is that the delimiter?");
  EXPECT_EQ(refusal("a b\n1 2\n"),
            "t:1:1: only one column; columns parted by blanks are not read: separate them by , ; | or tab");
  EXPECT_EQ(refusal("a|b\n", {.delimiter = ':'}), "delimiter: expected , ; | or tab");
}

TEST(Refusal, Numbers) {
  EXPECT_EQ(refusal("x,y\n1,k\n\"1,234\",k\n", {.numeric = {"x"}}),
            "t:3:2: expected a number in column 'x', got '1,234'; write it with a decimal point and without "
            "thousands separators");
  EXPECT_EQ(refusal("x,y\n1,k\ntwo,k\n", {.numeric = {"x"}}),
            "t:3:1: expected a number in column 'x', got 'two'; make the column nominal, or add the text "
            "to the missing values");
  EXPECT_EQ(refusal("x,y\ninf,k\n", {.numeric = {"x"}}),
            "t:2:1: 'inf' is not a finite number; add it to the missing values");
  EXPECT_EQ(refusal("x,y\n1.5,k\n-Infinity,k\n2,k\n"),
            "t:3:1: '-Infinity' is not a finite number; add it to the missing values, or column 'x' to "
            "the nominal ones");
  EXPECT_EQ(refusal("x,y\nnan,k\n2,k\n"),
            "t:2:1: 'nan' is not a finite number; add it to the missing values, or column 'x' to the "
            "nominal ones");
}

TEST(Refusal, Labels) {
  EXPECT_EQ(refusal("x,y\n1,k\n2,\n"),
            "t:3:3: the class is missing (column 'y'); remove the row, or choose another target");
  EXPECT_EQ(refusal("x,y\n1,k\n2,NA\n"),
            "t:3:3: the class is missing (column 'y'); remove the row, or choose another target");
}

TEST(Refusal, Weights) {
  const ReadOptions options{.weight = "w"};
  EXPECT_EQ(refusal("x,w,y\n1,1,k\n1,-2,k\n", options), "t:3:3: expected a weight of 0 or more, got -2");
  EXPECT_EQ(refusal("x,w,y\n1,NaN,k\n", options),
            "t:2:3: the weight is missing (column 'w'); write a number, or remove the row");
  EXPECT_EQ(refusal("x,w,y\n1,inf,k\n", options), "t:2:3: 'inf' is not a finite number; add it to the missing values");
  EXPECT_EQ(refusal("x,w,y\n1,heavy,k\n", options), "t:2:3: expected a number in column 'w', got 'heavy'");
  EXPECT_EQ(refusal("x,w,y\n1,0,k\n2,0.0,k\n", options),
            "t: all weights in column 'w' are 0; at least one row must count");
  EXPECT_EQ(refusal("x,w,y\n1,9e18,k\n2,9e18,k\n", options),
            "t:3:3: the weights add up to more than 2^63; scale them down");
}

TEST(Refusal, Columns) {
  const std::string text = "age,income,class\n1,2,k\n";
  EXPECT_EQ(refusal(text, {.target = "clas"}), "target: t has no column named 'clas'; did you mean 'class'?");
  EXPECT_EQ(refusal(text, {.target = "CLASS"}), "target: t has no column named 'CLASS'; did you mean 'class'?");
  EXPECT_EQ(refusal(text, {.weight = "w"}),
            "weight: t has no column named 'w'; the columns are 'age', 'income', 'class'");
  EXPECT_EQ(refusal("a,b\n1,k\n", {.target = "c"}), "target: t has no column named 'c'; the columns are 'a', 'b'");
  EXPECT_EQ(refusal("a,b\n1,k\n", {.target = "B"}), "target: t has no column named 'B'; did you mean 'b'?");
  EXPECT_EQ(refusal(text, {.numeric = {"agee"}}), "numeric: t has no column named 'agee'; did you mean 'age'?");
  EXPECT_EQ(refusal(text, {.nominal = {"incom"}}), "nominal: t has no column named 'incom'; did you mean 'income'?");
  EXPECT_EQ(refusal(text, {.ignore = {"ages"}}), "ignore: t has no column named 'ages'; did you mean 'age'?");
  EXPECT_EQ(refusal(text, {.target = "4"}),
            "target: t has no column 4: it has 3, numbered from 1, or from -1 at the end");
  EXPECT_EQ(refusal(text, {.target = "0"}),
            "target: t has no column 0: it has 3, numbered from 1, or from -1 at the end");
  EXPECT_EQ(refusal(text, {.target = "-99999999999999999999"}),
            "target: t has no column -99999999999999999999: it has 3, numbered from 1, or from -1 at the end");
  EXPECT_EQ(refusal(text, {.target = "age", .weight = "1"}), "weight: column 'age' is the target already");
  EXPECT_EQ(refusal(text, {.target = "age", .ignore = {"age"}}), "ignore: column 'age' is the target already");
  EXPECT_EQ(refusal(text, {.numeric = {"age"}, .nominal = {"age"}}), "nominal: column 'age' is numeric already");
  EXPECT_EQ(refusal(text, {.numeric = {"class"}}),
            "numeric: column 'class' is the target, which is nominal; choose another target");
  EXPECT_EQ(refusal(text, {.ignore = {"age", "income"}}),
            "t: no input column is left besides the target, the weight and the ignored columns");
  EXPECT_EQ(refusal(text, {.ignore = {"1", "2", "3"}}), "t: no column is left as the target");
}

TEST(Refusal, HostileTextIsShownHarmlessly) {
  EXPECT_EQ(refusal("x,y\n1,k\n", {.target = "\x1b[31m"}),
            "target: t has no column named '\\u{1b}[31m'; the columns are 'x', 'y'");
  EXPECT_EQ(refusal("x,y\n\"a\nb\",k\n", {.numeric = {"x"}}),
            "t:2:2: expected a number in column 'x', got 'a\\u{a}b'; make the column nominal, or add the "
            "text to the missing values");
}

TEST(Refusal, WhatIsNoFile) {
  const auto folder = std::filesystem::temp_directory_path() / ("beadwork_table_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(read_table(folder).error().message, "is a directory, expected a file");
  EXPECT_EQ(read_table(fifo).error().message, "is not a regular file; save it to a file first");
  EXPECT_EQ(read_table(folder / "none").error().message, "cannot open: No such file or directory");
  const std::string path = folder / "t.csv";
  std::ofstream(path) << "a,b\n1\n";
  EXPECT_EQ(read_table(path).error().to_string(),
            path + ":2:2: this row has 1 value, the header has 2; complete or remove it");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace beadwork
