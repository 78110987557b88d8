#include <beadwork/dataset.hpp>
#include <beadwork/table.hpp>

#include <gtest/gtest.h>

#include <sstream>

namespace beadwork {
namespace {

// What binarize writes is read back: names, several classes, weights.
TEST(MatrixHeader, RoundTripOfBinarize) {
  const auto csv = parse_table("a,n,w,y\nx,1,0.5,p\nz,2,1,q\nx,3,2,r\ny,3,10,q\n", "d.csv", {.weight = "w"});
  ASSERT_TRUE(csv) << csv.error().to_string();
  const Dataset dataset = *Binarizer::fit(csv->table, {})->apply(csv->table);
  const auto again = parse_table(matrix_text(dataset), "m.txt");
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->format, TableFormat::matrix);
  const Dataset back = *Binarizer::fit(again->table, {})->apply(again->table);
  EXPECT_EQ(back.feature_names(), dataset.feature_names());
  EXPECT_EQ(back.class_names(), dataset.class_names());
  EXPECT_EQ(canonical_text(back), canonical_text(dataset));
}

// Whatever the scale, reading a matrix gives the integers and the scale that were written.
// Without the rows whose weight is 0, also after rounding: no file's rows of weight 0 are learnt from.
std::string that_count(const std::string& canonical) {
  std::istringstream lines(canonical);
  std::string out;
  for (std::string line; std::getline(lines, line);)
    if (line.substr(line.find(' ')).rfind(" 0 ", 0) != 0) out += line + '\n';
  return out;
}

TEST(MatrixHeader, WeightsKeepTheirScale) {
  for (const char* weights :
       {"0.5 0.3 0.7", "0.1 0.1 0.1", "0.25 1.5 3", "0.333333 12 0.1", "1e-9 1 5", "0.3333333333333333 0.1 7",
        "1000000000000.5 0.125 3", "3e15 0.5 1", "123456789012 0.000000001 1", "7 14 3.5"}) {
    std::istringstream words(weights);
    std::string a, b, c;
    words >> a >> b >> c;
    const auto csv = parse_table("x,w,y\n0," + a + ",p\n1," + b + ",q\n1," + c + ",p\n", "d.csv", {.weight = "w"});
    ASSERT_TRUE(csv) << csv.error().to_string();
    const Dataset dataset = *Binarizer::fit(csv->table, {})->apply(csv->table);
    const auto again = parse_table(matrix_text(dataset), "m.txt");
    ASSERT_TRUE(again) << again.error().to_string();
    const Dataset back = *Binarizer::fit(again->table, {})->apply(again->table);
    EXPECT_EQ(back.weight_scale(), dataset.weight_scale()) << weights;
    EXPECT_EQ(that_count(canonical_text(back)), that_count(canonical_text(dataset))) << weights;
  }
}

TEST(MatrixHeader, Refusals) {
  const auto message = [](std::string_view text) { return parse_table(text, "m.txt").error().to_string(); };
  EXPECT_EQ(message("# beadwork matrix 1\n# class 0 a\n# class 1 b\n2 0\n"),
            "m.txt:4:1: expected the number of a class, got '2'; read other tables as CSV");
  EXPECT_EQ(message("# beadwork matrix 1\n# weights\n0 -1 0\n"),
            "m.txt:3:3: expected a whole weight, got '-1'; read other tables as CSV");
  EXPECT_EQ(message("# beadwork matrix 1\n# feature 1 x\n0 1\n"),
            "m.txt:2:11: expected '# feature 0 NAME'; names are numbered from 0");
  EXPECT_EQ(message("# beadwork matrix 1\n# feature 0 x\n0 1 1\n"),
            "m.txt:3:6: this row has 2 features, the header names 1");
  EXPECT_EQ(message("# beadwork matrix 1\n# weights\n# weight-scale 0\n0 1 0\n"),
            "m.txt:3:16: expected '# weight-scale N', what the weights are to be divided by");
  EXPECT_EQ(message("# beadwork matrix 1\n"), "m.txt:2:1: a header but no rows");
}

}  // namespace
}  // namespace beadwork
