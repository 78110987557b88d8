#include "provenance.hpp"

#include "text_for.hpp"
#include <beadwork/engine.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace beadwork {
namespace {

constexpr std::string_view kPapersReading = "the paper's reading (exactly H features, the root a bead)";
constexpr std::string_view kOurReading = "our reading (at most H features)";

std::string setting(const StudyEntry& run, std::string_view name, std::string otherwise = {}) {
  for (const auto& [option, value] : run.settings)
    if (option == name) return value;
  return otherwise;
}

std::string solver_words(const StudyEntry& run) {
  const std::string solver = setting(run, "solver");
  return solver.empty() ? "by our own solver" : fmt::format("by '{}'", solver);
}

std::string maxsat_words(const StudyEntry& run) {
  const std::string encoding = setting(run, "encoding", "auto");
  const bool papers = encoding == "bdd2" || (encoding == "auto" && setting(run, "faithful") == "true");
  if (papers) return fmt::format("MaxSAT on bdd2, {}, {}", kPapersReading, solver_words(run));
  const std::string formula = encoding == "auto" ? "bdd3 or pair (encoding auto)" : encoding;
  return fmt::format("MaxSAT on {}, {}, {}", formula, kOurReading, solver_words(run));
}

std::string engine_words(const StudyEntry& run) {
  if (run.engine.empty()) return "facts of the whole table, computed";
  if (run.engine == "maxsat") return maxsat_words(run);
  if (run.engine == "maxsat-dt") return fmt::format("MaxSAT on dt, merged rows, {}", solver_words(run));
  if (run.engine == "sat")
    return fmt::format("SAT on {}, every depth from {} down, {}", setting(run, "encoding", "bdd2"),
                       setting(run, "start", "7"), setting(run, "solver").empty() ? "by CaDiCaL" : solver_words(run));
  if (run.engine == "search")
    return fmt::format("exact search, {}", setting(run, "faithful") == "true" ? kPapersReading : kOurReading);
  return fmt::format("engine {}", run.engine);
}

// A method without proofs has nothing to say of how its runs ended, unless some failed.
std::string endings(const std::vector<const StudyEntry*>& runs) {
  std::map<std::string, std::size_t> ended;
  for (const StudyEntry* run : runs) ++ended[run->status];
  const auto optimal = std::string(to_string(SolveStatus::optimal));
  const std::string& engine = runs.front()->engine;
  if (ended.size() == 1 && (engine.empty() || ended.begin()->first != optimal) &&
      setting(*runs.front(), "time-limit").empty())
    return "";
  if (ended[optimal] == runs.size()) return ": all proven";
  const std::array<std::pair<std::string, std::string_view>, 5> words{
      {{optimal, "proven"},
       {std::string(to_string(SolveStatus::feasible)), "stopped with an answer"},
       {std::string(to_string(SolveStatus::unknown)), "stopped without one"},
       {std::string(to_string(SolveStatus::infeasible)), "without a diagram"},
       {"failed", "failed"}}};
  std::vector<std::string> told;
  for (const auto& [status, said] : words)
    if (ended[status] > 0 || status == optimal) told.push_back(fmt::format("{} {}", ended[status], said));
  return fmt::format(": {}", fmt::join(told, ", "));
}

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
}

std::string runs_words(const std::vector<const StudyEntry*>& runs) {
  std::set<std::string> versions;
  for (const StudyEntry* run : runs)
    if (!run->version.empty()) versions.insert(run->version);
  const std::string limit = setting(*runs.front(), "time-limit");
  const std::string limited = limit.empty() ? "; no limit" : fmt::format("; limit {} s a run", limit);
  return fmt::format("{}{}{}{}", counted(runs.size(), "run"), endings(runs),
                     runs.front()->engine.empty() ? "" : limited,
                     versions.empty() ? "" : fmt::format("; beadwork {}", fmt::join(versions, ", ")));
}

