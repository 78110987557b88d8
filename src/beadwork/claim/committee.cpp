#include <beadwork/claim.hpp>

#include <fmt/format.h>

#include <array>

namespace beadwork {
namespace {

using Extent = CommitteeClaim::Extent;
constexpr std::array<std::pair<std::string_view, Extent>, 3> kExtents{
    {{"complete", Extent::complete}, {"first", Extent::first}, {"stopped", Extent::stopped}}};

std::string near_words(const Claim& optimum, double margin) {
  const bool costs = optimum.objective.costs;
  if (margin == 0) return costs ? "that cost no more than the optimum" : "that make no more errors than the optimum";
  const std::string amount = format_number(margin);
  if (costs) return fmt::format("that cost at most {} more than the optimum", amount);
  return fmt::format("that make at most {} error{} more than the optimum", amount, margin == 1 ? "" : "s");
}

}  // namespace

std::string_view to_string(Extent extent) {
  return kExtents[static_cast<std::size_t>(extent)].first;
}

std::optional<Extent> parse_extent(std::string_view text) {
  for (const auto& [name, extent] : kExtents)
    if (name == text) return extent;
  return std::nullopt;
}

std::string list_words(const CommitteeClaim& c, const Claim& optimum) {
  const std::string near = near_words(optimum, in_units(optimum, c.within));
  const std::string count = c.members == 1 ? "1 diagram" : fmt::format("{} diagrams", c.members);
  const std::string sets = "one for each set of features, without those that do nothing in it";
  if (c.extent == Extent::stopped) return fmt::format("{}: not all of those {} are known", count, near);
  if (c.extent == Extent::complete)
    return fmt::format("{} {}, {}", c.members == 1 ? "the 1 diagram" : "all " + count, near, sets);
  const std::string of = c.num_sets == 0 ? "those" : fmt::format("the {}", c.num_sets);
  return fmt::format("{}: the first, by {}, of {} {}, {}", count, measure(optimum), of, near, sets);
}

std::string to_words(const CommitteeClaim& c, const Claim& optimum) {
  const std::string votes = c.members == 1 ? "1 diagram votes" : fmt::format("{} diagrams vote", c.members);
  const std::string near = near_words(optimum, in_units(optimum, c.within));
  if (c.extent == Extent::complete) return fmt::format("{}: all feature sets {}, idle features dropped", votes, near);
  if (c.extent == Extent::stopped) return fmt::format("{}: stopped before all feature sets {} were known", votes, near);
  const std::string of = c.num_sets == 0 ? "the" : fmt::format("the {}", c.num_sets);
  return fmt::format("{}: the first, by {}, of {} feature sets {}, idle features dropped", votes, measure(optimum), of,
                     near);
}

}  // namespace beadwork
