#pragma once
// engine: learn(dataset, options) -> Outcome, and the registry of those who can.
//
//   Options options;
//   options.depth = 3;
//   auto outcome = learn(dataset, options, control);
//   if (!outcome) complain(outcome.error());               // bad options, an engine that refuses this data
//   outcome->status                                        // optimal, feasible, infeasible, unknown
//   outcome->diagram                                       // the best found, whatever the status, if any was
//
// A limit is not an error: the Outcome then holds the best diagram so far and bounds that are true. `learn` does not
// believe its engines: whatever one returns is evaluated again on the rows, by code that shares nothing with it.
//
// Adding an engine is one .cpp in engine/ and one line in engine/registry.cpp. Options are in one table,
// engine/options.def, from which the struct, the checks, --help and the documentation follow. An option that an engine
// does not take is refused, never passed over.

#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>
#include <beadwork/formula.hpp>
#include <beadwork/heuristic.hpp>
#include <beadwork/search.hpp>
#include <beadwork/smallest.hpp>
#include <beadwork/truth.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

struct Options {
#define BEADWORK_OPTION(type, name, value, low, high, help) type name = value;
#include <beadwork/engine/options.def>
#undef BEADWORK_OPTION
  friend bool operator==(const Options&, const Options&) = default;
};

// A row of the table of options. The flag on the command line is --name with dashes.
struct OptionInfo {
  std::string_view name;
  std::string_view type;  // "int", "number", "flag", "text" or "list"
  std::string default_value;
  double low = 0;
  double high = 0;
  std::string_view help;
  std::string flag() const;
};
std::span<const OptionInfo> option_table();
// Sets one option from text, or adds to a list; the Error names the flag and what it takes.
Status set_option(Options& options, std::string_view name, std::string_view text);
Status check_options(const Options& options);

enum class SolveStatus { optimal, feasible, infeasible, unknown };
std::string_view to_string(SolveStatus status);
std::optional<SolveStatus> parse_status(std::string_view text);

// What options.from_depth asks for: the answer for one depth.
struct DepthAnswer {
  std::size_t depth = 0;
  SolveStatus status = SolveStatus::unknown;
  std::int64_t lower_bound = 0;
  std::int64_t errors = 0;
  std::vector<Feature> features;
  double seconds = 0;
};

// What cells that training does not decide answer (--bias). Training error is the same under all of them.
//   P     the class of most weight on the nearest branch above (fill_by_branch)
//   C     compatible subtrees are merged (merge_compatible)
//   S     the solver's own value: what MaxSAT's assignment says for bdd2 and bdd3; elsewhere the first class allowed
//   N     the class of most weight among the most similar cells (fill_by_neighbours); of all orders of the features the one
//         with fewest nodes, but under the paper's reading the engine's own
//   size  whatever makes the diagram smallest; the order of features is chosen too (smallest_diagram)
// A cell that training does not decide is an empty one or a tied one; under the paper's reading an empty one only.
enum class Bias { majority, merging, solver, neighbours, size };
std::optional<Bias> parse_bias(std::string_view text);

// Of several sets with the least errors engine search takes one with as few features as that error needs, and of these the
// one whose cells are purest (options.tie_break, co_optimal.hpp) or the first by list.

// With bias size: no order and no fill gives a diagram of fewer nodes than lower_bound. Optimal: this one has as many.
struct SizeProof {
  SolveStatus status = SolveStatus::unknown;
  std::size_t lower_bound = 1;
};

