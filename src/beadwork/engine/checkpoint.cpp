#include <beadwork/engine/checkpoint.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <memory>

namespace beadwork {
namespace {

Result<SearchState> read_state(const std::string& path) {
  auto text = read_file(path);
  if (!text) return text.error();
  auto state = parse_state(*text);
  if (!state) return input_error(state.error().message, path);
  return state;
}

}  // namespace

std::function<void(const SearchState&)> checkpoint_to(const std::string& path, const Control& control) {
  const auto whole = std::make_shared<bool>(static_cast<bool>(read_state(path)));
  return [path, whole, log = control](const SearchState& state) {
    if (*whole) std::rename(path.c_str(), (path + ".old").c_str());
    const auto written = write_file(path, to_text(state));
    *whole = static_cast<bool>(written);
    if (!written) log.warn(fmt::format("no checkpoint: {}", written.error().to_string()));
  };
}

Result<SearchState> read_checkpoint(const std::string& path, const Condensed& data,
                                    const SearchOptions& options, const Control& control) {
  std::string from = path;
  auto state = read_state(path);
  if (!state) {
    auto older = read_state(path + ".old");
    if (!older) return state.error();
    from += ".old";
    control.warn(fmt::format("{}; going on from {}", state.error().to_string(), from));
    state = std::move(older);
  }
  if (auto ok = check_state(data, options, *state); !ok)
    return Error{ok.error().code, ok.error().message, from};
  return state;
}

}  // namespace beadwork
