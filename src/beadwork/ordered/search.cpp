#include <beadwork/ordered.hpp>
#include <beadwork/ordered/run.hpp>
#include <beadwork/ordered/session.hpp>
#include <beadwork/ordered/with_cells.hpp>

namespace beadwork {
namespace ordered {
namespace {

template <class Cells>
OrderedOutcome run(const Problem& p, const OrderedOptions& options, const Control& control, bool prove,
                   Session& session, OrderedState* part) {
  Shared shared(p, options, control);
  Run<Cells> run(p, options, shared);
  OrderedOutcome out;
  shared.part = part != nullptr;
  if (shared.part) {
    session.offer(shared);
  } else {
    std::vector<std::vector<Cut>> start = session.start();
    for (const auto& set : options.start) start.push_back(in_work(p, set));
    out.cut_short = !run.improve(start, options.effort.restarts, prove);
  }
  const bool resumed = session.resume(shared) || shared.part;
  const double local = shared.clock.seconds();
  out.memory_limit_hit = !enough_memory(p, control);
  prove = (prove && !out.memory_limit_hit) || shared.upper == 0;
  session.begin(shared);
  const bool proven = prove && !shared.ending() && run.prove(resumed);
  session.save(shared);
  const double proof = shared.clock.seconds();
  if (part != nullptr) *part = session.state_of(shared);
  out.first = proven && part == nullptr && run.find_first(options.effort.first_budget);
  out.cuts = in_data(p, shared.best);
  out.error = p.base + shared.upper;
  out.lower_bound = p.base + shared.lower;
  out.status = proven ? OrderedStatus::optimal : OrderedStatus::feasible;
  out.memory_limit_hit = out.memory_limit_hit || shared.memory_limit_hit;
  out.stats = run.stats();
  out.stats.local_seconds = local;
  out.stats.seconds = shared.clock.seconds();
  out.stats.first_seconds = out.stats.seconds - proof;
  return out;
}

// Stopped while preparing: what CART has, or any cut of each required column.
Result<OrderedOutcome> unprepared(const RankedData& data, const OrderedOptions& options, const Problem& p) {
  OrderedOutcome out;
  out.cut_short = true;
  std::vector<Cut> set = p.must.empty() ? p.cart : std::vector<Cut>{};
  for (const std::uint32_t c : p.must) set.push_back({c, 0});
  out.cuts = in_data(p, set);
  TRY(auto error, cuts_error(data, options, out.cuts));
  out.error = error;
  return out;
}

Result<OrderedOutcome> solve(const RankedData& data, const OrderedOptions& options, const Control& control, bool prove,
                             OrderedState* part = nullptr) {
  const Stopwatch clock;
  if (control.no_room_for(data.num_rows() * (data.columns.size() * 4 + 40))) {
    Problem none;
    none.required = options.require;
    auto out = unprepared(data, options, none);
    if (out) out->memory_limit_hit = true;
    return out;
  }
  TRY(auto problem, make_problem(data, options, control));
  if (!problem.feasible) return OrderedOutcome{OrderedStatus::infeasible, {}, 0, 0, false, false, false, {}};
  if (!problem.complete) return unprepared(data, options, problem);
  TRY(auto session, Session::open(data, options, problem));
  OrderedOutcome out = with_cells(problem, [&](auto cells) {
    return run<typename decltype(cells)::type>(problem, options, control, prove && data.complete, session, part);
  });
  if (!data.complete) {  // with the other columns rows may be told apart that are alike in these
    out.status = OrderedStatus::feasible;
    out.lower_bound = 0;
  }
  out.stats.seconds = clock.seconds();
  return out;
}

template <class Cells>
std::vector<typename Run<Cells>::RootCut> root_cuts(const Problem& p, const OrderedOptions& options,
                                                    const Control& control, Session& session, OrderedState& start) {
  Shared shared(p, options, control);
  Run<Cells> run(p, options, shared);
  std::vector<std::vector<Cut>> sets;
  for (const auto& set : options.start) sets.push_back(in_work(p, set));
  run.improve(sets, options.effort.restarts, true);
  session.begin(shared);
  auto cuts = shared.upper > 0 ? run.estimate() : std::vector<typename Run<Cells>::RootCut>{};
  start = session.state_of(shared);
  start.lower_bound = p.base;
  for (OrderedLevel& level : start.levels) level.done.clear();
  start.levels.resize(1);
  start.levels[0].below.reset();
  return cuts;
}

// One part after the other takes cuts as long as that brings it closer to its share of what is left.
template <class Cuts>
void cut(const Cuts& cuts, std::size_t n, const Problem& p, const RankedData& data, OrderedPlan& plan) {
  double left = 0, part = 0;
  for (const auto& c : cuts) left += c.work;
  const double all = std::max(left, 1e-300);
  plan.work.assign(n, 0);
  OrderedRange now;
  for (const auto& c : cuts) {
    const double share = left / static_cast<double>(n - plan.parts.size());
    if (part > 0 && part + c.work / 2 > share && plan.parts.size() + 1 < n) {
      const WorkColumn& w = p.columns[c.cut.column];
      now.to = Cut{w.column, c.cut.rank < w.cuts.size() ? w.cuts[c.cut.rank] : data.columns[w.column].num_cuts()};
      plan.parts.push_back(now);
      now.from = now.to;
      left -= part;
      part = 0;
    }
    part += c.work;
    plan.work[plan.parts.size()] = part / all;
  }
  plan.parts.push_back({now.from, {}, false});
  plan.parts.resize(n, {{}, {}, true});
}

}  // namespace

}  // namespace ordered

Result<OrderedPlan> plan_ordered(const RankedData& data, const OrderedOptions& options, std::size_t num_parts,
                                 const Control& control) {
  using namespace ordered;
  require(num_parts > 0, "plan_ordered: at least one part");
  if (!data.complete) return Error{ErrorCode::limit, "stopped while sorting its columns", {}};
  TRY(auto problem, make_problem(data, options, control));
  if (!problem.feasible) return Error{ErrorCode::limit, "no set of tests is allowed: there is nothing to plan", {}};
  if (!problem.complete || !enough_memory(problem, control))
    return Error{ErrorCode::limit, "stopped before the plan was made", {}};
  OrderedOptions hashed = options;  // the session makes the hash for whoever saves states
  hashed.checkpoint = [](const OrderedState&) {};
  hashed.checkpoint_seconds = 0;
  hashed.exchange = nullptr;
  hashed.resume = nullptr;
  TRY(auto session, Session::open(data, hashed, problem));
  OrderedPlan plan;
  with_cells(problem, [&](auto cells) {
    using Cells = typename decltype(cells)::type;
    cut(root_cuts<Cells>(problem, hashed, control, session, plan.start), num_parts, problem, data, plan);
    return 0;
  });
  if (control.stopping()) return Error{ErrorCode::limit, "stopped before the plan was made", {}};
  for (const std::uint32_t c : plan.start.levels[0].order) plan.num_cuts.push_back(data.columns[c].num_cuts());
  return plan;
}

Result<OrderedPart> search_part(const RankedData& data, const OrderedOptions& options, const OrderedPlan& plan,
                                std::size_t part, const Control& control) {
  require(part < plan.parts.size(), "search_part: the plan has this part");
  if (plan.start.levels.empty()) return option_error("the plan has no order of columns", "resume");
  const OrderedState begin = ordered::state_for_part(plan, part);
  OrderedPart out{begin, plan.parts[part].empty, false, {}};
  if (out.complete) return out;
  OrderedOptions at = options;
  if (at.resume == nullptr) at.resume = &begin;
  if (at.resume->problem != plan.start.problem || at.resume->levels.empty() ||
      at.resume->levels[0].order != plan.start.levels[0].order)
    return option_error("the state belongs to another plan", "resume");
  TRY(auto outcome, ordered::solve(data, at, control, true, &out.state));
  out.complete = outcome.status == OrderedStatus::optimal;
  out.memory_limit_hit = outcome.memory_limit_hit;
  out.stats = outcome.stats;
  return out;
}

Result<OrderedOutcome> search_ordered(const RankedData& data, const OrderedOptions& options, const Control& control) {
  return ordered::solve(data, options, control, true);
}

Result<OrderedOutcome> local_ordered(const RankedData& data, const OrderedOptions& options, const Control& control) {
  return ordered::solve(data, options, control, false);
}

}  // namespace beadwork
