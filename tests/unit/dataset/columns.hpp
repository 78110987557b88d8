#pragma once
// Hand-made columns and tables.

#include <beadwork/table.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

namespace beadwork::testing_support {

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

inline Column numeric(std::string name, std::vector<double> numbers) {
  return {std::move(name), ColumnType::numeric, std::move(numbers), {}, {}};
}

// Levels in order of first appearance; "" is missing.
inline Column nominal(std::string name, const std::vector<std::string>& values) {
  Column c{std::move(name), ColumnType::nominal, {}, {}, {}};
  for (const std::string& v : values) {
    if (v.empty()) {
      c.codes.push_back(Codes::kMissing);
      continue;
    }
    const auto at = std::find(c.levels.begin(), c.levels.end(), v);
    c.codes.push_back(static_cast<std::uint32_t>(at - c.levels.begin()));
    if (at == c.levels.end()) c.levels.push_back(v);
  }
  return c;
}

// The last column is the target, unless `weight` says that it is the weight: then the one before.
inline Table table_of(std::vector<Column> columns, bool weight = false) {
  const std::size_t last = columns.size() - 1;
  auto table = Table::make(std::move(columns), weight ? last - 1 : last, weight ? std::optional(last) : std::nullopt);
  EXPECT_TRUE(table) << table.error().to_string();
  return *std::move(table);
}

}  // namespace beadwork::testing_support
