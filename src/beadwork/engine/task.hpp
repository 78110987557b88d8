#pragma once
#include <beadwork/engine.hpp>

namespace beadwork {

// What is required, as claims name it: a column of which one feature alone may be selected is that feature.
struct Requirements {
  std::vector<std::string> features, columns;
};

// A request made concrete for a dataset, once: names are features, costs are integers.
struct Task {
  const Dataset& dataset;
  const Request& request;
  const Exchange& exchange;
  std::vector<Feature> required;  // increasing
  std::vector<Feature> allowed;   // may be selected, increasing; over sorted columns those of the answers alone
  Prices cost;
  std::vector<std::vector<Feature>> one_of = {};  // of each, what may be selected of a required column, if that is
                                                  // several features none of which is required; disjoint
  Requirements asked = {};
  std::size_t num_allowed = allowed.size();

  std::size_t depth() const { return request.depth(); }
  bool restricted() const { return allowed.size() < dataset.num_features(); }
  std::vector<Feature> forbidden() const;
  bool may_answer(const std::vector<Feature>& set) const;  // so many features, allowed, with those required
  bool has_required(const std::vector<Feature>& increasing) const;
  std::vector<Feature> least_answer() const;  // the required features and the first of each column, increasing
};
// The Error names the option: no such feature, several of a name, costs that do not fit. Over features, whether their
// bits are made or not.
Result<Task> make_task(const Dataset& dataset, const Request& request, const Exchange& exchange,
                       const Control& control);

// A certificate names features that are required, and knows of no columns.
inline constexpr const char* kNoCertificate =
    "cannot be combined with a required column that has several features; require one of them, or forbid the others";

// The sets of a committee, by cost, then by number of features, then by list.
struct Voters {
  std::vector<SetAnswer> sets;
  CommitteeClaim claim;
};

// What an engine hands back: a table, whose cells are free where training error does not care and are filled by branch;
// a diagram of any shape; or both, and then the diagram is one way to fill the table.
struct EngineAnswer {
  SolveStatus status = SolveStatus::unknown;
  std::int64_t lower_bound = 0;
  std::optional<std::int64_t> upper_bound;
  bool exactly = false;  // the paper's reading was searched, whatever was asked
  bool canonical = true;
  std::size_t num_distinct = 0;       // where a claim counts nodes: allowed features, equal and opposite ones once
  std::optional<std::string> solver;  // the proof is the word of this command
  std::optional<TruthTable> table;
  // That table with the solver's own values; absent: the first class of each cell.
  std::optional<TruthTable> decided;
  bool root_is_bead = false;  // the paper's reading: keep `decided` where bias P would make the root no bead
  std::optional<Diagram> diagram;
  std::vector<SetAnswer> by_depth;
  std::optional<SetList> near;
  std::optional<SetList> front;
  std::optional<Voters> voters;
  std::string certificate;
  std::optional<DratProof> proof;
  bool out_of_memory = false;
  bool cut_short = false;  // of a heuristic
  std::size_t shards = 1;  // that the rows came in
};

// For engines that know nothing of restrictions: runs one on the allowed features alone and tells its answer in terms
// of the whole.
Result<EngineAnswer> learn_among_allowed(const Task& task, const Control& control,
                                         Result<EngineAnswer> (*learn)(const Task&, const Control&));

CartOptions cart_options(const Request& request);
SearchOptions search_options(const Task& task);
// Sets near the best that are asked for; nothing if none are. Errors are integers of this scale.
std::optional<NearOptions> near_options(const ForSearch& asked, std::int64_t scale);

// Time for a stage of its own within the whole: limit seconds from now, or the deadline if that is sooner.
Control within(const Control& control, const std::optional<double>& limit);

}  // namespace beadwork
