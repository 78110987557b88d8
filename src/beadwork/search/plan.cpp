#include <beadwork/search/best.hpp>
#include <beadwork/search/plan.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {

using namespace detail;

namespace {

using Place = std::vector<std::uint32_t>;

// The places before which parts begin: all but the first, and those that are empty.
struct Cuts {
  std::vector<Place> places;
  std::vector<double> work;  // of all parts
};

// One part after the other takes units as long as that brings it closer to its share of what is left.
Cuts cut(const std::vector<WorkUnit>& units, std::size_t n, std::uint32_t num_positions) {
  double all = 0;
  for (const WorkUnit& u : units) all += u.work;
  Cuts out;
  out.work.assign(n, 0);
  double left = all, part = 0;  // left: with the part under way
  for (const WorkUnit& u : units) {
    const double share = left / static_cast<double>(n - out.places.size());
    if (part > 0 && part + u.work / 2 > share && out.places.size() + 1 < n) {
      out.places.push_back(canonical_place(u.prefix, num_positions, false));
      left -= part;
      part = 0;
    }
    part += u.work;
    out.work[out.places.size()] = part / all;
  }
  return out;
}

SearchState start_of(const Problem& p, const SearchOptions& options, const Incumbent& best, const PhaseResult& r) {
  SearchState s;
  s.problem = fingerprint(p, options.depth);
  for (std::size_t i = 0; i < p.candidates.size(); ++i)
    s.order.push_back(p.candidates[r.order.empty() ? i : r.order[i]].feature);
  s.lower_bound = p.base;
  if (!best.known()) return s;
  s.error = best.error();
  s.incumbent = to_features(p, best.set());
  return s;
}

bool empty_range(const SearchRange& r, std::uint32_t num_positions) {
  const Place end = r.to.empty() ? Place{num_positions} : r.to;
  return r.from >= end;
}

// All but the part is done, and of the part what its state says.
std::vector<SearchRange> all_but(const SearchRange& part, const std::vector<SearchRange>& done) {
  std::vector<SearchRange> out;
  if (!part.from.empty()) out.push_back({{}, part.from});
  out.insert(out.end(), done.begin(), done.end());
  if (!part.to.empty()) out.push_back({part.to, {}});
  return out;
}

// What the ranges leave of the part.
std::vector<SearchRange> outside(const std::vector<SearchRange>& done, const SearchRange& part) {
  std::vector<SearchRange> out;
  Place from = part.from;
  for (const SearchRange& r : done) {
    if (from < r.from) out.push_back({from, r.from});
    if (r.to.empty()) return out;
    from = r.to;
  }
  if (part.to.empty() || from < part.to) out.push_back({from, part.to});
  return out;
}

}  // namespace

bool is_empty(const SearchPlan& plan, std::size_t part) {
  return empty_range(plan.parts.at(part), static_cast<std::uint32_t>(plan.start.order.size()));
}

Result<SearchPlan> plan_search(const SearchProblem& problem, const SearchOptions& options, std::size_t num_parts,
                               const Control& control) {
  require(num_parts > 0, "plan_search: at least one part");
  TRY_DONE(check_options(problem, options));
  if (!problem.complete()) return Error{ErrorCode::limit, "stopped while it prepared the search", {}};
  const Problem& p = *problem.problem();
  Incumbent best(options.effort.max_ties);
  Phase phase = phase_for(p, options, control);
  phase.parts = num_parts;
  phase.upper_bound = [&] { return best.error(); };
  const PhaseResult r = run_phase(p, best, phase);
  if (r.out_of_memory) return Error{ErrorCode::limit, "the memory limit leaves no room to plan the search", {}};
  if (!r.finished) return Error{ErrorCode::limit, "stopped before the plan was made", {}};
  SearchPlan plan;
  plan.start = start_of(p, options, best, r);
  Cuts cuts = cut(r.work, num_parts, static_cast<std::uint32_t>(p.candidates.size()));
  Place from;
  for (Place& place : cuts.places) {
    plan.parts.push_back({from, place});
    from = std::move(place);
  }
  plan.parts.push_back({from, {}});
  const Place end{static_cast<std::uint32_t>(p.candidates.size())};
  plan.parts.resize(num_parts, {end, end});
  plan.work = std::move(cuts.work);
  return plan;
}

