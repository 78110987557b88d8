// What a run of each task records, and what the runner does with runs that end badly.
#include "support/datasets.hpp"
#include <beadwork/encoding.hpp>
#include <study/study.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace beadwork {
namespace {

using namespace testing_support;

StudyPlan plan_from(const std::string& learner, const std::string& rest, const std::string& sets = R"(["s.csv"])",
                    const std::string& data = "") {
  auto plan =
      parse_plan(R"({"name": "x", "sets": )" + sets + ", " + rest + R"("learners": [)" + learner + "]}", "p", data);
  EXPECT_TRUE(plan) << plan.error().to_string();
  return plan ? *plan : StudyPlan{};
}

std::string refused(const std::string& learner) {
  const auto plan =
      parse_plan(R"({"name": "x", "sets": ["a"], "depths": [1], "learners": [)" + learner + "]}", "p", "");
  return plan ? "none" : plan.error().to_string();
}

// The exclusive or of the first two features; the third says nothing.
std::vector<BitRow> exclusive_or() {
  std::vector<BitRow> rows;
  for (std::size_t i = 0; i < 24; ++i) {
    const std::string bits = {i & 1 ? '1' : '0', i & 2 ? '1' : '0', i & 4 ? '1' : '0'};
    rows.push_back({bits, (i & 1) ^ (i >> 1 & 1)});
  }
  return rows;
}

StudyEntry first_run(const StudyPlan& plan, const Dataset& data) {
  return run_one(plan, runs_of(plan).front(), data);
}

TEST(StudyRun, DescribesASet) {
  auto rows = exclusive_or();
  rows.push_back({"000", 1, 3});  // contradicts rows 0, 8 and 16, which weigh 3
  const StudyEntry e = first_run(plan_from(R"({"name": "f", "task": "describe"})", ""), dataset_of(rows, 3));
  EXPECT_EQ(e.status, "optimal");
  const std::map<std::string, double> expected = {{"rows", 25},
                                                  {"features", 3},
                                                  {"distinct_rows", 8},
                                                  {"distinct_features", 3},
                                                  {"unavoidable_errors", 3},
                                                  {"positive", 15.0 / 27}};
  EXPECT_EQ(e.measures, expected);
}

TEST(StudyRun, TheLeastDepthOfAnExclusiveOrIsTwo) {
  const Dataset data = dataset_of(exclusive_or(), 3);
  for (const char* options : {"{}", R"({"start": "3"})", R"({"start": "1", "floor": "1"})", R"({"floor": "2"})",
                              R"({"encoding": "bdd1", "time-limit": "60"})"}) {
    const std::string learner =
        std::string(R"({"name": "l", "task": "min-depth", "literals": "bdd1", "options": )") + options + "}";
    const StudyEntry e = first_run(plan_from(learner, ""), data);
    EXPECT_EQ(e.status, "optimal") << options << e.note;
    EXPECT_EQ(e.engine, "sat");
    EXPECT_EQ(e.measures.at("least_depth"), 2);
    EXPECT_EQ(e.measures.at("errors"), 0);
    EXPECT_EQ(e.measures.at("test"), 100);  // the whole set is tested on itself
    EXPECT_EQ(e.measures.at("literals"), static_cast<double>(bdd1_literals(24, 3, 2)));
  }
  auto rows = exclusive_or();
  rows.push_back({"000", 1});
  const StudyEntry none = first_run(plan_from(R"({"name": "l", "task": "min-depth"})", ""), dataset_of(rows, 3));
  EXPECT_EQ(none.status, "infeasible");
  EXPECT_FALSE(none.measures.contains("least_depth"));
}

TEST(StudyRun, BiasesOfOneSolutionAreThoseOfTheirOwnRuns) {
  Rng rng(7);
  for (int round = 0; round < 6; ++round) {
    std::vector<BitRow> rows;
    for (int i = 0; i < 9; ++i) {
      std::string bits;
      for (int f = 0; f < 5; ++f) bits += rng.below(2) != 0 ? '1' : '0';
      rows.push_back({bits, rng.below(2)});
    }
    rows.push_back({"00000", 0});
    rows.push_back({"11111", 1});
    const Dataset data = dataset_of(rows, 5);
    const auto run = [&](const std::string& bias, const std::string& more) {
      const std::string learner =
          R"({"name": "m", "engine": "maxsat", "options": {"faithful": true, "bias": ")" + bias + "\"}" + more + "}";
      return first_run(plan_from(learner, R"("depths": [4], "folds": 3, )"), data);
    };
    const StudyEntry all = run("S", R"(, "biases": ["P", "C", "S"])");
    ASSERT_EQ(all.status, "optimal") << all.note;
    for (const std::string bias : {"P", "C", "S"}) {
      const StudyEntry one = run(bias, "");
      for (const std::string measure : {"errors", "train", "test", "size", "inner_nodes", "features"})
        EXPECT_EQ(all.measures.at(measure + "_" + bias), one.measures.at(measure)) << measure << bias;
    }
  }
}

