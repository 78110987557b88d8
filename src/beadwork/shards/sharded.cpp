#include <beadwork/shards/sharded.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace beadwork::detail {
namespace {

constexpr std::size_t kBestSets = 32;  // of a part, where parts are few
constexpr std::size_t kBestSetsInAll = 256;

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 32)) * 0x9fb21c651e98df25ULL;
  x = (x ^ (x >> 29)) * 0xbf58476d1ce4e5b9ULL;
  return x ^ (x >> 32);
}

// Tells rows that changed between two passes; not a proof. Neither their order nor how often one is there apart
// matters: an engine that groups rows gives them as it likes.
std::uint64_t fingerprint_of(const Dataset& rows) {
  std::vector<std::uint64_t> of_row(rows.num_rows());
  for (std::size_t f = 0; f < rows.num_features(); ++f) {
    const std::uint64_t here = mix(f + 1);
    for (std::size_t r = 0; r < rows.num_rows(); ++r) of_row[r] += rows.value(Feature{f}, Row{r}) ? here : 0;
  }
  std::uint64_t sum = 0;
  for (std::size_t r = 0; r < rows.num_rows(); ++r)
    sum += mix(of_row[r] + mix(~rows.label(Row{r})())) * static_cast<std::uint64_t>(rows.weight(Row{r}));
  return sum;
}

FeatureSet sorted(FeatureSet set) {
  std::sort(set.begin(), set.end());
  set.erase(std::unique(set.begin(), set.end()), set.end());
  return set;
}

}  // namespace

Error interrupted_early() {
  return {ErrorCode::limit, "stopped before a diagram was counted on all shards", {}};
}

ShardedSearch::ShardedSearch(const Shards& shards, const SearchOptions& options, const ShardOptions& limits,
                             const Control& control)
    : shards_(shards),
      options_(options),
      limits_(limits),
      control_(control),
      required_(sorted(options.require)),
      forbidden_(sorted(options.forbid)),
      parts_(shards.count),
      tallies_(0, options_.costs) {}

Status ShardedSearch::check(std::size_t part, const Dataset& rows) {
  if (first_) {
    features_ = rows.num_features();
    classes_ = rows.num_classes();
    choosable_ = features_;
    tallies_ = Tallies(classes_, options_.costs);
    first_ = false;
  }
  require(rows.num_features() == features_ && rows.num_classes() == classes_,
          "search_shards: parts with the same features and classes");
  Part& p = parts_[part];
  const std::uint64_t fingerprint = fingerprint_of(rows);
  if (stats_.passes == 1) {
    p.rows = rows.num_given_rows();
    p.empty = rows.num_rows() == 0;
    p.fingerprint = fingerprint;
    return add_costs(rows);
  }
  if (p.fingerprint != fingerprint)
    return input_error(fmt::format("shard {} changed while it was being learnt from", part + 1));
  return Done{};
}

// No sum over all parts may overflow; a search of one part sees to that for its rows alone.
Status ShardedSearch::add_costs(const Dataset& rows) {
  const CellCounts weights = count_cells(rows, {});
  class_weights_.resize(classes_);
  CheckedTotal all;
  for (std::size_t k = 0; k < classes_; ++k) {
    class_weights_[k] += weights[k];  // two numbers of at most 2^56
    if (!all.add(class_weights_[k])) return input_error("the weights add up to more than 2^56; scale them down");
  }
  if (options_.costs.size() != (options_.costs.empty() ? 0 : classes_ * classes_)) return Done{};  // refused later
  const auto worst = worst_total(class_weights_, options_.costs);
  return worst ? Status(Done{}) : Status(worst.error());
}

Result<Dataset> ShardedSearch::open(std::size_t part) {
  ++stats_.opened;
  auto rows = shards_.open(part);
  if (!rows) return rows;
  TRY_DONE(check(part, *rows));
  return rows;
}

Control ShardedSearch::reading_on() const {
  Control patient = control_;
  patient.deadline = Deadline::never();
  patient.progress = {};
  return patient;
}

