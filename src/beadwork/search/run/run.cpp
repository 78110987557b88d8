#include <beadwork/search/run/run.hpp>
#include <beadwork/search/tree/bitwise.hpp>
#include <beadwork/search/tree/rowwise.hpp>

#include <array>

namespace beadwork::detail {

namespace {
constexpr double kLong = 32;  // short runs
}

template <class B>
std::vector<std::uint32_t> order_by_weight(const Problem& problem, const typename B::Node& root) {
  std::vector<std::uint32_t> order(root.num_candidates);
  std::iota(order.begin(), order.end(), 0u);
  const auto group = [&](std::uint32_t i) { return problem.candidates[i].group - 1; };  // 0 becomes the largest number
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return group(a) != group(b) ? group(a) < group(b) : root.weights[a] > root.weights[b];
  });
  return order;
}

template <class B>
Run<B>::Run(B& backend, Shared& shared, const RunOptions& options)
    : backend_(&backend),
      shared_(&shared),
      options_(options),
      choose_(static_cast<std::uint32_t>(shared.choose)),
      two_levels_(choose_ >= 5),
      arena_(shared.memory),
      proven_(options.proven) {
  shared.tick = [this] { tick(); };
  if (shared.order.empty()) {
    shared.order.resize(shared.problem->candidates.size());
    std::iota(shared.order.begin(), shared.order.end(), 0u);
    if (choose_ >= 2 && !options.by_feature) {
      Arena first(shared.memory);
      Node n = backend.root(first, shared.order);
      backend.open(first, n, choose_);
      shared.order = order_by_weight<B>(*shared.problem, n);
    }
  }
  root_ = backend.root(arena_, shared.order);
  root_.open = shared.problem->groups;
  if (choose_ > 0) backend.open(arena_, root_, choose_);
  // A state may come from a run with other bounds, and so with another order.
  by_weight_ = choose_ > 0 && root_.open == 0 && !options.by_feature &&
               std::is_sorted(root_.weights, root_.weights + size(), std::greater<>());
  constexpr std::size_t kMostLevels = 3;
  ledger_ = Ledger(first_bounds(), std::clamp<std::size_t>(choose_, 2, kMostLevels + 1) - 1);
  if (const std::uint32_t past = first_past(root_); past < size()) {
    ledger_.finish_from(past);
    done_before_ = ledger_.share(choose_);
  }
  next_checkpoint_ = options_.checkpoint_seconds;
  if (!options.upper_bound || options.by_feature || choose_ < 2 || choose_ > size()) return;
  probes_.emplace(backend, shared, root_, by_weight_, std::max<std::uint64_t>(1, options.short_run / 16));
  probes_->begin_from((options.proven - shared.scale.base) / shared.scale.unit);
}

template <class B>
void Run<B>::resume(const std::vector<SearchRange>& done) {
  ledger_.resume(done);
  if (options_.part) done_before_ = ledger_.share(choose_);
}

// The position after which an open group has no members: from there on no set begins.
template <class B>
std::uint32_t Run<B>::first_past(const Node& node) const {
  std::uint32_t out = size();
  for (std::uint32_t left = node.open; left != 0; left &= left - 1) {
    std::uint32_t past = 0;
    for (std::uint32_t i = 0; i < node.num_candidates; ++i)
      if ((shared_->problem->candidates[shared_->order[node.ids[i]]].group & left & ~(left - 1)) != 0)
        past = std::max(past, node.ids[i] + 1);
    out = std::min(out, past);
  }
  return out;
}

// A position and the largest weights among the later ones.
template <class B>
std::vector<std::int64_t> Run<B>::first_bounds() const {
  std::vector<std::int64_t> out(size(), INT64_MAX);
  if (choose_ == 0) return out;
  std::multiset<std::int64_t> top;  // the choose - 1 largest weights among later positions
  std::int64_t sum = 0;
  const std::uint32_t past = first_past(root_);
  for (std::size_t t = size(); t-- > 0;) {
    if (top.size() == choose_ - 1 && t < past)
      out[t] = shared_->scale.fine(std::max(root_.error - root_.weights[t] - sum, root_.base));
    top.insert(root_.weights[t]);
    sum += root_.weights[t];
    if (top.size() < choose_) continue;
    sum -= *top.begin();
    top.erase(top.begin());
  }
  return out;
}