TEST(StudyRun, BiasesAreThoseOfASolver) {
  const auto learner = [](const std::string& engine, const std::string& bias, const std::string& biases) {
    return refused(R"({"name": "m", "engine": ")" + engine + R"(", "options": {"bias": ")" + bias +
                   R"("}, "biases": [)" + biases + "]}");
  };
  EXPECT_EQ(learner("maxsat", "S", R"("P", "C")"), "none");
  EXPECT_EQ(learner("maxsat", "S", R"("N")"), "p, learner 1: expected biases P, C or S, got 'N'");
  EXPECT_EQ(learner("maxsat", "S", "7"), "p, learner 1: 'biases' is not a list of texts");
  for (const auto& [engine, bias] : {std::pair{"maxsat", "P"}, {"search", "S"}})
    EXPECT_EQ(learner(engine, bias, R"("P")"), "p, learner 1: biases of one solution need engine maxsat with bias S");
}

// A solver that has no tree in time: what the engine answers then is not the solver's.
TEST(StudyRun, ATreeThatNoSolverFoundIsNoAnswer) {
  const Dataset data = dataset_of(exclusive_or(), 3);
  const auto run = [&](const std::string& options) {
    const std::string learner = R"({"name": "t", "engine": "maxsat-dt", "options": )" + options + "}";
    return first_run(plan_from(learner, R"("depths": [2], )"), data);
  };
  const StudyEntry none = run(R"({"solver": "sh -c 'echo s UNKNOWN'"})");
  EXPECT_EQ(none.status, "unknown");
  EXPECT_EQ(none.note, "no tree in time");
  EXPECT_TRUE(none.measures.contains("seconds"));
  EXPECT_FALSE(none.measures.contains("train"));
  EXPECT_EQ(run("{}").measures.at("train"), 100);
}

TEST(StudyRun, DepthsOfTheLeastDepthAreChecked) {
  for (const char* depth : {"0", "21", "1.5", "x", "-1"})
    for (const char* option : {"start", "floor"})
      EXPECT_EQ(refused(std::string(R"({"name": "l", "task": "min-depth", "options": {")") + option + "\": \"" + depth +
                        "\"}}"),
                std::string("p, learner 1: ") + option + ": expected a depth from 1 to 20");
  EXPECT_NE(refused(R"({"name": "l", "engine": "search", "options": {"start": "3"}})"), "none");
}

// The rows to train on are as many as the share says, of each class where the study is stratified.
TEST(StudyRun, SharesOfTheRows) {
  std::vector<BitRow> rows;
  for (std::size_t i = 0; i < 40; ++i) rows.push_back({i % 4 == 0 ? "1" : "0", i % 4 == 0 ? 1U : 0U});
  const Dataset data = dataset_of(rows, 1);
  const std::string describe_it = R"({"name": "f", "task": "describe"})";
  for (const char* seeds : {"[1]", "[2]", "[3]"}) {
    const std::string grid = std::string(R"("shares": ["0.5"], "seeds": )") + seeds + ", ";
    const StudyEntry plain = first_run(plan_from(describe_it, grid), data);
    EXPECT_EQ(plain.measures.at("rows"), 20);
    const StudyEntry even = first_run(plan_from(describe_it, grid + R"("stratified": true, )"), data);
    EXPECT_EQ(even.measures.at("rows"), 20);
    EXPECT_EQ(even.measures.at("positive"), 0.25);
  }
  const StudyEntry fold = first_run(plan_from(describe_it, R"("folds": 5, "stratified": true, )"), data);
  EXPECT_EQ(fold.measures.at("rows"), 32);
  EXPECT_EQ(fold.measures.at("positive"), 0.25);
}

