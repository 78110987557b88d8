#include <beadwork/model/sound.hpp>
#include <beadwork/model/tested.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

// What the counts of the paths say must be what the training says.
Status check_training(const Training& t, const Diagram& diagram, const PathCounts& counts) {
  std::int64_t total = 0;
  std::int64_t errors = 0;
  const std::vector<Node> sinks = path_sinks(diagram);
  for (std::uint64_t p = 0; p < counts.num_paths(); ++p) {
    const Class answer = *diagram[sinks[p]].answer;
    total += counts.total(p);
    errors += counts.total(p) - counts.of(p)[answer()];
  }
  if (t.total_weight != total)
    return input_error(fmt::format("training has a total weight of {}, the paths sum to {}", t.total_weight, total));
  if (t.errors != errors)
    return input_error(fmt::format("training has {} errors, the paths have {}", t.errors, errors));
  if (t.seed < 0 || t.rows < 0 || t.num_features < 0 || t.weight_scale < 1)
    return input_error("a number of the training is below what it can be");
  return Done{};
}

Status check_claim(const Claim& claim, const Training& t, bool edited) {
  TRY_DONE(check_claim(claim));
  if (!claim.upper_bound) return input_error("the claim has no upper bound");
  if (!claim.objective.costs && (claim.scale != t.weight_scale || *claim.upper_bound != t.errors))
    return input_error(fmt::format("the claim has {} errors, training has {}", *claim.upper_bound, t.errors));
  if (edited && is_proven(claim)) return input_error("a model with edits is not proven optimal");
  return Done{};
}

}  // namespace

Result<Model> Model::make(Parts p) {
  const std::size_t features = p.binarizer.num_features();
  const std::size_t classes = p.binarizer.class_names().size();
  for (std::size_t n = 0; n < p.diagram.size(); ++n) {
    const DiagramNode& node = p.diagram.nodes()[n];
    if (!node.sink && node.feature() >= features)
      return input_error(fmt::format("node {} tests a feature {} that does not exist", n, node.feature()));
    if (node.sink && (!node.answer || (*node.answer)() >= classes))
      return input_error(fmt::format("node {} answers a class that does not exist", n));
  }
  if (p.counts.num_paths() != p.diagram.num_paths())
    return input_error(
        fmt::format("counts of {} paths for a diagram with {}", p.counts.num_paths(), p.diagram.num_paths()));
  if (p.counts.num_classes() != classes)
    return input_error(fmt::format("counts of {} classes, expected {}", p.counts.num_classes(), classes));
  if (p.matrix_columns.size() != features) return input_error("features and their matrix columns differ in number");
  TRY_DONE(model::check_sound(p));
  TRY_DONE(check_training(p.training, p.diagram, p.counts));
  TRY_DONE(check_claim(p.claim, p.training, !p.edits.empty()));
  p.claim.prover.parts = 1;  // a model is the same, however its search was divided
  Model m;
  m.parts_ = std::move(p);
  return m;
}

std::vector<std::string> Model::feature_names() const {
  std::vector<std::string> names;
  for (std::size_t f = 0; f < num_features(); ++f) names.push_back(feature_name(Feature{f}));
  return names;
}

Result<Model> make_model(const Binarizer& binarizer, const Dataset& dataset, const std::vector<Feature>& order,
                         const Diagram& diagram, Training training, Claim claim, ReadOptions reading) {
  require(binarizer.num_features() == dataset.num_features(), "make_model: the binarizer that made the dataset");
  std::vector<DiagramNode> nodes = diagram.nodes();
  for (DiagramNode& node : nodes) {
    if (node.sink) continue;
    const auto at = std::find(order.begin(), order.end(), node.feature);
    require(at != order.end(), "make_model: the order holds every feature of the diagram");
    node.feature = Feature{static_cast<std::size_t>(at - order.begin())};
  }
  TRY(auto renumbered, Diagram::make(std::move(nodes)));
  Model::Parts parts;
  parts.binarizer = binarizer.select(order);
  for (const Feature f : order) parts.matrix_columns.push_back(f());
  parts.diagram = std::move(renumbered);
  parts.counts = PathCounts(parts.diagram.num_paths(), dataset.num_classes());
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    parts.counts.add(parts.diagram.path_of([&](Feature f) { return dataset.value(order[f()], Row{r}); }),
                     dataset.label(Row{r}), dataset.weight(Row{r}));
  training.rows = static_cast<std::int64_t>(dataset.num_given_rows());
  training.total_weight = dataset.total_weight();
  training.weight_scale = dataset.weight_scale();
  training.errors = 0;
  const std::vector<Node> sinks = path_sinks(parts.diagram);
  for (std::uint64_t p = 0; p < parts.counts.num_paths(); ++p) {
    const auto answer = parts.diagram[sinks[p]].answer;
    training.errors += parts.counts.total(p) - (answer ? parts.counts.of(p)[(*answer)()] : 0);
  }
  training.num_features = static_cast<std::int64_t>(dataset.num_features());
  if (training.hashes.rows.empty() && training.data_sha256.empty()) training.hashes.rows = rows_sha256(dataset);
  parts.training = std::move(training);
  parts.claim = std::move(claim);
  parts.reading = std::move(reading);
  parts.reading.target.clear();
  return Model::make(std::move(parts));
}

