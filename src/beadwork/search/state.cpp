#include <beadwork/search/state.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>

namespace beadwork {
namespace {

std::string prefix_text(const std::vector<std::uint32_t>& prefix) {
  return prefix.empty() ? "-" : fmt::format("{}", fmt::join(prefix, ","));
}

template <class T>
std::optional<T> number(std::string_view text) {
  T out{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return out;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(by);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::vector<std::uint32_t>> parse_prefix(std::string_view text) {
  std::vector<std::uint32_t> out;
  if (text == "-") return out;
  for (const std::string_view part : split(text, ',')) {
    const auto n = number<std::uint32_t>(part);
    if (!n) return {};
    out.push_back(*n);
  }
  return out;
}

std::optional<std::vector<Feature>> parse_features(std::span<const std::string_view> words) {
  std::vector<Feature> out;
  for (const std::string_view w : words) {
    const auto n = number<std::uint32_t>(w);
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

bool tiles(const std::vector<SearchRange>& done) {
  if (done.empty() || !done.front().from.empty() || !done.back().to.empty()) return false;
  for (std::size_t i = 1; i < done.size(); ++i)
    if (done[i].from != done[i - 1].to) return false;
  return true;
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
  return out + fmt::format("sha256 {}\n", Sha256::of(out));
}

Result<SearchState> parse_state(std::string_view text) {
  const std::size_t end = text.rfind("sha256 ");
  if (end == std::string_view::npos || (end > 0 && text[end - 1] != '\n')) return damaged("no checksum");
  if (text.substr(end) != fmt::format("sha256 {}\n", Sha256::of(text.substr(0, end)))) return damaged("wrong checksum");
  const auto lines = split(text.substr(0, end), '\n');  // the last is empty
  if (lines.size() < 8 || lines[0] != "search-state 1") return damaged("unknown version");
  SearchState s;
  std::size_t at = 1;
  const auto words = [&](std::string_view name) -> std::optional<std::vector<std::string_view>> {
    if (at >= lines.size()) return {};
    auto w = split(lines[at++], ' ');
    if (w[0] != name) return {};
    w.erase(w.begin());
    return w;
  };
  const auto problem = words("problem"), error = words("error"), incumbent = words("incumbent"), ties = words("ties"),
             bound = words("lower_bound"), order = words("order"), ranges = words("ranges");
  if (!problem || !error || !incumbent || !ties || !bound || !order || !ranges || problem->size() != 1 ||
      error->size() != 1 || ties->size() != 1 || bound->size() != 1 || ranges->size() != 1)
    return damaged("a line is missing");
  s.problem = std::string((*problem)[0]);
  if ((*error)[0] != "-") {
    s.error = number<std::int64_t>((*error)[0]);
    if (!s.error) return damaged("error");
  }
  const auto features = parse_features(*incumbent), positions = parse_features(*order);
  const auto least = number<std::int64_t>((*bound)[0]);
  const auto count = number<std::size_t>((*ranges)[0]);
  if (!features || !positions || !least || !count || ((*ties)[0] != "0" && (*ties)[0] != "1"))
    return damaged("a number");
  s.incumbent = *features;
  s.order = *positions;
  s.lower_bound = *least;
  s.ties_complete = (*ties)[0] == "1";
  for (std::size_t i = 0; i < *count; ++i) {
    const auto range = words("done");
    if (!range || range->size() != 2) return damaged("a range");
    auto from = parse_prefix((*range)[0]), to = parse_prefix((*range)[1]);
    if (!from || !to) return damaged("a range");
    s.done.push_back({std::move(*from), std::move(*to)});
  }
  if (at + 1 != lines.size()) return damaged("lines after the end");
  return s;
}

}  // namespace beadwork
