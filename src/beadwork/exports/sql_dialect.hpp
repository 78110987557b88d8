#pragma once
// How databases write names, texts and tests.
#include <beadwork/exports/plan.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwork::exports {

struct SqlSyntax {
  std::string_view databases;                 // for the comment
  std::string (*name)(std::string_view);      // in quotes
  bool (*can_name)(std::string_view);         // may a column be called so?
  std::string (*text)(std::string_view);      // a literal
  std::string (*compared)(std::string_view);  // a literal that `equals` and `among` compare with
  std::string at_most;                        // as in TestSyntax
  std::string as_text;                        // of any type
  std::string equals, among;                  // of texts; a list
  std::string stripped;                       // without zeros at the end; empty: LIKE knows [^0]
  bool nan = false;                           // are there numbers that are none?
  std::size_t kept = 0;                       // bytes of a name that count
};
const SqlSyntax& syntax_of(SqlDialect dialect);

// The comparison of a column of any type with one spelling of a category.
std::string spelled_in_sql(const SqlSyntax& syntax, const std::string& column, const Spelling& spelling);

// Names of columns, in quotes. A name that the database could not tell from another, or cannot have, gives way to an
// identifier.
std::vector<std::string> column_names(const SqlSyntax& syntax, const std::vector<std::string>& names);

}  // namespace beadwork::exports
