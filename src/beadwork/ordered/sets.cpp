#include <beadwork/ordered.hpp>
#include <beadwork/ordered/families.hpp>
#include <beadwork/ordered/judged.hpp>

namespace beadwork {
namespace ordered {

// `is missing` is the cut before the last rank turned round: who fails it has the feature.
bool fails(const RankedData& data, const Cut& cut) {
  const RankedColumn& c = data.columns[cut.column];
  return !c.test && cut.rank + 1 >= c.values.size();
}

}  // namespace ordered

Result<OrderedSets> OrderedSets::make(const RankedData& data, const OrderedOptions& options, const Control& control) {
  require(options.require.empty() && options.require_columns.empty(), "OrderedSets: nothing is required");
  using namespace ordered;
  OrderedSets out;
  out.data_ = &data;
  if (!data.complete || data.num_features() > kMostCuts || control.stopping() ||
      control.no_room_for(data.num_features() * 64 + data.num_rows() * (data.columns.size() * 8 + 56)))
    return out;
  OrderedOptions distinct = options;
  distinct.depth = 0;  // CART is not wanted
  merge_families(data, distinct, control);
  if (control.stopping()) return out;
  TRY(auto problem, make_problem(data, distinct, control));
  if (!problem.complete) return out;
  for (const WorkColumn& c : problem.columns) out.num_distinct_ += c.cuts.size();
  out.problem_ = std::make_shared<const Problem>(std::move(problem));
  return out;
}

std::int64_t OrderedSets::base() const {
  return complete() ? problem_->base : 0;
}

bool OrderedSets::visit(std::size_t size, CellJudge& judge, const Control& control) const {
  require(size > 0, "OrderedSets::visit: at least one cut");
  if (!complete()) return false;
  const std::size_t node = problem_->num_rows * (problem_->columns.size() * 4 + 16);
  if (control.no_room_for(node * size)) return false;
  return ordered::JudgedTree(*data_, *problem_, size, judge, control).visit();
}

bool OrderedSets::extend(const std::vector<Cut>& cuts, CellJudge& judge, const Control& control) const {
  if (!complete()) return false;
  const auto own = ordered::in_work(*problem_, cuts);
  if (own.size() < cuts.size()) return true;  // some are copies of others, which are extended in their place
  return ordered::JudgedTree(*data_, *problem_, cuts.size() + 1, judge, control).extend(own);
}

std::uint64_t OrderedSets::steps() const {
  return complete() ? problem_->num_rows * problem_->columns.size() : 0;
}

Cut OrderedSets::any_cut(std::uint64_t random) const {
  const ordered::WorkColumn& column = problem_->columns[random % problem_->columns.size()];
  return {column.column, column.cuts[random / problem_->columns.size() % column.cuts.size()]};
}

std::vector<Cut> without_copies(const RankedData& data, std::vector<Cut> cuts) {
  std::sort(cuts.begin(), cuts.end());
  const auto passes = [&](const Cut& c, std::size_t r) { return data.columns[c.column].ranks[r] <= c.rank; };
  const auto differs = [&](std::size_t rows, auto&& value) {  // somewhere from what it is in the first row
    for (std::size_t r = 1; r < rows; ++r)
      if (value(r) != value(0)) return true;
    return false;
  };
  std::vector<Cut> out;
  for (const Cut& c : cuts) {
    const bool copy = std::any_of(out.begin(), out.end(), [&](const Cut& other) {
      return !differs(data.num_rows(), [&](std::size_t r) { return passes(c, r) != passes(other, r); });
    });
    if (!copy && differs(data.num_rows(), [&](std::size_t r) { return passes(c, r); })) out.push_back(c);
  }
  return out;
}

std::vector<std::int64_t> cells_of(const RankedData& data, const OrderedOptions& options,
                                   const std::vector<Cut>& cuts) {
  const std::size_t k = data.num_classes();
  std::vector<std::int64_t> costs(k << cuts.size());
  for (std::size_t r = 0; r < data.num_rows(); ++r) {
    std::size_t cell = 0;
    for (const Cut& c : cuts)
      cell = 2 * cell + ((data.columns[c.column].ranks[r] <= c.rank) != ordered::fails(data, c) ? 1 : 0);
    add_costs(std::span(costs).subspan(cell * k, k), options.costs, data.labels[r](), data.weight(r));
  }
  return costs;
}

}  // namespace beadwork
