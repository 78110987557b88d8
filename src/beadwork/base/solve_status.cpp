#include <beadwork/base/solve_status.hpp>

#include <array>
#include <utility>

namespace beadwork {
namespace {

constexpr std::array<std::pair<std::string_view, SolveStatus>, 4> kStatuses{{{"optimal", SolveStatus::optimal},
                                                                             {"feasible", SolveStatus::feasible},
                                                                             {"infeasible", SolveStatus::infeasible},
                                                                             {"unknown", SolveStatus::unknown}}};

}  // namespace

std::string_view to_string(SolveStatus status) {
  for (const auto& [name, known] : kStatuses)
    if (known == status) return name;
  return "unknown";
}

std::optional<SolveStatus> parse_status(std::string_view text) {
  for (const auto& [name, known] : kStatuses)
    if (name == text) return known;
  return std::nullopt;
}

}  // namespace beadwork
