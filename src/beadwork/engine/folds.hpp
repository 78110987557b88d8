#pragma once
// Folds of the training rows, each judged by what was learnt from the others: how sizes and depths are chosen.
#include <beadwork/engine/costs.hpp>
#include <beadwork/engine/task.hpp>

#include <functional>

namespace beadwork {

// A size: what its diagram costs the rows that it was learnt from, and how it does on the others.
struct FoldPoint {
  std::size_t features = 0;
  std::size_t nodes = 0;  // 0: any number
  std::int64_t errors = 0;
  double score = 0;
};
struct Fold {
  std::vector<FoldPoint> points;  // none: it judges nothing
  bool complete = false;
  double work = 0;  // seconds' worth, where it is counted
};
using Judge = std::function<Result<Fold>(const Split&, const Control&)>;

// Stratified folds, side by side where the request has several threads: the same whatever their number. Where there is
// a time limit, each may do so much work, which is counted: it ends in about half of the time that the fold could have,
// so that the clock decides nothing unless the machine is slow or busy. The rest of the time is for the fit.
Result<std::vector<Fold>> judge_folds(const Dataset& dataset, const Request& request, const Judge& judge,
                                      const Control& control);

// Of these rows.
std::int64_t weight_of(const Dataset& dataset, const std::vector<Row>& rows);
// The share of their weight that gets the right answer; with costs: minus the mean cost.
double score(const Dataset& dataset, const std::vector<Row>& rows, const Diagram& diagram, const Prices& cost);

// The mean over the folds of the points picked, one in each.
SizeChoice::Point averaged(const std::vector<Fold>& folds, const std::vector<std::size_t>& picks, std::size_t depth,
                           std::size_t nodes);
// The first point of the curve with the best mean; by one error: the first within one standard error of it.
std::size_t choose(const std::vector<SizeChoice::Point>& curve, SizeRule rule);

// The time limit whose shares folds and fit may work for; none: they are not limited.
std::optional<double> limit_to_count_by(const Request& request, const Control& control);
// The fit after the folds, on one thread if its work is limited: then it is the same for any number of threads.
void limit_work(Request& fit, Control& control, double seconds);

// What the fit after the folds is given: the time that they left. An interrupt ends the folds, and the fit then has
// half a second, so that the answer is a diagram and not the constant.
Control after_folds(Request& fit, const Control& control, const Control& limited);

}  // namespace beadwork
