#include "benchmark_record.hpp"

#include <beadwork/json.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <tuple>

namespace beadwork {
namespace {

constexpr std::string_view kFormat = "beadwork-benchmark";

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<std::int64_t> maybe(const Json& value) {
  return value.is_null() ? std::nullopt : std::optional(value.get<std::int64_t>());
}

// Throws what nlohmann throws where something is missing or of another type.
BenchmarkRecord from_json(const Json& j) {
  BenchmarkRecord r;
  if (j.at("format") != kFormat || j.at("format_version") != 1)
    throw Json::other_error::create(0, "another format", &j);
  r.version = j.at("beadwork");
  r.name = j.at("name");
  r.table = j.at("table");
  r.model = j.at("model");
  r.depth = j.at("depth");
  r.rows = j.at("rows");
  r.features = j.at("features");
  r.size = {j.at("variables"), j.at("hard"), j.at("soft"), j.at("literals")};
  r.lower = j.at("lower_bound");
  r.upper = maybe(j.at("cost"));
  r.base = j.at("base_errors");
  r.claim = j.at("claim");
  r.seconds = j.at("seconds");
  r.time_limit = j.at("time_limit");
  r.order = j.at("order").get<std::vector<std::size_t>>();
  r.cells = j.at("cells");
  r.certified = maybe(j.at("certified_errors"));
  r.certificate_seconds = j.at("certificate_seconds");
  r.files = j.at("files").get<std::map<std::string, std::string>>();
  return r;
}

}  // namespace

std::string to_json(const BenchmarkRecord& r) {
  return Json{{"format", kFormat},
              {"format_version", 1},
              {"beadwork", r.version},
              {"name", r.name},
              {"table", r.table},
              {"model", r.model},
              {"depth", r.depth},
              {"rows", r.rows},
              {"features", r.features},
              {"variables", r.size.variables},
              {"hard", r.size.hard},
              {"soft", r.size.soft},
              {"literals", r.size.literals},
              {"lower_bound", r.lower},
              {"cost", or_null(r.upper)},
              {"base_errors", r.base},
              {"claim", r.claim},
              {"seconds", r.seconds},
              {"time_limit", r.time_limit},
              {"order", r.order},
              {"cells", r.cells},
              {"certified_errors", or_null(r.certified)},
              {"certificate_covers_all", r.all_certified()},
              {"certificate_seconds", r.certificate_seconds},
              {"files", r.files}}
             .dump(1) +
         "\n";
}

Result<BenchmarkRecord> read_benchmark_record(const std::string& path) {
  TRY(const auto text, read_file(path));
  TRY(const auto json, parse_json(text, path, "the record of an instance"));
  try {
    return from_json(json);
  } catch (const nlohmann::json::exception&) {
    return input_error("is not the record of an instance", path);
  }
}

std::vector<BenchmarkRecord> benchmark_records(const std::string& folder) {
  std::vector<BenchmarkRecord> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none)) {
    if (entry.path().extension() != ".json") continue;
    auto record = read_benchmark_record(entry.path().string());
    if (record && record->name + ".json" == entry.path().filename()) out.push_back(*std::move(record));
  }
  std::sort(out.begin(), out.end(), [](const BenchmarkRecord& a, const BenchmarkRecord& b) {
    return std::tie(a.table, a.model, a.depth) < std::tie(b.table, b.model, b.depth);
  });
  return out;
}

std::string bounds_words(const BenchmarkRecord& r) {
  if (!r.upper) return fmt::format("{} or more", r.lower);
  return r.proven() ? std::to_string(r.lower) : fmt::format("{} to {}", r.lower, *r.upper);
}

}  // namespace beadwork
