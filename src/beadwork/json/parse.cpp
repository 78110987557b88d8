#include <beadwork/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <set>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct Refused {
  std::string message;
};

Json parse_strictly(std::string_view text) {
  constexpr int kMostNesting = 64;
  std::vector<std::set<std::string>> keys;
  const auto watch = [&](int depth, Json::parse_event_t event, Json& value) {
    if (depth > kMostNesting) throw Refused{fmt::format("is nested deeper than {} levels", kMostNesting)};
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(value.get<std::string>()).second)
      throw Refused{fmt::format("has the key \"{}\" twice in one object", printable(value.get<std::string>()))};
    return true;
  };
  return Json::parse(text, watch);
}

}  // namespace

Result<Json> parse_json(std::string_view text, const std::string& name, std::string_view kind) {
  try {
    return parse_strictly(text);
  } catch (const Refused& refused) {
    return input_error(refused.message, name);
  } catch (const Json::parse_error& e) {
    return input_error(fmt::format("is not valid JSON at byte {} (is it truncated, or not {}?)", e.byte, kind), name);
  } catch (const Json::exception&) {
    return input_error("holds a number that is out of range", name);
  }
}

}  // namespace beadwork
