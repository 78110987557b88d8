// Plans, records and tables of studies; the runner itself is tested by the command line (tests/cli/test_study.py).
#include <gtest/gtest.h>

#include <beadwork/study.hpp>

namespace beadwork {
namespace {

constexpr const char* kPlan = R"({"name": "x", "sets": ["a", "b"], "depths": [2, 3], "folds": 2, "seeds": [7],
  "learners": [{"name": "cart", "engine": "cart"}, {"name": "facts", "task": "describe"}]})";

TEST(StudyPlan, RunsOfTheGrid) {
  const auto plan = parse_plan(kPlan, "p", "data");
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_EQ(plan->sets[1].path, "data/b");
  std::vector<std::string> keys;
  for (const StudyRun& run : runs_of(*plan)) keys.push_back(key_of(*plan, run));
  EXPECT_EQ(keys, (std::vector<std::string>{
                      "a/depth 2/fold 0 of 2/seed 7/cart", "a/any depth/fold 0 of 2/seed 7/facts",
                      "a/depth 2/fold 1 of 2/seed 7/cart", "a/any depth/fold 1 of 2/seed 7/facts",
                      "a/depth 3/fold 0 of 2/seed 7/cart", "a/depth 3/fold 1 of 2/seed 7/cart",
                      "b/depth 2/fold 0 of 2/seed 7/cart", "b/any depth/fold 0 of 2/seed 7/facts",
                      "b/depth 2/fold 1 of 2/seed 7/cart", "b/any depth/fold 1 of 2/seed 7/facts",
                      "b/depth 3/fold 0 of 2/seed 7/cart", "b/depth 3/fold 1 of 2/seed 7/cart"}));
}

StudyEntry entry(const std::string& set, double train) {
  StudyEntry e;
  e.set = set;
  e.part = "fold 0 of 2";
  e.learner = "cart";
  e.status = "feasible";
  e.depth = 2;
  e.settings = {{"impurity", "gini"}};
  e.note = "line\nbreak \"quoted\"";
  e.measures = {{"train", train}, {"seconds", 0.25}};
  return e;
}

TEST(StudyRecord, LinesReadBack) {
  const StudyEntry e = entry("a", 90);
  const std::string line = to_line(e);
  EXPECT_EQ(line.find('\n'), line.size() - 1);
  const auto back = parse_line(line.substr(0, line.size() - 1), "x");
  ASSERT_TRUE(back);
  EXPECT_EQ(*back, e);
}

TEST(StudyRecord, ATornLastLineIsNoEntry) {
  const std::string whole = to_line(entry("a", 90)) + to_line(entry("b", 80));
  for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
    const auto record = parse_record(whole.substr(0, cut), "r");
    ASSERT_TRUE(record) << cut;
    const std::size_t lines = cut == whole.size() ? 2 : cut >= whole.find('\n') + 1 ? 1 : 0;
    EXPECT_EQ(record->entries.size(), lines);
    EXPECT_EQ(record->torn, lines == 0 ? cut : lines == 1 ? cut - whole.find('\n') - 1 : 0);
  }
  EXPECT_FALSE(parse_record("nonsense\n", "r"));
}

TEST(StudyRecord, MergingKeepsOneOfEqualsAndRefusesOthers) {
  StudyEntry slow = entry("a", 90);
  slow.measures["seconds"] = 99;
  const StudyRecord one{{entry("b", 80), entry("a", 90)}, 0}, two{{slow}, 0}, three{{entry("a", 91)}, 0};
  const auto merged = merge_records(std::vector{one, two});
  ASSERT_TRUE(merged);
  ASSERT_EQ(merged->size(), 2U);
  EXPECT_EQ((*merged)[0].set, "a");
  EXPECT_FALSE(merge_records(std::vector{one, three}));
}

TEST(StudyTable, MeansBesideThePublished) {
  const std::vector<StudyEntry> entries = {entry("a", 90), entry("a", 80), entry("b", 70)};
  EXPECT_EQ(measured(entries, {{"dataset", "a"}, {"depth", "2"}}, "cart", "train").ours, 85);
  EXPECT_EQ(measured(entries, {{"dataset", "a"}, {"depth", "3"}}, "cart", "train").ours, std::nullopt);
  EXPECT_EQ(measured(entries, {{"dataset", "b"}}, "cart", "optimal").ours, 0);
  Published published;
  published.rows = {{{"dataset", "a"}, {"ratio", "0.10"}, {"x", "5"}, {"t", "TO"}}};
  EXPECT_EQ(published.value({{"dataset", "a"}, {"ratio", "0.1"}}, "x"), 5);
  EXPECT_EQ(published.value({{"dataset", "a"}}, "t"), std::nullopt);
  EXPECT_EQ(published.text({{"dataset", "a"}}, "t"), "TO");
}

}  // namespace
}  // namespace beadwork