template <class B>
RunResult Run<B>::go() {
  RunResult result;
  const bool units = choose_ >= 2 && choose_ <= size();
  std::vector<std::unique_ptr<Tree<B>>> trees;
  const unsigned threads = units ? std::max(1u, options_.threads) : 1;
  for (unsigned i = 0; i < threads; ++i) trees.push_back(std::make_unique<Tree<B>>(*shared_, *backend_));
  try {
    planner_ = std::make_unique<Tree<B>>(*shared_, *backend_);
    tick();
    if (!units) {
      trees[0]->solve(root_, choose_);
    } else if (!planner_->settle(root_, choose_)) {
      planner_cursor_ = planner_->start(planner_->arena(), root_, choose_, by_weight_);
      together(trees.size(), [&](std::size_t i) { work(*trees[i]); });
    }
  } catch (const MemoryLimitReached&) {
    out_of_memory_ = true;
    shared_->stop = true;
  }
  result.out_of_memory = out_of_memory_;
  result.finished = !shared_->stop;
  if (result.finished) ledger_.finish_from(0);
  if (planner_ != nullptr) trees.push_back(std::move(planner_));
  if (probes_) result.stats = probes_->stats();
  for (const auto& t : trees) {
    result.stats.nodes += t->stats().nodes;
    result.stats.steps += t->stats().steps;
    result.stats.evaluated += t->stats().evaluated;
    result.stats.work += t->stats().work;
  }
  return result;
}

template <class B>
std::vector<WorkUnit> Run<B>::estimate(std::size_t parts, std::uint64_t seed) {
  if (choose_ < 2 || choose_ > size()) return {};
  const auto tell = [this](double share) {
    if (clock_.seconds() >= next_report_) report("plan", share);
    if (shared_->stop) throw Stopped{};
  };
  return Estimate<B>(*backend_, *shared_, root_, by_weight_, seed, options_.threads, tell).units(parts);
}

template <class B>
void Run<B>::work(Tree<B>& tree) {
  try {
    Cursor cursor;
    Arena::Mark start = tree.arena().mark();
    std::shared_ptr<Level> level;  // keeps alive what the cursor looks at
    bool have = false;
    while (!shared_->stop) {
      const std::optional<Unit> unit = next_unit();
      if (!unit) return;
      if (!have || unit->level != level) {
        tree.arena().release(start);
        level = unit->level;
        tree.prefix().clear();
        if (level != nullptr) tree.prefix() = level->prefix;
        const auto left = choose_ - static_cast<std::uint32_t>(tree.prefix().size());
        cursor = level != nullptr ? tree.start(tree.arena(), level->node, left, false)
                                  : tree.start(tree.arena(), root_, choose_, by_weight_);
        have = true;
      }
      bool more = true;
      if (cursor.num_lanes == 0)
        more = false;  // dead altogether
      else if (tree.seek(cursor, unit->position))
        more = tree.step(cursor);
      if (shared_->stop) return;
      finish(*unit, !more);
    }
  } catch (const MemoryLimitReached&) {
    out_of_memory_ = true;
    shared_->stop = true;
  }
}

template <class B>
std::optional<typename Run<B>::Unit> Run<B>::next_unit() {
  const std::lock_guard lock(mutex_);
  for (;;) {
    if (current_ != nullptr)
      if (auto unit = next_in(*current_, current_); unit || past_all_) return unit;
    current_ = nullptr;
    while (next_ < size() && ledger_.done(next_)) ++next_;
    if (next_ >= size() || shared_->stop || past(std::array{next_})) return std::nullopt;
    const std::uint32_t t = next_++;
    if (!two_levels_ && !ledger_.divided(std::array{t})) return Unit{nullptr, t};
    current_ = open_level({t}, planner_cursor_);
    if (current_ == nullptr) ledger_.finish(std::array{t});
  }
}

