#include "support/datasets.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

#include <set>

namespace beadwork {
namespace {

using namespace testing_support;

TEST(Options, TheTableNamesEachOnceWithADefaultThatHolds) {
  std::set<std::string> flags;
  for (const OptionInfo& info : option_table()) {
    const std::string flag = flag_of(info.name);
    EXPECT_TRUE(flags.insert(flag).second) << info.name;
    EXPECT_FALSE(info.help.empty()) << info.name;
    EXPECT_TRUE(flag.starts_with("--"));
    EXPECT_EQ(flag.find('_'), std::string::npos);
    Request request;
    EXPECT_FALSE(set_option(request, info.name, "")) << info.name;  // nobody means nothing
    if (!info.default_value.empty()) {
      EXPECT_TRUE(set_option(request, info.name, info.default_value)) << info.name;
    }
    EXPECT_EQ(request, Request{}) << info.name;
  }
  EXPECT_EQ(flags.count("--depth") + flags.count("--engine") + flags.count("--time-limit"), 3U);
  EXPECT_TRUE(check_request({}));
}

TEST(Options, HaveALineOfHelp) {
  const std::set<std::string_view> sections{"size", "requirements", "limits", "search", "output", "formulas"};
  std::size_t common = 0;
  for (const OptionInfo& info : option_table()) {
    EXPECT_LE(info.help.size(), 80U) << info.name;
    EXPECT_EQ(info.help.find('\n'), std::string_view::npos) << info.name;
    EXPECT_FALSE(info.help.ends_with('.')) << info.name;
    EXPECT_TRUE(sections.contains(info.section)) << info.name;
    EXPECT_EQ(info.word.empty(), info.type == OptionType::flag) << info.name;
    common += info.expert ? 0 : 1;
  }
  EXPECT_GT(common, 10U);
  EXPECT_LT(common, 25U);
}

TEST(Options, NobodysDepthFollowsTheNodes) {
  const auto depth = [](const std::vector<std::pair<const char*, const char*>>& options) {
    Request r;
    for (const auto& [name, text] : options) ask(r, name, text);
    return r.depth();
  };
  EXPECT_EQ(depth({}), 4U);
  EXPECT_EQ(depth({{"max_nodes", "11"}}), 9U);
  EXPECT_EQ(depth({{"max_nodes", "4"}}), 2U);
  EXPECT_EQ(depth({{"max_nodes", "1"}}), 0U);
  EXPECT_EQ(depth({{"max_nodes", "2"}}), 0U);
  EXPECT_EQ(depth({{"max_nodes", "1000"}}), 20U);
  EXPECT_EQ(depth({{"max_nodes", "11"}, {"max_nodes", "8"}}), 6U);
  EXPECT_EQ(depth({{"max_nodes", "11"}, {"max_nodes", "none"}}), 4U);
  EXPECT_EQ(depth({{"max_nodes", "11"}, {"time_limit", "3"}}), 9U);
  for (const char* asked : {"4", "3", "12"}) {  // what somebody has said stays, be it the default
    const auto n = static_cast<std::size_t>(std::stoi(asked));
    EXPECT_EQ(depth({{"depth", asked}, {"max_nodes", "11"}}), n);
    EXPECT_EQ(depth({{"max_nodes", "11"}, {"depth", asked}}), n);
    EXPECT_EQ(depth({{"max_nodes", "11"}, {"depth", asked}, {"max_nodes", "6"}}), n);
  }
  for (const auto& words : std::vector<std::vector<std::pair<const char*, const char*>>>{
           {{"depth", "4"}, {"max_nodes", "11"}}, {{"max_nodes", "11"}}, {{"max_nodes", "6"}}, {{"depth", "9"}}}) {
    Request told;  // what is told of a request makes it again
    for (const auto& [name, text] : words) ask(told, name, text);
    Request again;
    for (const auto& [name, text] : options_given(told)) ask(again, name.c_str(), text.c_str());
    EXPECT_EQ(again, told);
  }
  Request code;  // in C++ as well
  code.run.depth.most = 3;
  ask(code, "max_nodes", 11);
  EXPECT_EQ(code.depth(), 3U);
}

TEST(Options, AWordThatIsNearlyRightIsRecognised) {
  Request r;
  EXPECT_EQ(set_option(r, "max_node", "3").error().message, "unknown option 'max_node'; did you mean 'max_nodes'?");
  EXPECT_EQ(set_option(r, "colour", "3").error().message, "unknown option 'colour'");
  EXPECT_EQ(set_option(r, "tie_break", "purity").error().message, "there is no option 'tie_break' any more");
  EXPECT_EQ(set_option(r, "engine", "serach").error().message, "unknown engine 'serach'; did you mean 'search'?");
  EXPECT_NE(set_option(r, "engine", "magic").error().message.find("the engines are: search, local"), std::string::npos);
}

TEST(Options, AreSetFromText) {
  Request r;
  ask(r, "depth", "2..7");
  ask(r, "time_limit", "2.5");
  ask(r, "faithful", "true");
  ask(r, "engine", "maxsat");
  ask(r, "encoding", "bdd3");
  EXPECT_EQ(r.depth(), 7U);
  EXPECT_EQ(r.run.depth.from, 2U);
  EXPECT_EQ(r.run.time_limit, 2.5);
  EXPECT_TRUE(r.reading.faithful);
  EXPECT_EQ(engine_of(r).name, "maxsat");
  EXPECT_EQ(r.only_of<ForMaxsat>().encoding, EncodingChoice::bdd3);
  ask(r, "time_limit", "none");
  EXPECT_FALSE(r.run.time_limit);
}

TEST(Options, OfTwoEnginesDoNotGoTogether) {
  Request r;
  ask(r, "top", 3);
  const auto other = set_option(r, "merge_z", "1");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().where, "merge_z");
}

TEST(Options, WhatDoesNotGoTogetherIsRefused) {
  const std::vector<std::vector<std::pair<const char*, const char*>>> bad = {
      {{"faithful", "true"}, {"require", "x"}},
      {{"faithful", "true"}, {"depth", "1..2"}},
      {{"max_nodes", "5"}, {"node_penalty", "1"}},
      {{"max_nodes", "5"}, {"require", "x"}},
      {{"front", "true"}, {"require", "x"}},
      {{"top", "1"}, {"within", "1"}},
      {{"committee", "1%"}, {"within", "1"}},
      {{"committee_size", "5"}},
      {{"costs", "1"}, {"certificate", "c"}},
      {{"candidate", "x"}, {"features_from", "cart"}},
      {{"checkpoint", "c"}, {"depth", "1..2"}},
      {{"resume", "c"}, {"top", "1"}},
      {{"all_optima", "true"}},
      {{"impurity", "entropy"}},
      {{"min_split", "5"}, {"engine", "local"}},
      {{"min_leaf", "5"}, {"engine", "maxsat"}, {"candidate", "x"}},
      {{"engine", "maxsat"}, {"wcnf_format", "old"}},
      {{"node_penalty", "0"}},
      {{"engine", "maxsat"}, {"check_proof", "true"}}};
  for (const auto& options : bad) {
    Request r;
    for (const auto& [name, text] : options) ask(r, name, text);
    const auto refused = check_request(r);
    ASSERT_FALSE(refused) << options.front().first << ' ' << options.back().first;
    EXPECT_EQ(refused.error().code, ErrorCode::usage);
    EXPECT_TRUE(refused.error().names_option);
  }
}

TEST(Options, WhatGoesTogetherIsTaken) {
  const std::vector<std::vector<std::pair<const char*, const char*>>> good = {
      {{"engine", "cart"}, {"impurity", "entropy"}},
      {{"features_from", "cart"}, {"min_split", "5"}, {"min_leaf", "2"}},
      {{"engine", "maxsat"}, {"wcnf_format", "old"}, {"solver", "maxhs"}},
      {{"kernel", "portable"}, {"max_nodes", "5"}}};
  for (const auto& options : good) {
    Request r;
    for (const auto& [name, text] : options) ask(r, name, text);
    EXPECT_TRUE(check_request(r)) << options.front().first << ' ' << options.back().first;
  }
}

TEST(Options, RefusalsNameTheFlagAndWhatItTakes) {
  struct Bad {
    const char *name, *text, *flag, *says;
  };
  for (const Bad& bad : std::initializer_list<Bad>{
           {"depth", "21", "depth", "from 0 to 20"},
           {"depth", "-1", "depth", "from 0 to 20"},
           {"depth", "3.5", "depth", "whole number"},
           {"depth", "three", "depth", "got 'three'"},
           {"depth", "", "depth", "got ''"},
           {"depth", "99999999999999999999", "depth", "from 0 to 20"},
           {"time_limit", "-1", "time_limit", "from 0"},
           {"time_limit", "nan", "time_limit", "a number"},
           {"threads", "0", "threads", "from 1"},
           {"faithful", "yes", "faithful", "true or false"},
       }) {
    Request o;
    const auto status = set_option(o, bad.name, bad.text);
    ASSERT_FALSE(status) << bad.name << ' ' << bad.text;
    EXPECT_EQ(status.error().code, ErrorCode::usage);
    EXPECT_EQ(status.error().where, bad.flag);
    EXPECT_NE(status.error().message.find(bad.says), std::string::npos) << status.error().message;
    EXPECT_EQ(o, Request{}) << "a refused value changes nothing";
  }
  Request o;
  EXPECT_NE(set_option(o, "dept", "3").error().message.find("dept"), std::string::npos);
}

TEST(Options, ThoseOfAStructAreCheckedToo) {
  Request r;
  r.run.depth.most = 21;
  EXPECT_EQ(check_request(r).error().where, "depth");
  r = {};
  r.run.time_limit = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(check_request(r).error().where, "time_limit");
  r = {};
  r.run.seed = -1;
  EXPECT_EQ(check_request(r).error().where, "seed");
  r = {};
  r.run.memory_limit = std::int64_t{1} << 60;
  EXPECT_EQ(check_request(r).error().where, "memory_limit");
}

TEST(Options, MoreMemoryThanCanBeCountedIsNoLimit) {
  Request r;
  EXPECT_EQ(r.memory_limit(), 0U);
  for (const std::int64_t mebibytes : {std::int64_t{0}, std::int64_t{1} << 44, std::int64_t{1} << 60, INT64_MAX}) {
    r.run.memory_limit = mebibytes;
    EXPECT_EQ(r.memory_limit(), 0U) << mebibytes;
  }
  r.run.memory_limit = 1048576;
  EXPECT_EQ(r.memory_limit(), std::size_t{1} << 40);
}

// The column of uses against what the ways of learning say for themselves.
TEST(Options, AWayOfLearningTakesWhatItsColumnSays) {
  const auto refused = [](Use way, const std::vector<std::pair<const char*, const char*>>& options) {
    Request r;
    for (const auto& [name, text] : options) ask(r, name, text);
    return not_taken(r, way);
  };
  for (const Use way : {Use::ranks, Use::shards, Use::parts, Use::passes}) {
    EXPECT_EQ(refused(way, {}), "");
    EXPECT_EQ(refused(way, {{"depth", "3"}, {"threads", "2"}, {"seed", "7"}, {"forbid", "f0"}, {"costs", "1"}}), "");
    EXPECT_EQ(refused(way, {{"engine", "maxsat"}}), "engine");
    EXPECT_EQ(refused(way, {{"faithful", "true"}}), "faithful");
  }
  EXPECT_EQ(refused(Use::ranks, {{"engine", "local"}}), "");
  EXPECT_EQ(refused(Use::shards, {{"engine", "local"}}), "engine");
  EXPECT_EQ(refused(Use::ranks, {{"depth", "1..3"}}), "");
  EXPECT_EQ(refused(Use::ranks, {{"depth", "cv"}}), "");
  EXPECT_EQ(refused(Use::passes, {{"depth", "1..3"}}), "");
  for (const Use way : {Use::shards, Use::parts, Use::passes}) EXPECT_EQ(refused(way, {{"depth", "cv"}}), "depth");
  for (const Use way : {Use::shards, Use::parts}) EXPECT_EQ(refused(way, {{"depth", "1..3"}}), "depth");
  EXPECT_EQ(refused(Use::ranks, {{"bias", "size"}, {"all_optima", "true"}}), "all_optima");
  EXPECT_EQ(refused(Use::passes, {{"committee", "1"}}), "committee");
  EXPECT_EQ(refused(Use::parts, {{"top", "3"}}), "");
}

// A fit of cross-validation writes nothing, lists nothing, chooses nothing, and is not stopped by a clock of its own.
TEST(Options, TheAnswerAloneAsksForNothingBesideIt) {
  for (const OptionInfo& info : option_table()) {
    if (info.name == "engine" || info.name == "max_nodes") continue;  // others follow them
    Request request;
    for (const char* text :
         {"true", "3", "0.5", "purity", "auto-1se", "gini", "entropy", "avx2", "old", "bdd3", "C", "cart", "a"})
      if (set_option(request, info.name, text) && !options_given(request).empty()) break;
    ASSERT_EQ(options_given(request).size(), 1U) << info.name;
    const Request alone = answer_alone(request);
    EXPECT_EQ(options_given(alone).size(), has(info.uses, Use::folds) ? 1U : 0U) << info.name;
    EXPECT_EQ(options_deciding(request).size(), has(info.uses, Use::decides) ? 1U : 0U) << info.name;
    EXPECT_EQ(asks_for(request, Use::lasting), has(info.uses, Use::lasting)) << info.name;
    EXPECT_FALSE(info.is_file && (has(info.uses, Use::decides) || has(info.uses, Use::folds))) << info.name;
  }
  Request range;
  ask(range, "depth", "cv:2..5");
  EXPECT_EQ(answer_alone(range).run.depth, (DepthRange{5, {}}));
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
  EXPECT_NE(find_engine(engine_of({}).name), nullptr) << "the default exists";
}

TEST(Learn, RefusesAnUnknownEngineAndNoRows) {
  Request o;
  const auto unknown = set_option(o, "engine", "oracle");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::usage);
  EXPECT_EQ(unknown.error().where, "engine");
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

TEST(TrainingErrors, KeepToALimitWhereRowsAreMany) {
  const Dataset some = dataset_of({{"0", 0}, {"1", 0}}, 1);
  const std::vector<Row> rows(std::size_t{1} << 17, Row{1});
  const Diagram diagram = diagram_of(*TruthTable::parse("01", {Feature{0}}));
  Control over;
  over.deadline = Deadline::in(0);
  EXPECT_EQ(training_errors(some, diagram, over), 1);
  EXPECT_EQ(training_errors(some.subset(rows), diagram, over), std::nullopt);
  EXPECT_EQ(training_errors(some.subset(rows), diagram, {}), std::int64_t{1} << 17);
}

// Small diagrams part 64 rows at a time, large ones go row by row.
TEST(TrainingErrors, AreThoseOfRowAfterRow) {
  Rng rng(3);
  for (const std::size_t depth : {0u, 1u, 3u, 6u, 11u})
    for (const std::size_t num_rows : {1u, 63u, 64u, 65u, 200u}) {
      std::string cells;
      std::vector<Feature> order;
      for (std::size_t i = 0; i < std::size_t{1} << depth; ++i) cells += "012"[rng.below(3)];
      for (std::size_t f = 0; f < depth; ++f) order.emplace_back(f);
      std::vector<BitRow> rows;
      for (std::size_t r = 0; r < num_rows; ++r) {
        std::string bits;
        for (std::size_t f = 0; f < std::max<std::size_t>(depth, 1); ++f) bits += rng.below(2) == 0 ? '0' : '1';
        rows.push_back({bits, rng.below(3), static_cast<std::int64_t>(1 + rng.below(4))});
      }
      const Dataset d = dataset_of(rows, std::max<std::size_t>(depth, 1), 3);
      const TruthTable table = *TruthTable::parse(cells, order, 3);
      const Diagram diagram = diagram_of(table);
      EXPECT_EQ(depth == 11, diagram.size() > 256);
      std::int64_t errors = 0;
      for (const BitRow& row : rows) {
        std::size_t cell = 0;
        for (std::size_t f = 0; f < depth; ++f) cell = 2 * cell + (row.bits[f] == '1' ? 1 : 0);
        if (cells[cell] != static_cast<char>('0' + row.label)) errors += row.weight;
      }
      EXPECT_EQ(training_errors(d, diagram), errors);
      EXPECT_EQ(training_errors(d, diagram, {}), errors);
    }
}

}  // namespace
}  // namespace beadwork
