// The known optima of the paper's sets.

#include "support/repeats.hpp"
#include "unit/search/tables.hpp"

#include <gtest/gtest.h>

namespace beadwork {
namespace {

using namespace test;

std::vector<std::vector<std::string>> reference() {
  std::ifstream in(source_folder() / "tests/reference/optimal_training_error.csv");
  std::vector<std::vector<std::string>> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream fields(line);
    out.emplace_back();
    for (std::string field; std::getline(fields, field, ',');) out.back().push_back(field);
  }
  return out;
}

void check(Kernel kernel, unsigned threads, std::size_t most_depth, const std::string& skip) {
  NEED_TABLES("paper");
  const auto table = reference();
  ASSERT_EQ(table.size(), 16U);
  for (std::size_t i = 1; i < table.size(); ++i) {
    const auto d = load_paper(table[i][0]);
    ASSERT_TRUE(d) << table[i][0];
    const Condensed c = condense(*d);
    EXPECT_EQ(std::to_string(c.features.size()), table[i][3]);
    for (std::size_t depth = 2; depth <= most_depth; ++depth) {
      if (table[i][0] == skip && depth > 4) continue;
      SearchOptions o;
      o.depth = depth;
      o.kernel = kernel;
      o.threads = threads;
      const auto got = search(c, o, {});
      ASSERT_TRUE(got);
      EXPECT_EQ(got->status, SolveStatus::optimal);
      EXPECT_EQ(std::to_string(got->error), table[i][2 + depth]) << table[i][0] << " depth " << depth;
      EXPECT_EQ(naive_cost(*d, {}, got->features), got->error);
    }
  }
}

TEST(SearchPaper, KnownOptima) {
  check(Kernel::automatic, 1, kSanitized ? 5 : 6, "");
}
TEST(SearchPaper, KnownOptimaTwoThreads) {
  check(Kernel::automatic, 2, 5, "");
}
TEST(SearchPaper, KnownOptimaPortable) {
  check(Kernel::portable, 1, 5, "splice-1");
}

}  // namespace
}  // namespace beadwork
