#include <beadwork/evidence.hpp>

namespace beadwork {

Control BoundsRecorder::listen(Control control) {
  control.progress = [this, shown = std::move(control.progress)](const Progress& p) {
    add(p);
    return !shown || shown(p);
  };
  return control;
}

void BoundsRecorder::add(const Progress& p) {
  const std::lock_guard lock(mutex_);
  ReportFacts::Moment m{p.seconds, static_cast<double>(p.lower_bound) / scale_, {}};
  if (p.upper_bound) m.upper_bound = static_cast<double>(*p.upper_bound) / scale_;
  if (!moments_.empty() && moments_.back().lower_bound == m.lower_bound && moments_.back().upper_bound == m.upper_bound)
    return;
  constexpr std::size_t kMost = 1024;
  if (moments_.size() == kMost) {  // keep every second
    for (std::size_t i = 0; i < kMost / 2; ++i) moments_[i] = moments_[2 * i];
    moments_.resize(kMost / 2);
  }
  moments_.push_back(m);
}

void add_outcome(const Dataset& dataset, const Request& request, const Outcome& o,
                 std::vector<ReportFacts::Moment> bounds, ReportFacts& facts) {
  facts.bounds = std::move(bounds);
  facts.bounds.push_back({o.seconds, in_units(o.claim, o.claim.lower_bound),
                          o.claim.upper_bound ? std::optional(in_units(o.claim, *o.claim.upper_bound)) : std::nullopt});
  facts.outcome = outcome_json(dataset, request, o);
}

}  // namespace beadwork