// Bounds and errors are integers in the dataset's units (divide by its weight_scale for the user's). With options.costs
// they are costs (divide by cost_scale too). With options.max_nodes the bounds are over diagrams of at most so many nodes,
// with options.node_penalty over those of at most as many as the answer has.
struct Outcome {
  SolveStatus status = SolveStatus::unknown;
  std::int64_t lower_bound = 0;
  std::optional<std::int64_t> upper_bound;  // training errors of the diagram
  std::vector<Feature> features;            // the selected ones, in order
  std::optional<TruthTable> table;          // with its free cells; absent for trees without an order
  std::optional<Diagram> diagram;           // filled; absent if nothing was found
  std::vector<DepthAnswer> by_depth;        // from options.from_depth on; ends early at a limit
  std::optional<NearOutcome> near;          // of options.top or options.within
  std::optional<SizeProof> size;            // with bias size
  std::optional<Front> front;               // of options.front
  std::int64_t cost_scale = 1;              // with options.costs
  double seconds = 0;
};

// What an engine hands back: a table, whose cells are free where training error does not care and are filled by branch; a
// diagram of any shape; or both, and then the diagram is one way to fill the table.
struct Found {
  SolveStatus status = SolveStatus::unknown;
  std::int64_t lower_bound = 0;
  std::optional<std::int64_t> upper_bound;
  std::optional<TruthTable> table;
  std::optional<TruthTable>
      decided;                // that table with the solver's own values; absent: the first class of each cell
  bool root_is_bead = false;  // the paper's reading: keep `decided` where bias P would make the root no bead
  std::optional<Diagram> diagram;
  std::vector<DepthAnswer> by_depth;
  std::optional<NearOutcome> near;
  std::optional<Front> front;
  std::string certificate;  // the text, if options.certificate asks for it
};

struct Engine {
  std::string_view name;
  std::string_view summary;
  bool exact;  // given time, it proves its answer optimal
  Result<Found> (*learn)(const Dataset&, const Options&, const Control&);
  // Names, blanks between, of the options it takes that not every engine takes.
  std::string_view options = {};
  // Exact among decision trees, which may test other features on every path, and not among diagrams on H features.
  bool of_trees = false;
};
std::span<const Engine> engines();
const Engine* find_engine(std::string_view name);
// Does the engine take this option? Those that no engine names are for all.
bool takes(const Engine& engine, std::string_view option);

Result<Outcome> learn(const Dataset& dataset, const Options& options, const Control& control = {});

// P_bdd(E, H) of the paper, by SAT: is there a diagram of exactly H features, its root a bead, without an error?
struct Decision {
  std::size_t depth = 0;
  SolveStatus status = SolveStatus::unknown;  // optimal: yes, here it is; infeasible: no; unknown: limit
  std::optional<TruthTable> table;
  FormulaSize size;
  double encode_seconds = 0;
  double solve_seconds = 0;
};
// Options read: encoding (bdd1 or bdd2), encode_limit, solve_limit, solver, proof, check_proof, keep_all_zero.
Result<Decision> decide(const Dataset& dataset, std::size_t depth, const Options& options,
                        const Control& control = {});

// The least H for which P_bdd(E, H) holds, by the paper's linear search from a start depth, down after a yes and up after a
// no, within floor..K. 0 for data of one class. The published depths come from a search with floor 2, it seems: see
// docs/paper-notes.md.
struct MinDepth {
  SolveStatus status = SolveStatus::unknown;  // infeasible: rows contradict each other
  std::optional<std::size_t> depth;           // the least, or the least found so far
  std::size_t lower_bound = 0;                // no smaller depth will do
  std::optional<TruthTable> table;
  std::vector<Decision> steps;  // in the order they were asked
};
Result<MinDepth> min_depth(const Dataset& dataset, std::size_t start, const Options& options,
                           const Control& control = {}, std::size_t floor = 1);

// The same by search, from depth 0 up, without any formula; `steps` stays empty. A diagram of the least depth depends on
// all its features, so its root is a bead and the paper's reading makes no difference. Options read: threads, seed,
// kernel, no_bound.
Result<MinDepth> min_depth_by_search(const Dataset& dataset, const Options& options,
                                     const Control& control = {});

// Weight of the rows that a diagram gets wrong.
std::int64_t training_errors(const Dataset& dataset, const Diagram& diagram);

}  // namespace beadwork
