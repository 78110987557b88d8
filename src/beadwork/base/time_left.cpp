#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwork {

std::string left_words(double share, double seconds) {
  struct Unit {
    double seconds;
    const char* name;
  };
  constexpr std::array<Unit, 5> kUnits{
      {{31556952, "years"}, {86400, "days"}, {3600, "hours"}, {60, "minutes"}, {1, "seconds"}}};
  constexpr double kAtLeast = 2;     // of a unit
  constexpr double kLifetime = 2e9;  // seconds
  if (!(share > 0) || !(seconds * (1 - share) / share < kLifetime)) return "no end in sight";
  const double left = seconds * std::max(0.0, 1 - share) / share;
  const auto* unit =
      std::find_if(kUnits.begin(), kUnits.end() - 1, [&](const Unit& u) { return left >= kAtLeast * u.seconds; });
  const double count = std::max(1.0, std::round(left / unit->seconds));
  return count == 1 ? "about a second left" : fmt::format("about {:.0f} {} left", count, unit->name);
}

}  // namespace beadwork
