#include <beadwork/engine/choose.hpp>
#include <beadwork/engine/folds.hpp>

#include <algorithm>

namespace beadwork {
namespace {

Request at_depth(const Request& request, std::size_t depth) {
  Request out = request;
  out.run.depth = {depth, {}};
  return out;
}

Result<Fold> judge(const Dataset& dataset, const Split& split, const Request& request, const Prices& cost,
                   const Control& control) {
  if (weight_of(dataset, split.test) == 0) return Fold{{}, true};
  const auto some = dataset.subset(split.train, control);
  if (!some) return Fold{};
  Fold out{{}, true};
  const DepthRange range = request.run.depth;
  for (std::size_t depth = *range.from; depth <= range.most; ++depth) {
    Control each = control;
    each.deadline = control.deadline.part(1 / static_cast<double>(range.most - depth + 1));
    TRY(const auto outcome, learn(*some, at_depth(request, depth), each));
    if (!outcome.diagram) return Fold{std::move(out.points), false};
    out.complete = out.complete && (engine_of(request).exact() ? is_proven(outcome.claim) : !outcome.cut_short);
    out.points.push_back({depth, 0, 0, score(dataset, split.test, *outcome.diagram, cost)});
  }
  return out;
}

// Depths that all folds know.
std::vector<SizeChoice::Point> curve_by_depth(const std::vector<Fold>& folds) {
  std::size_t common = folds[0].points.size();
  for (const Fold& fold : folds) common = std::min(common, fold.points.size());
  std::vector<SizeChoice::Point> out;
  for (std::size_t i = 0; i < common; ++i)
    out.push_back(averaged(folds, std::vector(folds.size(), i), folds[0].points[i].features, 0));
  return out;
}

}  // namespace

Result<Outcome> learn_at_chosen_depth(const Dataset& dataset, const Request& request, const Control& control,
                                      const Exchange& exchange) {
  const DepthRange range = request.run.depth;
  if (dataset.num_rows() < 2) return learn(dataset, at_depth(request, range.most), control, exchange);
  TRY(const auto cost, prices_of(class_totals(dataset), request.cost.costs));
  Request asked = answer_alone(request);
  asked.run.threads = 1;
  asked.run.depth = {range.most, std::clamp(*range.from, std::min(request.pin.require.size(), range.most), range.most)};
  const Control limited = limits_of(request, control);
  Control quiet = limited;
  quiet.log = {};
  TRY(auto folds,
      judge_folds(
          dataset, request,
          [&](const Split& split, const Control& each) { return judge(dataset, split, asked, cost, each); }, quiet));
  SizeChoice choice;
  choice.folds = folds.size();
  choice.complete = std::all_of(folds.begin(), folds.end(), [](const Fold& f) { return f.complete; });
  std::erase_if(folds, [](const Fold& f) { return f.points.empty(); });
  if (folds.size() > 1) choice.curve = curve_by_depth(folds);
  if (!choice.curve.empty()) choice.chosen = choose(choice.curve, SizeRule::as_asked);
  Request last = at_depth(request, choice.curve.empty() ? range.most : choice.curve[choice.chosen].depth);
  const Control rest = after_folds(last, control, limited);
  auto outcome = learn(dataset, last, rest, exchange);
  if (outcome) outcome->choice = std::move(choice);
  return outcome;
}

}  // namespace beadwork
