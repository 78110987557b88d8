#include <beadwork/ordered.hpp>
#include <beadwork/ordered/run.hpp>
#include <beadwork/ordered/session.hpp>
#include <beadwork/ordered/with_cells.hpp>

namespace beadwork {
namespace ordered {
namespace {

template <class Cells>
OrderedOutcome run(const Problem& p, const OrderedOptions& options, const Control& control, bool prove,
                   Session& session) {
  Shared shared(p, options, control);
  Run<Cells> run(p, options, shared);
  OrderedOutcome out;
  std::vector<std::vector<Cut>> start = session.start();
  for (const auto& set : options.start) start.push_back(in_work(p, set));
  run.improve(start, options.restarts, prove);
  const bool resumed = session.resume(shared);
  const double local = shared.clock.seconds();
  out.memory_limit_hit = !enough_memory(p, options, control);
  prove = (prove && !out.memory_limit_hit) || shared.upper == 0;
  session.begin(shared);
  const bool proven = prove && !shared.ending() && run.prove(resumed);
  session.save(shared);
  const double proof = shared.clock.seconds();
  out.first = proven && run.find_first(options.first_budget);
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
  std::vector<Cut> set = p.must.empty() ? p.cart : std::vector<Cut>{};
  for (const std::uint32_t c : p.must) set.push_back({c, 0});
  out.cuts = in_data(p, set);
  auto error = cuts_error(data, options, out.cuts);
  if (!error) return error.error();
  out.error = *error;
  return out;
}

Result<OrderedOutcome> solve(const RankedData& data, const OrderedOptions& options, const Control& control,
                             bool prove) {
  const Stopwatch clock;
  if (control.no_room_for(data.num_rows() * (data.columns.size() * 4 + 40))) {
    Problem none;
    none.required = options.require;
    auto out = unprepared(data, options, none);
    if (out) out->memory_limit_hit = true;
    return out;
  }
  auto problem = make_problem(data, options, control);
  if (!problem) return problem.error();
  if (!problem->feasible) return OrderedOutcome{OrderedStatus::infeasible, {}, 0, 0, false, false, {}};
  if (!problem->complete) return unprepared(data, options, *problem);
  auto session = Session::open(data, options, *problem);
  if (!session) return session.error();
  OrderedOutcome out = with_cells(*problem, [&](auto cells) {
    return run<typename decltype(cells)::type>(*problem, options, control, prove && data.complete, *session);
  });
  if (!data.complete) {  // with the other columns rows may be told apart that are alike in these
    out.status = OrderedStatus::feasible;
    out.lower_bound = 0;
  }
  out.stats.seconds = clock.seconds();
  return out;
}

}  // namespace
}  // namespace ordered

Result<OrderedOutcome> search_ordered(const RankedData& data, const OrderedOptions& options, const Control& control) {
  return ordered::solve(data, options, control, true);
}

Result<OrderedOutcome> local_ordered(const RankedData& data, const OrderedOptions& options, const Control& control) {
  return ordered::solve(data, options, control, false);
}

}  // namespace beadwork
