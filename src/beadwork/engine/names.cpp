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

Result<Meaning> meaning_of(const Names& names, const std::string& name, bool one_test, const char* option) {
  auto columns = names.columns_named(name);
  auto tests = names.tests_named(name);
  const auto of = [](std::size_t column) { return [column](const Names::One& one) { return one.column == column; }; };
  if (one_test)
    std::erase_if(columns, [&](std::size_t c) { return std::any_of(tests.begin(), tests.end(), of(c)); });
  else
    for (const std::size_t c : columns) std::erase_if(tests, of(c));
  if (columns.size() + tests.size() > 1) return ambiguous(names, name, columns, tests, option);
  if (!tests.empty()) return Meaning{tests[0].test, tests[0].column};
  if (columns.empty())
    return option_error(fmt::format("unknown feature '{}'{}", printable(name), did_you_mean(name, names.known())),
                        option);
  if (!one_test) return Meaning{std::nullopt, columns[0]};
  return option_error(fmt::format("unknown feature '{}': it is a column, and what can be tested of it has other names",
                                  printable(name)),
                      option);
}

// A feature's name begins with that of its column, so a name that none begins is no feature's.
bool bans_nothing(const Names& names, const std::string& name) {
  const auto untested = names.without_tests();
  if (std::find(untested.begin(), untested.end(), name) == untested.end()) return false;
  const auto known = names.known();
  return std::none_of(known.begin(), known.end(), [&](const std::string& k) { return name.starts_with(k); });
}

}  // namespace beadwork
