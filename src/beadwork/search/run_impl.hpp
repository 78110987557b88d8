#pragma once

namespace beadwork::detail {

// The candidates by L6 at the root, largest first.
template <class B>
std::vector<std::uint32_t> order_by_weight(const typename B::Node& root) {
  std::vector<std::uint32_t> order(root.num_candidates);
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return root.weights[a] > root.weights[b]; });
  return order;
}

template <class B>
Run<B>::Run(B& backend, Shared& shared, const RunOptions& options)
    : backend_(&backend), shared_(&shared), options_(options), arena_(shared.memory) {
  choose_ = static_cast<std::uint32_t>(shared.problem->choose);
  two_levels_ = choose_ >= 5;
  shared.tick = [this] { tick(); };
  if (shared.order.empty()) {
    shared.order.resize(shared.problem->candidates.size());
    std::iota(shared.order.begin(), shared.order.end(), 0u);
    if (choose_ >= 2) {
      Arena first(shared.memory);
      Node n = backend.root(first, shared.order);
      backend.open(first, n, choose_);
      shared.order = order_by_weight<B>(n);
    }
  }
  const std::vector<std::uint32_t>& order = shared.order;
  root_ = backend.root(arena_, order);
  if (choose_ > 0) backend.open(arena_, root_, choose_);
  done_.assign(order.size(), 0);
  bounds_.assign(order.size(), INT64_MAX);
  if (choose_ > 0)
    for (std::size_t t = 0; t + choose_ <= order.size(); ++t) {
      bounds_[t] = root_.error;
      for (std::size_t i = t; i < t + choose_; ++i) bounds_[t] -= root_.weights[i];
      bounds_[t] = std::max(bounds_[t], root_.base);
    }
  next_checkpoint_ = options_.checkpoint_seconds;
}

template <class B>
void Run<B>::resume(const std::vector<SearchRange>& done) {
  // Every unit whose prefix lies in a range is done.
  for (std::uint32_t t = 0; t < size(); ++t)
    for (const SearchRange& r : done) {
      const std::vector<std::uint32_t> here{t}, after{t + 1};
      if (r.from <= here && (r.to.empty() || after <= r.to)) {
        done_[t] = 1;
        break;
      }
      if (!two_levels_) continue;
      for (std::uint32_t u = t + 1; u < size(); ++u) {
        const std::vector<std::uint32_t> prefix{t, u}, next{t, u + 1};
        if (r.from <= prefix && (r.to.empty() || next <= r.to)) {
          auto& list = resumed_[t];
          list.resize(size(), 0);
          list[u] = 1;
        }
      }
    }
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
    if (!units) {
      trees[0]->solve(root_, choose_);
    } else if (!planner_->settle(root_, choose_)) {
      planner_cursor_ = planner_->start(planner_->arena(), root_, choose_, true);
      if (threads == 1) {
        work(*trees[0]);
      } else {
        tbb::task_arena arena(static_cast<int>(threads));
        arena.execute([&] {
          tbb::task_group group;
          for (unsigned i = 1; i < threads; ++i) group.run([&, i] { work(*trees[i]); });
          work(*trees[0]);
          group.wait();
        });
      }
    }
  } catch (const MemoryLimitReached&) {
    out_of_memory_ = true;
    shared_->stop = true;
  }
  result.out_of_memory = out_of_memory_;
  result.finished = !shared_->stop;
  if (result.finished) std::fill(done_.begin(), done_.end(), char{1});
  for (const auto& t : trees) {
    result.stats.nodes += t->stats().nodes;
    result.stats.steps += t->stats().steps;
    result.stats.evaluated += t->stats().evaluated;
  }
  return result;
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
        if (level != nullptr) tree.prefix().push_back(level->t);
        cursor = tree.start(tree.arena(), level != nullptr ? level->node : root_,
                            choose_ - (level != nullptr ? 1 : 0), level == nullptr);
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
    while (current_ != nullptr && current_->next < size()) {
      const std::uint32_t u = current_->next++;
      if (current_->done[u] == 0) return Unit{current_, u};
    }
    current_ = nullptr;
    while (next_ < size() && done_[next_] != 0) ++next_;
    if (next_ >= size() || shared_->stop) return std::nullopt;
    const std::uint32_t t = next_++;
    if (!two_levels_) return Unit{nullptr, t};
    current_ = open_level(t);
    if (current_ == nullptr) done_[t] = 1;
  }
}

