#include <beadwork/model/asked_json.hpp>
#include <beadwork/model/parse.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork::model {
namespace {

constexpr const char* kCosts = "costs";

AskedFor::Value read_value(const Json& j, const std::string& where) {
  if (j.is_boolean()) return j.get<bool>();
  if (j.is_number_integer()) return whole(j, where, INT64_MIN, INT64_MAX);
  if (j.is_number()) return j.get<double>();
  if (j.is_string()) return j.get<std::string>();
  if (!j.is_array()) throw Fault{where + " is none of true, false, a number, a text and a list of texts"};
  std::vector<std::string> list;
  for (const Json& item : j) {
    if (!item.is_string()) throw Fault{where + " holds more than texts"};
    list.push_back(item.get<std::string>());
  }
  return list;
}

std::vector<double> read_costs(const Json& j, const std::vector<std::string>& names) {
  const std::string where = "\"costs\" of the request";
  std::vector<double> out;
  only(j, {"classes", "rows"}, where);
  if (texts(array(j, "classes", where), "the classes of " + where) != names)
    throw Fault{"the classes of " + where + " are not the model's"};
  const Json& rows = array(j, "rows", where);
  if (rows.size() != names.size()) throw Fault{where + " does not have a row for each class"};
  for (const Json& row : rows) {
    if (!row.is_array() || row.size() != names.size()) throw Fault{where + " does not have a cost for each class"};
    for (const Json& cost : row) {
      if (!cost.is_number()) throw Fault{where + " holds more than numbers"};
      out.push_back(cost.get<double>());
    }
  }
  return out;
}

}  // namespace

Json asked_json(const AskedFor& asked, const std::vector<std::string>& class_names) {
  Json j = Json::object();
  for (const auto& [name, value] : asked.options) std::visit([&, key = name](const auto& v) { j[key] = v; }, value);
  const std::size_t classes = class_names.size();
  if (asked.costs.empty()) return j;
  j[kCosts] = {{"classes", class_names}, {"rows", Json::array()}};
  for (std::size_t i = 0; i < asked.costs.size(); i += classes)
    j[kCosts]["rows"].push_back(std::vector(asked.costs.begin() + static_cast<std::ptrdiff_t>(i),
                                            asked.costs.begin() + static_cast<std::ptrdiff_t>(i + classes)));
  return j;
}

AskedFor read_asked(const Json& j, const std::vector<std::string>& class_names) {
  if (!j.is_object()) throw Fault{"\"request\" is not an object"};
  AskedFor out;
  for (const auto& [key, value] : j.items()) {
    if (key == kCosts)
      out.costs = read_costs(value, class_names);
    else
      out.options.emplace_back(key, read_value(value, fmt::format("\"{}\" of the request", printable(key, 40))));
  }
  return out;
}

Status check_asked(const AskedFor& asked, std::size_t classes) {
  if (!asked.costs.empty() && asked.costs.size() != classes * classes)
    return input_error("the request does not have a cost for each pair of classes");
  const auto sound = [](double x) { return std::isfinite(x); };
  if (!std::all_of(asked.costs.begin(), asked.costs.end(), [](double x) { return std::isfinite(x) && x >= 0; }))
    return input_error("a cost of the request is out of range");
  std::vector<std::string> names;
  for (const auto& [name, value] : asked.options) {
    std::vector<std::string> texts{name};
    if (const auto* number = std::get_if<double>(&value); number != nullptr && !sound(*number))
      return input_error("a number of the request is out of range");
    if (const auto* text = std::get_if<std::string>(&value)) texts.push_back(*text);
    if (const auto* list = std::get_if<std::vector<std::string>>(&value))
      texts.insert(texts.end(), list->begin(), list->end());
    for (const std::string& text : texts)
      if (find_invalid_utf8(text)) return input_error("a text of the request is not UTF-8");
    if (name == kCosts || std::find(names.begin(), names.end(), name) != names.end())
      return input_error(fmt::format("the request has '{}' twice", printable(name, 40)));
    names.push_back(name);
  }
  return Done{};
}

}  // namespace beadwork::model
