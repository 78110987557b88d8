#include <beadwork/engine/names.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::size_t kShownOfName = 40;

Error ambiguous(const Names& names, const std::string& name, const std::vector<std::size_t>& columns,
                const std::vector<Names::One>& tests, const char* option) {
  constexpr std::size_t kMostShown = 4;
  const std::string shown = printable(name, kShownOfName);
  const auto of_one_name = [&](const Names::One& one) { return names.column_name(one.column) == name; };
  if (columns.size() > 1 || (columns.empty() && std::all_of(tests.begin(), tests.end(), of_one_name)))
    return option_error(fmt::format("several features have the name '{}'", shown), option);
  std::vector<std::string> choices;
  for (std::size_t i = 0; i < columns.size(); ++i) choices.push_back(fmt::format("the column '{}'", shown));
  for (const Names::One& one : tests)
    choices.push_back(
        fmt::format("the feature '{}' of column '{}'", shown, printable(names.column_name(one.column), kShownOfName)));
  if (choices.size() > kMostShown) choices.resize(kMostShown);
  return option_error(fmt::format("'{}' is ambiguous: it is {}; rename a column", shown, fmt::join(choices, ", and ")),
                      option);
}

}  // namespace

Result<Meaning> meaning_of(const Names& names, const std::string& name, const char* option) {
  auto columns = names.columns_named(name);
  auto tests = names.tests_named(name);
  const auto of = [](std::size_t column) { return [column](const Names::One& one) { return one.column == column; }; };
  for (const std::size_t c : columns) std::erase_if(tests, of(c));
  if (columns.size() + tests.size() > 1) return ambiguous(names, name, columns, tests, option);
  if (!tests.empty()) return Meaning{tests[0].test, tests[0].column};
  if (!columns.empty()) return Meaning{std::nullopt, columns[0]};
  const auto untested = names.without_tests();
  if (std::find(untested.begin(), untested.end(), name) != untested.end())
    return option_error(fmt::format("column '{}' has no feature: nothing of it can be tested", printable(name)),
                        option);
  return option_error(fmt::format("unknown feature '{}'{}", printable(name), did_you_mean(name, names.known())),
                      option);
}

Error nothing_of(const std::string& column) {
  return option_error(
      fmt::format("column '{}' is required, and none of its features may be selected", printable(column, kShownOfName)),
      "require");
}

Error too_many_required(std::size_t features, std::size_t columns, std::size_t depth) {
  const auto counted = [](std::size_t n, std::string_view noun) {
    return fmt::format("{} {}{}", n, noun, n == 1 ? "" : "s");
  };
  const std::string what = columns == 0    ? counted(features, "feature")
                           : features == 0 ? counted(columns, "column")
                                           : counted(features, "feature") + " and " + counted(columns, "column");
  return option_error(
      fmt::format("{} {} required, but the depth is {}", what, features + columns == 1 ? "is" : "are", depth),
      "require");
}

// A feature's name begins with that of its column, so a name that none begins is no feature's.
bool bans_nothing(const Names& names, const std::string& name) {
  const auto untested = names.without_tests();
  if (std::find(untested.begin(), untested.end(), name) == untested.end()) return false;
  const auto known = names.known();
  return std::none_of(known.begin(), known.end(), [&](const std::string& k) { return name.starts_with(k); });
}

}  // namespace beadwork
