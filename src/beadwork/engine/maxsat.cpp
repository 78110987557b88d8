#include <fmt/format.h>

#include <algorithm>
#include <beadwork/encoding.hpp>
#include <beadwork/engine/candidates.hpp>
#include <beadwork/engine/faithful.hpp>
#include <beadwork/engine/lazy_pairs.hpp>
#include <beadwork/engine/limited_sink.hpp>
#include <beadwork/engine/maxsat_solving.hpp>
#include <beadwork/engine/proving.hpp>
#include <beadwork/engine/registry.hpp>
#include <beadwork/search.hpp>

// P*_bdd(E, H) as MaxSAT. bdd2 is the paper's model and reads the data as the paper does; bdd3 and pair work on merged
// rows and features and use at most H features.

namespace beadwork {
namespace {

struct Model {
  Wcnf wcnf;
  BddVariables variables;
};

// Nothing if the limit came first.
std::optional<Model> build(Encoding e, const Examples& examples, std::size_t depth, const Control& control) {
  Model m;
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

// A good set of features from a short local search, as a model of the formula to start from.
std::optional<Assignment> starting_point(const Model& m, const Examples& examples, const Dataset& dataset,
                                         std::size_t depth, const Options& options, const Control& control) {
  SearchOptions local;
  local.depth = depth;
  local.seed = static_cast<std::uint64_t>(options.seed);
  const auto found = local_search(condense(dataset), local, control);
  if (!found || found->features.size() != depth) return std::nullopt;
  const auto counts = count_cells(dataset, found->features);
  const TruthTable table =
      fill_by_branch(TruthTable::from_counts(found->features, dataset.num_classes(), counts), counts);
  return model_with(m.wcnf, literals_of(m.variables, examples, table), control);
}

std::int64_t errors_of(const Dataset& dataset, const TruthTable& table) {
  const auto counts = count_cells(dataset, table.order());
  std::int64_t errors = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (!table.allows(i / dataset.num_classes(), Class{i % dataset.num_classes()})) errors += counts[i];
  return errors;
}

// The table of an assignment. For the paper's model as the solver decided it; for ours the majority of each cell, free where
// rows do not care, with the solver's choice among these where it made one.
void read_answer(Found& found, Encoding e, const Model& m, const Examples& examples, const Dataset& dataset,
                 const Assignment& assignment) {
  TruthTable decoded = decode(m.variables, examples, assignment);
  if (e == Encoding::bdd2) return answer_faithfully(found, dataset, std::move(decoded));
  found.table =
      TruthTable::from_counts(decoded.order(), dataset.num_classes(), count_cells(dataset, decoded.order()));
  if (e == Encoding::pair) return;  // it has no cells
  found.decided = *found.table;
  for (std::size_t c = 0; c < decoded.num_cells(); ++c)
    found.decided->decide(c, found.table->allows(c, decoded.first_allowed(c))
                                 ? decoded.first_allowed(c)
                                 : found.table->first_allowed(c));
}

std::int64_t errors_at_least(const TruthTable& table, const Dataset& dataset) {
  return errors_of(dataset, fill_by_first(table));
}

Status check_choice(const Options& options, std::optional<Encoding> e) {
  if (!e || *e == Encoding::bdd1 || *e == Encoding::dt)
    return usage_error(
        fmt::format("expected auto, bdd2, bdd3 or pair, got '{}'", printable(options.encoding)),
        "--encoding");
  if (options.faithful && *e != Encoding::bdd2)
    return usage_error("--faithful is the paper's reading: it goes with --encoding bdd2", "--encoding");
  if (auto ok = check_form(options); !ok) return ok;
  if (options.check_proof && options.proof.empty())
    return usage_error("there is no --proof to check", "--check-proof");
  return Done{};
}

// "Some diagram has at most `cost` - 1 errors", refuted. Nothing beats no errors: the claim is then the empty clause.
Status prove(const Wcnf& wcnf, Weight cost, const Options& options, const Control& control) {
  if (cost > 0) return write_proof(at_most_cost(wcnf, cost - 1), options, control);
  Cnf trivial;
  trivial.add_clause({});
  return write_proof(trivial, options, control);
}

}  // namespace

namespace {

constexpr std::size_t kMostPairs = 150'000;

// Which of ours: pair has a clause for each pair of examples of different class, and is the better one while these are few.
Encoding choose(const Examples& examples) {
  return count_pairs(examples) <= kMostPairs ? Encoding::pair : Encoding::bdd3;
}

// The pair model of more pairs than are written at once.
Result<Found> learn_by_lazy_pairs(const Dataset& dataset, const Examples& examples, std::size_t depth,
                                  const Options& options, const Control& control) {
  std::vector<std::size_t> start;
  if (!options.no_seed) {
    SearchOptions local;
    local.depth = depth;
    local.seed = static_cast<std::uint64_t>(options.seed);
    if (const auto good = local_search(condense(dataset), local, control))
      for (const Feature f : good->features)
        start.push_back(static_cast<std::size_t>(
            std::find(examples.features.begin(), examples.features.end(), f) - examples.features.begin()));
  }
  auto solved = solve_by_lazy_pairs(examples, depth, std::move(start), options,
                                    with_base(within(control, options.solve_limit), examples.base_errors));
  if (!solved) return solved.error();
  if (solved->status == SolveStatus::unknown) return constant_answer(dataset, solved->lower_bound);
  Found found;
  found.status = solved->status;
  found.lower_bound = solved->lower_bound;
  found.upper_bound = solved->errors;
  std::vector<Feature> order;
  for (const std::size_t r : solved->selected) order.push_back(examples.features[r]);
  found.table = TruthTable::from_counts(order, dataset.num_classes(), count_cells(dataset, order));
  if (found.status == SolveStatus::optimal && !options.proof.empty())
    if (auto ok = prove(solved->wcnf, solved->cost, options, control); !ok) return ok.error();
  return found;
}

}  // namespace

Result<Found> learn_by_maxsat(const Dataset& dataset, const Options& options, const Control& control) {
  if (restricted(options)) return learn_among_candidates(dataset, options, control, learn_by_maxsat);
  std::optional<Encoding> encoding = parse_encoding(options.encoding);
  if (options.encoding == "auto")
    encoding = options.faithful ? Encoding::bdd2 : choose(merged_examples(dataset));
  if (auto ok = check_choice(options, encoding); !ok) return ok.error();
  const bool faithful = *encoding == Encoding::bdd2;
  Options plain = options;
  plain.faithful = faithful;
  if (options.depth == 0 || dataset.num_classes() == 1) return learn_by_enumeration(dataset, plain, control);
  Examples examples;
  if (faithful) {
    auto read = faithful_examples(dataset, options.keep_all_zero);
    if (!read) return read.error();
    examples = *std::move(read);
  } else {
    examples = merged_examples(dataset);
  }
  auto depth = static_cast<std::size_t>(options.depth);
  Found found;
  if (faithful && examples.num_features() < depth) {
    found.status = SolveStatus::infeasible;
    return found;
  }
  depth = std::min(depth, examples.num_features());
  if (depth == 0) return learn_by_enumeration(dataset, plain, control);
  if (*encoding == Encoding::pair && count_pairs(examples) > kMostPairs)
    return learn_by_lazy_pairs(dataset, examples, depth, options, control);
  found.lower_bound = examples.base_errors;
  const auto model = build(*encoding, examples, depth, within(control, options.encode_limit));
  const auto nothing_found = [&] { return faithful ? found : constant_answer(dataset, found.lower_bound); };
  if (!model) return nothing_found();  // the limit came before the formula was written

  const Control solving = with_base(within(control, options.solve_limit), examples.base_errors);
  std::optional<Assignment> start;
  if (!faithful && !options.no_seed)
    start = starting_point(*model, examples, dataset, depth, options, solving);
  auto outcome = solve_as_asked(model->wcnf, std::move(start), options, solving);
  if (!outcome) return outcome.error();
  found.lower_bound += static_cast<std::int64_t>(outcome->lower);
  if (outcome->status == MaxsatStatus::infeasible) {
    found.status = SolveStatus::infeasible;
    return found;
  }
  if (outcome->status == MaxsatStatus::unknown) return nothing_found();
  read_answer(found, *encoding, *model, examples, dataset, outcome->model);
  found.upper_bound = errors_at_least(*found.table, dataset);
  const bool proven = outcome->status == MaxsatStatus::optimal && *found.upper_bound == found.lower_bound;
  found.status = proven ? SolveStatus::optimal : SolveStatus::feasible;
  if (proven && !options.proof.empty())
    if (auto ok = prove(model->wcnf, outcome->upper, options, control); !ok) return ok.error();
  return found;
}

}  // namespace beadwork
