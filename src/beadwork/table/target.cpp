#include <beadwork/table/attempt.hpp>
#include <beadwork/table/spelling.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace beadwork {
namespace {

using namespace table;

// Numbers, and texts of which nearly every row has its own, are no classes.
Status check_classes(const Column& target, const Cells& cells, const Attempt& plainly) {
  constexpr std::size_t kMost = 20;
  const std::string name = printable(target.name, 40);
  if (target.levels.size() <= kMost) return Done{};
  const bool numbers = plainly.explained == cells.total || choose(target, cells, {}).best.explained == cells.total;
  const auto fraction = [](double x) { return x != std::floor(x); };
  const bool many =
      10 * target.levels.size() > cells.total || std::any_of(plainly.values.begin(), plainly.values.end(), fraction);
  if (numbers && many)
    return option_error(fmt::format("the target '{}' has {} different numbers, and this learns classes, not numbers; "
                                    "4 would make four classes of about equal size",
                                    name, target.levels.size()),
                        "target_bins");
  if (2 * target.levels.size() > cells.total)
    return option_error(fmt::format("column '{}' has {} different texts in {} rows: these are no classes to learn",
                                    name, target.levels.size(), cells.total),
                        "target");
  return Done{};
}

void warn_of_classes(const Column& target, const Cells& cells, Findings& findings) {
  const std::string name = printable(target.name, 40);
  if (const auto two = look_alikes(target, cells))
    findings.warnings.push_back(
        {fmt::format("'{}' and '{}' in the target '{}' are different classes", two->first, two->second, name), {}, {}});
  for (std::size_t i = 0; i < target.levels.size(); ++i)
    if (stands_for_nothing(target.levels[i]))
      findings.warnings.push_back({fmt::format("'{}' in the target '{}' is a class ({}), not a missing value",
                                               printable(target.levels[i], 40), name, in_rows(cells.of_level[i])),
                                   {},
                                   {}});
  constexpr std::size_t kEnoughRows = 50;
  std::optional<std::size_t> lone;  // the least name; the rows may come in any order
  for (std::size_t i = 0; i < cells.of_level.size(); ++i)
    if (cells.of_level[i] == 1 && (!lone || target.levels[i] < target.levels[*lone])) lone = i;
  if (cells.total >= kEnoughRows && cells.of_level.size() > 2 && lone)
    findings.warnings.push_back({fmt::format("class '{}' has a single row: is that a line of totals or a mistake?",
                                             printable(target.levels[*lone], 40)),
                                 {},
                                 {}});
}

}  // namespace

void warn_of_one_class(const Column& target, const Cells& cells, Findings& findings) {
  const auto used = [](std::size_t n) { return n != 0; };
  if (target.levels.size() != cells.of_level.size() ||
      std::count_if(cells.of_level.begin(), cells.of_level.end(), used) != 1)
    return;
  const auto at = std::find_if(cells.of_level.begin(), cells.of_level.end(), used) - cells.of_level.begin();
  findings.warnings.push_back({fmt::format("all rows have the class '{}': there is nothing to learn",
                                           printable(target.levels[static_cast<std::size_t>(at)], 40)),
                               {},
                               {}});
}

Status check_target(const Column& target, const std::vector<std::size_t>& counts, Findings& findings) {
  Column checked = target;
  const Cells cells{counts, std::accumulate(counts.begin(), counts.end(), std::size_t{0})};
  warn_of_one_class(target, cells, findings);
  return tidy_target(checked, cells, 0, findings);
}

Status tidy_target(Column& target, std::size_t bins, Findings& findings) {
  return tidy_target(target, count_cells(target), bins, findings);
}

Status tidy_target(Column& target, const Cells& cells, std::size_t bins, Findings& findings) {
  const std::string name = printable(target.name, 40);
  const Attempt plainly = attempt(target, cells, {.kind = Reading::Kind::number});
  if (bins == 0) {
    TRY_DONE(check_classes(target, cells, plainly));
    warn_of_classes(target, cells, findings);
    return Done{};
  }
  const auto odd = std::find_if(plainly.values.begin(), plainly.values.end(), [](double x) { return std::isnan(x); });
  if (odd != plainly.values.end())
    return option_error(
        fmt::format("'{}' in the target '{}' is not a number",
                    printable(target.levels[static_cast<std::size_t>(odd - plainly.values.begin())], 40), name),
        "target_bins");
  std::vector<std::pair<double, std::size_t>> sorted;  // a number, and how often it occurs
  for (std::size_t i = 0; i < target.levels.size(); ++i)
    if (cells.of_level[i] != 0) sorted.emplace_back(plainly.values[i], cells.of_level[i]);
  std::sort(sorted.begin(), sorted.end());
  std::vector<double> cuts;
  std::size_t at = 0;
  std::size_t up_to = sorted.empty() ? 0 : sorted.front().second;  // rows, this number included
  for (std::size_t i = 1; i < bins; ++i) {
    while (up_to <= (i * cells.total - 1) / bins) up_to += sorted[++at].second;
    const double cut = sorted[at].first;
    if (cut < sorted.back().first && (cuts.empty() || cut > cuts.back())) cuts.push_back(cut);
  }
  if (cuts.empty()) return option_error(fmt::format("the target '{}' cannot be cut into classes", name), "target_bins");
  Codes codes;
  for (std::size_t r = 0; r < target.num_rows(); ++r)
    codes.push_back(static_cast<std::uint32_t>(bin_of(cuts, plainly.values[target.codes[r]])));
  target.codes = std::move(codes);
  target.levels = bin_names(cuts);
  target.reading.cuts = std::move(cuts);
  findings.notes.push_back(fmt::format("target '{}' cut into {} classes", name, target.levels.size()));
  return Done{};
}

}  // namespace beadwork
