#include <beadwork/engine/near_cuts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace beadwork {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 31;

bool too_large(std::size_t bytes, const Control& control) {
  return bytes > kMostBytes || control.no_room_for(bytes);
}

// By one feature for each threshold; nothing if a limit came first.
Result<std::optional<NearCuts>> list_by_features(const std::shared_ptr<const RankedData>& data,
                                                 const NearOptions& near, const Request& request,
                                                 const Control& control) {
  control.note(fmt::format("fewer tests do as well, so all {} thresholds become features, one by one, for the list",
                           data->num_features()));
  const auto whole = all_features_of(data, control);
  if (!whole) return std::optional<NearCuts>{};
  const Request by_feature = with_columns(request, whole->binarizer);
  const Exchange none;
  const auto task = make_task(whole->dataset, by_feature, none, control);
  if (!task) return task.error();
  const SearchOptions options = search_options(*task);
  const auto problem = prepare(whole->dataset, options, control);
  if (!problem) return problem.error();
  const auto found = search_near(*problem, options, near, control);
  if (!found) return found.error();
  if (found->status != SolveStatus::optimal) return std::optional<NearCuts>{};
  NearCuts out{{}, found->num_sets, found->num_copies, true, false, false};
  for (const NearSet& s : found->sets) {
    NearCuts::Set& set = out.sets.emplace_back(std::vector<Cut>{}, s.error, s.copies);
    for (const Feature f : s.features) set.cuts.push_back(data->cut_of(f()));
  }
  return std::optional(std::move(out));
}

// Only as many sets as can be shown: their tests become features.
void leave_out(NearCuts& list, std::size_t rows, const Control& control) {
  std::set<Cut> cuts;
  for (std::size_t i = 0; i < list.sets.size(); ++i) {
    cuts.insert(list.sets[i].cuts.begin(), list.sets[i].cuts.end());
    if (!too_large(cuts.size() * (rows / 8 + 200), control)) continue;
    list.sets.resize(i);
    list.complete = false;
    list.memory_limit_hit = true;
  }
}

}  // namespace

Result<NearCuts> list_near_cuts(const std::shared_ptr<const RankedData>& data, const OrderedOptions& options,
                                const NearOptions& near, const OrderedOutcome& best, const Request& request,
                                const Control& control) {
  auto list = near_ordered(*data, options, {near.best, near.within, near.most}, best, control);
  if (!list) return list;
  if (list->idle && !control.stopping()) {
    list->memory_limit_hit = too_large(data->num_features() * (3 * data->num_rows() / 8 + 400), control);
    if (!list->memory_limit_hit) {
      NearOptions known = near;
      known.optimum = best.error;
      auto whole = list_by_features(data, known, request, control);
      if (!whole) return whole.error();
      if (*whole) list = **std::move(whole);
    }
  }
  leave_out(*list, data->num_rows(), control);
  return list;
}

}  // namespace beadwork
