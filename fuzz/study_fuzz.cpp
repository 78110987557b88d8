// Any bytes as a study plan (first byte even) or a record (odd): refused in one line, or a plan whose runs have names
// of their own and whose tables and figures can be drawn, or a record that its own lines give back.
#include "fuzz.hpp"
#include "json_mutator.hpp"
#include <study/study.hpp>

#include <set>

namespace {

using namespace beadwork;
using fuzz::insist;

constexpr std::size_t kMostRuns = 10000;

std::size_t num_runs(const StudyPlan& plan) {
  std::size_t product = 1;
  for (const std::size_t n : {plan.sets.size(), plan.seeds.size(), plan.depths.size(), plan.learners.size(),
                              std::max(plan.folds, plan.shares.size())})
    product = std::min(kMostRuns + 1, product * std::max<std::size_t>(1, std::min(n, kMostRuns + 1)));
  return product;
}

// A record in which every run of the plan has ended.
std::vector<StudyEntry> all_ended(const StudyPlan& plan, const std::vector<StudyRun>& runs) {
  std::vector<StudyEntry> entries;
  for (const StudyRun& run : runs) {
    StudyEntry entry = entry_of(plan, run);
    entry.status = "optimal";
    for (const char* measure : {"train", "test", "size", "seconds"}) entry.measures[measure] = 50;
    entries.push_back(std::move(entry));
  }
  return entries;
}

void try_plan(std::string_view text) {
  const auto plan = parse_plan(text, "fuzz", "/nonexistent");
  if (!plan) return fuzz::insist_one_line(plan.error());
  if (num_runs(*plan) > kMostRuns) return;
  const std::vector<StudyRun> runs = runs_of(*plan);
  std::set<std::string> keys;
  for (const StudyRun& run : runs)
    insist(keys.insert(entry_of(*plan, run).key()).second, "every run has a key of its own");
  const std::vector<StudyEntry> entries = all_ended(*plan, runs);
  for (const StudyTable& table : plan->tables) {
    const FilledTable filled = fill(*plan, table, {}, entries);
    to_markdown(filled);
    to_csv(filled);
    to_latex(filled);
  }
  for (const StudyFigure& figure : plan->figures) draw(*plan, figure, {}, entries);
}

void try_record(std::string_view text) {
  const auto record = parse_record(text, "fuzz");
  if (!record) return fuzz::insist_one_line(record.error());
  std::string lines;
  for (const StudyEntry& entry : record->entries) lines += to_line(entry);
  const auto again = parse_record(lines, "again");
  insist(static_cast<bool>(again), "our own lines are accepted");
  insist(again->entries == record->entries && again->torn == 0, "our own lines give the record back");
  const auto merged = merge_records(std::vector{*record, *again});
  if (!merged) fuzz::insist_one_line(merged.error());
}

}  // namespace

BEADWORK_MUTATES_JSON(1)

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  (data[0] & 1U) != 0 ? try_record(text) : try_plan(text);
  return 0;
}
