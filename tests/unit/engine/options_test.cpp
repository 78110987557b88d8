#include <gtest/gtest.h>

#include <beadwork/engine.hpp>
#include <set>

#include "support/datasets.hpp"

namespace beadwork {
namespace {

using namespace testing_support;

TEST(Options, TheTableNamesEachOnceWithADefaultThatHolds) {
  std::set<std::string> flags;
  for (const OptionInfo& info : option_table()) {
    EXPECT_TRUE(flags.insert(info.flag()).second) << info.name;
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_TRUE(info.flag().starts_with("--"));
    EXPECT_EQ(info.flag().find('_'), std::string::npos);
    Options options;
    EXPECT_TRUE(set_option(options, info.name, info.default_value)) << info.name;
    EXPECT_EQ(options, Options{}) << info.name;
  }
  EXPECT_EQ(flags.count("--depth") + flags.count("--engine") + flags.count("--time-limit"), 3U);
  EXPECT_TRUE(check_options({}));
}

TEST(Options, AreSetFromText) {
  Options o;
  ASSERT_TRUE(set_option(o, "depth", "7"));
  ASSERT_TRUE(set_option(o, "time_limit", "2.5"));
  ASSERT_TRUE(set_option(o, "faithful", "true"));
  ASSERT_TRUE(set_option(o, "engine", "x y"));
  EXPECT_EQ(o.depth, 7);
  EXPECT_EQ(o.time_limit, 2.5);
  EXPECT_TRUE(o.faithful);
  EXPECT_EQ(o.engine, "x y");
}

TEST(Options, RefusalsNameTheFlagAndWhatItTakes) {
  struct Bad {
    const char *name, *text, *flag, *says;
  };
  for (const Bad& bad : std::initializer_list<Bad>{
           {"depth", "21", "--depth", "from 0 to 20"},
           {"depth", "-1", "--depth", "from 0 to 20"},
           {"depth", "3.5", "--depth", "whole number"},
           {"depth", "three", "--depth", "got 'three'"},
           {"depth", "", "--depth", "got ''"},
           {"depth", "99999999999999999999", "--depth", "from 0 to 20"},
           {"time_limit", "-1", "--time-limit", "from 0"},
           {"time_limit", "nan", "--time-limit", "a number"},
           {"threads", "0", "--threads", "from 1"},
           {"faithful", "yes", "--faithful", "true or false"},
       }) {
    Options o;
    const auto status = set_option(o, bad.name, bad.text);
    ASSERT_FALSE(status) << bad.name << ' ' << bad.text;
    EXPECT_EQ(status.error().code, ErrorCode::usage);
    EXPECT_EQ(status.error().where, bad.flag);
    EXPECT_NE(status.error().message.find(bad.says), std::string::npos) << status.error().message;
    EXPECT_EQ(o, Options{}) << "a refused value changes nothing";
  }
  Options o;
  EXPECT_NE(set_option(o, "dept", "3").error().message.find("dept"), std::string::npos);
}

TEST(Options, ThoseOfAStructAreCheckedToo) {
  Options o;
  o.depth = 21;
  EXPECT_EQ(check_options(o).error().where, "--depth");
  o = {};
  o.time_limit = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(check_options(o).error().where, "--time-limit");
  o = {};
  o.seed = -1;
  EXPECT_EQ(check_options(o).error().where, "--seed");
}

TEST(SolveStatus, ReadsBackWhatItPrints) {
  for (const SolveStatus s :
       {SolveStatus::optimal, SolveStatus::feasible, SolveStatus::infeasible, SolveStatus::unknown})
    EXPECT_EQ(parse_status(to_string(s)), s);
  EXPECT_FALSE(parse_status("best"));
}

TEST(Engines, AreFoundByTheirUniqueNames) {
  std::set<std::string_view> names;
  for (const Engine& e : engines()) {
    EXPECT_TRUE(names.insert(e.name).second);
    EXPECT_FALSE(e.summary.empty());
    ASSERT_NE(find_engine(e.name), nullptr);
    EXPECT_EQ(find_engine(e.name)->name, e.name);
  }
  EXPECT_EQ(find_engine("oracle"), nullptr);
  EXPECT_NE(find_engine(Options{}.engine), nullptr) << "the default exists";
}

TEST(Learn, RefusesAnUnknownEngineAndNoRows) {
  Options o;
  o.engine = "oracle";
  const auto unknown = learn(dataset_of({{"0", 0}}, 1), o);
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::usage);
  EXPECT_EQ(unknown.error().where, "--engine");
  for (const Engine& e : engines())
    EXPECT_NE(unknown.error().message.find(e.name), std::string::npos) << unknown.error().message;
  const auto empty = learn(dataset_of({}, 1), {});
  ASSERT_FALSE(empty);
  EXPECT_EQ(empty.error().code, ErrorCode::input);
}

TEST(TrainingErrors, AreTheWeightOfTheRowsInError) {
  const Dataset d = dataset_of({{"00", 0, 2}, {"01", 0, 3}, {"10", 1, 5}, {"11", 0, 7}}, 2);
  EXPECT_EQ(training_errors(d, Diagram()), 5);
  EXPECT_EQ(training_errors(d, diagram_of(*TruthTable::parse("01", {Feature{0}}))), 7);
  EXPECT_EQ(training_errors(d, diagram_of(*TruthTable::parse("01", {Feature{1}}))), 15);
}

}  // namespace
}  // namespace beadwork
