#include <beadwork/search/bitwise.hpp>
#include <beadwork/search/kernel/choose.hpp>
#include <beadwork/search/rowwise.hpp>
#include <beadwork/search/solve.hpp>

namespace beadwork::detail {
namespace {

// Restarts cost about effort * choose^2 * 4 each, and are a waste where the tree has little to do.
template <class B>
std::size_t restarts_for(const Problem& p, const B& backend, const typename B::Node& root,
                         std::size_t asked) {
  double sets = 1;
  for (std::size_t i = 0; i < p.choose; ++i)
    sets *= static_cast<double>(p.candidates.size() - i) / static_cast<double>(i + 1);
  if (sets * static_cast<double>(p.num_rows) < 1e6) return std::min<std::size_t>(asked, 1);
  const double each =
      static_cast<double>(backend.effort(root)) * static_cast<double>(4 * p.choose * p.choose);
  return std::min(asked, std::max<std::size_t>(2, static_cast<std::size_t>(1e8 / each)));
}

template <class B>
PhaseResult run_on(B& backend, const Problem& problem, Sink& sink, const Phase& phase) {
  PhaseResult result;
  Shared shared;
  shared.problem = &problem;
  shared.sink = &sink;
  shared.control = phase.control;
  shared.memory.limit = phase.control->memory_limit;
  result.lower_bound = problem.base;
  try {
    if ((phase.restarts > 0 || !phase.start.empty()) && problem.choose > 0) {
      Local<B> local(backend, shared);
      Rng rng(phase.seed);
      shared.order = order_by_weight<B>(local.root());
      local.improve(sink, rng, restarts_for(problem, backend, local.root(), phase.restarts), phase.start);
    }
    if (!phase.tree) return result;
    if (phase.resume != nullptr) shared.order = phase.resume_order;
    RunOptions options;
    options.threads = phase.threads;
    options.checkpoint_seconds = phase.checkpoint_seconds;
    options.upper_bound = phase.upper_bound;
    Run<B>* running = nullptr;
    if (phase.checkpoint)
      options.checkpoint = [&] { phase.checkpoint(running->done(), running->lower_bound(), shared.order); };
    Run<B> run(backend, shared, options);
    running = &run;
    if (phase.resume != nullptr) run.resume(*phase.resume);
    if (phase.control->stopping()) shared.stop = true;
    const RunResult r = run.go();
    result.finished = r.finished;
    result.out_of_memory = r.out_of_memory;
    result.stats = r.stats;
    result.done = run.done();
    result.lower_bound = run.lower_bound();
    result.order = shared.order;
    if (phase.checkpoint && !r.finished) options.checkpoint();
  } catch (const MemoryLimitReached&) {
    result.out_of_memory = true;
  }
  return result;
}

}  // namespace

PhaseResult run_phase(const Problem& problem, Sink& sink, const Phase& phase) {
  using Narrow = Bitwise<std::int16_t>;
  using Wide = Bitwise<std::int32_t>;
  if (Narrow::fits(problem)) {
    Narrow backend(problem, *table_for<std::int16_t>(phase.kernel), phase.bounds);
    return run_on(backend, problem, sink, phase);
  }
  if (Wide::fits(problem)) {
    Wide backend(problem, *table_for<std::int32_t>(phase.kernel), phase.bounds);
    return run_on(backend, problem, sink, phase);
  }
  Rowwise backend(problem, phase.bounds);
  return run_on(backend, problem, sink, phase);
}

}  // namespace beadwork::detail
