// The tree that a search over sorted columns starts from ends with its last test.
#include "support/looks.hpp"
#include "unit/ordered/tables.hpp"
#include <beadwork/ordered/problem.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

TEST(OrderedStartTree, EndsWithItsLastTest) {
  Rng rng(4);
  test::Shape shape;
  shape.rows = 500;
  shape.columns = 6;
  shape.values = 60;
  shape.noise = 1;
  const auto data = rank(test::random_table(rng, shape));
  ASSERT_TRUE(data);
  OrderedOptions options;
  options.depth = 1;
  const testing_support::Looks looks;
  const auto problem = ordered::make_problem(*data, options, looks.never_stopping());
  ASSERT_TRUE(problem);
  EXPECT_EQ(problem->cart.size(), 1U);
  EXPECT_LE(looks.made(),
            4 * data->columns.size() + 8);  // a look at each column for its one leaf, and the preparation's
}

}  // namespace
}  // namespace beadwork