// A table whose tree of depth 2 tests three of its six features.
Dataset three_of_six() {
  Rng rng(11);
  Request cart;
  cart.run.engine.chosen = find_engine("cart");
  cart.run.depth.most = 2;
  while (true) {
    Dataset data = dataset_of(random_rows(rng, 30, 6, 2, false), 6);
    if (learn(data, cart)->diagram->used_features().size() == 3) return data;
  }
}

std::size_t literals_of_trees(const Examples& examples, std::size_t depth) {
  Wcnf formula;
  lift_dt(examples, depth, named(formula), [&](Clause clause, Weight weight) { formula.add_soft(clause, weight); });
  return size_of(formula).literals;
}

TEST(StudyRun, LiteralsAsTheFormulasAreWritten) {
  const Dataset data = three_of_six();
  const auto literals = [&](const std::string& formula, const std::string& options) {
    const auto plan =
        plan_from(R"({"name": "l", "engine": "search", "literals": ")" + formula + R"(", "options": )" + options + "}",
                  R"("depths": [2], )");
    const StudyEntry e = first_run(plan, data);
    EXPECT_EQ(e.status, "optimal") << e.note;
    return e.measures.contains("literals") ? e.measures.at("literals") : -1;
  };
  EXPECT_EQ(literals("bdd1", "{}"), static_cast<double>(bdd1_literals(30, 6, 2)));
  EXPECT_EQ(literals("dt", "{}"), static_cast<double>(literals_of_trees(*faithful_examples(data, true), 2)));
  EXPECT_EQ(literals("bdd1", R"({"depth": "1"})"), static_cast<double>(bdd1_literals(30, 6, 1)));
  EXPECT_EQ(literals("bdd2", R"({"features-from": "cart"})"), static_cast<double>(bdd2_literals(30, 3, 2)));
}

// The formula that is solved has merged rows; a table of two features has a formula as well.
TEST(StudyRun, LiteralsOfWhatIsSolvedAndOfFewFeatures) {
  const Dataset data = dataset_of(exclusive_or(), 3);
  const StudyEntry trees =
      first_run(plan_from(R"({"name": "l", "engine": "maxsat-dt", "literals": "dt"})", R"("depths": [2], )"), data);
  EXPECT_EQ(trees.measures.at("literals"), static_cast<double>(literals_of_trees(*faithful_examples(data, true), 2)));
  EXPECT_EQ(trees.measures.at("literals_solved"), static_cast<double>(literals_of_trees(merged_examples(data), 2)));
  EXPECT_LT(trees.measures.at("literals_solved"), trees.measures.at("literals"));
  const StudyEntry small =
      first_run(plan_from(R"({"name": "l", "engine": "search", "literals": "bdd2"})", R"("depths": [2], )"),
                data.select(std::vector{Feature{0}, Feature{1}}));
  EXPECT_EQ(small.measures.at("literals"), static_cast<double>(bdd2_literals(24, 2, 2)));
}

TEST(StudyRun, WhatGoesWrongIsInTheEntry) {
  const StudyEntry e = first_run(plan_from(R"({"name": "f", "engine": "cart"})", R"("depths": [1], "folds": 30, )"),
                                 dataset_of(exclusive_or(), 3));
  EXPECT_EQ(e.status, "failed");
  EXPECT_NE(e.note.find("30"), std::string::npos) << e.note;
  EXPECT_TRUE(e.measures.empty());
}

