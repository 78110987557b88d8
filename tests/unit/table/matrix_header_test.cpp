#include <beadwork/dataset.hpp>
#include <beadwork/table.hpp>

#include <gtest/gtest.h>

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
  EXPECT_EQ(message("# beadwork matrix 1\n"), "m.txt:2:1: a header but no rows");
}

}  // namespace
}  // namespace beadwork
