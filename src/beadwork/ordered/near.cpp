#include <beadwork/ordered.hpp>
#include <beadwork/ordered/near.hpp>
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
  auto d = make_distinct(data, options, control);
  if (!d) return d.error();
  if (!d->problem.complete || control.stopping()) return stopped;
  stopped.memory_limit_hit = !enough_memory(d->problem, options, control);
  if (stopped.memory_limit_hit) return stopped;
  return with_cells(d->problem, [&](auto cells) {
    return Near<typename decltype(cells)::type>(d->problem, d->copies, d->options, near, control).list(best);
  });
}

}  // namespace beadwork
