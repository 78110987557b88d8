#pragma once
#include "plan.hpp"
#include "record.hpp"

#include <string>
#include <vector>

namespace beadwork {

// How the columns of a table came about: what ran, under which reading and limit, how many runs and how they ended, by
// which version. Told from the record, so that no caption says anything else.
struct ColumnNote {
  std::vector<std::string> titles;
  std::string how;
};
std::vector<ColumnNote> notes_of(const StudyPlan& plan, const StudyTable& table,
                                 const std::vector<StudyEntry>& entries);
// The same of a figure's series.
std::vector<ColumnNote> notes_of(const StudyPlan& plan, const StudyFigure& figure,
                                 const std::vector<StudyEntry>& entries);
std::string to_markdown(const std::vector<ColumnNote>& notes);

// "exact search, our reading (at most H features), bias C"
std::string method_of(const StudyEntry& run);
// The runs on rows of which each of these learners has a proven answer.
std::vector<StudyEntry> solved_by_all(const std::vector<StudyEntry>& entries, const std::vector<std::string>& learners);

}  // namespace beadwork