Result<PartOutcome> search_part(const SearchProblem& problem, const SearchOptions& options, const SearchPlan& plan,
                                std::size_t part, const Control& control) {
  require(part < plan.parts.size(), "search_part: the plan has this part");
  TRY_DONE(check_options(problem, options));
  PartOutcome out;
  out.memory_limit_hit = problem.memory_limit_hit();
  const SearchRange& range = plan.parts[part];
  SearchState from = options.resume != nullptr ? *options.resume : plan.start;
  if (from.problem != plan.start.problem || from.order != plan.start.order)
    return option_error("the state belongs to another plan", "resume");
  if (!problem.complete()) {  // a limit came first: it stands where it stood
    out.state = std::move(from);
    return out;
  }
  if (is_empty(plan, part)) {
    out.state = std::move(from);
    out.state.lower_bound = out.state.error.value_or(0);
    out.complete = true;
    return out;
  }
  if (from.done != clipped(from.done, range)) return option_error("the state is of another part", "resume");
  from.done = all_but(range, from.done);
  SearchOptions at = options;
  at.resume = nullptr;
  at.keep_state = true;
  TRY(auto outcome, run_part(*problem.problem(), at, from, range, control));
  out.state = std::move(outcome.state);
  out.complete = outcome.status == SolveStatus::optimal;
  out.memory_limit_hit = outcome.memory_limit_hit;
  out.stats = outcome.stats;
  return out;
}

Result<MergedParts> merge_parts(const SearchPlan& plan, const std::vector<PartState>& states) {
  MergedParts out;
  out.state = plan.start;
  std::vector<const SearchState*> of(plan.parts.size(), nullptr);
  for (const PartState& s : states) {
    require(s.part < plan.parts.size(), "merge_parts: the plan has this part");
    if (of[s.part] != nullptr) return input_error(fmt::format("part {} is there twice", s.part));
    if (s.state.problem != plan.start.problem || s.state.order != plan.start.order)
      return input_error(fmt::format("part {} belongs to another plan", s.part));
    if (s.state.done != clipped(s.state.done, plan.parts[s.part]))
      return input_error(fmt::format("part {} overlaps with others: it says more than the plan gave it", s.part));
    of[s.part] = &s.state;
  }
  std::vector<SearchRange> done;
  std::int64_t lower = INT64_MAX;
  for (std::size_t i = 0; i < plan.parts.size(); ++i) {
    if (is_empty(plan, i)) continue;
    const SearchState& s = of[i] != nullptr ? *of[i] : plan.start;
    const auto left = outside(s.done, plan.parts[i]);
    if (!left.empty()) {
      out.missing.push_back(i);
      out.left.insert(out.left.end(), left.begin(), left.end());
      lower = std::min(lower, s.lower_bound);
    }
    done.insert(done.end(), s.done.begin(), s.done.end());
    out.state.ties_complete = out.state.ties_complete && s.ties_complete;
    const bool better = s.error && (!out.state.error || *s.error < *out.state.error ||
                                    (*s.error == *out.state.error && s.incumbent < out.state.incumbent));
    if (!better) continue;
    out.state.error = s.error;
    out.state.incumbent = s.incumbent;
  }
  auto all = united(std::move(done));
  if (!all) return input_error("the ranges of the parts overlap");
  out.state.done = *std::move(all);
  out.state.lower_bound = std::max(plan.start.lower_bound, std::min(lower, out.state.error.value_or(INT64_MAX)));
  return out;
}

std::string to_text(const SearchPlan& plan) {
  std::string out = fmt::format("search-plan 1\n{}parts {}\n", nested(to_text(plan.start)), plan.parts.size());
  for (std::size_t i = 0; i < plan.parts.size(); ++i)
    out += fmt::format("part {} {:.6g}\n", to_string(plan.parts[i]), plan.work[i]);
  return seal(std::move(out));
}

Result<SearchPlan> parse_search_plan(std::string_view text) {
  const auto damaged = [](std::string_view what) { return input_error(fmt::format("not a plan: {}", what)); };
  auto lines = SealedLines::open(text, "search-plan 1");
  if (!lines) return damaged(lines.error().message);
  auto start = parse_state(lines->next_nested());
  if (!start) return damaged(start.error().message);
  const auto head = lines->next("parts");
  const auto count = head && head->size() == 1 ? parse_integer<std::size_t>((*head)[0]) : std::nullopt;
  if (!count || *count == 0) return damaged("the number of parts");
  SearchPlan plan;
  plan.start = *std::move(start);
  std::vector<SearchRange> real;
  for (std::size_t i = 0; i < *count; ++i) {
    const auto words = lines->next("part");
    auto range = words && words->size() == 3 ? parse_range((*words)[0], (*words)[1]) : std::nullopt;
    const auto work = range ? parse_number((*words)[2]) : std::nullopt;
    if (!work) return damaged("a part");
    plan.parts.push_back(*std::move(range));
    plan.work.push_back(*work);
    if (!is_empty(plan, i)) real.push_back(plan.parts[i]);
  }
  const bool nothing = plan.start.order.empty();
  if (!lines->at_end() || !plan.start.done.empty() || (!nothing && !tiles(real)))
    return damaged("its parts do not tile");
  return plan;
}

}  // namespace beadwork