Result<Predictions> predict(const Model& model, const Table& table) {
  Predictions out;
  const std::vector<Feature> used = model.diagram().used_features();
  TRY(auto bits, model.binarizer().select(used).bits(table, &out.unseen));
  std::vector<std::size_t> place(model.num_features());  // of a feature among those tested
  for (std::size_t i = 0; i < used.size(); ++i) place[used[i]()] = i;
  out.classes.reserve(table.num_rows());
  out.paths.reserve(table.num_rows());
  for (std::size_t r = 0; r < table.num_rows(); ++r) {
    const auto passes = [&](Feature f) { return bit(bits[place[f()]], r); };
    out.classes.push_back(model.diagram().classify(passes));
    out.paths.push_back(model.diagram().path_of(passes));
  }
  return out;
}

namespace {

// Is one of the texts a category or a class of the model?
bool knows_any(const Model& model, const std::vector<std::string>& texts) {
  const auto known = [&](const std::vector<std::string>& levels) {
    return std::any_of(levels.begin(), levels.end(), [&](const std::string& level) {
      return std::find(texts.begin(), texts.end(), level) != texts.end();
    });
  };
  const auto& inputs = model.binarizer().inputs();
  return known(model.class_names()) || std::any_of(inputs.begin(), inputs.end(), [&](const InputColumn& input) {
           return known(input.levels) || known(input.reading.levels);
         });
}

}  // namespace

ReadOptions read_options(const Model& model, ReadOptions base) {
  return model::reading_for(model, model.binarizer().select(model.diagram().used_features()), std::move(base));
}

ReadOptions model::reading_for(const Model& model, const Binarizer& tested, ReadOptions base) {
  base.needs_target = false;
  base.ordered.clear();  // the model knows the orders, and takes other words, too
  const ReadOptions plain;
  if (base.delimiter == plain.delimiter) base.delimiter = model.reading().delimiter;
  if (base.missing == plain.missing) base.missing = model.reading().missing;
  base.header = base.header && model.reading().header;
  if (base.encoding.empty()) base.encoding = model.reading().encoding;
  base.drop_unlabelled = base.drop_unlabelled || model.reading().drop_unlabelled;
  if (!base.quotes_mean_text && base.missing == model.reading().missing)
    base.quotes_mean_text = model.reading().quotes_mean_text.value_or(knows_any(model, base.missing));
  for (const InputColumn& input : tested.inputs()) {
    if (std::find(base.nominal.begin(), base.nominal.end(), input.name) != base.nominal.end()) continue;
    const bool plainly = input.type == ColumnType::numeric && input.reading == Reading{};
    (plainly ? base.numeric : base.nominal).push_back(input.name);  // binarizing reads texts the way of training
  }
  return base;
}

std::span<const double> Model::costs() const {
  if (!parts_.claim.objective.costs || !parts_.training.asked) return {};
  return parts_.training.asked->costs;
}

std::vector<double> probabilities(const Model& model, std::uint64_t path) {
  return shares_of(branch_counts(model.diagram(), model.counts(), path));
}

std::vector<double> shares_of(const std::vector<std::int64_t>& counts) {
  const double total = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  std::vector<double> out;
  for (const std::int64_t c : counts)
    out.push_back(total == 0 ? 1.0 / static_cast<double>(counts.size()) : static_cast<double>(c) / total);
  return out;
}

