#include "plan.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

std::vector<std::string> parts_of(const StudyPlan& plan, const StudySet& set) {
  std::vector<std::string> parts;
  for (std::size_t fold = 0; fold < plan.folds; ++fold) parts.push_back(fmt::format("fold {} of {}", fold, plan.folds));
  for (const std::string& share : set.shares.empty() ? plan.shares : set.shares) parts.push_back("share " + share);
  if (parts.empty()) parts.emplace_back("whole");
  return parts;
}

}  // namespace

std::vector<StudyRun> runs_of(const StudyPlan& plan) {
  std::vector<StudyRun> runs;
  for (std::size_t set = 0; set < plan.sets.size(); ++set) {
    const std::vector<std::string> parts = parts_of(plan, plan.sets[set]);
    for (std::size_t d = 0; d < std::max<std::size_t>(plan.depths.size(), 1); ++d)
      for (const std::uint64_t seed : plan.seeds)
        for (std::size_t place = 0; place < parts.size(); ++place)
          for (std::size_t l = 0; l < plan.learners.size(); ++l) {
            if (d > 0 && !plan.learners[l].by_depth) continue;
            StudyRun run{set, l, parts[place], place, seed, {}};
            if (plan.learners[l].by_depth) run.depth = plan.depths[d];
            runs.push_back(std::move(run));
          }
  }
  return runs;
}

StudyEntry entry_of(const StudyPlan& plan, const StudyRun& run) {
  const StudyLearner& learner = plan.learners[run.learner];
  StudyEntry e;
  e.set = plan.sets[run.set].name;
  e.part = run.part;
  e.seed = run.seed;
  e.depth = run.depth;
  e.learner = learner.name;
  e.engine = engine_of(learner);
  e.settings = learner.settings;
  return e;
}

}  // namespace beadwork
