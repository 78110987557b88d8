#pragma once
#include <beadwork/engine/bias.hpp>

namespace beadwork {

// How far from the optimum the sets of the committee may be, in the claim's integers.
std::int64_t committee_margin(const Task& task);

// The sets that vote. `near` lists the sets of `depth` features within the margin. A smaller set costs at least as much
// as each of its supersets, so every set within the margin is a subset of one of these. Of all these subsets, those
// vote that have no idle feature: dropping any feature costs more. (Their diagrams use all their features, and no two
// use the same ones.) Required features stay.
Voters voters_among(const Task& task, const NearOutcome& near, std::int64_t within, const Control& control);

// A diagram of a set, made as the single answer is; its cost is counted again.
Result<Shaped> shape_set(const Task& task, const SetAnswer& set, const Control& control);

// Makes diagrams of the sets, as the single answer is made, and counts their costs again; the answer comes first.
Status seat_committee(const Task& task, const Voters& voters, const Control& control, Outcome& outcome);

}  // namespace beadwork
