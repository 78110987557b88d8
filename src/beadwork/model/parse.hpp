#pragma once
// Reading the parts of a model file. The first fault ends it; a fault is thrown inside this folder only.
#include <beadwork/diagram.hpp>

#include <nlohmann/json.hpp>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork::model {

using Json = nlohmann::ordered_json;

struct Fault {
  std::string message;
};

// A key that we do not know may be a misspelt one that we do.
void only(const Json& j, std::initializer_list<std::string_view> keys, std::string_view where);
const Json& member(const Json& j, const char* key, std::string_view where);
const Json& array(const Json& j, const char* key, std::string_view where);
std::string text(const Json& j, const char* key, std::string_view where);
std::int64_t whole(const Json& v, std::string_view what, std::int64_t low, std::int64_t high);
std::int64_t whole(const Json& j, const char* key, std::string_view where, std::int64_t low, std::int64_t high);
std::vector<std::string> texts(const Json& list, std::string_view what);  // all different

Diagram read_nodes(const Json& list, std::size_t features, std::size_t classes);
Json nodes_json(const Diagram& diagram);

}  // namespace beadwork::model
