// Plans, records and tables of studies; the runner itself is tested by the command line (tests/cli/test_study.py).
#include <study/study.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <tuple>

namespace beadwork {
namespace {

constexpr const char* kPlan = R"({"name": "x", "sets": ["a", "b"], "depths": [2, 3], "folds": 2, "seeds": [7],
  "learners": [{"name": "cart", "engine": "cart"}, {"name": "facts", "task": "describe"}]})";

TEST(StudyPlan, RunsOfTheGrid) {
  const auto plan = parse_plan(kPlan, "p", "data");
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_EQ(plan->sets[1].path, "data/b");
  std::vector<std::string> keys;
  for (const StudyRun& run : runs_of(*plan)) keys.push_back(entry_of(*plan, run).key());
  EXPECT_EQ(keys, (std::vector<std::string>{"a/depth 2/fold 0 of 2/seed 7/cart", "a/any depth/fold 0 of 2/seed 7/facts",
                                            "a/depth 2/fold 1 of 2/seed 7/cart", "a/any depth/fold 1 of 2/seed 7/facts",
                                            "a/depth 3/fold 0 of 2/seed 7/cart", "a/depth 3/fold 1 of 2/seed 7/cart",
                                            "b/depth 2/fold 0 of 2/seed 7/cart", "b/any depth/fold 0 of 2/seed 7/facts",
                                            "b/depth 2/fold 1 of 2/seed 7/cart", "b/any depth/fold 1 of 2/seed 7/facts",
                                            "b/depth 3/fold 0 of 2/seed 7/cart", "b/depth 3/fold 1 of 2/seed 7/cart"}));
}

TEST(StudyPlan, ASetMayHaveSharesOfItsOwn) {
  const auto plan =
      parse_plan(R"({"name": "x", "sets": ["a", {"name": "b", "shares": ["0.3"]}], "shares": ["0.1", "0.2"],
    "learners": [{"name": "least", "task": "min-depth"}],
    "tables": [{"name": "t", "rows": ["dataset", "ratio"], "columns": [{"title": "d", "learner": "least", "measure": "least_depth"}]}]})",
                 "p", "data");
  ASSERT_TRUE(plan) << plan.error().to_string();
  EXPECT_EQ(plan->sets[1].path, "data/b");
  std::vector<std::string> keys;
  for (const StudyRun& run : runs_of(*plan)) keys.push_back(entry_of(*plan, run).key());
  EXPECT_EQ(keys, (std::vector<std::string>{"a/any depth/share 0.1/seed 1/least", "a/any depth/share 0.2/seed 1/least",
                                            "b/any depth/share 0.3/seed 1/least"}));
  StudyEntry e;
  e.set = "b";
  e.part = "share 0.3";
  e.learner = "least";
  e.status = "optimal";
  e.seed = 1;
  e.measures = {{"least_depth", 4}};
  const FilledTable t = fill(*plan, plan->tables[0], {}, {e});
  EXPECT_NE(to_csv(t).find("b,0.3,4.00"), std::string::npos) << to_csv(t);
}

TEST(StudyPlan, ATableMayBeOverAllSets) {
  const auto plan = parse_plan(R"({"name": "x", "sets": ["a", "b"], "depths": [2, 3], "folds": 2,
    "learners": [{"name": "cart", "engine": "cart"}],
    "tables": [{"name": "t", "rows": ["depth"], "columns": [{"title": "d", "learner": "cart", "measure": "test"}]}]})",
                               "p", "data");
  ASSERT_TRUE(plan) << plan.error().to_string();
  std::vector<StudyEntry> entries;
  for (const auto& [set, depth, test] :
       {std::tuple{"a", 2, 80.0}, std::tuple{"b", 2, 90.0}, std::tuple{"a", 3, 70.0}}) {
    StudyEntry e;
    e.set = set;
    e.part = "fold 0 of 2";
    e.learner = "cart";
    e.status = "feasible";
    e.depth = static_cast<std::size_t>(depth);
    e.measures = {{"test", test}};
    entries.push_back(e);
  }
  const std::string csv = to_csv(fill(*plan, plan->tables[0], {}, entries));
  EXPECT_NE(csv.find("2,85.00"), std::string::npos) << csv;
  EXPECT_NE(csv.find("3,70.00"), std::string::npos) << csv;
}

