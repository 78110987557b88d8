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

template <class Cells>
OrderedOutcome run(const Problem& p, const OrderedOptions& options, const Control& control, bool prove) {
  Shared shared(p, options, control);
  Run<Cells> run(p, options, shared);
  OrderedOutcome out;
  run.improve(options.restarts);
  out.stats.local_seconds = shared.clock.seconds();
  const bool proven = prove && run.prove();
  out.cuts = in_data(p, shared.best);
  out.error = p.base + shared.upper;
  out.lower_bound = p.base + shared.lower;
  out.status = proven ? OrderedStatus::optimal : OrderedStatus::feasible;
  const double local = out.stats.local_seconds;
  out.stats = run.stats();
  out.stats.local_seconds = local;
  out.stats.seconds = shared.clock.seconds();
  return out;
}

Result<OrderedOutcome> solve(const RankedData& data, const OrderedOptions& options, const Control& control, bool prove) {
  auto problem = make_problem(data, options, control);
  if (!problem) return problem.error();
  const Problem& p = *problem;
  if (!p.feasible) return OrderedOutcome{OrderedStatus::infeasible, {}, 0, 0, false, false, {}};
  bool unit = true;
  for (const std::int64_t c : p.costs) unit = unit && c <= 1;
  const bool small = p.total < (std::int64_t{1} << 26) && (p.choose < 12 || p.num_rows < 10000);
  if (!small && p.num_channels == 2) return run<Cells<std::int64_t, std::uint32_t, 2>>(p, options, control, prove);
  if (small && p.num_channels == 2 && unit) return run<Cells<std::int32_t, std::uint16_t, 2, true>>(p, options, control, prove);
  if (small && p.num_channels == 2) return run<Cells<std::int32_t, std::uint16_t, 2>>(p, options, control, prove);
  if (small && p.num_channels == 3) return run<Cells<std::int32_t, std::uint16_t, 3>>(p, options, control, prove);
  return run<Cells<std::int64_t, std::uint32_t, 0>>(p, options, control, prove);
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