namespace {

// Sums by true and predicted class: the number of a cell and its sum, cells increasing, those that no row is in left
// out.
template <class Sum>
using Cells = std::vector<std::pair<std::size_t, Sum>>;

// Of few classes by a place for each cell; of many, where most cells have no row, by sorting the rows.
template <class Sum>
Cells<Sum> cells_of(std::size_t rows, std::size_t num_classes, const auto& cell, const auto& weight) {
  Cells<Sum> out;
  if (num_classes <= kMostConfused) {
    std::vector<Sum> sums(num_classes * num_classes);
    for (std::size_t r = 0; r < rows; ++r) sums[cell(r)] += weight(r);
    for (std::size_t i = 0; i < sums.size(); ++i)
      if (sums[i] != 0) out.emplace_back(i, sums[i]);
    return out;
  }
  std::vector<std::size_t> order(rows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return cell(a) < cell(b); });
  for (const std::size_t r : order) {
    if (out.empty() || out.back().first != cell(r)) out.emplace_back(cell(r), 0);
    out.back().second += weight(r);
  }
  return out;
}

// Integers are multiplied and added as such, where the costs are whole times some scale.
template <class Sum>
double cost_of(const Cells<Sum>& cells, std::span<const double> costs) {
  if constexpr (std::is_integral_v<Sum>) {
    __extension__ using Wide = __int128;
    if (const auto exact = scale_weights(costs)) {
      Wide total = 0;
      for (const auto& [cell, sum] : cells) total += Wide{sum} * exact->weights[cell];
      return static_cast<double>(total) / static_cast<double>(exact->scale);
    }
  }
  double total = 0;
  for (const auto& [cell, sum] : cells) total += static_cast<double>(sum) * costs[cell];
  return total;
}

// From sums by true and predicted class, which are `scale` times what they stand for. Errors are the sum of what is
// wrong: as a difference of two larger sums they would lose their last digits.
template <class Sum>
Evaluation evaluation_of(const Cells<Sum>& cells, std::size_t num_classes, double scale,
                         std::span<const double> costs) {
  const auto real = [](Sum sum) { return static_cast<double>(sum); };
  std::vector<Sum> support(num_classes), claimed(num_classes), right(num_classes);
  Sum correct = 0, wrong = 0;
  Evaluation e;
  if (num_classes <= kMostConfused) e.confusion.assign(num_classes, std::vector<double>(num_classes));
  for (const auto& [cell, sum] : cells) {
    const std::size_t j = cell / num_classes, k = cell % num_classes;
    if (!e.confusion.empty()) e.confusion[j][k] = real(sum) / scale;
    support[j] += sum;
    claimed[k] += sum;
    if (j == k) right[k] = sum;
    (j == k ? correct : wrong) += sum;
  }
  double recalls = 0;
  double occurring = 0;
  for (std::size_t k = 0; k < num_classes; ++k) {
    Evaluation::PerClass c{real(support[k]) / scale};
    const double hits = real(right[k]);
    c.precision = claimed[k] > 0 ? hits / real(claimed[k]) : 0;
    c.recall = support[k] > 0 ? hits / real(support[k]) : 0;
    c.f1 = hits > 0 ? 2 * c.precision * c.recall / (c.precision + c.recall) : 0;
    if (support[k] > 0) recalls += c.recall, occurring += 1;
    e.per_class.push_back(c);
  }
  e.total = real(correct + wrong) / scale;
  e.errors = real(wrong) / scale;
  if (!costs.empty()) e.cost = cost_of(cells, costs) / scale;
  e.accuracy = e.total > 0 ? real(correct) / real(correct + wrong) : 0;
  e.balanced_accuracy = occurring > 0 ? recalls / occurring : 0;
  return e;
}

}  // namespace

// Weights like 0.1 are summed as the integers that they were learnt with: three of them are 0.3, as fit says.
Evaluation evaluate(std::span<const Class> truth, std::span<const Class> predicted, std::span<const double> weights,
                    std::size_t num_classes, std::span<const double> costs) {
  require(truth.size() == predicted.size() && (weights.empty() || weights.size() == truth.size()),
          "evaluate: a prediction and a weight for every row");
  require(costs.empty() || costs.size() == num_classes * num_classes, "evaluate: a cost for each pair of classes");
  const auto cell = [&](std::size_t r) { return truth[r]() * num_classes + predicted[r](); };
  const auto exact = scale_weights(weights);
  if (weights.empty() || exact) {
    const auto weight = [&](std::size_t r) { return weights.empty() ? 1 : exact->weights[r]; };
    const auto cells = cells_of<std::int64_t>(truth.size(), num_classes, cell, weight);
    return evaluation_of(cells, num_classes, weights.empty() ? 1 : static_cast<double>(exact->scale), costs);
  }
  const auto weight = [&](std::size_t r) { return weights[r]; };
  return evaluation_of(cells_of<double>(truth.size(), num_classes, cell, weight), num_classes, 1, costs);
}

}  // namespace beadwork
