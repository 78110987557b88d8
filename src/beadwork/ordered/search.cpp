#include <beadwork/ordered.hpp>
#include <beadwork/ordered/run.hpp>

namespace beadwork {
namespace ordered {
namespace {

std::vector<Cut> in_data(const Problem& p, const std::vector<Cut>& set) {
  std::vector<Cut> out = p.required;
  for (const Cut& c : set) out.push_back({p.columns[c.column].column, p.columns[c.column].cuts[c.rank]});
  std::sort(out.begin(), out.end());
  return out;
}

// Sets to start from as cuts of work columns; cuts that are not allowed are left out.
std::vector<std::vector<Cut>> start_sets(const Problem& p, const OrderedOptions& options) {
  std::vector<std::vector<Cut>> out;
  for (const auto& set : options.start) {
    out.emplace_back();
    for (const Cut& cut : set)
      for (std::uint32_t c = 0; c < p.columns.size(); ++c) {
        const auto& cuts = p.columns[c].cuts;
        const auto at = std::lower_bound(cuts.begin(), cuts.end(), cut.rank);
        if (p.columns[c].column == cut.column && at != cuts.end() && *at == cut.rank)
          out.back().push_back({c, static_cast<std::uint32_t>(at - cuts.begin())});
      }
  }
  return out;
}

// A node's rows along all columns, at every level of every thread's tree.
bool enough_memory(const Problem& p, const OrderedOptions& options, const Control& control) {
  if (control.memory_limit == 0) return true;
  const std::size_t node = p.num_rows * (p.columns.size() * 4 + 16);
  return current_memory() + node * p.choose * std::max(1u, options.threads) < control.memory_limit;
}

template <class Cells>
OrderedOutcome run(const Problem& p, const OrderedOptions& options, const Control& control, bool prove) {
  Shared shared(p, options, control);
  Run<Cells> run(p, options, shared);
  OrderedOutcome out;
  run.improve(start_sets(p, options), options.restarts, prove);
  const double local = shared.clock.seconds();
  out.memory_limit_hit = !enough_memory(p, options, control);
  prove = (prove && !out.memory_limit_hit) || shared.upper == 0;
  const bool proven = prove && !shared.ending() && run.prove();
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

using Runner = OrderedOutcome (*)(const Problem&, const OrderedOptions&, const Control&, bool);

// Small totals and few cells fit in narrow numbers: half the memory to walk through.
Runner runner_for(const Problem& p) {
  const bool unit = std::all_of(p.costs.begin(), p.costs.end(), [](std::int64_t c) { return c <= 1; });
  const bool narrow = p.total < (std::int64_t{1} << 26) && (p.choose + p.required.size() < 14 || p.num_rows < 15000);
  if (p.num_channels == 2 && !narrow) return run<Cells<std::int64_t, std::uint32_t, 2>>;
  if (p.num_channels == 2 && unit) return run<Cells<std::int32_t, std::uint16_t, 2, true>>;
  if (p.num_channels == 2) return run<Cells<std::int32_t, std::uint16_t, 2>>;
  if (p.num_channels == 3 && narrow) return run<Cells<std::int32_t, std::uint16_t, 3>>;
  if (p.num_channels == 4 && narrow) return run<Cells<std::int32_t, std::uint16_t, 4>>;
  return run<Cells<std::int64_t, std::uint32_t, 0>>;
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
  OrderedOutcome out = runner_for(*problem)(*problem, options, control, prove && data.complete);
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
