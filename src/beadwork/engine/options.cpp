#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <beadwork/engine.hpp>
#include <charconv>
#include <type_traits>

namespace beadwork {
namespace {

template <class T>
constexpr std::string_view type_name() {
  if constexpr (std::is_same_v<T, bool>)
    return "flag";
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return "int";
  else if constexpr (std::is_same_v<T, double>)
    return "number";
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return "list";
  else
    return "text";
}

template <class T>
std::string value_text(const T& value) {
  if constexpr (std::is_same_v<T, bool>)
    return value ? "true" : "false";
  else if constexpr (std::is_same_v<T, double>)
    return format_number(value);
  else if constexpr (std::is_same_v<T, std::vector<std::string>>)
    return fmt::format("{}", fmt::join(value, ", "));
  else
    return fmt::format("{}", value);
}

Error bad_value(const OptionInfo& info, std::string_view text) {
  std::string expected = "true or false";
  if (info.type == "int")
    expected = fmt::format("a whole number from {:.0f} to {:.0f}", info.low, info.high);
  else if (info.type == "number")
    expected = fmt::format("a number from {} to {}", format_number(info.low), format_number(info.high));
  return usage_error(fmt::format("expected {}, got '{}'{}", expected, printable(text),
                                 info.name == "depth" ? " (a truth table has 2^depth cells)" : ""),
                     info.flag());
}

template <class T>
Status set_value(T& value, const OptionInfo& info, std::string_view text) {
  if constexpr (std::is_same_v<T, std::string>) {
    value = text;
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    if (!text.empty()) value.emplace_back(text);
  } else if constexpr (std::is_same_v<T, bool>) {
    if (text != "true" && text != "false") return bad_value(info, text);
    value = text == "true";
  } else {
    const auto number = parse_number(text);
    if (!number || *number < info.low || *number > info.high) return bad_value(info, text);
    if constexpr (std::is_same_v<T, std::int64_t>)
      if (*number != static_cast<double>(static_cast<std::int64_t>(*number))) return bad_value(info, text);
    value = static_cast<T>(*number);
  }
  return Done{};
}

const OptionInfo* find_option(std::string_view name) {
  const auto table = option_table();
  const auto it =
      std::find_if(table.begin(), table.end(), [&](const OptionInfo& o) { return o.name == name; });
  return it == table.end() ? nullptr : &*it;
}

template <class Wanted>
std::string engine_names(Wanted wanted) {
  std::string names;
  for (const Engine& e : engines())
    if (wanted(e)) names += fmt::format("{}{}", names.empty() ? "" : ", ", e.name);
  return names;
}

bool names(std::string_view list, std::string_view word) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(' '), list.size());
    if (list.substr(0, end) == word) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// An option that no engine would look at is a mistake of the user's, and is not passed over in silence.
template <class T>
Status check_taken(const Engine& engine, const OptionInfo& info, const T& value, const T& default_value) {
  if (value == default_value || takes(engine, info.name)) return Done{};
  return usage_error(
      fmt::format("engine {} does not take it; {}", engine.name,
                  engine_names([&](const Engine& e) { return takes(e, info.name); }) + " would"),
      info.flag());
}

}  // namespace

std::string OptionInfo::flag() const {
  std::string out = fmt::format("--{}", name);
  std::replace(out.begin(), out.end(), '_', '-');
  return out;
}

std::span<const OptionInfo> option_table() {
  static const std::vector<OptionInfo> table = {
#define BEADWORK_OPTION(type, name, value, low, high, help) \
  {#name, type_name<decltype(Options::name)>(), value_text(Options{}.name), low, high, help},
#include <beadwork/engine/options.def>
#undef BEADWORK_OPTION
  };
  return table;
}

Status set_option(Options& options, std::string_view name, std::string_view text) {
  const OptionInfo* info = find_option(name);
  if (info == nullptr) return usage_error(fmt::format("there is no option '{}'", printable(name)));
#define BEADWORK_OPTION(type, field, value, low, high, help) \
  if (name == #field) return set_value(options.field, *info, text);
#include <beadwork/engine/options.def>
#undef BEADWORK_OPTION
  return usage_error(fmt::format("there is no option '{}'", printable(name)));
}

Status check_options(const Options& options) {
  Options scratch;
#define BEADWORK_OPTION(type, field, value, low, high, help) \
  if (auto ok = set_value(scratch.field, *find_option(#field), value_text(options.field)); !ok) return ok;
#include <beadwork/engine/options.def>
#undef BEADWORK_OPTION
  const Engine* engine = find_engine(options.engine);
  if (engine == nullptr)
    return usage_error(fmt::format("there is no engine '{}'; choose one of: {}", printable(options.engine),
                                   engine_names([](const Engine&) { return true; })),
                       "--engine");
  if (!parse_bias(options.bias))
    return usage_error(fmt::format("expected P, C, S, N or size, got '{}'", printable(options.bias)),
                       "--bias");
  if (options.tie_break != "purity" && options.tie_break != "first")
    return usage_error(fmt::format("expected purity or first, got '{}'", printable(options.tie_break)),
                       "--tie-break");
#define BEADWORK_OPTION(type, field, value, low, high, help) \
  if (auto ok = check_taken(*engine, *find_option(#field), options.field, Options{}.field); !ok) return ok;
#include <beadwork/engine/options.def>
#undef BEADWORK_OPTION
  return Done{};
}

bool takes(const Engine& engine, std::string_view option) {
  const auto all = engines();
  return names(engine.options, option) ||
         std::none_of(all.begin(), all.end(), [&](const Engine& e) { return names(e.options, option); });
}

}  // namespace beadwork