Result<ShardedSearch::Opened> ShardedSearch::open_condensed(std::size_t part) {
  TRY(auto rows, open(part));
  Opened out{std::move(rows), {}, {}};
  if (out.rows.num_rows() == 0) return out;
  TRY(auto problem, prepare(out.rows, options_, reading_on()));
  out.problem = std::move(problem);
  if (out.problem.complete())
    out.families = families_of(out.rows, out.problem.data());
  else if (out.problem.memory_limit_hit())
    out_of_memory_ = true;
  return out;
}

void ShardedSearch::count_on(std::size_t part, const Opened& opened, const Control& control) {
  if (!opened.problem.complete()) return tallies_.count(part, opened.rows, control);
  SetCounter counter(opened.problem.data(), opened.families);
  tallies_.count(part, counter, control);
}

// The time that is left, shared with the parts to come; what happens in a part is no progress of the whole.
Control ShardedSearch::part_control(double seconds) const {
  Control c = control_;
  if (seconds < c.deadline.remaining()) c.deadline = Deadline::in(seconds);
  const std::int64_t least = sum_of_least();
  const std::optional<std::int64_t> best = tallies_.best();
  const double share = parts_.empty() ? 0
                                      : static_cast<double>(stats_.opened % (parts_.size() + 1)) /
                                            static_cast<double>(parts_.size() + 1);
  if (control_.progress)
    c.progress = [this, least, best, share](const Progress& p) {
      return control_.progress({"shards", share, least, best, p.seconds});
    };
  return c;
}

std::int64_t ShardedSearch::sum_of_least() const {
  return std::accumulate(parts_.begin(), parts_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Part& p) { return sum + p.least; });
}
std::int64_t ShardedSearch::sum_of_covered() const {
  return std::accumulate(parts_.begin(), parts_.end(), std::int64_t{0},
                         [](std::int64_t sum, const Part& p) { return sum + p.covered; });
}
std::size_t ShardedSearch::num_nonempty() const {
  return static_cast<std::size_t>(std::count_if(parts_.begin(), parts_.end(), [](const Part& p) { return !p.empty; }));
}

// The optimum of a part, or what time allows to prove of it, and its best sets.
Status ShardedSearch::search_part(std::size_t part, const Opened& opened) {
  const double left = control_.deadline.remaining();
  const Control control = part_control(left / static_cast<double>(parts_.size() - part + 1));
  SearchOptions at = options_;
  at.effort.max_ties = at.effort.tie_work = 0;  // which of the best sets does not matter here
  at.local_until = control.deadline.part(shares::kLocal);
  TRY(auto outcome, search(opened.problem, at, control));
  out_of_memory_ = out_of_memory_ || outcome.memory_limit_hit;
  parts_[part].least = outcome.lower_bound;
  if (outcome.status == SolveStatus::unknown) return Done{};
  if (room_for_sets() > 0 || tallies_.size() < 2) tallies_.add(sorted(outcome.features));
  if (outcome.status != SolveStatus::optimal) return Done{};
  NearOptions near;
  near.best = std::min(std::clamp<std::size_t>(kBestSetsInAll / parts_.size(), 1, kBestSets), room_for_sets());
  near.optimum = outcome.error;
  if (near.best <= 1) return Done{};
  at.start = {outcome.features};
  TRY(const auto sets, search_near(opened.problem, at, near, control));
  for (const NearSet& s : sets.sets) tallies_.add(sorted(s.features));
  return Done{};
}

Status ShardedSearch::find_optima() {
  ++stats_.passes;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    if (control_.interrupted()) return interrupted_early();
    Opened opened;
    if (spent()) {
      TRY(auto rows, open(i));
      opened.rows = std::move(rows);
    } else {
      TRY(auto condensed, open_condensed(i));
      opened = std::move(condensed);
    }
    if (limits_.hash) rows_hash_.add(opened.rows);
    if (opened.rows.num_rows() == 0) continue;
    tallies_.add(required_);
    families_known_ = families_known_ && opened.problem.complete();
    if (opened.problem.complete()) {
      parts_[i].families = opened.problem.data().features.size();
      whole_.add(opened.rows, opened.families);
      TRY_DONE(search_part(i, opened));
    }
    count_on(i, opened, {});  // few sets, one of which must be counted on all parts
  }
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i].empty) tallies_.expect(i, parts_[i].least);
  tallies_.drop();
  return Done{};
}

