#include <beadwork/encoding.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace beadwork {
namespace {

Dataset random_dataset(Rng& rng, std::size_t rows, std::size_t features, std::size_t classes = 2) {
  Dataset::Parts p;
  for (std::size_t f = 0; f < features; ++f) {
    BitColumn c(words_for(rows));
    set_bit(c, rng.below(rows));  // never all-zero
    for (std::size_t r = 0; r < rows; ++r)
      if (rng.below(2) == 1) set_bit(c, r);
    p.columns.push_back(c);
    p.feature_names.push_back(fmt::format("f{}", f));
  }
  for (std::size_t r = 0; r < rows; ++r) p.labels.emplace_back(rng.below(classes));
  for (std::size_t k = 0; k < classes; ++k) p.class_names.push_back(std::to_string(k));
  return Dataset(std::move(p));
}

TEST(EncodingSize, ClosedFormsHoldToTheLiteral) {
  Rng rng(1);
  for (std::size_t depth = 1; depth <= 6; ++depth)
    for (std::size_t features : {1U, 2U, 3U, 7U, 21U}) {
      const std::size_t rows = 5 + rng.below(40);
      const auto e = faithful_examples(random_dataset(rng, rows, features));
      ASSERT_TRUE(e);
      CountingSink one;
      encode_bdd1(*e, depth, unnamed(one));
      EXPECT_EQ(one.size.literals, bdd1_literals(rows, features, depth)) << depth << ' ' << features;
      CountingSink two;
      encode_bdd2(*e, depth, unnamed(two));
      EXPECT_EQ(two.size.literals, bdd2_literals(rows, features, depth)) << depth << ' ' << features;
      EXPECT_EQ(size_of(maxsat_model(Encoding::bdd2, *e, depth)).literals, two.size.literals);
    }
}

// The paper's Example 2: eight rows, four features.
TEST(EncodingSize, OfTheSmallestDepths) {
  EXPECT_EQ(bdd2_literals(8, 4, 1), 152U);
  EXPECT_EQ(bdd2_literals(8, 4, 2), 344U);
}

}  // namespace
}  // namespace beadwork