// What is not measured in a run but counted beside it.
std::string computed_words(const StudyPlan& plan, const StudyColumn& column) {
  if (column.measure == "literals_solved") return "computed: literals of the formula that was solved, of merged rows";
  if (column.measure != "literals") return "";
  for (const StudyLearner& learner : plan.learners)
    if (learner.name == column.learner)
      return learner.literals == "dt"
                 ? "computed: literals of dt as 'encode' writes it for these rows, which is not the "
                   "formula that was solved"
                 : fmt::format("computed: literals that 'encode' writes of {} for these rows", learner.literals);
  return "";
}

std::string note_of(const StudyPlan& plan, const StudyColumn& column, const std::vector<const StudyEntry*>& runs) {
  if (runs.empty()) return "not run";
  std::string how = computed_words(plan, column);
  how = how.empty() ? fmt::format("{}; {}", method_of(*runs.front()), runs_words(runs))
                    : fmt::format("{}; {}", how, counted(runs.size(), "run"));
  if (const std::size_t n = column.measure.size(); n > 2 && column.measure[n - 2] == '_')
    how += fmt::format("; cells without rows by bias {}, from the same solution", column.measure.back());
  const bool narrowed = !column.solved_by.empty() && column.measure != "solved" && column.measure != "optimal";
  if (narrowed) how += fmt::format("; means over the rows that {} solved", fmt::join(column.solved_by, " and "));
  return how;
}

void add_note(std::vector<ColumnNote>& notes, const std::string& title, const std::string& how) {
  const auto same = std::find_if(notes.begin(), notes.end(), [&](const ColumnNote& n) { return n.how == how; });
  if (same == notes.end())
    notes.push_back({{title}, how});
  else
    same->titles.push_back(title);
}

}  // namespace

std::string method_of(const StudyEntry& run) {
  constexpr std::array kSaid = {"encoding", "faithful", "solver", "time-limit", "start"};
  std::string out = engine_words(run);
  for (const auto& [option, value] : run.settings)
    if (std::find(kSaid.begin(), kSaid.end(), option) == kSaid.end())
      out += value == "true" ? fmt::format(", {}", option) : fmt::format(", {} {}", option, value);
  if (run.engine == "search" && setting(run, "bias") == "S") out += " (the first class that a free cell allows)";
  return out;
}

std::vector<StudyEntry> solved_by_all(const std::vector<StudyEntry>& entries,
                                      const std::vector<std::string>& learners) {
  std::set<std::string> solved;
  for (const StudyEntry& e : entries)
    if (e.proven()) solved.insert(e.key());
  std::vector<StudyEntry> out;
  for (const StudyEntry& e : entries) {
    StudyEntry other;
    other.set = e.set, other.part = e.part, other.depth = e.depth, other.seed = e.seed;
    const bool all = std::all_of(learners.begin(), learners.end(), [&](const std::string& learner) {
      other.learner = learner;
      return solved.contains(other.key());
    });
    if (all) out.push_back(e);
  }
  return out;
}

std::vector<ColumnNote> notes_of(const StudyPlan& plan, const StudyTable& table,
                                 const std::vector<StudyEntry>& entries) {
  std::map<std::string, std::vector<const StudyEntry*>> runs;
  for (const StudyEntry& e : entries) runs[e.learner].push_back(&e);
  std::vector<ColumnNote> notes;
  for (const StudyColumn& column : table.columns)
    add_note(notes, column.title, note_of(plan, column, runs[column.learner]));
  return notes;
}

std::vector<ColumnNote> notes_of(const StudyPlan& plan, const StudyFigure& figure,
                                 const std::vector<StudyEntry>& entries) {
  std::vector<ColumnNote> notes;
  for (const StudySeries& series : figure.series) {
    StudyTable one;
    one.columns = {{series.title, series.learner, series.measure}};
    add_note(notes, series.title,
             series.published.empty() ? notes_of(plan, one, entries).front().how : "published values");
  }
  return notes;
}

std::string to_markdown(const std::vector<ColumnNote>& notes) {
  std::string out;
  for (const ColumnNote& note : notes)
    out += fmt::format("- {}: {}.\n", for_markdown(fmt::format("{}", fmt::join(note.titles, ", "))),
                       for_markdown(note.how));
  return out;
}

}  // namespace beadwork
