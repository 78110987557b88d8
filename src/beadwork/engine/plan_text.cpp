#include <beadwork/engine.hpp>

#include <fmt/format.h>

// Plans, parts and incumbents as texts.

namespace beadwork {
namespace {

constexpr std::string_view kPlan = "beadwork-plan 2", kOldPlan = "beadwork-plan 1\n", kPart = "beadwork-part 1",
                           kBest = "beadwork-incumbent 1";

std::optional<std::string> one_word(SealedLines& lines, std::string_view name) {
  const auto words = lines.next(name);
  if (!words || words->size() != 1) return {};
  return std::string((*words)[0]);
}

Error no(std::string_view what, std::string_view why) {
  return input_error(fmt::format("not a {}: {}", what, why));
}

}  // namespace

std::string to_text(const Plan& plan) {
  std::string out = fmt::format("{}\ndata {}\n", kPlan, plan.data);
  for (const auto& [name, text] : plan.options) out += fmt::format("option {} {}\n", name, as_word(text));
  for (const auto& [name, text] : plan.kept) out += fmt::format("kept {} {}\n", name, as_word(text));
  out += std::visit([](const auto& r) { return nested(to_text(r)); }, plan.ranges);
  return seal(std::move(out));
}

Result<Plan> parse_plan(std::string_view text) {
  if (text.starts_with(kOldPlan))
    return input_error("a plan of an older version of beadwork, which keeps a command line: make a new one");
  auto lines = SealedLines::open(text, kPlan);
  if (!lines) return no("plan", lines.error().message);
  Plan plan;
  const auto data = one_word(*lines, "data");
  if (!data) return no("plan", "a line is missing");
  plan.data = *data;
  while (const auto option = lines->next("option")) {
    const auto value = option->size() == 2 ? from_word((*option)[1]) : std::nullopt;
    if (!value) return no("plan", "an option");
    plan.options.emplace_back((*option)[0], *value);
  }
  while (const auto kept = lines->next("kept")) {
    const auto value = kept->size() == 2 ? from_word((*kept)[1]) : std::nullopt;
    if (!value) return no("plan", "what it keeps");
    plan.kept.emplace_back((*kept)[0], *value);
  }
  const std::string ranges = lines->next_nested();
  if (ranges.starts_with("ordered-plan ")) {
    TRY(auto parsed, parse_ordered_plan(ranges));
    plan.ranges = std::move(parsed);
  } else {
    TRY(auto parsed, parse_search_plan(ranges));
    plan.ranges = std::move(parsed);
  }
  if (!lines->at_end()) return no("plan", "lines after the end");
  return plan;
}

std::string id_of(const Plan& plan) {
  return Sha256::of(to_text(plan));
}

std::string to_text(const Part& part) {
  return seal(fmt::format("{}\nplan {}\npart {}\ncomplete {}\n{}", kPart, part.plan, part.number, part.complete ? 1 : 0,
                          nested(std::visit([](const auto& s) { return to_text(s); }, part.state))));
}

Result<Part> parse_part(std::string_view text) {
  auto lines = SealedLines::open(text, kPart);
  if (!lines) return no("part of a plan", lines.error().message);
  const auto plan = one_word(*lines, "plan"), number = one_word(*lines, "part"),
             complete = one_word(*lines, "complete");
  const auto parsed = number ? parse_integer<std::size_t>(*number) : std::nullopt;
  if (!plan || !parsed || !complete || (*complete != "0" && *complete != "1"))
    return no("part of a plan", "a line is missing");
  const std::string text_of_state = lines->next_nested();
  if (!lines->at_end()) return no("part of a plan", "lines after the end");
  Part part{*plan, *parsed, *complete == "1", {}};
  if (text_of_state.starts_with("ordered-state ")) {
    TRY(auto state, parse_ordered_state(text_of_state));
    part.state = std::move(state);
  } else {
    TRY(auto state, parse_state(text_of_state));
    part.state = std::move(state);
  }
  return part;
}

std::string to_text(const Plan& plan, const PlanBest& best) {
  std::string out = fmt::format("{}\nplan {}\nerror {}\nset", kBest, id_of(plan), best.error);
  for (const Feature f : best.features) out += fmt::format(" {}", f());
  for (const Cut& c : best.cuts) out += fmt::format(" {}:{}", c.column, c.rank);
  return seal(out + "\n");
}

Result<PlanBest> parse_best(const Plan& plan, std::string_view text) {
  auto lines = SealedLines::open(text, kBest);
  if (!lines) return no("set of a plan", lines.error().message);
  const auto id = one_word(*lines, "plan"), error = one_word(*lines, "error");
  const auto set = lines->next("set");
  const auto value = error ? parse_integer<std::int64_t>(*error) : std::nullopt;
  if (!id || !value || !set || !lines->at_end()) return no("set of a plan", "a line is missing");
  if (*id != id_of(plan)) return no("set of this plan", "it is of another one");
  PlanBest best{*value, {}, {}};
  for (const std::string_view word : *set) {
    const std::size_t colon = word.find(':');
    const auto f = parse_integer<std::uint32_t>(word.substr(0, colon));
    const auto rank =
        colon == std::string_view::npos ? std::optional(0U) : parse_integer<std::uint32_t>(word.substr(colon + 1));
    if (!f || !rank) return no("set of a plan", "a test");
    if (colon == std::string_view::npos)
      best.features.emplace_back(*f);
    else
      best.cuts.push_back({*f, *rank});
  }
  return best;
}

}  // namespace beadwork
