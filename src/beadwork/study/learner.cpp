#include <fmt/format.h>

#include <algorithm>
#include <beadwork/study.hpp>

namespace beadwork {
namespace {

Status apply(Options& options, std::string_view setting) {
  const std::size_t equals = setting.find('=');
  std::string name(setting.substr(0, equals));
  std::replace(name.begin(), name.end(), '-', '_');
  return set_option(options, name, equals == std::string_view::npos ? "true" : setting.substr(equals + 1));
}

}  // namespace

Result<Learner> parse_learner(std::string_view text, const Options& base) {
  Learner learner{std::string(text), base};
  std::size_t colon = text.find(':');
  learner.options.engine = text.substr(0, colon);
  while (colon != std::string_view::npos) {
    text.remove_prefix(colon + 1);
    colon = text.find(':');
    if (auto ok = apply(learner.options, text.substr(0, colon)); !ok) return ok.error();
  }
  if (auto ok = check_options(learner.options); !ok) return ok.error();
  return learner;
}

}  // namespace beadwork
