// Which rows a column turns is not told of where a limit comes first; a small diagram is told of under any limit.

#include <beadwork/evidence.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <bit>

namespace beadwork {
namespace {

// The parity of n columns: every combination is a row, and each column turns all of them.
struct Parity {
  explicit Parity(std::size_t n) {
    const std::size_t rows = std::size_t{1} << n;
    Dataset::Parts parts;
    std::vector<Feature> order;
    Binarizer::Parts tests{{}, {}, "y", {"even", "odd"}, "all", {}};
    for (std::size_t f = 0; f < n; ++f) {
      BitColumn column(words_for(rows));
      for (std::size_t r = 0; r < rows; ++r)
        if ((r >> f & 1) != 0) set_bit(column, r);
      parts.columns.push_back(std::move(column));
      parts.feature_names.push_back("f" + std::to_string(f));
      order.emplace_back(f);
      tests.inputs.push_back({parts.feature_names.back(), ColumnType::nominal, {"0", "1"}, {}});
      tests.tests.push_back({f, TestKind::equals, 0, "1"});
    }
    for (std::size_t r = 0; r < rows; ++r) parts.labels.emplace_back(std::popcount(r) % 2);
    parts.class_names = {"even", "odd"};
    dataset = Dataset(std::move(parts));
    binarizer = *Binarizer::make(std::move(tests));
    outcome.features = order;
    outcome.diagram = diagram_of(TruthTable::from_counts(order, 2, count_cells(dataset, order)));
  }
  Dataset dataset;
  Binarizer binarizer;
  Outcome outcome;
};

TEST(Columns, ALimitLeavesOutWhatWouldTakeLong) {
  Control over;
  over.deadline = Deadline::in(-1);
  const std::atomic<bool> yes = true;
  Control interrupted;
  interrupted.interrupt = &yes;
  Parity small(4), large(15);
  for (const Control& control : {over, interrupted}) {
    weigh_columns(small.outcome, small.binarizer, small.dataset, control);
    ASSERT_EQ(small.outcome.columns.size(), 4U);
    for (const ColumnWorth& c : small.outcome.columns) EXPECT_EQ(c.turns, 16);
    weigh_columns(large.outcome, large.binarizer, large.dataset, control);
    EXPECT_TRUE(large.outcome.columns.empty());
  }
}

}  // namespace
}  // namespace beadwork