// The next unit of a level: of the one below first, where a position is divided.
template <class B>
std::optional<typename Run<B>::Unit> Run<B>::next_in(Level& level, const std::shared_ptr<Level>& self) {
  for (;;) {
    if (level.deeper != nullptr)
      if (auto unit = next_in(*level.deeper, level.deeper); unit || past_all_) return unit;
    level.deeper = nullptr;
    if (level.next >= size()) return std::nullopt;
    std::vector<std::uint32_t> prefix = level.prefix;
    prefix.push_back(level.next++);
    if (ledger_.done(prefix)) continue;
    past_all_ = past(prefix);
    if (past_all_) return std::nullopt;
    if (!ledger_.divided(prefix)) return Unit{self, prefix.back()};
    if (!level.cursor)
      level.cursor =
          planner_->start(level.arena, level.node, choose_ - static_cast<std::uint32_t>(level.prefix.size()), false);
    level.deeper = open_level(prefix, *level.cursor);
    if (level.deeper == nullptr) ledger_.finish(prefix);
  }
}

// By feature: nothing with this prefix or a later one comes before the set found.
template <class B>
bool Run<B>::past(std::span<const std::uint32_t> prefix) const {
  if (!options_.by_feature) return false;
  Candidates least(prefix.begin(), prefix.end());
  while (least.size() < choose_) least.push_back(least.back() + 1);
  return shared_->sink->cap_of(least) != INT64_MAX;
}

// The node below a prefix, or null if nothing lives there. The cursor is of the node above its last position.
template <class B>
std::shared_ptr<typename Run<B>::Level> Run<B>::open_level(std::vector<std::uint32_t> prefix, Cursor& c) {
  const auto left = choose_ - static_cast<std::uint32_t>(prefix.size());
  const std::uint32_t t = prefix.back();
  if (c.num_lanes == 0 || !planner_->seek(c, t)) return nullptr;
  const std::uint32_t lane = c.lanes[c.next];
  std::int64_t error = 0;
  if (planner_->judge(c, error) != Tree<B>::Verdict::alive) return nullptr;
  auto level = std::make_shared<Level>(shared_->memory, std::move(prefix));
  level->next = t + 1;
  level->node = planner_->child(level->arena, c, lane);
  backend_->cancel(level->arena, level->node, left);
  planner_->prefix() = level->prefix;
  const bool settled = planner_->settle(level->node, left);
  planner_->prefix().clear();
  if (settled) return nullptr;
  backend_->open(level->arena, level->node, left);
  return ledger_.open(level->prefix, level_bounds(*level)) ? level : nullptr;
}

// A position of the level and the largest weights among the later ones.
template <class B>
std::vector<std::int64_t> Run<B>::level_bounds(const Level& level) const {
  const Node& n = level.node;
  const std::size_t others = choose_ - level.prefix.size() - 1;
  const std::int64_t above = ledger_.bound(level.prefix);
  std::vector<std::int64_t> out(size(), INT64_MAX);
  std::vector<std::uint32_t> lanes(n.num_candidates);
  std::iota(lanes.begin(), lanes.end(), 0u);
  std::sort(lanes.begin(), lanes.end(), [&](std::uint32_t a, std::uint32_t b) { return n.ids[a] > n.ids[b]; });
  std::multiset<std::int64_t> top;  // as many of the largest weights among later positions
  std::int64_t sum = 0;
  const std::uint32_t past = first_past(n);
  for (const std::uint32_t f : lanes) {
    if (top.size() == others && n.ids[f] < past)
      out[n.ids[f]] = std::max(above, shared_->scale.fine(n.error - n.weights[f] - sum));
    top.insert(n.weights[f]);
    sum += n.weights[f];
    if (top.size() > others) {
      sum -= *top.begin();
      top.erase(top.begin());
    }
  }
  return out;
}

template <class B>
void Run<B>::finish(const Unit& unit, bool rest_too) {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint32_t> prefix = unit.level != nullptr ? unit.level->prefix : std::vector<std::uint32_t>{};
  prefix.push_back(unit.position);
  ledger_.finish(prefix);
  if (unit.level != nullptr) return;
  if (!rest_too) return;
  ledger_.finish_from(unit.position);  // in order of weight: nothing after it lives
  next_ = size();
}

template <class B>
std::vector<SearchRange> Run<B>::done() const {
  const std::lock_guard lock(mutex_);
  return ledger_.ranges();
}

template <class B>
std::int64_t Run<B>::lower_bound() const {
  const std::lock_guard lock(mutex_);
  return std::max<std::int64_t>(ledger_.lower_bound(), proven_);
}