class StudyRunnerFiles : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "beadwork_runner_" + std::to_string(::getpid());
    std::filesystem::create_directory(folder_);
    std::ofstream table(folder_ + "/s.csv");
    table << "a,b,y\n0,0,n\n0,1,p\n1,0,p\n1,1,n\n";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  StudyPlan plan(const std::string& learner, const std::string& rest = R"("depths": [1, 2], )") const {
    return plan_from(learner, rest, R"(["s.csv"])", folder_);
  }
  std::string folder_;
};

TEST_F(StudyRunnerFiles, TellsItsProgressAndCutsOffATornLine) {
  const std::string record = folder_ + "/r.jsonl";
  const StudyPlan two = plan(R"({"name": "c", "engine": "cart"})");
  std::vector<std::string> told;
  StudyRunOptions options{.record = record, .version = "9.9"};
  options.progress = [&](const StudyProgress& p) {
    told.push_back(std::to_string(p.done) + " of " + std::to_string(p.total) + " " + std::string(p.last));
    EXPECT_GE(p.seconds_left, 0);
  };
  const auto summary = run_study(two, options);
  ASSERT_TRUE(summary) << summary.error().to_string();
  EXPECT_EQ(told,
            (std::vector<std::string>{"1 of 2 s.csv/depth 1/whole/seed 1/c", "2 of 2 s.csv/depth 2/whole/seed 1/c"}));
  std::filesystem::resize_file(record, std::filesystem::file_size(record) - 5);
  const auto again = run_study(two, options);
  ASSERT_TRUE(again) << again.error().to_string();
  EXPECT_EQ(again->kept, 1U);
  EXPECT_EQ(again->ran, 1U);
  const auto whole = read_record(record);
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->torn, 0U);
  ASSERT_EQ(whole->entries.size(), 2U);
  EXPECT_EQ(whole->entries[1].version, "9.9");
  EXPECT_EQ(whole->entries[1].measures.at("errors"), 0);
}

TEST_F(StudyRunnerFiles, ARunThatDiesIsRecordedAsFailed) {
  std::ofstream(folder_ + "/murderer") << "#!/bin/sh\nkill -9 $PPID\n";
  std::filesystem::permissions(folder_ + "/murderer", std::filesystem::perms::owner_all);
  const std::string record = folder_ + "/r.jsonl";
  const auto dying = plan(
      R"({"name": "m", "engine": "maxsat", "options": {"encoding": "bdd3", "solver": ")" + folder_ + R"(/murderer"}})",
      R"("depths": [2], )");
  const auto summary = run_study(dying, {.record = record, .allow_solver = true});
  ASSERT_TRUE(summary) << summary.error().to_string();
  EXPECT_EQ(summary->failed, 1U);
  const auto told = read_record(record);
  ASSERT_TRUE(told);
  ASSERT_EQ(told->entries.size(), 1U);
  EXPECT_EQ(told->entries[0].status, "failed");
  EXPECT_EQ(told->entries[0].note, "killed by signal 9");
  EXPECT_FALSE(told->entries[0].data_sha256.empty());
}

TEST_F(StudyRunnerFiles, StopsWhenToldAndContinues) {
  const std::atomic<bool> flag = true;
  Control stopped;
  stopped.interrupt = &flag;
  const StudyPlan two = plan(R"({"name": "c", "engine": "cart"})");
  const StudyRunOptions options{.record = folder_ + "/r.jsonl"};
  const auto none = run_study(two, options, stopped);
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->stopped);
  EXPECT_EQ(none->ran, 0U);
  EXPECT_EQ(run_study(two, options)->ran, 2U);
}

TEST_F(StudyRunnerFiles, WhatCannotBeReadOrWrittenIsNamed) {
  const StudyPlan good = plan(R"({"name": "c", "engine": "cart"})");
  EXPECT_EQ(run_study(good, {.record = folder_}).error().where, folder_);
  EXPECT_FALSE(run_study(good, {.record = "/dev/full"}));
  std::filesystem::remove(folder_ + "/s.csv");
  EXPECT_EQ(run_study(good, {.record = folder_ + "/r.jsonl"}).error().where, folder_ + "/s.csv");
  EXPECT_FALSE(read_plan(folder_ + "/none.json", ""));
}

}  // namespace
}  // namespace beadwork
