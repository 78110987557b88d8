#pragma once
// What the names that people give stand for, over features and over sorted columns alike: a test has its number and a
// column has its own; a name is looked up here alone, and one that could mean two things is refused.
#include <beadwork/base.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

class Names {
 public:
  virtual ~Names() = default;
  struct One {
    std::size_t test = 0;
    std::size_t column = 0;
  };
  virtual std::vector<One> tests_named(const std::string& name) const = 0;
  virtual std::vector<std::size_t> columns_named(const std::string& name) const = 0;  // that have tests
  virtual std::string column_name(std::size_t column) const = 0;
  virtual std::vector<std::string> known() const = 0;  // columns that have tests, and features; for "did you mean"
  virtual std::vector<std::string> without_tests() const = 0;  // columns
};

// One test, or all tests of a column.
struct Meaning {
  std::optional<std::size_t> test;
  std::size_t column = 0;
};

// A name that is that of a column means the column, with a test of it that is called like it: also where it has others
// (a column of 0 and 1 with gaps). The Error, of an unknown or ambiguous name, names the option.
Result<Meaning> meaning_of(const Names& names, const std::string& name, const char* option);

// That this column is required, and nothing of it may be selected.
Error nothing_of(const std::string& column);
// That so many features, and columns none of which has one of them, are required at too small a depth.
Error too_many_required(std::size_t features, std::size_t columns, std::size_t depth);

// Is that a column without a test, and nothing else? To forbid it is no mistake.
bool bans_nothing(const Names& names, const std::string& name);

}  // namespace beadwork