template <class B>
void Run<B>::tick() {
  poll();
  if (!shared_->stop && shared_->work >= options_.short_run) probe();
}

// Probes have at most a quarter of the work and a twelfth of what the search will take in all, as far as the share of
// the sets that are done tells. A search that will not take long does without.
template <class B>
void Run<B>::probe() {
  const std::unique_lock lock(probe_mutex_, std::try_to_lock);
  if (!lock || !probes_) return;
  const std::uint64_t work = shared_->work;
  const std::int64_t best = options_.upper_bound();
  if (work / 4 < probes_->needed() || best == INT64_MAX) return;
  {
    const std::lock_guard guard(mutex_);
    const double all = static_cast<double>(work) / std::max(1e-9, ledger_.share(choose_, best));
    if (all < kLong * static_cast<double>(options_.short_run) || all < 12 * static_cast<double>(probes_->needed()))
      return;
  }
  const auto done = [&](std::uint32_t t) {
    const std::lock_guard guard(mutex_);
    return ledger_.done(t);
  };
  const auto bound = probes_->probe(shared_->scale.coarse(best), done, [this] { poll(); });
  if (bound) proven_ = std::max<std::int64_t>(proven_, shared_->scale.fine(*bound));
}

template <class B>
void Run<B>::poll() {
  if (shared_->control->stopping()) {
    shared_->stop = true;
    return;
  }
  const std::unique_lock lock(tick_mutex_, std::try_to_lock);
  if (!lock) return;
  const double now = clock_.seconds();
  if (options_.exchange && now >= next_exchange_) exchange();
  if (options_.upper_bound && ties_end()) shared_->stop = true;
  if (shared_->control->progress && now >= next_report_) report(options_.by_feature ? "ties" : "search", share());
  if (options_.checkpoint && options_.checkpoint_seconds > 0 && now >= next_checkpoint_) {
    options_.checkpoint();
    next_checkpoint_ = clock_.seconds() + options_.checkpoint_seconds;
  }
}

// Only ties are left, and their time is over.
template <class B>
bool Run<B>::ties_end() {
  const double now = clock_.seconds();
  if (!proven_at_ && options_.by_feature) proven_at_ = 0;
  if (!proven_at_ && now >= next_look_) {
    next_look_ = now + 0.05;
    if (lower_bound() >= options_.upper_bound()) proven_at_ = shared_->work;
  }
  return proven_at_ && shared_->work - *proven_at_ > options_.tie_work;
}

// Errors of the sink are in the units of the tree.
template <class B>
void Run<B>::exchange() {
  const Scale& scale = shared_->scale;
  if (auto known = options_.exchange())
    shared_->sink->offer(std::move(known->first), (known->second - scale.base) / scale.unit);
  next_exchange_ = clock_.seconds() + options_.exchange_seconds;
}

// Of what was not done before, where this is a part.
template <class B>
double Run<B>::share() const {
  const std::lock_guard guard(mutex_);
  return (ledger_.share(choose_) - done_before_) / std::max(1e-12, 1 - done_before_);
}

template <class B>
void Run<B>::report(std::string_view phase, double share) {
  Progress p;
  p.phase = phase;
  p.share = share;
  p.seconds = clock_.seconds();
  next_report_ = p.seconds + 0.1;
  if (options_.upper_bound) p.upper_bound = options_.upper_bound();
  p.lower_bound = std::min(options_.by_feature ? INT64_MAX : lower_bound(), p.upper_bound.value_or(INT64_MAX));
  if (!shared_->control->report(p)) shared_->stop = true;
}

template class Run<Bitwise<std::int16_t>>;
template class Run<Bitwise<std::int32_t>>;
template class Run<Rowwise>;
template std::vector<std::uint32_t> order_by_weight<Bitwise<std::int16_t>>(const Problem&,
                                                                           const Bitwise<std::int16_t>::Node&);
template std::vector<std::uint32_t> order_by_weight<Bitwise<std::int32_t>>(const Problem&,
                                                                           const Bitwise<std::int32_t>::Node&);
template std::vector<std::uint32_t> order_by_weight<Rowwise>(const Problem&, const Rowwise::Node&);

}  // namespace beadwork::detail
