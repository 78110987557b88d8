#include <beadwork/engine/held_cells.hpp>
#include <beadwork/engine/registry.hpp>

#include <algorithm>
#include <memory>

namespace beadwork {
namespace {

// Of cells whose errors cost what they weigh.
HeldCells by_weight(std::span<const CellWeight> weights) {
  HeldCells out;
  out.merits.reserve(weights.size());
  std::int64_t most = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const CellWeight& w = weights[i];
    out.merits.push_back({w.cell, w.label, w.weight});
    most = std::max(most, w.weight);
    out.cost += w.weight;
    if (i + 1 < weights.size() && weights[i + 1].cell == w.cell) continue;
    out.cost -= most;
    most = 0;
  }
  return out;
}

}  // namespace

std::optional<HeldCells> held_cells(const Dataset& dataset, const std::vector<Feature>& features,
                                    const CostMatrix& costs, const Control& control) {
  const auto weights = occupied_cells(dataset, features, control);
  if (!weights) return std::nullopt;
  if (costs.empty()) return by_weight(*weights);
  const std::size_t classes = dataset.num_classes();
  Steps steps(control);
  HeldCells out;
  std::vector<std::int64_t> answers(classes);  // what each costs in one cell
  for (auto w = weights->begin(); w != weights->end();) {
    const std::uint32_t cell = w->cell;
    std::fill(answers.begin(), answers.end(), 0);
    for (; w != weights->end() && w->cell == cell; ++w) {
      if (!steps.go_on(2 * classes)) return std::nullopt;
      add_costs(answers, costs, w->label, w->weight);
    }
    const auto [least, most] = std::minmax_element(answers.begin(), answers.end());
    out.cost += *least;
    for (std::size_t k = 0; k < classes; ++k)
      if (answers[k] < *most) out.merits.push_back({cell, static_cast<std::uint32_t>(k), *most - answers[k]});
  }
  return out;
}

std::optional<TruthTable> open_table(const Dataset& dataset, const std::vector<Feature>& features,
                                     const CostMatrix& costs, const Control& control) {
  const auto held = held_cells(dataset, features, costs, control);
  if (!held) return std::nullopt;
  return TruthTable::from_merits(features, dataset.num_classes(), held->merits);
}

EngineAnswer best_function(const Task& task, const std::vector<Feature>& features, std::int64_t lower_bound,
                           const Control& control, double moment) {
  const auto held = in_any_case(
      control, [&](const Control& c) { return held_cells(task.dataset, features, task.cost.costs, c); }, moment);
  EngineAnswer found;
  found.lower_bound = lower_bound;
  found.canonical = held.has_value();
  if (held) {
    found.status = SolveStatus::feasible;
    found.upper_bound = held->cost;
    found.table = TruthTable::from_merits(features, task.dataset.num_classes(), held->merits);
  } else if (task.least_answer().empty()) {
    found = constant_answer(task, lower_bound);
    found.canonical = false;
  }
  return found;
}

bool is_of(const EngineAnswer& found, const std::vector<Feature>& features) {
  return found.table && found.table->order() == features;
}

Control afterwards(const Control& control, double moment) {
  Control out = control;
  out.interrupt = nullptr;
  out.deadline = Deadline::never().counted(std::make_shared<WorkCount>(), moment);
  return out;
}

}  // namespace beadwork
