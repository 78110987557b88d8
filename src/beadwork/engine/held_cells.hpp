#pragma once
#include <beadwork/engine/task.hpp>

namespace beadwork {

// The cells of some features that hold rows: what speaks for each answer there (truth tables are made from that), and
// what the best answers cost.
struct HeldCells {
  std::vector<Merit> merits;
  std::int64_t cost = 0;
};
// Nothing if control says stop.
std::optional<HeldCells> held_cells(const Dataset& dataset, const std::vector<Feature>& features,
                                    const CostMatrix& costs, const Control& control = {});
// Each cell allows what costs least there, and every class where no row is.
std::optional<TruthTable> open_table(const Dataset& dataset, const std::vector<Feature>& features,
                                     const CostMatrix& costs, const Control& control = {});

// The best function of these features, with that bound on what the best ones cost. Where even this takes longer than a
// moment after a limit: the constant, or no answer at all where features are required.
inline constexpr double kMomentAfter = 0.5;  // seconds
EngineAnswer best_function(const Task& task, const std::vector<Feature>& features, std::int64_t lower_bound,
                           const Control& control, double moment = kMomentAfter);
bool is_of(const EngineAnswer& found, const std::vector<Feature>& features);

// What makes an answer of what was found has a moment after a limit as well: half a second's work, however busy the
// machine is.
Control afterwards(const Control& control, double moment);
template <class Work>
auto in_any_case(const Control& control, const Work& work, double moment = kMomentAfter) {
  auto out = work(control);
  return out ? std::move(out) : work(afterwards(control, moment));
}

}  // namespace beadwork
