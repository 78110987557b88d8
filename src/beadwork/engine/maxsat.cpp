#include <beadwork/encoding.hpp>
#include <beadwork/engine/faithful.hpp>
#include <beadwork/engine/lazy_pairs.hpp>
#include <beadwork/engine/limited_sink.hpp>
#include <beadwork/engine/maxsat_solving.hpp>
#include <beadwork/engine/proving.hpp>
#include <beadwork/engine/registry.hpp>
#include <beadwork/search.hpp>

#include <algorithm>
#include <new>

// P*_bdd(E, H) as MaxSAT. bdd2 is the paper's model and reads the data as the paper does; bdd3 and pair work on merged
// rows and features and use at most H features.

namespace beadwork {
namespace {

struct BddModel {
  Wcnf wcnf;
  BddVariables variables;
};

// Nothing if the limit came first.
std::optional<BddModel> build(Encoding e, const Examples& examples, std::size_t depth, const Control& control) {
  BddModel m;
  LimitedSink<Wcnf> sink{m.wcnf, control};
  const SoftClauses soft = [&](Clause clause, Weight weight) {
    sink.look_up();
    m.wcnf.add_soft(clause, weight);
  };
  try {
    m.variables = e == Encoding::bdd2   ? lift_bdd2(examples, depth, unnamed(sink), soft)
                  : e == Encoding::bdd3 ? lift_bdd3(examples, depth, unnamed(sink), soft)
                                        : lift_pair(examples, depth, unnamed(sink), soft);
  } catch (const LimitReached&) {
    return std::nullopt;
  }
  return m;
}

// The features of a short local search, which is left out where a limit leaves no room for it.
std::vector<Feature> good_features(const Dataset& dataset, std::size_t depth, std::uint64_t seed,
                                   const Control& control) {
  SearchOptions local;
  local.depth = depth;
  local.seed = seed;
  const auto problem = prepare(dataset, local, control);
  if (!problem) return {};
  const auto found = local_search(*problem, local, control);
  if (!found) return {};
  if (found->memory_limit_hit && control.memory_limit == 0) throw std::bad_alloc();
  return found->features;
}

// A good set of features as a model of the formula to start from.
std::optional<Assignment> starting_point(const BddModel& m, const Examples& examples, const Dataset& dataset,
                                         std::size_t depth, std::uint64_t seed, const Control& control) {
  const auto features = good_features(dataset, depth, seed, control);
  if (features.size() != depth) return std::nullopt;
  const auto counts = count_cells(dataset, features);
  const TruthTable table = fill_by_branch(TruthTable::from_counts(features, dataset.num_classes(), counts), counts);
  return model_with(m.wcnf, literals_of(m.variables, examples, table), control);
}

std::int64_t errors_of(const Dataset& dataset, const TruthTable& table) {
  const auto counts = count_cells(dataset, table.order());
  std::int64_t errors = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (!table.allows(i / dataset.num_classes(), Class{i % dataset.num_classes()})) errors += counts[i];
  return errors;
}

// The table of an assignment. For the paper's model as the solver decided it; for ours the majority of each cell, free
// where rows do not care, with the solver's choice among these where it made one.
void read_answer(EngineAnswer& found, Encoding e, const BddModel& m, const Examples& examples, const Dataset& dataset,
                 const Assignment& assignment) {
  TruthTable decoded = decode(m.variables, examples, assignment);
  if (e == Encoding::bdd2) return answer_faithfully(found, dataset, std::move(decoded));
  found.table = open_table(dataset, decoded.order(), {});
  if (e == Encoding::pair) return;  // it has no cells
  found.decided = *found.table;
  for (std::size_t c = 0; c < decoded.num_cells(); ++c)
    found.decided->decide(
        c, found.table->allows(c, decoded.first_allowed(c)) ? decoded.first_allowed(c) : found.table->first_allowed(c));
}

std::int64_t errors_at_least(const TruthTable& table, const Dataset& dataset) {
  return errors_of(dataset, fill_by_first(table));
}

// "Some diagram has at most `cost` - 1 errors", refuted. Nothing beats no errors: the claim is then the empty clause.
Status add_proof(EngineAnswer& found, const Wcnf& wcnf, Weight cost, const Request& request, const Control& control) {
  const auto& asked = request.only_of<ForMaxsat>();
  if (found.status != SolveStatus::optimal || !asked.proof) return Done{};
  Cnf refuted;
  if (cost > 0)
    refuted = at_most_cost(wcnf, cost - 1);
  else
    refuted.add_clause({});
  TRY(auto proof, prove(refuted, asked.check_proof, request.formula, control));
  found.proof = std::move(proof);
  found.solver.reset();  // the proof is ours
  return Done{};
}

constexpr std::size_t kMostPairs = 150'000;

// The encoding asked for, or the better one of ours: pair has a clause for each pair of examples of different class,
// and is better while these are few, but has no values of cells, which bias S asks for.
Encoding encoding_of(EncodingChoice asked, Bias bias, const Examples& examples) {
  if (asked == EncodingChoice::automatic)
    return bias != Bias::solver && count_pairs(examples) <= kMostPairs ? Encoding::pair : Encoding::bdd3;
  return asked == EncodingChoice::bdd3 ? Encoding::bdd3 : Encoding::pair;
}

// The pair model of more pairs than are written at once.
Result<EngineAnswer> learn_by_lazy_pairs(const Task& task, const Examples& examples, std::size_t depth,
                                         const Control& control) {
  const FormulaOptions& how = task.request.formula;
  std::vector<std::size_t> start;
  if (!how.no_seed)
    for (const Feature f : good_features(task.dataset, depth, task.request.seed(), control))
      start.push_back(static_cast<std::size_t>(std::find(examples.features.begin(), examples.features.end(), f) -
                                               examples.features.begin()));
  TRY(auto solved, solve_by_lazy_pairs(examples, depth, start, how,
                                       with_base(within(control, how.solve_limit), examples.base_errors)));
  if (solved.status == SolveStatus::unknown) {  // a limit: the answer of the local search is left, if there is one
    if (start.empty()) return constant_answer(task, solved.lower_bound);
    solved.selected = start;
    solved.status = SolveStatus::feasible;
  }
  EngineAnswer found;
  found.status = solved.status;
  found.lower_bound = solved.lower_bound;
  found.canonical = false;
  if (found.status == SolveStatus::optimal || found.lower_bound > examples.base_errors)
    found.solver = solver_named(how);
  std::vector<Feature> order;
  for (const std::size_t r : solved.selected) order.push_back(examples.features[r]);
  found.table = open_table(task.dataset, order, {});
  found.upper_bound = errors_at_least(*found.table, task.dataset);
  TRY_DONE(add_proof(found, solved.wcnf, solved.cost, task.request, control));
  return found;
}

// What a solver made of the model.
Result<EngineAnswer> read_outcome(EngineAnswer found, Encoding e, const BddModel& model, const Examples& examples,
                                  const Task& task, const MaxsatOutcome& outcome, const Control& control) {
  found.lower_bound += static_cast<std::int64_t>(outcome.lower);
  found.canonical = false;  // a solver takes any of several that tie
  if (outcome.status == MaxsatStatus::optimal || outcome.lower > 0) found.solver = solver_named(task.request.formula);
  if (outcome.status == MaxsatStatus::unknown) return found.exactly ? found : constant_answer(task, found.lower_bound);
  read_answer(found, e, model, examples, task.dataset, outcome.model);
  found.upper_bound = errors_at_least(*found.table, task.dataset);
  if (found.lower_bound > *found.upper_bound) return wrong_answer(task.request.formula);
  const bool proven = outcome.status == MaxsatStatus::optimal && *found.upper_bound == found.lower_bound;
  found.status = proven ? SolveStatus::optimal : SolveStatus::feasible;
  TRY_DONE(add_proof(found, model.wcnf, outcome.upper, task.request, control));
  return found;
}

Result<EngineAnswer> learn_with(Encoding e, const Task& task, const Examples& examples, std::size_t depth,
                                const Control& control) {
  const FormulaOptions& how = task.request.formula;
  if (e == Encoding::pair && count_pairs(examples) > kMostPairs)
    return learn_by_lazy_pairs(task, examples, depth, control);
  if (e == Encoding::bdd2) TRY_DONE(check_soft_weights(examples, depth));
  EngineAnswer found;
  found.exactly = e == Encoding::bdd2;
  found.lower_bound = examples.base_errors;
  const auto model = build(e, examples, depth, within(control, how.encode_limit));
  if (!model)  // the limit came before the formula was written
    return found.exactly ? found : constant_answer(task, found.lower_bound);
  const Control solving = with_base(within(control, how.solve_limit), examples.base_errors);
  std::optional<Assignment> start;
  if (e != Encoding::bdd2 && !how.no_seed)
    start = starting_point(*model, examples, task.dataset, depth, task.request.seed(), solving);
  TRY(const auto outcome, solve_as_asked(model->wcnf, std::move(start), how, solving));
  return read_outcome(std::move(found), e, *model, examples, task, outcome, control);
}

}  // namespace

Result<EngineAnswer> learn_by_maxsat(const Task& task, const Control& control) {
  if (task.restricted()) return learn_among_allowed(task, control, learn_by_maxsat);
  const EncodingChoice asked = task.request.only_of<ForMaxsat>().encoding;
  if (asked == EncodingChoice::bdd1) return option_error("expected auto, bdd2, bdd3 or pair, got 'bdd1'", "encoding");
  // The paper's model is of the paper's reading, whether that was asked for or not; the claim says so.
  const bool faithful =
      asked == EncodingChoice::bdd2 || (asked == EncodingChoice::automatic && task.request.reading.faithful);
  const auto enumerated = [&] {
    Request plain = task.request;
    plain.reading.faithful = faithful;
    return learn_by_enumeration({task.dataset, plain, task.exchange, task.required, task.allowed, task.cost}, control);
  };
  if (task.depth() == 0 || task.dataset.num_classes() == 1) return enumerated();
  if (!faithful) {
    const auto examples = merged_examples(task.dataset, control);
    if (!examples) return constant_answer(task, control);
    const std::size_t depth = std::min(task.depth(), examples->num_features());
    return depth == 0
               ? enumerated()
               : learn_with(encoding_of(asked, task.request.shape.bias, *examples), task, *examples, depth, control);
  }
  const auto examples = faithful_examples(task.dataset, task.request.reading.keep_all_zero, control);
  EngineAnswer found;
  found.exactly = true;
  if (!examples && examples.error().code == ErrorCode::limit) {
    found.out_of_memory = !control.stopping();
    return found;
  }
  if (!examples) return examples.error();
  if (examples->num_features() >= task.depth())
    return learn_with(Encoding::bdd2, task, *examples, task.depth(), control);
  found.status = SolveStatus::infeasible;
  return found;
}

}  // namespace beadwork
