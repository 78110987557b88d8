#include <beadwork/search/kernel/choose.hpp>
#include <beadwork/search/run/phase.hpp>
#include <beadwork/search/tree/bitwise.hpp>
#include <beadwork/search/tree/cart.hpp>
#include <beadwork/search/tree/local.hpp>
#include <beadwork/search/tree/rowwise.hpp>
#include <beadwork/search/tree/scaled.hpp>

namespace beadwork::detail {
namespace {

// Restarts cost about effort * choose^2 * 4 each, and are a waste where the tree has little to do.
template <class B>
std::size_t restarts_for(const Shared& shared, const B& backend, const typename B::Node& root, std::size_t asked) {
  const Problem& p = *shared.problem;
  double sets = 1;
  for (std::size_t i = 0; i < shared.choose; ++i)
    sets *= static_cast<double>(p.candidates.size() - i) / static_cast<double>(i + 1);
  if (sets * static_cast<double>(p.num_rows) < 1e6) return std::min<std::size_t>(asked, 1);
  const double each =
      static_cast<double>(backend.effort(root)) * static_cast<double>(4 * shared.choose * shared.choose);
  return std::min(asked, std::max<std::size_t>(2, static_cast<std::size_t>(1e8 / each)));
}

// A set as it is, filled up with any candidates if it is too small, and with some of the groups that it lacks.
void offer_as_is(const Shared& shared, Candidates set) {
  const Problem& p = *shared.problem;
  set = with_room(p, set, shared.choose);
  for (std::uint32_t f = 0; open_groups(p, set) != 0; ++f)
    if ((p.candidates[f].group & open_groups(p, set)) != 0) set.push_back(f);
  for (std::uint32_t f = 0; set.size() < shared.choose; ++f)
    if (std::find(set.begin(), set.end(), f) == set.end()) set.push_back(f);
  std::sort(set.begin(), set.end());
  shared.sink->offer(set, evaluate(p, set));
}

// The local search, from CART's tests in place of one restart. Its root gives an order and a bound, should nothing else
// come. What there is to begin with is offered before anything slow.
template <class B>
void improve(B& backend, Shared& shared, const Phase& phase, PhaseResult& result) {
  std::vector<Candidates> start = phase.start;
  for (const Candidates& set : start) offer_as_is(shared, set);
  if (phase.restarts > 0) {
    start.push_back(grow_cart(*shared.problem, shared.choose, *phase.control));
    offer_as_is(shared, start.back());
  }
  Local<B> local(backend, shared);
  const typename B::Node& root = local.root();
  shared.order = order_by_weight<B>(*shared.problem, root);
  if (phase.resume == nullptr) {
    result.order = shared.order;
    const auto r = static_cast<std::uint32_t>(shared.choose);
    result.lower_bound = shared.scale.fine(std::max(root.base, root.error - backend.top(root, root.weights, r)));
  }
  Rng rng(phase.seed);
  const std::size_t restarts = restarts_for(shared, backend, root, phase.restarts);
  if (phase.restarts > 0 && restarts < 2) start.pop_back();
  local.improve(*shared.sink, rng, restarts - (restarts > 1 ? 1 : 0), start);
}

// The same until it is time for the tree.
template <class B>
void improve_briefly(B& backend, Shared& shared, const Phase& phase, PhaseResult& result) {
  Control brief = *phase.control;
  if (phase.local_until.remaining() < brief.deadline.remaining()) brief.deadline = phase.local_until;
  shared.control = &brief;
  try {
    improve(backend, shared, phase, result);
  } catch (const Stopped&) {
  }
  shared.control = phase.control;
  poll(*phase.control);
}

template <class B>
void search_tree(B& backend, Shared& shared, const Phase& phase, PhaseResult& result) {
  if (phase.resume != nullptr) shared.order = phase.resume_order;
  RunOptions options;
  options.threads = phase.threads;
  options.checkpoint_seconds = phase.checkpoints.seconds;
  options.upper_bound = phase.upper_bound;
  options.by_feature = phase.by_feature;
  options.tie_work = phase.tie_work;
  options.short_run = phase.short_run;
  options.proven = phase.proven;
  options.part = phase.part;
  options.exchange_seconds = phase.exchange_seconds;
  options.exchange = phase.exchange;
  Run<B>* running = nullptr;
  if (phase.checkpoints.write)
    options.checkpoint = [&] { phase.checkpoints.write(running->done(), running->lower_bound(), shared.order); };
  Run<B> run(backend, shared, options);
  running = &run;
  if (phase.resume != nullptr) run.resume(*phase.resume);
  if (phase.parts > 0) {
    result.order = shared.order;
    result.work = run.estimate(phase.parts, phase.seed);
    result.finished = true;
    return;
  }
  const RunResult r = run.go();
  result.finished = r.finished;
  result.out_of_memory = r.out_of_memory;
  result.stats = r.stats;
  result.done = run.done();
  result.lower_bound = run.lower_bound();
  result.order = shared.order;
  if (options.checkpoint && !r.finished) options.checkpoint();
}

template <class B>
PhaseResult run_on(B&& backend, const Problem& problem, const Scale& scale, Sink& sink, const Phase& phase) {
  PhaseResult result;
  result.lower_bound = std::max(scale.fine(problem.base), phase.proven);
  if (phase.resume != nullptr) {
    result.done = *phase.resume;
    result.order = phase.resume_order;
  }
  Shared shared(problem, phase.choose, sink, *phase.control);
  shared.scale = scale;
  shared.effort_per_tick = phase.poll_effort;
  try {
    if ((phase.restarts > 0 || !phase.start.empty()) && phase.choose > 0)
      improve_briefly(backend, shared, phase, result);
    if (phase.tree) search_tree(backend, shared, phase, result);
    if (!phase.tree) result.finished = true;
  } catch (const Stopped&) {
  } catch (const MemoryLimitReached&) {
    result.out_of_memory = true;
  }
  return result;
}

PhaseResult run_in_lanes(const Problem& problem, const Scale& scale, Sink& sink, const Phase& phase) {
  using Narrow = Bitwise<std::int16_t>;
  using Wide = Bitwise<std::int32_t>;
  const Control& control = *phase.control;
  if (Narrow::fits(problem))
    return run_on(Narrow(problem, control, *table_for<std::int16_t>(phase.kernel), phase.bounds), problem, scale, sink,
                  phase);
  if (Wide::fits(problem))
    return run_on(Wide(problem, control, *table_for<std::int32_t>(phase.kernel), phase.bounds), problem, scale, sink,
                  phase);
  return run_on(Rowwise(problem, control, phase.bounds), problem, scale, sink, phase);
}

// What `more` did after `first` had been gives_up.
void add(PhaseResult& first, PhaseResult more) {
  more.stats.nodes += first.stats.nodes;
  more.stats.steps += first.stats.steps;
  more.stats.evaluated += first.stats.evaluated;
  more.stats.work += first.stats.work;
  first = std::move(more);
}

}  // namespace

PhaseResult run_phase(const Problem& problem, Sink& sink, const Phase& phase) {
  auto scales = scales_for(problem);
  if (!phase.tree) scales.erase(scales.begin(), scales.end() - 1);  // what is found is not looked at again
  const std::size_t room = problem.columns.size() * words_for(problem.num_rows) * 8 + problem.num_rows * 24;
  if (scales[0].unit == 1 || phase.control->no_room_for(room)) return run_in_lanes(problem, Scale{}, sink, phase);
  PhaseResult result;
  Phase rest = phase;
  std::vector<SearchRange> done;
  for (const Scale& scale : scales) {
    Scaled between(sink, problem, scale, phase.choose);
    const auto go = [&](const Problem& p) { return run_in_lanes(p, scale, between, rest); };
    add(result, scale.unit == 1 ? run_in_lanes(problem, scale, sink, rest) : go(scaled(problem, scale)));
    if (!between.gives_up()) break;
    rest.restarts = 0;
    rest.start.clear();
    done = result.done;
    rest.resume = &done;
    rest.resume_order = result.order;
    rest.proven = result.lower_bound;
  }
  return result;
}

Phase phase_for(const Problem& problem, const SearchOptions& options, const Control& control) {
  Phase phase;
  phase.choose = problem.choose(options.depth);
  phase.threads = static_cast<unsigned>(threads_to_have(options.threads, control));
  phase.kernel = options.kernel;
  phase.bounds = options.effort.bounds;
  phase.control = &control;
  phase.seed = options.seed;
  phase.restarts = options.effort.restarts;
  phase.local_until = options.local_until;
  phase.short_run = options.effort.short_run;
  phase.poll_effort = options.effort.poll_effort;
  for (const auto& set : options.start) phase.start.push_back(to_candidates(problem, set, phase.choose));
  return phase;
}

}  // namespace beadwork::detail