TEST(StudyFigures, ARaceShowsTheShareProven) {
  const auto plan = parse_plan(R"({"name": "x", "sets": ["a", "b"], "depths": [2], "folds": 2,
    "learners": [{"name": "search", "engine": "search"}],
    "figures": [{"name": "r", "kind": "race", "series": [
      {"title": "ours", "learner": "search", "measure": "seconds", "share": "optimal"}]}]})",
                               "p", "data");
  ASSERT_TRUE(plan) << plan.error().to_string();
  std::vector<StudyEntry> entries;
  for (const auto& [set, part, status] :
       {std::tuple{"a", "fold 0 of 2", "optimal"}, std::tuple{"a", "fold 1 of 2", "optimal"},
        std::tuple{"b", "fold 0 of 2", "optimal"}, std::tuple{"b", "fold 1 of 2", "feasible"}}) {
    StudyEntry e;
    e.set = set;
    e.part = part;
    e.learner = "search";
    e.status = status;
    e.depth = 2;
    e.measures = {{"seconds", 0.5}};
    entries.push_back(e);
  }
  const std::string svg = draw(*plan, plan->figures[0], {}, entries);
  EXPECT_NE(svg.find("ours, 75 % proven"), std::string::npos);  // a: all, b: half
  EXPECT_NE(svg.find("fill-opacity=\"0.90\"><title>dataset a"), std::string::npos);
  EXPECT_NE(svg.find("fill-opacity=\"0.45\"><title>dataset b, depth 2, ours: 0.5 s, 50 % proven"), std::string::npos);
}

// What is wrong with a plan that has this in place of its tables and of its learners.
std::string refusal(const std::string& rest, const std::string& learners = R"([{"name": "f", "task": "describe"}])") {
  const auto plan =
      parse_plan(R"({"name": "x", "sets": ["a"], )" + rest + R"("learners": )" + learners + "}", "p", "data");
  return plan ? "none" : plan.error().to_string();
}

TEST(StudyPlan, NamesOfFilesArePlain) {
  for (const char* name : {"../../escaped", "/etc/x", "a.b", "..", "", "a b", "-x", "a\\u0000b", "ü"}) {
    const std::string table = std::string(R"("tables": [{"name": ")") + name + R"(", "rows": [], "columns": []}], )";
    const std::string figure =
        std::string(R"("figures": [{"name": ")") + name + R"(", "kind": "boxes", "series": []}], )";
    EXPECT_TRUE(refusal(table).starts_with("p, table 1: a file name may have only")) << refusal(table);
    EXPECT_TRUE(refusal(figure).starts_with("p, figure 1: a file name may have only")) << refusal(figure);
  }
  EXPECT_EQ(refusal(R"("tables": [{"name": "Table_4-a", "rows": [], "columns": []}], )"), "none");
}

TEST(StudyPlan, HostileFilesAreRefusedInOneLine) {
  EXPECT_EQ(refusal(R"("tables": [{"name": "t", "rows": ["set"], "columns": []}], )"),
            "p, table 1: expected rows by dataset, depth or ratio, got 'set'");
  const std::string deep(200'000, '[');
  EXPECT_EQ(parse_plan(deep, "p", "").error().to_string(), "p: is nested deeper than 64 levels");
  EXPECT_EQ(parse_line(deep + std::string(200'000, ']'), "r:1").error().to_string(),
            "r:1: is nested deeper than 64 levels");
  EXPECT_EQ(refusal(R"("folds": 1, "folds": 2, )"), "p: has the key \"folds\" twice in one object");
  EXPECT_EQ(refusal(R"("folds": 1000000000000, )"), "p: 1000000000000 in 'folds' is more than the 1000000 allowed");
  EXPECT_EQ(refusal(R"("depths": [21], )"), "p: 21 in 'depths' is more than the 20 allowed");
  std::string many = "1";
  for (int i = 2; i < 22; ++i) many += ", " + std::to_string(i);
  EXPECT_EQ(refusal(R"("folds": 1000000, "seeds": [)" + many + "], "), "p: more than 10000000 runs");
  for (const char* option : {"proof", "certificate", "checkpoint", "resume"})
    EXPECT_EQ(refusal(R"("depths": [1], )", std::string(R"([{"name": "a", "engine": "search", "options": {")") +
                                                option + R"(": "/tmp/x"}}])"),
              std::string("p, learner 1: a study file may not set '") + option + "', which names a file to write");
}

TEST(StudyRunner, ASolverIsRunOnlyWhereAllowed) {
  const auto plan = parse_plan(R"({"name": "x", "sets": [], "depths": [1],
    "learners": [{"name": "m", "engine": "maxsat", "options": {"solver": "evil -q"}}]})",
                               "p", "");
  ASSERT_TRUE(plan) << plan.error().to_string();
  const std::string record = testing::TempDir() + "beadwork_allowed.jsonl";
  const auto refused = run_study(*plan, {.record = record});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().to_string(), "x: learner 'm' runs the program 'evil -q', which needs --allow-solver");
  EXPECT_FALSE(std::filesystem::exists(record));
  EXPECT_TRUE(run_study(*plan, {.record = record, .allow_solver = true}));
  std::filesystem::remove(record);
}

