#include <beadwork/engine/choose.hpp>
#include <beadwork/engine/folds.hpp>
#include <beadwork/engine/ranked.hpp>
#include <beadwork/smallest.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace beadwork {
namespace {

Result<Fold> judge(const Dataset& dataset, const Split& split, const Request& request, const Control& control) {
  if (weight_of(dataset, split.test) == 0) return Fold{{}, true};  // it judges nothing
  const auto train = dataset.subset(split.train, control);
  if (!train) return Fold{};
  Fold out;
  const auto add = [&](const Front& front, const Prices& cost) {
    for (const FrontPoint& p : front.points)
      out.points.push_back({p.features, p.nodes, p.errors, score(dataset, split.test, diagram_of(p.table), cost)});
  };
  if (train->is_sorted()) {
    TRY(auto task, make_ranked_task(*train->ranks(), request));
    task.options.threads = 1;
    TRY(const auto front, error_front(*train->ranks(), task.options, nullptr, control));
    add(front, task.cost);
    out.complete = front.proven;
    return out;
  }
  TRY(const auto task, make_task(*train, request, {}, control));
  SearchOptions options = search_options(task);
  options.threads = 1;
  const bool many = options.depth >= kManyFeatures;
  TRY(const auto front, many ? Result(climbed_front(*train, options, control)) : error_front(*train, options, control));
  add(front, task.cost);
  out.complete = many ? !control.stopping() : front.proven;
  return out;
}

// The point of a front that answers for at most that many features and nodes; the constant is always there.
std::size_t best_within(const Fold& fold, std::size_t depth, std::size_t nodes) {
  std::size_t best = 0;
  for (std::size_t i = 0; i < fold.points.size(); ++i) {
    const FoldPoint &p = fold.points[i], &b = fold.points[best];
    if (p.features <= depth && p.nodes <= nodes &&
        std::tuple(p.errors, p.nodes, p.features) < std::tuple(b.errors, b.nodes, b.features))
      best = i;
  }
  return best;
}

// All sizes that the folds know, by nodes, then features; those whose diagrams are those of a smaller one are left out.
std::vector<SizeChoice::Point> curve_of(const std::vector<Fold>& folds) {
  std::set<std::size_t> depths, sizes;
  for (const Fold& fold : folds)
    for (const FoldPoint& p : fold.points) {
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

}  // namespace

Result<Outcome> learn_at_chosen_size(const Dataset& dataset, const Request& request, const Control& control) {
  Request last = request;
  last.ask<ForSearch>().size = SizeRule::as_asked;
  if (dataset.num_rows() < 2) return learn(dataset, last, control);
  constexpr double kLeastForProof = 1;  // seconds' work
  const Control limited = limits_of(request, control);
  TRY(auto folds,
      judge_folds(
          dataset, request,
          [&](const Split& split, const Control& each) { return judge(dataset, split, request, each); }, limited));
  SizeChoice choice;
  choice.folds = folds.size();
  double worked = 0;
  for (const Fold& fold : folds) worked += fold.work;
  choice.complete = std::all_of(folds.begin(), folds.end(), [](const Fold& f) { return f.complete; });
  std::erase_if(folds, [](const Fold& f) { return f.points.empty(); });
  if (folds.size() > 1) {
    choice.curve = curve_of(folds);
    choice.chosen = choose(choice.curve, request.only_of<ForSearch>().size);
    last.run.depth.most = choice.curve[choice.chosen].depth;
    last.ask<ForSearch>().max_nodes = static_cast<std::int64_t>(choice.curve[choice.chosen].nodes);
  }
  Control rest = after_folds(last, control, limited);
  if (const auto limit = limit_to_count_by(request, limited)) {
    double most = std::max(kLeastForProof, shares::kWorkOfFit * *limit);
    // Of many features the folds have proven nothing, and the fit will hardly do so: a proof is not tried for long.
    if (request.depth() >= kManyFeatures && !dataset.is_sorted())
      most = std::min(most, std::max(kLeastForProof, shares::kFitOfFolds * worked));
    limit_work(last, rest, most);
  }
  auto outcome = learn(dataset, last, rest);
  if (outcome) outcome->choice = std::move(choice);
  return outcome;
}

}  // namespace beadwork
