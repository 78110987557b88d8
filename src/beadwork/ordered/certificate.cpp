#include <beadwork/ordered.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace beadwork {
namespace {

std::string list_line(std::string_view key, std::vector<Cut> cuts) {
  std::sort(cuts.begin(), cuts.end());
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  std::string out = fmt::format("{} {}", key, cuts.size());
  for (const Cut& cut : cuts) out += fmt::format(" {}:{}", cut.column, cut.rank);
  return out + "\n";
}

// Every cut that is forbidden or no candidate, and not required, as intervals.
std::string forbidden_line(const RankedData& data, const OrderedOptions& options) {
  const std::set<Cut> forbidden(options.forbid.begin(), options.forbid.end());
  const std::set<Cut> required(options.require.begin(), options.require.end());
  const std::set<Cut> candidates(options.candidates.begin(), options.candidates.end());
  const auto contains = [](const auto& list, std::uint32_t c) {
    return std::find(list.begin(), list.end(), c) != list.end();
  };
  std::size_t count = 0;
  std::string list;
  for (std::uint32_t c = 0; c < data.columns.size(); ++c) {
    const bool whole =
        (options.candidates.empty() && options.candidate_columns.empty()) || contains(options.candidate_columns, c);
    const bool never = contains(options.forbid_columns, c);
    const auto barred = [&](std::uint32_t k) {
      return !required.contains({c, k}) &&
             (never || forbidden.contains({c, k}) || (!whole && !candidates.contains({c, k})));
    };
    const std::uint32_t end = data.columns[c].num_cuts();
    for (std::uint32_t first = 0, last = 0; first < end; first = last + 1) {
      last = first;
      if (!barred(first)) continue;
      while (last + 1 < end && barred(last + 1)) ++last;
      list += last > first ? fmt::format(" {}:{}-{}", c, first, last) : fmt::format(" {}:{}", c, first);
      ++count;
    }
  }
  return fmt::format("forbidden {}{}\n", count, list);
}

Status can_be_certified(const RankedData& data, const OrderedOptions& options) {
  if (!options.costs.empty()) return option_error("costs cannot be certified", "certificate");
  if (!options.require_columns.empty()) return option_error("required columns cannot be certified", "certificate");
  if (data.columns.empty()) return option_error("a table without columns cannot be certified", "certificate");
  if (data.num_classes() > 65536) return option_error("more than 65536 classes cannot be certified", "certificate");
  return Done{};
}

}  // namespace

Result<std::string> certificate(const RankedData& data, const OrderedOptions& options, const OrderedOutcome& outcome) {
  require(data.complete && outcome.status != OrderedStatus::infeasible, "certificate: all columns, and an answer");
  TRY_DONE(can_be_certified(data, options));
  std::string out = fmt::format(
      "beadwork-certificate 2\ndata-sha256 {}\nrows {}\ncolumns {}\nclasses {}\ndepth {}\nclaim {}\n", sha256(data),
      data.num_rows(), data.columns.size(), data.num_classes(), options.depth, outcome.lower_bound);
  out += forbidden_line(data, options);
  out += list_line("required", options.require);
  out += list_line("model", outcome.status == OrderedStatus::optimal ? outcome.cuts : std::vector<Cut>{});
  out += "end\n";
  return seal(std::move(out));
}

}  // namespace beadwork
