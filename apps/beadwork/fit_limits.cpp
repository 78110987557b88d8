#include "fit_limits.hpp"

#include "console.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>

namespace beadwork {

std::optional<double> default_limit(const Request& request, bool told) {
  const std::string_view engine = engine_of(request).name;
  const bool endless = engine == "search" || engine == "local";
  if (!endless || told || asks_for(request, Use::lasting)) return {};
  constexpr double kMinute = 60;
  const char* set = std::getenv("BEADWORK_TIME_LIMIT");
  if (set == nullptr) return kMinute;
  return parse_number(set);  // none, or anything else that is no number: no limit
}

std::string defaults_words(const Request& request, std::size_t num_features, const std::string& cut,
                           std::optional<double> limit) {
  std::string out;
  const auto add = [&](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  const auto& nodes = request.only_of<ForSearch>().max_nodes;
  const bool enough = nodes && static_cast<std::int64_t>(request.depth()) >= *nodes - 2;  // more are never tested
  if (!request.run.depth.asked && !enough && num_features > request.depth())
    add(fmt::format("at most {} (--depth)", console::counted(request.depth(), "feature")));
  if (!cut.empty()) add(fmt::format("numbers cut by {} (--thresholds)", cut));
  if (limit) add(fmt::format("{:g} seconds (--time-limit)", *limit));
  return out.empty() ? out : "limits by default: " + out;
}

std::string stop_words(const Outcome& outcome, const Request& request, std::optional<double> limit,
                       const Control& control) {
  const auto& search = request.only_of<ForSearch>();
  std::string out = control.interrupted()    ? "stopped by a signal"
                    : outcome.out_of_memory  ? "stopped for want of memory"
                    : limit                  ? fmt::format("stopped after {:g} seconds, the default limit", *limit)
                    : request.run.time_limit ? fmt::format("stopped after {:g} seconds", *request.run.time_limit)
                                             : "stopped early";
  if (const auto far = console::how_far(); far && !outcome.choice) out += ", " + *far;
  std::vector<std::string> help;
  std::error_code unknown;  // a search that has not begun has saved nothing
  if (search.checkpoint && std::filesystem::exists(search.checkpoint.path, unknown))
    help.push_back(fmt::format("--resume {} to continue", printable(search.checkpoint.path)));
  if (outcome.out_of_memory)
    help.emplace_back("more memory");
  else if (!control.interrupted())
    help.emplace_back(limit ? "--time-limit none" : "a longer --time-limit");
  if (engine_of(request).exact() && request.run.threads == 1) help.emplace_back("more --threads");
  help.emplace_back("a smaller --depth");
  return fmt::format("{}; what helps: {}", out, fmt::join(help, ", "));
}

Control quarter_of(Control control) {
  control.deadline = control.deadline.part(shares::kDescription);
  return control;
}

}  // namespace beadwork
