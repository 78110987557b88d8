// The tree that a search starts from: complete is complete, and a limit is looked at while it grows.
#include "support/looks.hpp"
#include "unit/search/tables.hpp"
#include <beadwork/search/tree/cart.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace test;
using namespace detail;
using testing_support::Looks;

Problem tangle(std::uint64_t seed, std::size_t rows, std::size_t features, std::size_t classes) {
  Rng rng(seed);
  TableShape shape;
  shape.rows = rows;
  shape.features = features;
  shape.classes = classes;
  shape.noise = 1;
  return *make_problem(std::make_shared<const Condensed>(condense(random_table(rng, shape))), {}, {});
}

TEST(StartTree, EndsWithItsLastTest) {
  for (const std::size_t classes : {2U, 3U, 40U})
    for (std::uint64_t seed = 1; seed < 6; ++seed) {
      const Problem p = tangle(seed, 400, 12, classes);
      std::size_t before = 0;
      for (std::size_t most = 1; most <= 6; ++most) {
        const Looks looks;
        const Candidates used = grow_cart(p, most, looks.never_stopping());
        ASSERT_EQ(used.size(), most);
        // One leaf for the first test. Each further one takes the two leaves of a split at least.
        if (most == 1) {
          EXPECT_EQ(looks.made(), p.candidates.size());
        }
        EXPECT_GT(looks.made(), before);
        before = looks.made();
        // What a tree of fewer tests has, one of more has as well.
        const Candidates more = grow_cart(p, most + 1, {});
        EXPECT_TRUE(std::includes(more.begin(), more.end(), used.begin(), used.end()));
      }
    }
}

TEST(StartTree, EndsSoonAfterALimit) {
  const Problem p = tangle(9, 300, 10, 3);
  const Looks all;
  const Candidates whole = grow_cart(p, 8, all.never_stopping());
  ASSERT_GT(all.made(), 60U);
  for (std::size_t most = 1; most <= all.made(); most += 7) {
    const Looks looks;
    const Candidates some = grow_cart(p, 8, looks.stopping_at(most));
    EXPECT_LE(looks.made(), most + 3);
    EXPECT_TRUE(std::includes(whole.begin(), whole.end(), some.begin(), some.end()));
  }
  Control little;
  little.memory_limit = 1;
  EXPECT_TRUE(grow_cart(p, 8, little).empty());
}

}  // namespace
}  // namespace beadwork
