#include <beadwork/ordered/state.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace beadwork {
namespace {

constexpr std::string_view kFirstLine = "ordered-state 1";

std::string text_of(const Cut& cut) {
  return fmt::format("{}:{}", cut.column, cut.rank);
}

std::optional<Cut> cut_of(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto column = parse_integer<std::uint32_t>(text.substr(0, colon));
  const auto rank = parse_integer<std::uint32_t>(colon == std::string_view::npos ? "" : text.substr(colon + 1));
  if (!column || !rank) return {};
  return Cut{*column, *rank};
}

Error no_state(std::string_view what) {
  return input_error(fmt::format("not a search state: {}", what));
}

// "below - 4 0 2" and its "done 4 0 17".
bool read_level(SealedLines& lines, const std::vector<std::string_view>& head, OrderedLevel& level) {
  if (head.size() < 2) return false;
  const auto below = cut_of(head[0]);
  if (!below && head[0] != "-") return false;
  level.below = below;
  const auto count = parse_integer<std::size_t>(head[1]);
  for (std::size_t i = 2; i < head.size(); ++i) {
    const auto column = parse_integer<std::uint32_t>(head[i]);
    if (!column) return false;
    level.order.push_back(*column);
  }
  for (std::size_t i = 0; count && i < *count; ++i) {
    const auto words = lines.next("done");
    if (!words || words->size() != 2) return false;
    const auto from = cut_of((*words)[0]), to = cut_of((*words)[1]);
    if (!from || !to || from->column != to->column || from->rank > to->rank) return false;
    level.done.push_back({from->column, from->rank, to->rank});
  }
  return count.has_value();
}

}  // namespace

std::string to_text(const OrderedState& s) {
  std::string out = fmt::format("{}\nproblem {}\nerror {}\nincumbent", kFirstLine, s.problem, s.error);
  for (const Cut& cut : s.incumbent) out += fmt::format(" {}", text_of(cut));
  out += fmt::format("\nlower_bound {}\n", s.lower_bound);
  for (const OrderedLevel& level : s.levels) {
    out += fmt::format("below {} {}", level.below ? text_of(*level.below) : "-", level.done.size());
    for (const std::uint32_t column : level.order) out += fmt::format(" {}", column);
    out += '\n';
    for (const auto& r : level.done)
      out += fmt::format("done {} {}\n", text_of({r.column, r.from}), text_of({r.column, r.to}));
  }
  return seal(std::move(out));
}

Result<OrderedState> parse_ordered_state(std::string_view text) {
  auto lines = SealedLines::open(text, kFirstLine);
  if (!lines) return no_state(lines.error().message);
  const auto problem = lines->next("problem"), error = lines->next("error"), incumbent = lines->next("incumbent"),
             bound = lines->next("lower_bound");
  if (!problem || !error || !incumbent || !bound || problem->size() != 1 || error->size() != 1 || bound->size() != 1)
    return no_state("a line is missing");
  const auto errors = parse_integer<std::int64_t>((*error)[0]), least = parse_integer<std::int64_t>((*bound)[0]);
  if (!errors || !least) return no_state("a number");
  OrderedState s{std::string((*problem)[0]), *errors, {}, *least, {}};
  for (const std::string_view word : *incumbent) {
    const auto cut = cut_of(word);
    if (!cut) return no_state("a cut");
    s.incumbent.push_back(*cut);
  }
  while (const auto head = lines->next("below"))
    if (!read_level(*lines, *head, s.levels.emplace_back())) return no_state("a range");
  if (!lines->at_end()) return no_state("lines after the end");
  return s;
}

}  // namespace beadwork
