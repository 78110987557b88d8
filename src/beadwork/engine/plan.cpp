#include <beadwork/engine/ranked.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

// A fit in parts: the search for the best set, divided.

namespace beadwork {
namespace {

using OptionTexts = std::vector<std::pair<std::string, std::string>>;

std::string text_of_option(const OptionTexts& options, const OptionInfo& info) {
  const auto it = std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.first == info.name; });
  return it == options.end() ? info.default_value : it->second;
}

std::vector<std::string> sorted_items(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(", "), list.size());
    out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 2, list.size()));
  }
  std::sort(out.begin(), out.end());
  return out;
}

// "f1, f2 and 7 more only here", of what `these` has and `those` has not; nothing where there is none.
std::string only_in(const std::vector<std::string>& these, const std::vector<std::string>& those,
                    std::string_view where) {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> items;
  std::set_difference(these.begin(), these.end(), those.begin(), those.end(), std::back_inserter(items));
  if (items.empty()) return {};
  std::string out;
  for (std::size_t i = 0; i < std::min(items.size(), kShown); ++i)
    out += fmt::format("{}'{}'", i == 0 ? "" : ", ", printable(items[i], 40));
  if (items.size() > kShown) out += fmt::format(" and {} more", items.size() - kShown);
  return fmt::format("{} only {}", out, where);
}

std::string list_difference(std::string_view in_plan, std::string_view here) {
  const auto a = sorted_items(in_plan), b = sorted_items(here);
  const std::string first = only_in(a, b, "in the plan"), second = only_in(b, a, "here");
  if (first.empty() && second.empty()) return "in another order here";
  return first + (first.empty() || second.empty() ? "" : ", ") + second;
}

// The options that differ, each with both values: "depth 4, here 5; candidate: 'f1' only here".
std::string differences(const OptionTexts& in_plan, const OptionTexts& here) {
  std::string out;
  for (const OptionInfo& info : option_table()) {
    const std::string a = text_of_option(in_plan, info), b = text_of_option(here, info);
    if (a == b) continue;
    out += out.empty() ? "" : "; ";
    if (info.type == OptionType::list)
      out += fmt::format("{}: {}", info.name, list_difference(a, b));
    else
      out += fmt::format("{} {}, here {}", info.name, a.empty() ? "none" : printable(a),
                         b.empty() ? "none" : printable(b));
  }
  return out;
}

// A problem and the options to search it with.
struct Prepared {
  SearchProblem problem;
  SearchOptions options;
};
Result<Prepared> prepare_parts(const Dataset& dataset, const Request& request, const Control& control) {
  if (dataset.is_sorted()) {  // as learn would
    TRY(const auto made, with_bits(dataset, control));
    return prepare_parts(made, request, control);
  }
  const Exchange nothing;
  TRY(const auto task, make_task(dataset, request, nothing, control));
  SearchOptions options = search_options(task);
  TRY(auto problem, prepare(dataset, options, control));
  return Prepared{std::move(problem), std::move(options)};
}

}  // namespace

std::size_t Plan::num_parts() const {
  return std::visit([](const auto& r) { return r.parts.size(); }, ranges);
}
bool Plan::is_empty(std::size_t part) const {
  return std::visit([&](const auto& r) { return beadwork::is_empty(r, part); }, ranges);
}
double Plan::work(std::size_t part) const {
  return std::visit([&](const auto& r) { return r.work.at(part); }, ranges);
}

Exchange Merged::exchange() const {
  Exchange out;
  out.resume = state;
  out.parts = num_parts;
  return out;
}

Status check_divisible(const Request& request) {
  TRY_DONE(check_request(request));
  const std::string option = not_taken(request, Use::parts);
  if (option.empty()) return Done{};
  return option_error(
      fmt::format("cannot be divided into parts{}", option == "depth" ? ": give one depth, or a plan for each" : ""),
      option);
}

Status check_plan(const Plan& plan, const Dataset& dataset, const Request& request) {
  TRY_DONE(check_divisible(request));
  if (plan.data != rows_sha256(dataset))
    return usage_error("the plan belongs to other data, or to data read otherwise");
  const auto asked = options_given(request, Use::own);
  if (plan.options == asked) return Done{};
  const std::string others = differences(plan.options, asked);
  return usage_error(others.empty() ? "the plan was made by another version of beadwork; make a new one"
                                    : fmt::format("the plan was made with other options: {}", others));
}

Result<Plan> plan_search(const Dataset& dataset, const Request& request, std::size_t num_parts,
                         const Control& control) {
  TRY_DONE(check_divisible(request));
  if (dataset.num_rows() == 0) return input_error("the table has no rows");
  Plan plan;
  plan.data = rows_sha256(dataset);
  plan.options = options_given(request, Use::own);
  const Control within_limits = limits_of(request, control);
  if (goes_by_ranks(dataset, request)) {
    TRY(const auto ranked, make_ranked_task(*dataset.ranks(), request));
    TRY(auto ranges, plan_ordered(*dataset.ranks(), ranked.options, num_parts, within_limits));
    plan.ranges = std::move(ranges);
    return plan;
  }
  TRY(const auto ready, prepare_parts(dataset, request, within_limits));
  TRY(auto ranges, plan_search(ready.problem, ready.options, num_parts, within_limits));
  plan.ranges = std::move(ranges);
  return plan;
}

