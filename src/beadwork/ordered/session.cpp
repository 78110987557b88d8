#include <beadwork/ordered.hpp>
#include <beadwork/ordered/session.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace beadwork::ordered {
namespace {

std::string fingerprint(const RankedData& data, const OrderedOptions& options, const Problem& p) {
  Sha256 h;
  h.update(fmt::format("ordered 1 {} depth {} costs {}\n", sha256(data), options.depth, fmt::join(options.costs, " ")));
  for (const Cut& c : p.required) h.update(fmt::format("require {} {}\n", c.column, c.rank));
  for (const std::uint32_t c : p.must) h.update(fmt::format("must {}\n", c));
  for (const WorkColumn& c : p.columns) h.update(fmt::format("column {} {}\n", c.column, fmt::join(c.cuts, " ")));
  return h.hex_digest();
}

std::optional<std::uint32_t> work_column(const Problem& p, std::uint32_t column) {
  const auto it = std::lower_bound(p.columns.begin(), p.columns.end(), column,
                                   [](const WorkColumn& w, std::uint32_t c) { return w.column < c; });
  if (it == p.columns.end() || it->column != column) return {};
  return static_cast<std::uint32_t>(it - p.columns.begin());
}

}  // namespace

Result<Session> Session::open(const RankedData& data, const OrderedOptions& options, const Problem& problem) {
  Session out(data, options, problem);
  if (!data.complete || (!options.checkpoint && options.resume == nullptr)) return out;
  out.hash_ = fingerprint(data, options, problem);
  if (options.resume != nullptr) TRY_DONE(out.restore(*options.resume));
  return out;
}

Status Session::restore(const OrderedState& state) {
  const Problem& p = *problem_;
  if (state.problem != hash_) return option_error("the state belongs to other data or other options", "resume");
  const std::vector<Cut> set = in_work(p, state.incumbent);
  const bool allowed = set.size() <= p.choose && in_data(p, set) == state.incumbent &&
                       std::all_of(p.must.begin(), p.must.end(), [&](std::uint32_t c) {
                         return std::any_of(set.begin(), set.end(), [&](const Cut& x) { return x.column == c; });
                       });
  if (!allowed) return option_error("the incumbent of the state is not allowed", "resume");
  TRY(const auto error, cuts_error(*data_, *options_, state.incumbent));
  if (error != state.error)
    return option_error("the incumbent of the state does not have the error it claims", "resume");
  start_.push_back(set);
  error_ = state.error;
  lower_ = state.lower_bound - p.base;
  for (const OrderedLevel& level : state.levels)
    if (!add_level(level)) return option_error("the state names columns or cuts that are not there", "resume");
  return Done{};
}

bool Session::add_level(const OrderedLevel& from) {
  const Problem& p = *problem_;
  Ledger::Place at;
  if (from.below) {
    const auto column = work_column(p, from.below->column);
    if (!column) return false;
    const auto cut = in_work(p, {*from.below});
    const bool nothing = from.below->rank == data_->columns[from.below->column].num_cuts();
    if (cut.empty() && !nothing) return false;
    at = nothing ? Cut{*column, static_cast<std::uint32_t>(p.columns[*column].cuts.size())} : cut[0];
  }
  Ledger::Level level;
  for (const std::uint32_t c : from.order) {
    const auto column = work_column(p, c);
    if (!column) return false;
    level.order.push_back(*column);
  }
  for (const OrderedLevel::Range& range : from.done) {
    const auto column = work_column(p, range.column);
    if (!column || range.from > range.to || range.to > data_->columns[range.column].num_cuts()) return false;
    const auto& cuts = p.columns[*column].cuts;
    const bool nothing = range.to == data_->columns[range.column].num_cuts();
    const auto first =
        static_cast<std::uint32_t>(std::lower_bound(cuts.begin(), cuts.end(), range.from) - cuts.begin());
    const auto end = static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end(), range.to) - cuts.begin());
    if (first < end || nothing) level.done[{*column, first}] = nothing ? end : end - 1;
  }
  levels_[at] = std::move(level);
  return true;
}

bool Session::resume(Shared& shared) const {
  shared.lower = std::clamp<std::int64_t>(lower_, 0, shared.upper);
  shared.ledger.resume(levels_);
  return shared.lower > 0;
}

void Session::begin(Shared& shared) {
  shared.two_levels = !hash_.empty();
  const bool saves = !hash_.empty() && options_->checkpoint && options_->checkpoint_seconds > 0;
  if (!saves && !options_->exchange) return;
  shared.tick = [this, &shared, saves, saving = std::make_shared<std::mutex>(), next = options_->checkpoint_seconds,
                 next_share = 0.0]() mutable {
    const std::unique_lock lock(*saving, std::try_to_lock);
    if (!lock) return;
    if (options_->exchange && shared.clock.seconds() >= next_share) {
      share(shared);
      next_share = shared.clock.seconds() + options_->exchange_seconds;
    }
    if (!saves || shared.clock.seconds() < next) return;
    save(shared);
    next = shared.clock.seconds() + options_->checkpoint_seconds;
  };
}

// What comes back is evaluated by plain partitioning before it counts.
void Session::share(Shared& shared) const {
  const OrderedState mine = state_of(shared);
  const auto theirs = options_->exchange(mine.incumbent, mine.error);
  if (!theirs) return;
  const std::vector<Cut> set = in_work(*problem_, *theirs);
  if (set.size() > problem_->choose || in_data(*problem_, set) != *theirs) return;
  const auto error = cuts_error(*data_, *options_, *theirs);
  if (error && *error < mine.error) shared.offer(set, *error - problem_->base);
}

void Session::save(Shared& shared) {
  if (!hash_.empty() && options_->checkpoint) options_->checkpoint(state_of(shared));
}

// First what is done, then the incumbent: the other way round a better one might be found and passed over in between.
OrderedState Session::state_of(Shared& shared) const {
  const Problem& p = *problem_;
  OrderedState s;
  s.problem = hash_;
  for (const auto& [at, level] : shared.ledger.levels()) {
    OrderedLevel& to = s.levels.emplace_back();
    const auto cut = [&](std::uint32_t column, std::uint32_t k) {
      const WorkColumn& w = p.columns[column];
      return Cut{w.column, k < w.cuts.size() ? w.cuts[k] : data_->columns[w.column].num_cuts()};
    };
    if (at) to.below = cut(at->column, at->rank);
    for (const std::uint32_t c : level.order) to.order.push_back(p.columns[c].column);
    for (const auto& [from, last] : level.done)
      to.done.push_back({p.columns[from.column].column, cut(from.column, from.rank).rank, cut(from.column, last).rank});
  }
  const std::lock_guard lock(shared.mutex);
  s.error = p.base + shared.upper;
  s.incumbent = in_data(p, shared.best);
  s.lower_bound = p.base + std::min(shared.lower, shared.upper);
  return s;
}

}  // namespace beadwork::ordered
