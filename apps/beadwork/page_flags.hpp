#pragma once
// The options of `fit` and `report` that are about the page alone.
#include "arguments.hpp"
#include "file_plan.hpp"
#include <beadwork/report.hpp>

namespace beadwork {

struct PageFlags {
  std::string title, positive, labels, date;

  void add(const Arguments& command, bool expert);
  // What does not need the model, before the work.
  Status check(FilePlan& plan, bool has_page) const;
  // The Error lists the classes.
  Status check_positive(const std::vector<std::string>& classes) const;
  // Of labels: what can be known before the search. `more_rows`: a page will have others as well.
  Status check_labels(const Binarizer& binarizer, const Table& rows, bool more_rows) const;
  Status fill(ReportFacts& facts) const;
  Error told(Error error) const;  // of html_report; where it is about the labels it names their file
};

}  // namespace beadwork
