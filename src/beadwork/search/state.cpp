#include <beadwork/search/state.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace beadwork {
namespace {

std::string prefix_text(const std::vector<std::uint32_t>& prefix) {
  return prefix.empty() ? "-" : fmt::format("{}", fmt::join(prefix, ","));
}

std::optional<std::vector<std::uint32_t>> parse_prefix(std::string_view text) {
  std::vector<std::uint32_t> out;
  if (text == "-") return out;
  for (const std::string_view part : split(text, ',')) {
    const auto n = parse_integer<std::uint32_t>(part);
    if (!n) return {};
    out.push_back(*n);
  }
  return out;
}

std::optional<std::vector<Feature>> parse_features(std::span<const std::string_view> words) {
  std::vector<Feature> out;
  for (const std::string_view w : words) {
    const auto n = parse_integer<std::uint32_t>(w);
    if (!n) return {};
    out.emplace_back(*n);
  }
  return out;
}

Error damaged(std::string_view what) {
  return input_error(fmt::format("not a search state: {}", what));
}

}  // namespace

std::string to_string(const SearchRange& range) {
  return prefix_text(range.from) + " " + prefix_text(range.to);
}

std::optional<SearchRange> parse_range(std::string_view from, std::string_view to) {
  auto a = parse_prefix(from), b = parse_prefix(to);
  if (!a || !b) return {};
  return SearchRange{*std::move(a), *std::move(b)};
}

bool tiles(const std::vector<SearchRange>& done) {
  if (done.empty() || !done.front().from.empty() || !done.back().to.empty()) return false;
  for (std::size_t i = 1; i < done.size(); ++i)
    if (done[i].from != done[i - 1].to) return false;
  return true;
}

std::vector<std::uint32_t> canonical_place(std::vector<std::uint32_t> prefix, std::uint32_t num_positions, bool to) {
  while (prefix.size() > 1) {
    const std::uint32_t last = prefix.back(), before = prefix[prefix.size() - 2];
    if (last > before + 1 && last < num_positions) break;
    prefix.pop_back();
    if (last >= num_positions) ++prefix.back();
  }
  if (prefix.size() == 1 && (to ? prefix[0] >= num_positions : prefix[0] == 0)) prefix.clear();
  return prefix;
}

std::vector<SearchRange> clipped(const std::vector<SearchRange>& ranges, const SearchRange& window) {
  std::vector<SearchRange> out;
  for (const SearchRange& r : ranges) {
    SearchRange in{std::max(r.from, window.from), r.to};
    if (!window.to.empty() && (in.to.empty() || window.to < in.to)) in.to = window.to;
    if (in.to.empty() || in.from < in.to) out.push_back(std::move(in));
  }
  return out;
}

std::optional<std::vector<SearchRange>> united(std::vector<SearchRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const SearchRange& a, const SearchRange& b) { return a.from < b.from; });
  std::vector<SearchRange> out;
  for (SearchRange& r : ranges) {
    if (!out.empty() && (out.back().to.empty() || r.from < out.back().to)) return {};
    if (!out.empty() && out.back().to == r.from)
      out.back().to = std::move(r.to);
    else
      out.push_back(std::move(r));
  }
  return out;
}

std::string to_text(const SearchState& s) {
  std::string out = fmt::format("search-state 1\nproblem {}\n", s.problem);
  out += s.error ? fmt::format("error {}\n", *s.error) : "error -\n";
  out += "incumbent";
  for (const Feature f : s.incumbent) out += fmt::format(" {}", f());
  out += fmt::format("\nties {}\nlower_bound {}\norder", s.ties_complete ? 1 : 0, s.lower_bound);
  for (const Feature f : s.order) out += fmt::format(" {}", f());
  out += fmt::format("\nranges {}\n", s.done.size());
  for (const SearchRange& r : s.done) out += fmt::format("done {}\n", to_string(r));
  return seal(std::move(out));
}

Result<SearchState> parse_state(std::string_view text) {
  auto lines = SealedLines::open(text, "search-state 1");
  if (!lines) return damaged(lines.error().message);
  SearchState s;
  const auto problem = lines->next("problem"), error = lines->next("error"), incumbent = lines->next("incumbent"),
             ties = lines->next("ties"), bound = lines->next("lower_bound"), order = lines->next("order"),
             ranges = lines->next("ranges");
  if (!problem || !error || !incumbent || !ties || !bound || !order || !ranges || problem->size() != 1 ||
      error->size() != 1 || ties->size() != 1 || bound->size() != 1 || ranges->size() != 1)
    return damaged("a line is missing");
  s.problem = std::string((*problem)[0]);
  if ((*error)[0] != "-") {
    s.error = parse_integer<std::int64_t>((*error)[0]);
    if (!s.error) return damaged("error");
  }
  const auto features = parse_features(*incumbent), positions = parse_features(*order);
  const auto least = parse_integer<std::int64_t>((*bound)[0]);
  const auto count = parse_integer<std::size_t>((*ranges)[0]);
  if (!features || !positions || !least || !count || ((*ties)[0] != "0" && (*ties)[0] != "1"))
    return damaged("a number");
  s.incumbent = *features;
  s.order = *positions;
  s.lower_bound = *least;
  s.ties_complete = (*ties)[0] == "1";
  for (std::size_t i = 0; i < *count; ++i) {
    const auto range = lines->next("done");
    if (!range || range->size() != 2) return damaged("a range");
    auto done = parse_range((*range)[0], (*range)[1]);
    if (!done) return damaged("a range");
    s.done.push_back(*std::move(done));
  }
  if (!lines->at_end()) return damaged("lines after the end");
  return s;
}

}  // namespace beadwork