namespace {

// Checkpoints and incumbents of either search, as the host gets them.
template <class Options, class State, class Set>
void connect(Options& o, const PartExchange& exchange, const Part& part, Set PlanBest::*set) {
  if (exchange.resume) o.resume = std::get_if<State>(&exchange.resume->state);
  o.checkpoint_seconds = exchange.checkpoint_seconds;
  if (exchange.checkpoint)
    o.checkpoint = [&](const State& s) { exchange.checkpoint({part.plan, part.number, false, s}); };
  o.exchange_seconds = exchange.share_seconds;
  if (!exchange.share) return;
  o.exchange = [&exchange, set](const Set& best, std::int64_t error) -> std::optional<Set> {
    PlanBest mine;
    mine.error = error;
    mine.*set = best;
    auto theirs = exchange.share(mine);
    if (!theirs) return {};
    return std::move((*theirs).*set);
  };
}

template <class Outcome>
Result<Part> finished(Part part, Result<Outcome> outcome) {
  if (!outcome) return outcome.error();
  part.complete = outcome->complete;
  part.state = std::move(outcome->state);
  return part;
}

}  // namespace

Result<Part> search_part(const Dataset& dataset, const Request& request, const Plan& plan, std::size_t number,
                         const Control& control, const PartExchange& exchange) {
  require(number < plan.num_parts(), "search_part: the plan has this part");
  TRY_DONE(check_plan(plan, dataset, request));
  Part part{id_of(plan), number, false, {}};
  if (exchange.resume && (exchange.resume->plan != part.plan || exchange.resume->number != number ||
                          exchange.resume->state.index() != plan.ranges.index()))
    return usage_error("the state is of another plan or another part");
  const Control within_limits = limits_of(request, control);
  if (const auto* ranges = std::get_if<OrderedPlan>(&plan.ranges)) {
    if (!goes_by_ranks(dataset, request)) return usage_error("the plan is of a search over sorted columns");
    TRY(auto ranked, make_ranked_task(*dataset.ranks(), request));
    connect<OrderedOptions, OrderedState, std::vector<Cut>>(ranked.options, exchange, part, &PlanBest::cuts);
    return finished(part, search_part(*dataset.ranks(), ranked.options, *ranges, number, within_limits));
  }
  TRY(auto ready, prepare_parts(dataset, request, within_limits));
  connect<SearchOptions, SearchState, std::vector<Feature>>(ready.options, exchange, part, &PlanBest::features);
  return finished(part,
                  search_part(ready.problem, ready.options, std::get<SearchPlan>(plan.ranges), number, within_limits));
}

std::int64_t error_of(const Part& part) {
  if (const auto* ordered = std::get_if<OrderedState>(&part.state)) return ordered->error;
  return std::get<SearchState>(part.state).error.value_or(INT64_MAX);
}

std::optional<PlanBest> best_of(const Plan& plan) {
  if (const auto* ordered = std::get_if<OrderedPlan>(&plan.ranges))
    return PlanBest{ordered->start.error, {}, ordered->start.incumbent};
  const SearchState& start = std::get<SearchPlan>(plan.ranges).start;
  if (!start.error) return {};
  return PlanBest{*start.error, start.incumbent, {}};
}

namespace {

Result<Merged> merge_features(const SearchPlan& plan, const std::vector<Part>& parts) {
  std::vector<PartState> states;
  for (const Part& part : parts) states.push_back({part.number, std::get<SearchState>(part.state)});
  TRY(auto merged, merge_parts(plan, states));
  Merged out{std::move(merged.state), 0, std::move(merged.missing), {}};
  for (const SearchRange& r : merged.left) out.left.push_back(to_string(r));
  return out;
}

Result<Merged> merge_ranks(const OrderedPlan& plan, const std::vector<Part>& parts) {
  std::vector<OrderedPartState> states;
  for (const Part& part : parts) states.push_back({part.number, part.complete, std::get<OrderedState>(part.state)});
  TRY(auto merged, merge_parts(plan, states));
  Merged out{std::move(merged.state), 0, std::move(merged.missing), {}};
  for (const std::size_t i : out.missing) out.left.push_back(to_string(plan.parts[i]));
  return out;
}

}  // namespace

Result<Merged> merge_parts(const Plan& plan, const std::vector<Part>& parts) {
  const std::string id = id_of(plan);
  for (const Part& part : parts) {
    if (part.plan != id) return input_error(fmt::format("part {} belongs to another plan", part.number));
    if (part.number >= plan.num_parts()) return input_error(fmt::format("the plan has no part {}", part.number));
    if (part.state.index() != plan.ranges.index())
      return input_error(fmt::format("part {} is of another search", part.number));
  }
  const auto* features = std::get_if<SearchPlan>(&plan.ranges);
  auto out =
      features != nullptr ? merge_features(*features, parts) : merge_ranks(std::get<OrderedPlan>(plan.ranges), parts);
  if (!out) return out;
  for (std::size_t i = 0; i < plan.num_parts(); ++i) out->num_parts += plan.is_empty(i) ? 0 : 1;
  out->num_parts = std::max<std::size_t>(1, out->num_parts);
  return out;
}

}  // namespace beadwork
