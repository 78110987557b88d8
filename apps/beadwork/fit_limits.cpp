#include "fit_limits.hpp"

#include <cstdlib>

namespace beadwork {

std::optional<double> default_limit(const Request& request, bool told) {
  const std::string_view engine = engine_of(request).name;
  const auto& search = request.only_of<ForSearch>();
  const bool endless = (engine == "search" || engine == "local") && !request.reading.faithful;
  if (!endless || told || search.certificate || search.checkpoint || search.resume) return {};
  constexpr double kMinute = 60;
  const char* set = std::getenv("BEADWORK_TIME_LIMIT");
  if (set == nullptr) return kMinute;
  return parse_number(set);  // none, or anything else that is no number: no limit
}

Control limited(Control control, const Request& request) {
  if (request.run.time_limit) control.deadline = Deadline::in(*request.run.time_limit);
  if (request.run.memory_limit) control.memory_limit = static_cast<std::size_t>(*request.run.memory_limit) << 20;
  return control;
}

Control sooner(Control control) {
  control.deadline = Deadline::in(control.deadline.remaining() / 4);
  return control;
}

}  // namespace beadwork
