#include "data_places.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace beadwork {
namespace {

std::vector<std::string> tables_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().extension() == ".txt") out.push_back(entry.path().string());
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::vector<std::string> data_places() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value != nullptr ? value : "");
  };
  if (const std::string named = set("BEADWORK_DATA"); !named.empty()) return {named};
  std::vector<std::string> places;
  if (const std::string cache = set("XDG_CACHE_HOME"); cache.starts_with('/'))
    places.push_back(cache + "/beadwork");
  else if (const std::string home = set("HOME"); !home.empty())
    places.push_back(home + "/.cache/beadwork");
  places.emplace_back("../shared/datasets");
  return places;
}

Result<std::string> paper_folder() {
  for (const std::string& place : data_places())
    if (!tables_in(place + "/paper").empty()) return place + "/paper";
  return input_error("not found: 'make data' gets them (docs/data.md)", "the paper's tables");
}

Result<std::vector<std::string>> paper_tables() {
  TRY(const auto folder, paper_folder());
  return tables_in(folder);
}

}  // namespace beadwork
