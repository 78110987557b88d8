#pragma once
// What the formats for C share: the row, its enums, the tests, the names of the classes.
#include <beadwork/exports/plan.hpp>

#include <string>
#include <vector>

namespace beadwork::exports {

class CWriter {
 public:
  explicit CWriter(const Plan& plan, bool committee = false);

  std::string head(std::string_view form) const;  // up to the first function
  std::string header() const;                     // the file for others to include
  TestSyntax tests() const;
  std::string opening(const std::string& name, bool reads_row) const;  // of a function
  std::string shares() const;  // their table, and the function that finds a row of it; empty if nobody asked
  std::string real() const;    // the type of shares

 private:
  bool any_missing() const;  // is there a test that asks for NaN or NULL?
  Comparisons comparisons() const;
  std::string description(std::string_view form) const;
  std::string includes() const;
  std::string enums() const;
  std::string row_type() const;
  std::string field(std::size_t i) const;
  std::string class_names() const;
  std::string equality() const;
  std::string own_test(const Test& test) const;
  std::string integer_test(const Test& test) const;
  std::string enum_test(const Test& test) const;
  bool numbers() const;  // is there a column of numbers?
  std::string missing_of(std::size_t column) const { return "missing_" + ids_[column].substr(2); }

  const Plan& plan_;
  bool committee_;
  std::vector<std::string> ids_;
  std::vector<std::vector<std::string>> codes_;  // column: names of its values, if they are an enum
};

}  // namespace beadwork::exports
