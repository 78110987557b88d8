#include <beadwork/model/parse.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace beadwork::model {

void only(const Json& j, std::initializer_list<std::string_view> keys, std::string_view where) {
  if (!j.is_object()) throw Fault{fmt::format("{} is not an object", where)};
  for (const auto& [key, value] : j.items())
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      throw Fault{fmt::format("{} has an unknown key \"{}\"", where, printable(key))};
}

const Json& member(const Json& j, const char* key, std::string_view where) {
  if (!j.is_object()) throw Fault{fmt::format("{} is not an object", where)};
  const auto it = j.find(key);
  if (it == j.end()) throw Fault{fmt::format("{} has no \"{}\"", where, key)};
  return *it;
}

const Json& array(const Json& j, const char* key, std::string_view where) {
  const Json& a = member(j, key, where);
  if (!a.is_array()) throw Fault{fmt::format("\"{}\" of {} is not a list", key, where)};
  return a;
}

std::string text(const Json& j, const char* key, std::string_view where) {
  const Json& v = member(j, key, where);
  if (!v.is_string()) throw Fault{fmt::format("\"{}\" of {} is not a text", key, where)};
  return v.get<std::string>();
}

std::int64_t whole(const Json& v, std::string_view what, std::int64_t low, std::int64_t high) {
  const bool too_large = v.is_number_unsigned() && v.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (!v.is_number_integer() || too_large || v.get<std::int64_t>() < low || v.get<std::int64_t>() > high)
    throw Fault{fmt::format("{} is not a whole number from {} to {}", what, low, high)};
  return v.get<std::int64_t>();
}

std::int64_t whole(const Json& j, const char* key, std::string_view where, std::int64_t low, std::int64_t high) {
  return whole(member(j, key, where), fmt::format("\"{}\" of {}", key, where), low, high);
}

std::vector<std::string> texts(const Json& list, std::string_view what) {
  std::vector<std::string> out;
  std::set<std::string> seen;
  for (const Json& v : list) {
    if (!v.is_string()) throw Fault{fmt::format("{} are not all texts", what)};
    out.push_back(v.get<std::string>());
    if (!seen.insert(out.back()).second) throw Fault{fmt::format("{} hold '{}' twice", what, printable(out.back()))};
  }
  return out;
}

Diagram read_nodes(const Json& list, std::size_t features, std::size_t classes) {
  std::vector<DiagramNode> nodes;
  const auto most = static_cast<std::int64_t>(list.size()) - 1;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string where = fmt::format("node {}", i);
    if (list[i].is_object() && list[i].contains("class")) {
      only(list[i], {"class"}, where);
      const auto k = whole(list[i], "class", where, 0, static_cast<std::int64_t>(classes) - 1);
      nodes.push_back(DiagramNode::leaf(Class{static_cast<std::size_t>(k)}));
      continue;
    }
    only(list[i], {"feature", "low", "high"}, where);
    const auto index = [&](const char* key, std::int64_t high) {
      return static_cast<std::size_t>(whole(list[i], key, where, 0, high));
    };
    nodes.push_back(DiagramNode::test(Feature{index("feature", static_cast<std::int64_t>(features) - 1)},
                                      Node{index("low", most)}, Node{index("high", most)}));
  }
  auto diagram = Diagram::make(std::move(nodes));
  if (!diagram) throw Fault{diagram.error().message};
  return *std::move(diagram);
}

Json nodes_json(const Diagram& diagram) {
  Json nodes = Json::array();
  for (const DiagramNode& node : diagram.nodes())
    nodes.push_back(node.sink ? Json{{"class", (*node.answer)()}}
                              : Json{{"feature", node.feature()}, {"low", node.low()}, {"high", node.high()}});
  return nodes;
}

}  // namespace beadwork::model