// The node below t, or null if nothing lives there.
template <class B>
std::shared_ptr<typename Run<B>::Level> Run<B>::open_level(std::uint32_t t) {
  Cursor& c = planner_cursor_;
  if (c.num_lanes == 0 || !planner_->seek(c, t)) return nullptr;
  const std::uint32_t lane = c.lanes[c.next];
  std::int64_t error = 0;
  if (planner_->judge(c, error) != Tree<B>::Verdict::alive) return nullptr;
  auto level = std::make_shared<Level>(shared_->memory);
  level->t = t;
  level->next = t + 1;
  level->node = planner_->child(level->arena, c, lane);
  backend_->cancel(level->arena, level->node, choose_ - 1);
  planner_->prefix() = {t};
  const bool settled = planner_->settle(level->node, choose_ - 1);
  planner_->prefix().clear();
  if (settled) return nullptr;
  const Node& n = level->node;
  backend_->open(level->arena, level->node, choose_ - 1);
  level->done.assign(size(), 1);
  level->bounds.assign(size(), INT64_MAX);
  std::vector<std::uint32_t> lanes(n.num_candidates);
  std::iota(lanes.begin(), lanes.end(), 0u);
  std::sort(lanes.begin(), lanes.end(),
            [&](std::uint32_t a, std::uint32_t b) { return n.ids[a] > n.ids[b]; });
  std::multiset<std::int64_t> top;  // the choose - 2 largest weights among later positions
  const auto resumed = resumed_.find(t);
  std::int64_t sum = 0;
  for (const std::uint32_t f : lanes) {
    if (top.size() == choose_ - 2) {
      level->bounds[n.ids[f]] = std::max(bounds_[t], n.error - n.weights[f] - sum);
      level->done[n.ids[f]] = resumed == resumed_.end() ? char{0} : resumed->second[n.ids[f]];
      level->undone += level->done[n.ids[f]] == 0;
    }
    top.insert(n.weights[f]);
    sum += n.weights[f];
    if (top.size() > choose_ - 2) {
      sum -= *top.begin();
      top.erase(top.begin());
    }
  }
  if (level->undone == 0) return nullptr;
  open_[t] = level;
  return level;
}

template <class B>
void Run<B>::finish(const Unit& unit, bool rest_too) {
  const std::lock_guard lock(mutex_);
  if (unit.level == nullptr) {
    done_[unit.position] = 1;
    if (rest_too) {  // in order of weight: nothing after it lives
      std::fill(done_.begin() + unit.position, done_.end(), char{1});
      next_ = size();
    }
    return;
  }
  Level& level = *unit.level;
  level.done[unit.position] = 1;
  if (--level.undone == 0) {
    done_[level.t] = 1;
    open_.erase(level.t);
  }
}

template <class B>
std::vector<SearchRange> Run<B>::done() const {
  const std::lock_guard lock(mutex_);
  std::vector<SearchRange> out;
  const auto add = [&](std::vector<std::uint32_t> from, std::vector<std::uint32_t> to) {
    if (from == std::vector<std::uint32_t>{0}) from.clear();
    if (to == std::vector<std::uint32_t>{size()}) to.clear();
    if (!out.empty() && out.back().to == from)
      out.back().to = std::move(to);
    else
      out.push_back({std::move(from), std::move(to)});
  };
  for (std::uint32_t t = 0; t < size(); ++t) {
    if (done_[t] != 0) {
      add({t}, {t + 1});
      continue;
    }
    const std::vector<char>* list = nullptr;
    if (const auto level = open_.find(t); level != open_.end())
      list = &level->second->done;
    else if (const auto old = resumed_.find(t); old != resumed_.end())
      list = &old->second;
    if (list == nullptr) continue;
    for (std::uint32_t u = t + 1; u < size(); ++u)
      if ((*list)[u] != 0)
        add(u == t + 1 ? std::vector<std::uint32_t>{t} : std::vector<std::uint32_t>{t, u},
            u + 1 == size() ? std::vector<std::uint32_t>{t + 1} : std::vector<std::uint32_t>{t, u + 1});
  }
  if (size() == 0) out.push_back({});
  return out;
}

template <class B>
std::int64_t Run<B>::lower_bound() const {
  const std::lock_guard lock(mutex_);
  std::int64_t least = INT64_MAX;
  for (std::uint32_t t = 0; t < size(); ++t) {
    if (done_[t] != 0) continue;
    const auto level = open_.find(t);
    if (level == open_.end()) {
      least = std::min(least, bounds_[t]);
      continue;
    }
    for (std::uint32_t u = 0; u < size(); ++u)
      if (level->second->done[u] == 0) least = std::min(least, level->second->bounds[u]);
  }
  return least;
}

template <class B>
void Run<B>::tick() {
  if (shared_->control->stopping()) {
    shared_->stop = true;
    return;
  }
  const std::unique_lock lock(tick_mutex_, std::try_to_lock);
  if (!lock) return;
  const double now = clock_.seconds();
  if (shared_->control->progress && now >= next_report_) {
    next_report_ = now + 0.1;
    Progress p;
    p.phase = "search";
    p.seconds = now;
    {
      const std::lock_guard guard(mutex_);
      p.share = static_cast<double>(std::count(done_.begin(), done_.end(), char{1})) /
                static_cast<double>(std::max<std::size_t>(1, done_.size()));
    }
    if (options_.upper_bound) p.upper_bound = options_.upper_bound();
    p.lower_bound = std::min(lower_bound(), p.upper_bound.value_or(INT64_MAX));
    if (!shared_->control->report(p)) shared_->stop = true;
  }
  if (options_.checkpoint && options_.checkpoint_seconds > 0 && now >= next_checkpoint_) {
    options_.checkpoint();
    next_checkpoint_ = clock_.seconds() + options_.checkpoint_seconds;
  }
}

}  // namespace beadwork::detail
