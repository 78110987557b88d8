#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

// One fit divided among many runs: on other machines, in any order, restartable.
//
//   auto plan = plan_search(dataset, request, 256, control);           // order, incumbent, 256 ranges
//   auto part = search_part(dataset, request, *plan, 17, control);     // anywhere: the same data and options
//   auto merged = merge_parts(*plan, parts);                           // merged->missing names what is left
//   auto outcome = learn(dataset, request, control, merged->exchange());  // the answer of an undivided fit
//
// All are values; texts of them carry a checksum. Transport (a folder, a queue, MPI) is up to the caller. What a plan
// divides is the search for the best set; what a request asks for beside it (top, within, committee, prices, features
// to spare) is done once, by the last `learn`. docs/scale.md says how well that goes.
struct Plan {
  std::string data;                                          // SHA-256 of the rows
  std::vector<std::pair<std::string, std::string>> options;  // that decide the answer: names with their texts
  std::vector<std::pair<std::string, std::string>> kept;     // by the host: how to read the data again, as data
  std::variant<SearchPlan, OrderedPlan> ranges;              // over features, or over sorted columns

  std::size_t num_parts() const;
  bool is_empty(std::size_t part) const;  // nothing to do
  double work(std::size_t part) const;    // its estimated share
  friend bool operator==(const Plan&, const Plan&) = default;
};
std::string to_text(const Plan& plan);
Result<Plan> parse_plan(std::string_view text);
// Names the plan in what belongs to it.
std::string id_of(const Plan& plan);

// The best set known, as plans, parts and hosts pass it on.
struct PlanBest {
  std::int64_t error = 0;
  std::vector<Feature> features;
  std::vector<Cut> cuts;  // over sorted columns, in place of features
  friend bool operator==(const PlanBest&, const PlanBest&) = default;
};
std::string to_text(const Plan& plan, const PlanBest& best);
Result<PlanBest> parse_best(const Plan& plan, std::string_view text);
std::optional<PlanBest> best_of(const Plan& plan);

struct Part {
  std::string plan;  // id_of
  std::size_t number = 0;
  bool complete = false;
  State state;  // its done ranges lie in the part
  friend bool operator==(const Part&, const Part&) = default;
};
std::string to_text(const Part& part);
Result<Part> parse_part(std::string_view text);
std::int64_t error_of(const Part& part);  // of its best set

// Refuses requests that cannot be divided, in one line; and, the second, a plan for other data or other options.
Status check_divisible(const Request& request);
Status check_plan(const Plan& plan, const Dataset& dataset, const Request& request);

Result<Plan> plan_search(const Dataset& dataset, const Request& request, std::size_t num_parts,
                         const Control& control = {});

// What goes in and out while a part works.
struct PartExchange {
  std::optional<Part> resume;  // an earlier state of this part
  double checkpoint_seconds = 60;
  std::function<void(const Part&)> checkpoint;
  // Called about every `share_seconds` with the best set so far, and in the end; returns what others have found, if it
  // is anything better.
  double share_seconds = 1;
  std::function<std::optional<PlanBest>(const PlanBest& best)> share;
};
Result<Part> search_part(const Dataset& dataset, const Request& request, const Plan& plan, std::size_t part,
                         const Control& control = {}, const PartExchange& exchange = {});

struct Merged {
  State state;                       // of the whole search
  std::size_t num_parts = 1;         // that had anything to do
  std::vector<std::size_t> missing;  // parts that are not done, increasing
  std::vector<std::string> left;     // what of them is not done, in the words of certificates
  // For `learn`, which then takes this state in place of a search; if parts are missing it searches the rest.
  Exchange exchange() const;
};
// Any number of parts, in any order. An Error where one is of another plan, is there twice or says more than its own.
Result<Merged> merge_parts(const Plan& plan, const std::vector<Part>& parts);

}  // namespace beadwork
