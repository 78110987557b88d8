#include <beadwork/engine/folds.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>
#include <numeric>

namespace beadwork {
namespace {

constexpr std::size_t kFolds = 5;

// Folds one after the other, several at a time.
class Folds {
 public:
  Folds(const Judge& judge, const Request& request, std::vector<Split> splits, const Control& control)
      : judge_(judge),
        threads_(static_cast<std::size_t>(request.run.threads)),
        counted_(engine_of(request).name == "search" || engine_of(request).name == "local"),
        time_limit_(limit_to_count_by(request, control)),
        splits_(std::move(splits)),
        control_(control),
        done_(splits_.size()) {}

  Result<std::vector<Fold>> run() {
    const auto threads = threads_to_have(std::min(threads_, splits_.size()), control_);
    until_ = control_.deadline.part(counted_ ? shares::kCountedFolds : shares::kFolds);
    together(
        threads, [&](std::size_t) { work(threads); }, control_);
    if (error_) return *error_;
    return std::move(done_);
  }

 private:
  void work(std::size_t threads) try {
    for (std::size_t i = next_++; i < splits_.size(); i = next_++) {
      Control control = control_;
      control.progress = {};
      const std::size_t rounds = (splits_.size() - i + threads - 1) / threads;  // with this one
      control.deadline = until_.part(1 / static_cast<double>(rounds));
      const auto work_done = std::make_shared<WorkCount>();
      if (time_limit_ && counted_)
        control.deadline = control.deadline.counted(work_done, shares::kWorkOfFold * *time_limit_);
      auto fold = judge_(splits_[i], control);
      if (fold) fold->work = work_done->seconds();
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

  const Judge& judge_;
  std::size_t threads_;
  bool counted_;  // does the engine count its work?
  std::optional<double> time_limit_;
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

}  // namespace

Result<std::vector<Fold>> judge_folds(const Dataset& dataset, const Request& request, const Judge& judge,
                                      const Control& control) {
  if (!request.folds.empty()) return Folds(judge, request, request.folds, control).run();
  std::vector<Class> labels;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) labels.push_back(dataset.label(Row{r}));
  TRY(auto splits, stratified_k_folds(labels, std::min(kFolds, dataset.num_rows()), request.seed()));
  return Folds(judge, request, std::move(splits), control).run();
}

std::int64_t weight_of(const Dataset& dataset, const std::vector<Row>& rows) {
  std::int64_t sum = 0;
  for (const Row r : rows) sum += dataset.weight(r);
  return sum;
}

double score(const Dataset& dataset, const std::vector<Row>& rows, const Diagram& diagram, const Prices& cost) {
  const auto total = static_cast<double>(weight_of(dataset, rows));
  std::int64_t sum = 0;
  for (const Row r : rows) {
    const Class label = dataset.label(r), answer = diagram.classify([&](Feature f) { return dataset.value(f, r); });
    const std::int64_t each = !cost.costs.empty() ? cost.costs[label() * dataset.num_classes() + answer()]
                              : answer == label   ? 0
                                                  : 1;
    sum += dataset.weight(r) * each;
  }
  const auto lost = static_cast<double>(sum) / static_cast<double>(cost.scale);
  return cost.costs.empty() ? 1 - lost / total : -lost / total;
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

std::size_t choose(const std::vector<SizeChoice::Point>& curve, SizeRule rule) {
  constexpr double kEqual = 1e-12;
  const auto best = std::max_element(curve.begin(), curve.end(),
                                     [&](const auto& a, const auto& b) { return a.mean + kEqual < b.mean; });
  const double enough = best->mean - (rule == SizeRule::one_error ? best->standard_error : 0) - kEqual;
  return static_cast<std::size_t>(
      std::find_if(curve.begin(), curve.end(), [&](const auto& p) { return p.mean >= enough; }) - curve.begin());
}

std::optional<double> limit_to_count_by(const Request& request, const Control& control) {
  constexpr double kUsual =
      60;  // where a deadline stands that no option asked for: what is left of it depends on the machine
  if (request.run.time_limit) return request.run.time_limit;
  return control.deadline.remaining() < 1e9 ? std::optional(kUsual) : std::nullopt;
}

void limit_work(Request& fit, Control& control, double seconds) {
  control.deadline = control.deadline.counted(std::make_shared<WorkCount>(), seconds);
  fit.run.threads = 1;
}

Control after_folds(Request& fit, const Control& control, const Control& limited) {
  if (fit.run.time_limit) fit.run.time_limit = std::max(0.0, limited.deadline.remaining());
  if (!control.interrupted()) return control;
  constexpr double kLastMoment = 0.5;
  fit.run.time_limit = std::min(fit.run.time_limit.value_or(kLastMoment), kLastMoment);
  Control out = control;
  out.interrupt = nullptr;
  out.progress = {};
  return out;
}

}  // namespace beadwork