// A pass that counts sets on the parts that they have not seen yet.
Status ShardedSearch::count_where_wanted() {
  ++stats_.passes;
  for (std::size_t i = 0; i < parts_.size() && !spent(); ++i) {
    if (parts_[i].empty || !tallies_.wants(i)) continue;
    TRY(const auto opened, open_condensed(i));
    count_on(i, opened, control_);
    tallies_.drop();
  }
  return Done{};
}

// Worth it where a lower gap makes shorter lists.
Status ShardedSearch::count_best_sets() {
  const auto parts = static_cast<std::int64_t>(num_nonempty());
  if (spent() || !families_known_ || (*tallies_.best() - sum_of_least()) / parts == 0) return Done{};
  return count_where_wanted();
}

// Bytes that lists may take.
std::size_t ShardedSearch::room() const {
  constexpr std::size_t kGibibyte = std::size_t{1} << 30;
  if (control_.memory_limit == 0) return kGibibyte;
  return std::min(kGibibyte, (control_.memory_limit - std::min(control_.memory_limit, current_memory())) / 2);
}

std::size_t ShardedSearch::room_for_sets() const {
  const std::size_t counts = (classes_ << std::min(options_.depth, choosable_)) * 8;
  const std::size_t most = std::min(limits_.most_sets, room() / (counts + kBytesOfSet + parts_.size() / 8));
  return most - std::min(most, tallies_.size());
}

// Parts in which most features can be told apart have the shortest lists: these first.
std::vector<std::size_t> ShardedSearch::by_families() const {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (!parts_[i].empty) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return std::pair(parts_[a].families, parts_[a].rows) > std::pair(parts_[b].families, parts_[b].rows);
  });
  return order;
}

// Lists the sets that cost the part less than `quota` more than what every set costs it.
Status ShardedSearch::list_part(std::size_t part, const Opened& opened, std::int64_t quota) {
  Part& p = parts_[part];
  NearOptions near;
  near.best = room_for_sets();
  near.within = quota - 1;
  near.optimum = p.least;
  if (near.best == 0) {
    too_many_ = true;
    return Done{};
  }
  const Control control = part_control(control_.deadline.remaining());
  TRY(const auto found, search_near(opened.problem, options_, near, control));
  std::int64_t below = p.least + quota;
  if (found.sets.size() >= near.best) below = std::min(below, found.sets.back().error);
  if (found.status != SolveStatus::optimal) below = std::min(below, found.lower_bound);
  std::vector<ListedSet> list;
  for (const NearSet& s : found.sets)
    if (s.error < below) list.push_back({sorted(s.features), s.error});
  stats_.listed += list.size();
  SetCounter counter(opened.problem.data(), opened.families);
  const WholeSets whole{required_, free_, std::min(options_.depth - required_.size(), free_.size()), options_.costs};
  const ExpansionLimits most{room_for_sets(), std::min(room() / kBytesOfSet, 4 * limits_.most_sets)};
  const Expanded expanded = expand(list, below, whole, opened.families, counter, classes_, most, control_);
  for (const FeatureSet& set : expanded.sets) tallies_.add(set);
  stats_.candidates += expanded.sets.size();
  p.covered = std::max<std::int64_t>(0, std::min(expanded.below, below) - p.least);
  too_many_ = too_many_ || (p.covered < quota && !control_.stopping());
  return Done{};
}

// A set that no list has costs every part at least what its list covers. So the lists must cover, together, one more
// than the gap; what one of them cannot is left to those that follow.
Status ShardedSearch::list_sets() {
  stats_.gap = *tallies_.best() - sum_of_least();
  if (spent() || !families_known_) return Done{};
  ++stats_.passes;
  free_ = whole_.representatives(required_, forbidden_);
  choosable_ = required_.size() + free_.size();
  const auto order = by_families();
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t i = order[place];
    if (spent()) return Done{};
    const std::int64_t needed = *tallies_.best() - sum_of_least() + 1 - sum_of_covered();
    const auto left = static_cast<std::int64_t>(order.size() - place);
    if (needed <= 0 && !tallies_.wants(i)) continue;
    TRY(const auto opened, open_condensed(i));
    if (needed > 0 && opened.problem.complete()) TRY_DONE(list_part(i, opened, (needed + left - 1) / left));
    count_on(i, opened, control_);
    tallies_.drop();
  }
  return Done{};
}

}  // namespace beadwork::detail
