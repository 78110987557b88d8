#pragma once
// What `fit --report` and `report` share: the facts for a page beyond the model.
#include "console.hpp"
#include <beadwork/report.hpp>

#include <mutex>
#include <string>
#include <vector>

namespace beadwork {

std::string file_name(const std::string& path);

// A table with labels, read with the model's types, and with those of other models where it has their columns.
Result<ReportRows> read_rows(const Model& model, const std::string& path, const std::string& text, ReadOptions options,
                             ReportRows::Role role, const std::vector<ReportFacts::Alternative>& others = {});

Result<ReportFacts::Certificate> certificate_facts(const std::string& path);
ReportFacts::Certificate certificate_facts(const std::string& path, const std::string& text);

// Keeps the bounds that a computation reports, where they change; at most about a thousand of them.
class BoundsRecorder {
 public:
  explicit BoundsRecorder(double scale) : scale_(scale) {}
  Control listen(Control control);  // the recorder must outlive what it listens to
  std::vector<ReportFacts::Moment> moments() const { return moments_; }

 private:
  void add(const Progress& progress);
  double scale_;
  std::mutex mutex_;
  std::vector<ReportFacts::Moment> moments_;
};

}  // namespace beadwork
