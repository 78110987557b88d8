#include <beadwork/ordered.hpp>
#include <beadwork/ordered/run.hpp>
#include <beadwork/ordered/with_cells.hpp>

#include <array>

// Sets near the optimum (docs/ordered.md). Cuts that are equal or opposite on all rows are a family, and its least
// allowed cut stands for it: the others are forbidden, and so are those of the family of a required cut.

namespace beadwork {
namespace ordered {
namespace {

// A cut with a hash of the rows that pass it, or of those that fail it, whichever is less. It is a sum of random
// numbers of 128 bits, so that one pass along a column gives those of all cuts; different cuts do not meet.
struct Hashed {
  std::array<std::uint64_t, 2> hash;
  Cut cut;
  bool required;
  friend auto operator<=>(const Hashed&, const Hashed&) = default;
};

std::vector<Hashed> hash_cuts(const RankedData& data, const OrderedOptions& o, const Control& control) {
  using Hash = std::array<std::uint64_t, 2>;
  const auto allowed = allowed_cuts(data, o);
  std::vector<Hash> number(data.num_rows());
  Rng rng(1);
  for (Hash& h : number) h = {rng.next(), rng.next()};
  std::vector<Hashed> out;
  for (std::uint32_t c = 0; c < data.columns.size() && !control.stopping(); ++c) {
    const RankedColumn& column = data.columns[c];
    std::vector<Hash> upto(column.num_ranks, Hash{});
    for (std::size_t r = 0; r < data.num_rows(); ++r)
      for (std::size_t i = 0; i < 2; ++i) upto[column.ranks[r]][i] += number[r][i];
    for (std::uint32_t k = 1; k < column.num_ranks; ++k)
      for (std::size_t i = 0; i < 2; ++i) upto[k][i] += upto[k - 1][i];
    for (std::uint32_t k = 0; k < column.num_cuts(); ++k) {
      const bool required = std::find(o.require.begin(), o.require.end(), Cut{c, k}) != o.require.end();
      const Hash &passed = upto[k], &all = upto.back(), failed{all[0] - passed[0], all[1] - passed[1]};
      if (required || allowed[c][k]) out.push_back({std::min(passed, failed), {c, k}, required});
    }
  }
  return out;
}

// Forbids all but one cut of each family; `copies` says for each column of the data how many its cuts stand for.
void merge_families(std::vector<Hashed> cuts, std::vector<std::vector<std::uint32_t>>& copies, OrderedOptions& o) {
  std::sort(cuts.begin(), cuts.end());
  for (auto begin = cuts.begin(); begin != cuts.end();) {
    const auto end = std::find_if(begin, cuts.end(), [&](const Hashed& h) { return h.hash != begin->hash; });
    const bool out = begin->hash == std::array<std::uint64_t, 2>{} ||  // every row, or none
                     std::any_of(begin, end, [](const Hashed& h) { return h.required; });
    copies[begin->cut.column][begin->cut.rank] = static_cast<std::uint32_t>(end - begin);
    for (auto it = begin + (out ? 0 : 1); it != end; ++it)
      if (!it->required) o.forbid.push_back(it->cut);
    begin = end;
  }
}

// The problem of one cut a family, and how to count the others.
struct Distinct {
  OrderedOptions options;
  Problem problem;
  std::vector<std::vector<std::uint64_t>> copies;  // as Gathering takes them
};

Result<Distinct> make_distinct(const RankedData& data, const OrderedOptions& options, const Control& control) {
  Distinct out{options, {}, {}};
  std::vector<std::vector<std::uint32_t>> copies;
  for (const RankedColumn& c : data.columns) copies.emplace_back(c.num_cuts(), 0);
  merge_families(hash_cuts(data, options, control), copies, out.options);
  auto problem = make_problem(data, out.options, control);
  if (!problem) return problem.error();
  out.problem = *std::move(problem);
  for (const WorkColumn& c : out.problem.columns) {
    auto& sums = out.copies.emplace_back(1, 0);
    for (const std::uint32_t k : c.cuts) sums.push_back(sums.back() + copies[c.column][k]);
  }
  return out;
}

// The best set of one cut fewer.
Result<OrderedOutcome> search_fewer(const RankedData& data, const Distinct& d, const Control& control) {
  OrderedOptions o = d.options;
  o.depth = d.problem.required.size() + d.problem.choose - 1;
  o.first_budget = 0;
  return search_ordered(data, o, control);
}

// Sets below this error are looked for. For the best ones: what so many sets do not exceed, as a look around a good
// set tells.
template <class Cells>
std::int64_t limit_for(Run<Cells>& run, const Problem& p, Shared& shared, const OrderedNear& near,
                       const OrderedOutcome& best) {
  if (near.within) return *near.within > INT64_MAX / 2 - best.error ? INT64_MAX / 2 : best.error + *near.within + 1;
  run.improve({in_work(p, best.cuts)}, 1, true);
  const auto bound = shared.best.size() == p.choose ? run.bound_on(near.best, shared.best) : std::nullopt;
  return bound ? p.base + *bound + 1 : INT64_MAX / 2;
}

template <class Cells>
NearCuts gather(const Distinct& d, const OrderedNear& near, const OrderedOutcome& best, const OrderedOutcome& fewer,
                const Control& control) {
  const Problem& p = d.problem;
  Shared shared(p, d.options, control);
  Run<Cells> run(p, d.options, shared);
  Gathering gathering(d.copies, near.within ? near.most : near.best, !near.within);
  const std::int64_t limit = limit_for(run, p, shared, near, best);
  shared.gathering = &gathering;
  shared.upper = shared.lower = best.error - p.base;
  const std::int64_t upto = std::min(limit, fewer.lower_bound);
  const bool ended = upto <= best.error || (!shared.ending() && run.gather(upto - p.base));
  NearCuts out;
  out.complete = ended && (limit == upto || (!near.within && gathering.full()));
  if (ended && !out.complete && fewer.status == OrderedStatus::optimal) out.idle = fewer.error;
  out.memory_limit_hit = shared.memory_limit_hit;
  for (const auto& [error, cuts] : gathering.best())
    out.sets.push_back({in_data(p, cuts), p.base + error, gathering.copies_of(cuts)});
  out.num_sets = near.within ? gathering.num_sets() : out.sets.size();
  out.num_copies = near.within ? gathering.num_copies() : 0;
  if (!near.within)
    for (const NearCuts::Set& s : out.sets) out.num_copies = plus(out.num_copies, s.copies);
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
  const auto d = make_distinct(data, options, control);
  if (!d) return d.error();
  if (!d->problem.complete || control.stopping()) return stopped;
  if (d->problem.choose == 0) return NearCuts{{{d->problem.required, best.error, 1}}, 1, 1, true, {}, false};
  stopped.memory_limit_hit = !enough_memory(d->problem, options, control);
  if (stopped.memory_limit_hit) return stopped;
  const auto fewer = search_fewer(data, *d, control);
  if (!fewer) return fewer.error();
  return with_cells(
      d->problem, [&](auto cells) { return gather<typename decltype(cells)::type>(*d, near, best, *fewer, control); });
}

}  // namespace beadwork
