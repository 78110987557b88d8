#include <beadwork/engine/choose.hpp>
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/cut_names.hpp>
#include <beadwork/engine/ranked.hpp>
#include <beadwork/smallest.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <tuple>

namespace beadwork {
namespace {

constexpr std::size_t kFolds = 5;
constexpr double kShareOfTime = 0.6;  // for the folds; the rest is for the fit

// A point of a fold's front: what it costs the rows that it was learnt from, and how it does on the others.
struct Judged {
  std::size_t features = 0;
  std::size_t nodes = 0;
  std::int64_t errors = 0;
  double score = 0;
};
struct Fold {
  std::vector<Judged> points;
  bool complete = false;
};

double score(const Dataset& rows, const Diagram& diagram, const CostMatrix& cost) {
  const auto total = static_cast<double>(rows.total_weight());
  const auto lost = static_cast<double>(training_cost(rows, diagram, cost.costs)) / static_cast<double>(cost.scale);
  return cost.costs.empty() ? 1 - lost / total : -lost / total;
}

// The rows named, in that order. Ranks are as they were, so cuts and features keep their numbers and some part no rows.
RankedData rows_of(const RankedData& data, std::span<const Row> rows) {
  const auto some = [&](const auto& all) {
    std::decay_t<decltype(all)> out;
    out.reserve(rows.size());
    for (const Row r : rows) out.push_back(all[r()]);
    return out;
  };
  RankedData out;
  for (const RankedColumn& c : data.columns)
    out.columns.push_back({c.input, c.num_ranks, c.missing, c.test, some(c.ranks), c.values});
  out.inputs = data.inputs;
  out.target = data.target;
  out.class_names = data.class_names;
  out.target_cuts = data.target_cuts;
  out.labels = some(data.labels);
  if (!data.weights.empty()) out.weights = some(data.weights);
  out.weight_scale = data.weight_scale;
  out.weight_rounding = data.weight_rounding;
  out.mixed_labels = data.mixed_labels;
  out.complete = data.complete;
  return out;
}

Result<Fold> judge_ranks(const std::shared_ptr<const RankedData>& data, const Split& split, const Request& request,
                         const Control& control) {
  const RankedData train = rows_of(*data, split.train);
  OrderedOptions options;
  options.depth = request.depth();
  options.seed = request.seed();
  const auto allowed = CutNames(train).restrict(request, options);
  if (!allowed) return allowed.error();
  auto cost = cost_matrix(data->num_classes(), request.cost.costs);
  if (!cost) return cost.error();
  options.costs = cost->costs;
  const auto front = error_front(train, options, nullptr, control);
  if (!front) return front.error();
  Fold out{{}, front->proven};
  for (const FrontPoint& p : front->points) {
    std::vector<Cut> cuts;
    std::vector<Feature> order;
    for (const Feature f : p.table.order()) cuts.push_back(data->cut_of(f()));
    for (std::size_t i = 0; i < cuts.size(); ++i) order.emplace_back(i);
    TruthTable table(order, p.table.num_classes());
    for (std::size_t cell = 0; cell < table.num_cells(); ++cell) table.decide(cell, p.table.first_allowed(cell));
    const Dataset test = excerpt_of(data, cuts).dataset.subset(split.test);
    if (test.total_weight() == 0) return Fold{{}, true};  // it judges nothing
    out.points.push_back({p.features, p.nodes, p.errors, score(test, diagram_of(table), *cost)});
  }
  return out;
}

Result<Fold> judge(const Dataset& dataset, const Split& split, const Request& request, const Control& control) {
  if (holds_ranks_alone(dataset)) return judge_ranks(dataset.ranks(), split, request, control);
  const auto train = dataset.subset(split.train, control);
  const auto test = dataset.subset(split.test, control);
  if (!train || !test) return Fold{};
  if (test->total_weight() == 0) return Fold{{}, true};  // it judges nothing
  const auto task = make_task(*train, request, {}, control);
  if (!task) return task.error();
  SearchOptions options = search_options(*task);
  options.threads = 1;
  const auto front = error_front(*train, options, control);
  if (!front) return front.error();
  Fold out{{}, front->proven};
  for (const FrontPoint& p : front->points)
    out.points.push_back({p.features, p.nodes, p.errors, score(*test, diagram_of(p.table), task->cost)});
  return out;
}

// Folds one after the other, several at a time.
class Folds {
 public:
  Folds(const Dataset& dataset, const Request& request, std::vector<Split> splits, const Control& control)
      : dataset_(dataset), request_(request), splits_(std::move(splits)), control_(control), done_(splits_.size()) {}

  Result<std::vector<Fold>> run() {
    const auto threads = std::min<std::size_t>(static_cast<std::size_t>(request_.run.threads), splits_.size());
    until_ = Deadline::in(kShareOfTime * control_.deadline.remaining());
    {
      std::vector<std::jthread> others;
      for (std::size_t i = 1; i < threads; ++i) others.emplace_back([&] { work(threads); });
      work(threads);
    }
    if (error_) return *error_;
    return std::move(done_);
  }

