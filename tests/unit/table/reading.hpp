#pragma once
#include <beadwork/table.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace beadwork {

// The table in `text`, or a failed test.
inline TableFile read(std::string_view text, const ReadOptions& options = {}) {
  auto file = parse_table(text, "t", options);
  if (file) return std::move(*file);
  ADD_FAILURE() << file.error().to_string();
  return {};
}

// Why `text` is refused: one line, with the file called "t".
inline std::string refusal(std::string_view text, const ReadOptions& options = {}) {
  const auto file = parse_table(text, "t", options);
  if (file) return "accepted";
  const std::string line = file.error().to_string();
  EXPECT_EQ(line.find('\n'), std::string::npos) << "more than one line";
  return line;
}

inline std::vector<std::string> texts(const Column& column) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < column.num_rows(); ++i) out.push_back(column.text(i));
  return out;
}

inline std::vector<std::string> names(const Table& table) {
  std::vector<std::string> out;
  for (const Column& column : table.columns()) out.push_back(column.name);
  return out;
}

using Texts = std::vector<std::string>;

}  // namespace beadwork
