#pragma once
#include <beadwork/ordered/outcome.hpp>
#include <beadwork/ordered/state.hpp>

namespace beadwork {

// One search over sorted columns divided among many runs, that need not know of each other, as search/plan.hpp does it
// for features. A part is an interval of first cuts: in the order of columns, from one cut up to another.
struct OrderedRange {
  std::optional<Cut> from, to;  // nothing: the beginning, or the end
  bool empty = false;
  friend bool operator==(const OrderedRange&, const OrderedRange&) = default;
};
struct OrderedPlan {
  OrderedState start;                   // the incumbent, and the order of columns in levels[0]; nothing is done
  std::vector<std::uint32_t> num_cuts;  // of these columns
  std::vector<OrderedRange> parts;      // in order; together they are all sets. A part may be empty
  std::vector<double> work;             // of each: its share of the work, as estimated
  friend bool operator==(const OrderedPlan&, const OrderedPlan&) = default;
};

// No part is cut finer than by its first cut. Costs about a hundredth of the search. An Error of code limit where the
// control ends it, or where no set is allowed.
Result<OrderedPlan> plan_ordered(const RankedData& data, const OrderedOptions& options, std::size_t num_parts,
                                 const Control& control);

struct OrderedPart {
  OrderedState state;     // to go on from with this part, and with no other
  bool complete = false;  // no set of the part errs by less than the state's incumbent
  bool memory_limit_hit = false;
  OrderedStats stats;
};
// One part of a plan for the same data and options. options.resume: an earlier state of this part.
Result<OrderedPart> search_part(const RankedData& data, const OrderedOptions& options, const OrderedPlan& plan,
                                std::size_t part, const Control& control);
bool is_empty(const OrderedPlan& plan, std::size_t part);

struct OrderedPartState {
  std::size_t part = 0;
  bool complete = false;
  OrderedState state;
};
struct OrderedMerged {
  OrderedState state;  // of the whole search, to resume from; parts that are not complete count as not begun
  std::vector<std::size_t> missing;  // parts that are not complete, increasing
};
// An Error where a state is none of the plan's.
Result<OrderedMerged> merge_parts(const OrderedPlan& plan, const std::vector<OrderedPartState>& states);

// Lines of text with a checksum at the end; parse refuses anything that is damaged, and parts that do not tile.
std::string to_text(const OrderedPlan& plan);
Result<OrderedPlan> parse_ordered_plan(std::string_view text);
std::string to_string(const OrderedRange& range);

namespace ordered {
// Where a part begins: all other parts count as done.
OrderedState state_for_part(const OrderedPlan& plan, std::size_t part);
}  // namespace ordered

}  // namespace beadwork
