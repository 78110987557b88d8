#pragma once
// What `fit --report` and `report` share: the facts for a page beyond the model.
#include "console.hpp"
#include <beadwork/report.hpp>

#include <string>
#include <vector>

namespace beadwork {

std::string file_name(const std::string& path);

// A table with labels, read with the model's types, and with those of other models where it has their columns.
Result<ReportRows> read_rows(const Model& model, const std::string& path, const std::string& text, ReadOptions options,
                             ReportRows::Role role, const std::vector<ReportFacts::Alternative>& others = {},
                             bool quiet = false);

Result<ReportFacts::Certificate> certificate_facts(const std::string& path);
ReportFacts::Certificate certificate_facts(const std::string& path, const std::string& text);

}  // namespace beadwork
