#include <beadwork/ordered.hpp>
#include <beadwork/ordered/families.hpp>
#include <beadwork/ordered/near.hpp>
#include <beadwork/ordered/with_cells.hpp>

// Sets near the optimum (docs/ordered.md).

namespace beadwork {
namespace ordered {
namespace {

// The problem of one cut a family, and how to count the others.
struct Distinct {
  OrderedOptions options;
  Problem problem;
  std::vector<std::vector<std::uint64_t>> copies;  // as Gathering takes them
};

Result<Distinct> make_distinct(const RankedData& data, const OrderedOptions& options, const Control& control) {
  Distinct out{options, {}, {}};
  const auto copies = merge_families(data, out.options, control);
  TRY(auto problem, make_problem(data, out.options, control));
  out.problem = std::move(problem);
  for (const WorkColumn& c : out.problem.columns) {
    auto& sums = out.copies.emplace_back(1, 0);
    for (const std::uint32_t k : c.cuts) sums.push_back(sums.back() + copies[c.column][k]);
  }
  return out;
}

}  // namespace
}  // namespace ordered

Result<NearCuts> near_ordered(const RankedData& data, const OrderedOptions& options, const OrderedNear& near,
                              const OrderedOutcome& best, const Control& control) {
  using namespace ordered;
  require((near.best > 0) != near.within.has_value(), "near_ordered: give either `best` or `within`");
  require(options.require_columns.empty(), "near_ordered: no column is required");
  NearCuts stopped;
  stopped.memory_limit_hit = control.no_room_for(data.num_features() * 64 + data.num_rows() * 56);
  if (best.status != OrderedStatus::optimal || stopped.memory_limit_hit) return stopped;
  TRY(auto d, make_distinct(data, options, control));
  if (!d.problem.complete || control.stopping()) return stopped;
  stopped.memory_limit_hit = !enough_memory(d.problem, control);
  if (stopped.memory_limit_hit) return stopped;
  return with_cells(d.problem, [&](auto cells) {
    return Near<typename decltype(cells)::type>(d.problem, d.copies, d.options, near, control).list(best);
  });
}

}  // namespace beadwork
