#include <beadwork/evidence.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

// A value of each option that is not its default.
std::string other_value(const OptionInfo& info) {
  static const std::array<std::pair<std::string_view, std::string_view>, 17> kTexts{{{"depth", "cv:2..3"},
                                                                                     {"engine", "cart"},
                                                                                     {"bias", "size"},
                                                                                     {"features_from", "cart"},
                                                                                     {"impurity", "entropy"},
                                                                                     {"kernel", "portable"},
                                                                                     {"solver", "kissat -q"},
                                                                                     {"wcnf_format", "old"},
                                                                                     {"size", "auto-1se"},
                                                                                     {"committee", "2.5%"},
                                                                                     {"certificate", "c"},
                                                                                     {"checkpoint", "c"},
                                                                                     {"resume", "c"},
                                                                                     {"encoding", "bdd2"},
                                                                                     {"proof", "p"},
                                                                                     {"require", "a <= 1"},
                                                                                     {"forbid", "b, \"c\""}}};
  for (const auto& [name, text] : kTexts)
    if (name == info.name) return std::string(text);
  return info.type == OptionType::flag ? "true" : info.type == OptionType::list ? "7" : "17";
}

// Every line of options.def: what decides the answer comes back from what a model keeps, and nothing else is kept.
TEST(AskedFor, EveryOptionComesBack) {
  constexpr std::array kBeside = {
      "threads",          "kernel", "front", "top",         "within", "prices", "certificate", "checkpoint",
      "checkpoint_every", "resume", "proof", "check_proof", "engine", "seed",   "costs"};
  for (const OptionInfo& info : option_table()) {
    Request request;
    ASSERT_TRUE(set_option(request, info.name, other_value(info))) << info.name;
    const std::size_t given = info.name == "max_nodes" ? 2 : 1;  // with the depth that comes of it
    ASSERT_EQ(options_given(request).size(), given) << info.name;
    Outcome stopped;
    stopped.claim.status = SolveStatus::feasible;
    const AskedFor asked = asked_for(request, stopped);
    const bool beside = std::find(kBeside.begin(), kBeside.end(), info.name) != kBeside.end();
    ASSERT_EQ(asked.options.size(), beside ? 0U : given) << info.name;
    if (info.name == "costs") {
      EXPECT_EQ(asked.costs, request.cost.costs);
    }
    if (beside) continue;
    Request again;
    for (const auto& [name, texts] : option_texts(asked))
      for (const std::string& text : texts) ASSERT_TRUE(set_option(again, name, text)) << info.name;
    EXPECT_EQ(again, request) << info.name;
  }
}

TEST(AskedFor, ALimitCountsWhereItMayHaveDecided) {
  Request request;
  request.run.time_limit = 5;
  request.run.memory_limit = 100;
  Outcome o;
  o.claim.status = SolveStatus::optimal;
  EXPECT_TRUE(asked_for(request, o).options.empty());
  o.claim.canonical = false;
  EXPECT_EQ(asked_for(request, o).options.size(), 2U);
  o.claim.canonical = true;
  o.choice = SizeChoice{};
  EXPECT_EQ(asked_for(request, o).options.size(), 2U);
}

}  // namespace
}  // namespace beadwork
