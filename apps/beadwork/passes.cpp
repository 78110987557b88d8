#include "passes.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>

namespace beadwork {
namespace {

constexpr std::size_t kMostQuantiles = 1000;

// What the rows are needed for: elsewhere a row counts by its features, class and weight alone.
std::string what_needs_rows(const InputFlags& flags, const Request& request) {
  const std::string option = not_taken(request, Use::passes);
  if (option == "engine") return "--engine " + std::string(engine_of(request).name);
  if (option == "depth") return "a depth that is chosen by cross-validation";
  if (!option.empty()) return flag_of(option);
  if (flags.thresholds == "auto") return "";
  const auto rule = parse_threshold_rule(flags.thresholds);
  const bool few = !rule || (rule->kind == ThresholdRule::Kind::quantiles && rule->count <= kMostQuantiles);
  return few ? "" : "--thresholds " + flags.thresholds;
}

}  // namespace

bool long_table(const std::string& path) {
  constexpr std::uintmax_t kLong = std::uintmax_t{512} << 20;
  constexpr std::uintmax_t kLongPacked = std::uintmax_t{64} << 20;
  std::error_code unknown;
  if (!std::filesystem::is_regular_file(path, unknown)) return false;
  const auto size = std::filesystem::file_size(path, unknown);
  if (unknown || size < kLongPacked) return false;
  std::string start(4, '\0');
  std::ifstream(path, std::ios::binary).read(start.data(), 4);
  const bool dense = packed(start) || start == "PAR1" || start == "ARRO";
  return size >= (dense ? kLongPacked : kLong);
}

Result<std::optional<LoadedData>> load_in_passes(const InputFlags& flags, const Request& request, bool needs_rows,
                                                 const Control& control) {
  const std::string what = needs_rows          ? "--report"
                           : flags.path == "-" ? "standard input"
                                               : what_needs_rows(flags, request);
  if (!what.empty()) {
    if (flags.in_passes)
      return usage_error(fmt::format("cannot be used with {}: it needs all rows in memory", what), "--in-passes");
    return std::optional<LoadedData>{};
  }
  TRY(auto options, flags.read_options());
  TRY(const auto rule, flags.thresholds == "auto" ? ThresholdRule{} : parse_threshold_rule(flags.thresholds));
  const auto choose = [&](std::size_t rows, std::size_t inputs) {
    return flags.thresholds == "auto" ? automatic_thresholds(rows, inputs, request.depth()) : rule;
  };
  auto merged = read_merged(flags.path, options, choose, control);
  if (!merged) {
    Error error = merged.error();
    if (error.where.empty()) error.where = flags.path;
    return error;
  }
  if (!*merged) {
    if (flags.in_passes) console::warn("the weights are not whole numbers: all rows are held in memory");
    return std::optional<LoadedData>{};
  }
  MergedData& m = **merged;
  if (m.file.quotes_mean_text) options.quotes_mean_text = m.file.quotes_mean_text;
  return std::optional(
      LoadedData{std::move(m.file), std::move(options), m.thresholds, std::move(m.binarizer), std::move(m.dataset)});
}

}  // namespace beadwork
