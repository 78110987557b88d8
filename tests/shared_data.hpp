#pragma once
// Where tables are that are not part of the project, by kind: paper, raw, numeric. $BEADWORK_DATA alone, where it is
// set; else where `make data` puts them, then beside the source tree. A place has a kind if it has all of its tables.
// Tests that need them say so and are skipped without them.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

inline std::filesystem::path source_folder() {
  return BEADWORK_SOURCE_DIR;
}

inline std::vector<std::filesystem::path> data_places() {
  const auto set = [](const char* name) {
    const char* value = std::getenv(name);
    return std::filesystem::path(value != nullptr ? value : "");
  };
  if (const auto named = set("BEADWORK_DATA"); !named.empty()) return {named};
  std::vector<std::filesystem::path> places;
  if (const auto cache = set("XDG_CACHE_HOME"); cache.is_absolute())
    places.push_back(cache / "beadwork");
  else if (const auto home = set("HOME"); !home.empty())
    places.push_back(home / ".cache/beadwork");
  places.push_back(source_folder().parent_path() / "shared/datasets");
  return places;
}

inline std::optional<std::filesystem::path> data_folder(const std::string& kind) {
  struct Kind {
    const char* suffix;
    std::ptrdiff_t tables;
  };
  static const std::map<std::string, Kind> kKinds{{"paper", {".txt", 15}}, {"raw", {".arff", 12}}};
  const Kind& wanted = kKinds.at(kind);
  for (const auto& place : data_places()) {
    std::error_code none;
    std::ptrdiff_t found = 0;
    for (const auto& entry : std::filesystem::directory_iterator(place / kind, none))
      found += entry.path().extension() == wanted.suffix ? 1 : 0;
    if (found >= wanted.tables) return place / kind;
  }
  return {};
}

// For tests that have said NEED_TABLES.
inline std::filesystem::path paper_table(const std::string& name) {
  return data_folder("paper").value() / (name + ".txt");
}

inline std::filesystem::path raw_table(const std::string& name) {
  return data_folder("raw").value() / (name + ".arff");
}

}  // namespace beadwork

#define NEED_TABLES(kind) \
  if (!::beadwork::data_folder(kind)) GTEST_SKIP() << "needs the tables '" << (kind) << "' (make data; docs/data.md)"
