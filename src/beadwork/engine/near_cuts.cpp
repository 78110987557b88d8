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
Result<std::optional<NearCuts>> list_by_features(const std::shared_ptr<const RankedData>& data, const NearOptions& near,
                                                 const Request& request, const Control& control) {
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
  NearCuts out{{}, found->num_sets, found->num_copies, true, {}, false};
  for (const NearSet& s : found->sets) {
    NearCuts::Set& set = out.sets.emplace_back(std::vector<Cut>{}, s.error, s.copies);
    for (const Feature f : s.features) set.cuts.push_back(data->cut_of(f()));
  }
  return std::optional(std::move(out));
}

// The list goes on from sets that a smaller set makes with any test.
Status add_idle(const std::shared_ptr<const RankedData>& data, NearOptions near, const OrderedOutcome& best,
                const Request& request, const Control& control, NearCuts& list) {
  const std::size_t three_times = data->num_features() * (3 * data->num_rows() / 8 + 400);  // read, condensed, prepared
  list.memory_limit_hit = too_large(three_times, control);
  if (!list.memory_limit_hit) {
    control.note(
        fmt::format("fewer tests do as well as the sets of the list, so all {} thresholds become features for it",
                    data->num_features()));
    near.optimum = best.error;
    auto whole = list_by_features(data, near, request, control);
    if (!whole) return whole.error();
    if (*whole) list = **std::move(whole);
  }
  if (list.idle) control.note("the list ends where fewer tests do as well: from there on any test makes one more set");
  return Done{};
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
  if (list->idle)
    if (auto ok = add_idle(data, near, best, request, control, *list); !ok) return ok.error();
  leave_out(*list, data->num_rows(), control);
  return list;
}

}  // namespace beadwork
