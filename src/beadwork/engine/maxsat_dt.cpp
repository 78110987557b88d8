#include <beadwork/encoding.hpp>
#include <beadwork/engine/limited_sink.hpp>
#include <beadwork/engine/maxsat_solving.hpp>
#include <beadwork/engine/registry.hpp>

#include <algorithm>
#include <functional>

// Optimal decision trees by MaxSAT, on merged rows and features. The search starts from CART's tree. Of the tree that
// is found, leaves take the majority of their rows (of the nearest branch with a majority, where they have none), and
// tests between leaves of one class are taken out.

namespace beadwork {
namespace {

struct TreeModel {
  Wcnf wcnf;
  TreeVariables variables;
};

// Nothing if the limit came first.
std::optional<TreeModel> build_tree_model(const Examples& examples, std::size_t depth, const Control& control) {
  TreeModel m;
  LimitedSink<Wcnf> sink{m.wcnf, control};
  const SoftClauses soft = [&](Clause clause, Weight weight) { m.wcnf.add_soft(clause, weight); };
  try {
    m.variables = lift_dt(examples, depth, unnamed(sink), soft);
  } catch (const LimitReached&) {
    return std::nullopt;
  }
  return m;
}

std::optional<Assignment> tree_to_start_from(const TreeModel& m, const Examples& examples, const Dataset& dataset,
                                             std::size_t depth, std::uint64_t seed, const Control& control) {
  Control quiet = control;
  quiet.progress = {};
  const CartTree tree = cart(dataset.select(examples.features), {.depth = depth, .seed = seed}, quiet);
  std::vector<DiagramNode> nodes = tree.diagram.nodes();
  for (DiagramNode& n : nodes)
    if (!n.sink) n.feature = examples.features[n.feature()];
  const auto literals = literals_of(m.variables, examples, *Diagram::make(std::move(nodes)));
  return literals ? model_with(m.wcnf, *literals, control) : std::nullopt;
}

Diagram tidied(const Diagram& tree, const Dataset& dataset) {
  PathCounts paths(tree.num_paths(), dataset.num_classes());
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    paths.add(tree.path_of([&](Feature f) { return dataset.value(f, Row{r}); }), dataset.label(Row{r}),
              dataset.weight(Row{r}));
  const NodeCounts counts = node_counts(tree, paths);
  std::vector<DiagramNode> out;
  std::vector<const ClassCounts*> branch;
  // Puts what is below n at the end of `out`, or only returns its answer where it has but one.
  const std::function<std::optional<Class>(Node)> copy = [&](Node n) -> std::optional<Class> {
    branch.insert(branch.begin(), &counts.at[n()]);
    const std::size_t place = out.size();
    std::optional<Class> answer;
    if (tree[n].sink) {
      answer = label_on_branch(branch);
      out.push_back(DiagramNode::leaf(answer));
    } else {
      out.push_back(DiagramNode::test(tree[n].feature, {}, {}));
      out[place].low = Node{out.size()};
      const auto low = copy(tree[n].low);
      out[place].high = Node{out.size()};
      const auto high = copy(tree[n].high);
      if (low && low == high) {
        out.resize(place);
        out.push_back(DiagramNode::leaf(low));
        answer = low;
      }
    }
    branch.erase(branch.begin());
    return answer;
  };
  copy(Node{0});
  return tree_of(out);
}

EngineAnswer tree_answer(const Dataset& dataset, const Diagram& tree, std::int64_t lower_bound) {
  EngineAnswer found;
  found.diagram = tidied(tree, dataset);
  found.lower_bound = lower_bound;
  found.upper_bound = training_errors(dataset, *found.diagram);
  found.status = *found.upper_bound == lower_bound ? SolveStatus::optimal : SolveStatus::feasible;
  return found;
}

}  // namespace

Result<EngineAnswer> learn_by_maxsat_dt(const Task& task, const Control& control) {
  if (task.restricted()) return learn_among_allowed(task, control, learn_by_maxsat_dt);
  const Dataset& dataset = task.dataset;
  const FormulaOptions& how = task.request.formula;
  const auto merged = merged_examples(dataset, control);
  if (!merged) {
    EngineAnswer found = tree_answer(dataset, Diagram(), 0);
    found.out_of_memory = !control.stopping();
    return found;
  }
  const Examples& examples = *merged;
  const std::size_t depth = std::min({task.depth(), examples.num_features(), examples.size()});
  if (depth == 0) {
    const auto counts = count_cells(dataset, {});
    return tree_answer(dataset, Diagram(), dataset.total_weight() - *std::max_element(counts.begin(), counts.end()));
  }
  const Stopwatch clock;
  const auto model = build_tree_model(examples, depth, within(control, how.encode_limit));
  if (!model) return tree_answer(dataset, Diagram(), examples.base_errors);
  const Control solving = with_base(within(control, how.solve_limit), examples.base_errors);
  if (!solving.report({"encoded", 0, 0, std::nullopt, clock.seconds()}))
    return tree_answer(dataset, Diagram(), examples.base_errors);
  std::optional<Assignment> start;
  if (!how.no_seed) start = tree_to_start_from(*model, examples, dataset, depth, task.request.seed(), solving);
  TRY(auto outcome, solve_as_asked(model->wcnf, std::move(start), how, solving));
  const std::int64_t bound = examples.base_errors + static_cast<std::int64_t>(outcome.lower);
  EngineAnswer found = outcome.status == MaxsatStatus::unknown
                           ? tree_answer(dataset, Diagram(), bound)
                           : tree_answer(dataset, decode(model->variables, examples, outcome.model), bound);
  if (found.lower_bound > *found.upper_bound) return wrong_answer(how);
  if (found.status == SolveStatus::optimal || outcome.lower > 0) found.solver = solver_named(how);
  found.canonical = false;  // a solver takes any of several that tie
  return found;
}

}  // namespace beadwork