TEST(StudyRunner, ASolverThatIsNotThereIsToldBeforeTheRuns) {
  const auto plan = parse_plan(R"({"name": "x", "sets": ["a"], "depths": [1],
    "learners": [{"name": "m", "engine": "maxsat", "options": {"solver": "no-such-solver -q"}},
                 {"name": "c", "engine": "cart"}]})",
                               "p", testing::TempDir());
  ASSERT_TRUE(plan) << plan.error().to_string();
  const std::string record = testing::TempDir() + "beadwork_there.jsonl";
  const auto run = [&](const std::string& only) {
    const auto summary = run_study(*plan, {.record = record, .only = only, .allow_solver = true});
    std::filesystem::remove(record);
    return summary ? "none" : summary.error().to_string();
  };
  EXPECT_EQ(run(""), "x: learner 'm' runs the program 'no-such-solver', which is not there");
  EXPECT_EQ(run("/c").find("no-such-solver"), std::string::npos);  // other learners do not need it
}

TEST(StudyFigures, HugeValuesDoNotHangTheAxes) {
  const auto plan = parse_plan(R"({"name": "x", "sets": ["a", "b"], "depths": [2],
    "learners": [{"name": "search", "engine": "search"}],
    "figures": [{"name": "r", "kind": "race", "series": [{"title": "t", "learner": "search", "measure": "m"}]},
                {"name": "b", "kind": "boxes", "series": [{"title": "t", "learner": "search", "measure": "m"}]},
                {"name": "s", "kind": "scatter", "series": [{"title": "t", "learner": "search", "measure": "m"},
                                                            {"title": "t", "learner": "search", "measure": "m"}]}]})",
                               "p", "");
  ASSERT_TRUE(plan) << plan.error().to_string();
  for (const double value : {1.7e308, -1.7e308, 1e300, 1e17, 0.0}) {
    StudyEntry e;
    e.set = "a";
    e.learner = "search";
    e.depth = 2;
    e.measures = {{"m", value}};
    StudyEntry other = e;
    other.set = "b";
    other.measures["m"] = value * 0.999999;
    for (const StudyFigure& figure : plan->figures) EXPECT_LT(draw(*plan, figure, {}, {e, other}).size(), 1U << 20);
  }
}

TEST(StudyPlan, SharesAreChecked) {
  const auto plan_of = [](const std::string& sets, const std::string& rest) {
    return parse_plan(
        "{\"name\": \"x\", \"sets\": [" + sets + "]," + rest + R"("learners": [{"name": "f", "task": "describe"}]})",
        "p", "data");
  };
  EXPECT_EQ(plan_of(R"({"name": "b", "shares": ["2"]})", "").error().to_string(),
            "p, set 1: '2' is not a share between 0 and 1");
  EXPECT_EQ(plan_of(R"({"name": "b", "share": ["0.2"]})", "").error().to_string(),
            "p, set 1: expected a list 'shares'");
  EXPECT_EQ(plan_of("7", "").error().to_string(), "p, set 1: expected a text or an object for a set");
  EXPECT_EQ(plan_of(R"({"name": "b", "shares": ["0.2"]})", R"("folds": 2, )").error().to_string(),
            "p: folds and shares exclude each other");
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

TEST(StudyRecord, SeedsAndDepthsAreWholeNumbers) {
  for (const char* field : {R"("seed": 1e308)", R"("seed": -1)", R"("depth": 2.5)", R"("depth": true)"}) {
    const std::string line = R"({"set": "a", "learner": "c", "status": "optimal", )" + std::string(field) + "}\n";
    EXPECT_FALSE(parse_record(line, "r")) << line;
  }
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
  EXPECT_DOUBLE_EQ(measured(entries, {{"dataset", "a"}}, "cart", "train").deviation, std::sqrt(50));
  Published published;
  published.rows = {{{"dataset", "a"}, {"ratio", "0.10"}, {"x", "5"}, {"t", "TO"}}};
  EXPECT_EQ(published.value({{"dataset", "a"}, {"ratio", "0.1"}}, "x"), 5);
  EXPECT_EQ(published.value({{"dataset", "a"}}, "t"), std::nullopt);
  EXPECT_EQ(published.text({{"dataset", "a"}}, "t"), "TO");
}

}  // namespace
}  // namespace beadwork