 private:
  void work(std::size_t threads) try {
    for (std::size_t i = next_++; i < splits_.size(); i = next_++) {
      Control control = control_;
      control.progress = {};
      const std::size_t rounds = (splits_.size() - i + threads - 1) / threads;  // with this one
      control.deadline = Deadline::in(until_.remaining() / static_cast<double>(rounds));
      auto fold = judge(dataset_, splits_[i], request_, control);
      const std::lock_guard lock(mutex_);
      if (!fold) error_ = fold.error();
      if (!fold) return;
      done_[i] = *std::move(fold);
      const double share = static_cast<double>(++num_done_) / static_cast<double>(splits_.size() + 1);
      if (!control_.report({"folds", share, 0, {}, clock_.seconds()})) next_ = splits_.size();
    }
  } catch (const std::bad_alloc&) {
    const std::lock_guard lock(mutex_);
    error_ = Error{ErrorCode::limit, "out of memory", {}};
  }

  const Dataset& dataset_;
  const Request& request_;
  std::vector<Split> splits_;
  const Control& control_;
  Deadline until_;
  Stopwatch clock_;
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;
  std::size_t num_done_ = 0;
  std::vector<Fold> done_;
  std::optional<Error> error_;
};

// The point of a front that answers for at most that many features and nodes; the constant is always there.
std::size_t best_within(const Fold& fold, std::size_t depth, std::size_t nodes) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < fold.points.size(); ++i) {
    const Judged &p = fold.points[i], &b = fold.points[best];
    if (p.features <= depth && p.nodes <= nodes &&
        std::tuple(p.errors, p.nodes, p.features) < std::tuple(b.errors, b.nodes, b.features))
      best = i;
  }
  return best;
}

SizeChoice::Point averaged(const std::vector<Fold>& folds, const std::vector<std::size_t>& picks, std::size_t depth,
                           std::size_t nodes) {
  const auto k = static_cast<double>(folds.size());
  std::vector<double> scores;
  for (std::size_t i = 0; i < folds.size(); ++i) scores.push_back(folds[i].points[picks[i]].score);
  SizeChoice::Point point{depth, nodes, std::accumulate(scores.begin(), scores.end(), 0.0) / k, 0};
  double squares = 0;
  for (const double s : scores) squares += (s - point.mean) * (s - point.mean);
  point.standard_error = std::sqrt(squares / (k - 1) / k);
  return point;
}

// All sizes that the folds know, by nodes, then features; those whose diagrams are those of a smaller one are left out.
std::vector<SizeChoice::Point> curve_of(const std::vector<Fold>& folds) {
  std::set<std::size_t> depths, sizes;
  for (const Fold& fold : folds)
    for (const Judged& p : fold.points) {
      depths.insert(p.features);
      sizes.insert(p.nodes);
    }
  std::vector<SizeChoice::Point> out;
  std::set<std::vector<std::size_t>> seen;
  for (const std::size_t nodes : sizes)
    for (const std::size_t depth : depths) {
      std::vector<std::size_t> picks;
      for (const Fold& fold : folds) picks.push_back(best_within(fold, depth, nodes));
      if (seen.insert(picks).second) out.push_back(averaged(folds, picks, depth, nodes));
    }
  return out;
}

std::size_t choose(const std::vector<SizeChoice::Point>& curve, SizeRule rule) {
  constexpr double kEqual = 1e-12;
  const auto best = std::max_element(curve.begin(), curve.end(),
                                     [&](const auto& a, const auto& b) { return a.mean + kEqual < b.mean; });
  const double enough = best->mean - (rule == SizeRule::one_error ? best->standard_error : 0) - kEqual;
  return static_cast<std::size_t>(
      std::find_if(curve.begin(), curve.end(), [&](const auto& p) { return p.mean >= enough; }) - curve.begin());
}

}  // namespace

Result<Outcome> learn_at_chosen_size(const Dataset& dataset, const Request& request, const Control& control) {
  Request last = request;
  last.ask<ForSearch>().size = SizeRule::as_asked;
  if (dataset.mixed_labels()) return option_error("needs labels that are not mixed", "size");
  if (dataset.num_rows() < 2) return learn(dataset, last, control);
  std::vector<Class> labels;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) labels.push_back(dataset.label(Row{r}));
  auto splits = stratified_k_folds(labels, std::min(kFolds, dataset.num_rows()), request.seed());
  if (!splits) return splits.error();
  Control limited = within(control, request.run.time_limit);
  if (request.run.memory_limit) limited.memory_limit = static_cast<std::size_t>(*request.run.memory_limit) << 20;
  auto folds = Folds(dataset, request, *std::move(splits), limited).run();
  if (!folds) return folds.error();
  SizeChoice choice;
  choice.folds = folds->size();
  choice.complete = std::all_of(folds->begin(), folds->end(), [](const Fold& f) { return f.complete; });
  std::erase_if(*folds, [](const Fold& f) { return f.points.empty(); });
  if (folds->size() > 1) {
    choice.curve = curve_of(*folds);
    choice.chosen = choose(choice.curve, request.only_of<ForSearch>().size);
    last.run.depth.most = choice.curve[choice.chosen].depth;
    last.ask<ForSearch>().max_nodes = static_cast<std::int64_t>(choice.curve[choice.chosen].nodes);
  }
  if (last.run.time_limit) last.run.time_limit = std::max(0.0, limited.deadline.remaining());
  auto outcome = learn(dataset, last, control);
  if (outcome) outcome->choice = std::move(choice);
  return outcome;
}

}  // namespace beadwork
