#include <beadwork/encoding.hpp>
#include <beadwork/engine/limited_sink.hpp>
#include <beadwork/engine/maxsat_solving.hpp>
#include <beadwork/engine/proving.hpp>
#include <beadwork/engine/task.hpp>
#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

Result<Encoding> sat_encoding(const Request& request) {
  const EncodingChoice e = request.only_of<ForMaxsat>().encoding;
  if (e == EncodingChoice::bdd1) return Encoding::bdd1;
  if (e == EncodingChoice::bdd2) return Encoding::bdd2;
  return option_error("expected bdd1 or bdd2", "encoding");
}

Result<SatOutcome> run(const Cnf& cnf, const std::string& solver, const Control& control) {
  return solver.empty() ? solve(cnf, control) : solve_external(cnf, solver, control);
}

Result<Decision> decide_examples(const Examples& examples, Encoding e, std::size_t depth, const Request& request,
                                 const Control& control) {
  Decision d;
  d.depth = depth;
  const Stopwatch encoding;
  const Control writing = within(control, request.formula.encode_limit);
  Cnf cnf;
  LimitedSink<Cnf> sink{cnf, writing};
  BddVariables variables;
  try {
    variables =
        e == Encoding::bdd1 ? encode_bdd1(examples, depth, unnamed(sink)) : encode_bdd2(examples, depth, unnamed(sink));
  } catch (const LimitReached&) {
    d.encode_seconds = encoding.seconds();
    return d;
  }
  d.size = size_of(cnf);
  d.encode_seconds = encoding.seconds();
  const Stopwatch solving;
  TRY(auto outcome, run(cnf, request.formula.solver, within(control, request.formula.solve_limit)));
  d.solve_seconds = solving.seconds();
  if (outcome.answer == Answer::satisfiable) {
    d.status = SolveStatus::optimal;
    d.table = decode(variables, examples, outcome.model);
  } else if (outcome.answer == Answer::unsatisfiable) {
    d.status = SolveStatus::infeasible;
    const auto& asked = request.only_of<ForMaxsat>();
    d.solver = request.formula.solver;
    if (!asked.proof) return d;
    TRY(auto proof, prove(cnf, asked.check_proof, request.formula, control));
    d.proof = std::move(proof);
    d.solver.clear();  // the proof is ours
  }
  return d;
}

bool one_class(const Dataset& dataset) {
  const auto counts = count_cells(dataset, {});
  return std::count_if(counts.begin(), counts.end(), [](std::int64_t c) { return c > 0; }) <= 1;
}

// Stopped before there was a formula.
Decision undecided(std::size_t depth) {
  Decision d;
  d.depth = depth;
  return d;
}

// All features tell rows apart that do not contradict each other, and one that matters can come first: a diagram on all
// of them makes no errors.
Status check_refusal(const Decision& d, const Examples& examples, const Dataset& dataset, const Request& request) {
  const bool sure = d.depth == examples.num_features() && !one_class(dataset) && d.status == SolveStatus::infeasible &&
                    condense(dataset).unavoidable_errors == 0;
  return sure ? Status(wrong_answer(request.formula)) : Done{};
}

// A table without errors on these rows; the engine's word is not enough.
Status check(const Dataset& dataset, const TruthTable& table) {
  if (training_errors(dataset, diagram_of(table)) == 0 && is_bead(table, {0, 0, table.num_cells()})) return Done{};
  return Error{ErrorCode::internal, "the diagram that was found makes errors, or its root is not a bead", {}};
}

}  // namespace

Result<Decision> decide(const Dataset& dataset, std::size_t depth, const Request& request, const Control& control) {
  TRY(auto encoding, sat_encoding(request));
  auto examples = faithful_examples(dataset, request.reading.keep_all_zero, control);
  const bool stopped = !examples && examples.error().code == ErrorCode::limit;
  if (!examples && !stopped) return examples.error();
  if (depth == 0 || depth > kMaxDepth)
    return option_error(fmt::format("expected a whole number from 1 to {}, got {}", kMaxDepth, depth), "depth");
  if (stopped) return undecided(depth);
  auto d = decide_examples(*examples, encoding, depth, request, control);
  if (!d) return d;
  TRY_DONE(check_refusal(*d, *examples, dataset, request));
  if (d->table) TRY_DONE(check(dataset, *d->table));
  return d;
}

Result<MinDepth> min_depth(const Dataset& dataset, std::size_t start, const Request& request, const Control& control,
                           std::size_t floor) {
  TRY(auto encoding, sat_encoding(request));
  MinDepth out;
  if (one_class(dataset)) {
    out.status = SolveStatus::optimal;
    out.depth = 0;
    out.table = fill_by_branch(TruthTable::from_counts({}, dataset.num_classes(), count_cells(dataset, {})),
                               count_cells(dataset, {}));
    return out;
  }
  auto examples = faithful_examples(dataset, request.reading.keep_all_zero, control);
  const auto condensed = condense(dataset, control);
  if (!condensed || (!examples && examples.error().code == ErrorCode::limit)) {
    out.lower_bound = 1;
    out.steps.push_back(undecided(start));
    return out;
  }
  if (!examples) return examples.error();
  if (condensed->unavoidable_errors > 0) {
    out.status = SolveStatus::infeasible;
    return out;
  }
  const std::size_t most = std::min(examples->num_features(), kMaxDepth);
  const std::size_t lowest = std::clamp<std::size_t>(floor, 1, most);
  out.lower_bound = lowest;
  for (std::size_t depth = std::clamp(start, out.lower_bound, most); out.lower_bound <= depth && depth <= most;) {
    TRY(auto d, decide_examples(*examples, encoding, depth, request, control));
    TRY_DONE(check_refusal(d, *examples, dataset, request));
    out.steps.push_back(d);
    if (d.status == SolveStatus::unknown) break;
    if (d.status == SolveStatus::optimal) {
      TRY_DONE(check(dataset, *d.table));
      out.depth = depth;
      out.table = d.table;
      if (depth == out.lower_bound) break;
      --depth;
    } else {
      out.lower_bound = depth + 1;
      out.solver = d.solver;
      if (out.depth) break;  // going down: the one above was the least
      ++depth;
    }
  }
  const bool closed = out.depth && *out.depth == out.lower_bound;
  out.status = closed ? SolveStatus::optimal : out.depth ? SolveStatus::feasible : SolveStatus::unknown;
  if (out.lower_bound > lowest) return out;  // where a depth does not do, no smaller one does
  out.floor = lowest;
  out.lower_bound = 1;
  return out;
}

}  // namespace beadwork
