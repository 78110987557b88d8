#include <beadwork/ordered/plan.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

std::string cut_text(const std::optional<Cut>& cut) {
  return cut ? fmt::format("{}:{}", cut->column, cut->rank) : "-";
}

// "4:17" or "-".
bool read_cut(std::string_view text, std::optional<Cut>& cut) {
  if (text == "-") return true;
  const auto words = split(text, ':');
  const auto column = words.size() == 2 ? parse_integer<std::uint32_t>(words[0]) : std::nullopt;
  const auto rank = column ? parse_integer<std::uint32_t>(words[1]) : std::nullopt;
  if (!rank) return false;
  cut = Cut{*column, *rank};
  return true;
}

// Column by column in their order, the first cuts that belong to no missing part.
std::vector<OrderedLevel::Range> all_but(const OrderedPlan& plan, const std::vector<std::size_t>& missing) {
  const auto& order = plan.start.levels.at(0).order;
  const auto place = [&](const std::optional<Cut>& cut, bool end) -> std::pair<std::size_t, std::uint32_t> {
    if (!cut) return {end ? order.size() : 0, 0};
    return {static_cast<std::size_t>(std::find(order.begin(), order.end(), cut->column) - order.begin()), cut->rank};
  };
  std::vector<OrderedLevel::Range> out;
  std::pair<std::size_t, std::uint32_t> at{0, 0};
  const auto done_until = [&](std::pair<std::size_t, std::uint32_t> to) {
    for (; at.first < to.first; at = {at.first + 1, 0})
      if (at.second <= plan.num_cuts[at.first]) out.push_back({order[at.first], at.second, plan.num_cuts[at.first]});
    if (at.first < order.size() && at.second < to.second) out.push_back({order[at.first], at.second, to.second - 1});
  };
  for (const std::size_t i : missing) {
    done_until(place(plan.parts[i].from, false));
    at = place(plan.parts[i].to, true);
  }
  done_until({order.size(), 0});
  std::sort(out.begin(), out.end(),
            [](const auto& a, const auto& b) { return std::pair(a.column, a.from) < std::pair(b.column, b.from); });
  return out;
}

bool better(const OrderedState& a, const OrderedState& b) {
  return a.error != b.error ? a.error < b.error : a.incumbent < b.incumbent;
}

}  // namespace

bool is_empty(const OrderedPlan& plan, std::size_t part) {
  return plan.parts.at(part).empty;
}

std::string to_string(const OrderedRange& range) {
  return cut_text(range.from) + " " + cut_text(range.to);
}

namespace ordered {
OrderedState state_for_part(const OrderedPlan& plan, std::size_t part) {
  OrderedState out = plan.start;
  out.levels[0].done = all_but(plan, {part});
  return out;
}
}  // namespace ordered

Result<OrderedMerged> merge_parts(const OrderedPlan& plan, const std::vector<OrderedPartState>& states) {
  OrderedMerged out;
  out.state = plan.start;
  std::vector<bool> seen(plan.parts.size(), false), complete(plan.parts.size(), false);
  for (const OrderedPartState& s : states) {
    require(s.part < plan.parts.size(), "merge_parts: the plan has this part");
    if (seen[s.part]) return input_error(fmt::format("part {} is there twice", s.part));
    if (s.state.problem != plan.start.problem || s.state.levels.empty() ||
        s.state.levels[0].order != plan.start.levels[0].order)
      return input_error(fmt::format("part {} belongs to another plan", s.part));
    seen[s.part] = true;
    complete[s.part] = s.complete;
    if (!better(s.state, out.state)) continue;
    out.state.error = s.state.error;
    out.state.incumbent = s.state.incumbent;
  }
  for (std::size_t i = 0; i < plan.parts.size(); ++i)
    if (!complete[i] && !plan.parts[i].empty) out.missing.push_back(i);
  out.state.levels[0].done = all_but(plan, out.missing);
  if (out.missing.empty()) out.state.lower_bound = out.state.error;
  return out;
}

std::string to_text(const OrderedPlan& plan) {
  std::string out = fmt::format("ordered-plan 1\n{}cuts", nested(to_text(plan.start)));
  for (const std::uint32_t n : plan.num_cuts) out += fmt::format(" {}", n);
  out += fmt::format("\nparts {}\n", plan.parts.size());
  for (std::size_t i = 0; i < plan.parts.size(); ++i)
    out +=
        fmt::format("{} {} {:.6g}\n", plan.parts[i].empty ? "empty" : "part", to_string(plan.parts[i]), plan.work[i]);
  return seal(std::move(out));
}

Result<OrderedPlan> parse_ordered_plan(std::string_view text) {
  const auto damaged = [](std::string_view what) { return input_error(fmt::format("not a plan: {}", what)); };
  auto lines = SealedLines::open(text, "ordered-plan 1");
  if (!lines) return damaged(lines.error().message);
  auto start = parse_ordered_state(lines->next_nested());
  if (!start) return damaged(start.error().message);
  const auto cuts = lines->next("cuts"), head = lines->next("parts");
  const auto count = head && head->size() == 1 ? parse_integer<std::size_t>((*head)[0]) : std::nullopt;
  if (!cuts || !count || start->levels.size() != 1) return damaged("a line is missing");
  OrderedPlan plan{*std::move(start), {}, {}, {}};
  const auto& order = plan.start.levels[0].order;
  for (const std::string_view word : *cuts) plan.num_cuts.push_back(parse_integer<std::uint32_t>(word).value_or(0));
  std::optional<Cut> at;
  bool ended = false;
  for (std::size_t i = 0; i < *count; ++i) {
    auto words = lines->next("part");
    const bool empty = !words;
    if (empty) words = lines->next("empty");
    OrderedRange range;
    const auto work = words && words->size() == 3 ? parse_number((*words)[2]) : std::nullopt;
    if (!work || !read_cut((*words)[0], range.from) || !read_cut((*words)[1], range.to)) return damaged("a part");
    range.empty = empty;
    const bool known = !range.to || std::find(order.begin(), order.end(), range.to->column) != order.end();
    if (!known || (!empty && (ended || range.from != at))) return damaged("its parts do not tile");
    if (!empty) at = range.to, ended = !range.to;
    plan.parts.push_back(range);
    plan.work.push_back(*work);
  }
  if (!lines->at_end() || !ended || plan.num_cuts.size() != order.size()) return damaged("its parts do not tile");
  return plan;
}

}  // namespace beadwork
