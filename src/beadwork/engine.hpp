#pragma once
// engine: learn(dataset, request) -> Outcome, and the registry of engines.
//
//   Request request;
//   request.run.depth = {3};                               // or set_option(request, "depth", "3")
//   auto outcome = learn(dataset, request, control);
//   if (!outcome) complain(outcome.error());               // bad options, an engine that refuses this data
//   outcome->claim.status                                  // optimal, feasible, infeasible, unknown
//   to_words(outcome->claim)                               // what is proven, in one sentence
//   outcome->diagram                                       // the best found, whatever the status, if any was
//
// A limit is not an error: the Outcome then holds the best diagram so far and valid bounds. `learn` does not trust its
// engines: every answer is evaluated again on the rows, by code that shares nothing with the engine. It reads
// and writes no files: certificate, proof and states come back as values, or go to the sink that the caller gives.
//
// A dataset may hold sorted columns in place of features (ranked_dataset): all thresholds. Where there are many of them
// and the options allow it, engines search and local then go by ranks, and no matrix of thresholds x rows is made.
//
// One fit may be divided among many machines: engine/plan.hpp has plan_search, search_part and merge_parts.
//
// Text becomes a Request by set_option and check_request alone, for the command line, Python and studies alike. Adding
// an option is one line in engine/options.def; adding an engine is one .cpp in engine/ and one line in
// engine/registry.cpp. An option that an engine does not have is refused, never ignored.

#include <beadwork/claim.hpp>
#include <beadwork/dataset.hpp>
#include <beadwork/diagram.hpp>
#include <beadwork/engine/request.hpp>
#include <beadwork/ordered.hpp>
#include <beadwork/shards.hpp>
#include <beadwork/truth.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace beadwork {

enum class OptionType { whole, number, flag, text, list };
// A row of the table of options.
// What an option is to a run: the column `uses` of options.def.
enum class Use : unsigned {
  nowhere = 0,
  ranks = 1,        // it is taken over sorted columns,
  shards = 2,       // over rows that come in parts, one of them in memory at a time,
  parts = 4,        // where the search is divided,
  passes = 8,       // where rows are merged as they are read,
  folds = 16,       // and in the fits of cross-validation
  everywhere = 31,  // any of these
  own = 32,         // each part of a divided search may have its own
  decides = 64,     // the answer hangs on it, and a model keeps it among its options
  lasting = 128,    // who asks for it wants all of the proof: there is no time limit by default
  limit = 256,      // it only stops the work
};
constexpr Use operator|(Use a, Use b) {
  return static_cast<Use>(static_cast<unsigned>(a) | static_cast<unsigned>(b));
}
constexpr bool has(Use uses, Use one) {
  return (static_cast<unsigned>(uses) & static_cast<unsigned>(one)) != 0;
}

struct OptionInfo {
  std::string_view name;
  OptionType type = OptionType::text;
  std::string default_value;  // "none" for what is not asked for
  double low = 0;
  double high = 0;
  std::string_view help;
  std::string_view group;    // of Request, or the one engine that takes it
  std::string_view section;  // of --help
  std::string_view word;     // for its value
  bool expert = false;       // only in --help-all
  Use uses = Use::nowhere;
  bool is_file = false;  // that a run writes, or goes on from
};
std::span<const OptionInfo> option_table();
std::string flag_of(std::string_view option);  // max_nodes: --max-nodes
// The depth where nobody says one: 4, or with max_nodes as many features as so many nodes can test, up to 20.
std::size_t depth_by_default(const Request& request);
// Sets one option from text, or adds to a list; the Error names the option and what it takes. A depth that nobody has
// asked for follows the options that it depends on, in any order.
Status set_option(Request& request, std::string_view name, std::string_view text);
// An option of an earlier version, which models, plans and studies may still name: set_option refuses it as such.
bool is_gone(std::string_view option);
// Refuses options that the engine does not have and options that cannot be combined.
Status check_request(const Request& request);
// The first option asked for that this way of learning does not take: ranks, shards, parts or passes. `engine` where it
// does not take the engine, `depth` where it does not take a range of them. Empty: there is none.
std::string not_taken(const Request& request, Use way);
// Is some option asked for that has this use?
bool asks_for(const Request& request, Use use);
// Options that differ from their defaults, with their texts; all of them, or without those that have a use.
std::vector<std::pair<std::string, std::string>> options_given(const Request& request, Use but = Use::nowhere);
// The same for a model file, as data, without those that change nothing about the answer (threads, lists and files
// beside it), without costs, engine and seed, which have places of their own.
using OptionValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>>;
std::vector<std::pair<std::string, OptionValue>> options_deciding(const Request& request, Use but = Use::nowhere);
// The request with the names that its features_from file holds as candidates.
Result<Request> read_named_features(Request request);
// The limits of time and memory that a request asks for, from now on.
Control limits_of(const Request& request, Control control);
// The features that forbidden and candidate names leave out, increasing; the Error names the option.
Result<std::vector<Feature>> left_out_by(const Dataset& dataset, const Request& request);
// The request without bans on columns that a table left out by itself; one that has no test may always be forbidden.
// An Error where such a column is required.
Result<Request> without_bans_on(Request request, const std::vector<std::string>& left_out, const Table& table);
Result<Request> without_bans_on(Request request, const std::vector<std::string>& left_out, const Binarizer& binarizer);
// The request for the answer alone, without what a fit lists, writes or chooses beside it, and without a time limit.
Request answer_alone(Request request);
std::string_view to_string(Bias bias);
// Should a table be learnt from by its sorted columns? With all thresholds and such a request, unless nominal columns
// prevail. `learn` has the last word, once it knows the thresholds.
bool sorts_columns(const Table& table, const ThresholdRule& rule, const Request& request);

// A set of features, what it costs, and what is proven of that.
struct SetAnswer {
  std::vector<Feature> features;
  std::int64_t cost = 0;  // errors, or costs, in the claim's units
  std::int64_t lower_bound = 0;
  SolveStatus status = SolveStatus::unknown;
  std::size_t depth = 0;            // of a range of depths: the one it is the answer for
  std::size_t nodes = 0;            // of a front: nodes of the diagram, answers included
  std::uint64_t copies = 1;         // of near sets: choices among equal features
  std::optional<TruthTable> table;  // of a front: decided
  double seconds = 0;
};
struct SetList {
  std::vector<SetAnswer> sets;
  bool complete = false;         // there are no others
  std::uint64_t num_sets = 0;    // including those that were not kept
  std::uint64_t num_copies = 0;  // with equal features counted separately
  std::size_t num_distinct = 0;  // of a front: features that may be selected, equal and opposite ones counted once
  // Of near sets: what is left of `sets` without idle features, each once; absent where there was no time for it.
  std::optional<std::vector<SetAnswer>> busy = {};
};

// Diagrams that vote (claim.hpp says which), the answer itself first, then by cost. Each is made of its features as the
// answer is.
struct CommitteeAnswer {
  struct Member {
    std::vector<Feature> features;  // in order
    Diagram diagram;
    std::int64_t cost = 0;
  };
  CommitteeClaim claim;
  std::vector<Member> members;
};

// Diagrams that one may choose in place of the answer, each with what is proven of it: those of sets near the best, by
// cost, as a committee would have them; then the points of the front.
struct Alternatives {
  struct One {
    bool of_front = false;
    std::vector<Feature> features;  // in order
    Diagram diagram;
    Claim claim;
  };
  std::vector<One> list;
  std::optional<CommitteeClaim> near;  // what is proven of the near ones as a list; members: with the answer
};

// How option size, or a depth that is to be chosen, was settled: the accuracy on held-out rows (with costs: minus the
// mean cost) of the best diagrams of at most that many features and nodes, over the folds.
struct SizeChoice {
  struct Point {
    std::size_t depth = 0;
    std::size_t nodes = 0;  // 0: any number
    double mean = 0;
    double standard_error = 0;
  };
  std::vector<Point> curve;  // by nodes, then features; no two with the same diagrams in every fold
  std::size_t chosen = 0;
  std::size_t folds = 0;
  bool complete = true;  // false: a limit cut fronts short
};

// What a column of the diagram is worth, in the claim's units: the least errors without it, less the least with it, lie
// between these. `turns` is the weight of the rows that get another answer if this column alone has another value.
struct ColumnWorth {
  std::size_t input = 0;  // of the binarizer
  std::string name;
  std::int64_t turns = 0;
  struct Price {
    std::int64_t least = 0;
    std::int64_t most = 0;
    bool required = false;  // a feature of it is: there is nothing without it
  };
  std::optional<Price> price;  // with option prices
};

// With bias size: no order and no fill gives a diagram of fewer nodes than lower_bound. Optimal: this one has as many.
struct SizeProof {
  SolveStatus status = SolveStatus::unknown;
  std::size_t lower_bound = 1;
};

// A refutation of "some diagram has fewer errors", and the formula it refutes.
struct DratProof {
  std::string formula;  // DIMACS
  std::string lines;    // DRAT
};

struct Outcome {
  Claim claim;
  std::vector<Feature> features;    // the selected ones, in order
  std::optional<TruthTable> table;  // with its free cells; absent for trees without an order
  std::optional<Diagram> diagram;   // filled; absent if nothing was found
  std::vector<SetAnswer> by_depth;  // of a range of depths; ends early at a limit
  std::optional<SetList> near;      // of top or within
  std::optional<SetList> front;
  std::optional<CommitteeAnswer> committee;
  std::optional<SizeProof> size;     // with bias size
  std::optional<SizeChoice> choice;  // with option size, or of a depth
  std::vector<ColumnWorth> columns;  // that the diagram uses, where the caller has weighed them (evidence.hpp)
  std::string certificate;           // if it was asked for
  std::optional<DratProof> proof;
  double seconds = 0;
  bool out_of_memory = false;     // a search ended early for that reason, be it the user's limit or the machine's
  bool without_features = false;  // a limit came before there were any: the answer is the constant
  bool cut_short = false;         // of a heuristic: a limit ended it before it was done

  SolveStatus status() const { return claim.status; }
};

// Where a search stands, over features or over sorted columns.
using State = std::variant<SearchState, OrderedState>;

// What goes in and out while an engine works.
struct Exchange {
  std::optional<State> resume;  // what request's file holds; the Error of a state of another search names it
  std::function<void(const State&)> checkpoint;
  // More than 0: the state is of so many parts of a plan (engine/plan.hpp), and no file of the request's.
  std::size_t parts = 0;
};

struct Task;          // engine/task.hpp: a request made concrete for a dataset
struct EngineAnswer;  // what an engine hands back

struct Engine {
  std::string_view name;
  std::string_view summary;
  Prover::Kind prover;  // whose proof it is, given time; nobody: a heuristic
  Result<EngineAnswer> (*learn)(const Task&, const Control&);
  // The groups of options it takes besides its own and `run`: names separated by blanks.
  std::string_view groups = {};
  Use ways = Use::folds;  // of learning that it has
  // Trees may test other features on every path; a claim is about these, not about diagrams on H features.
  Scope::Family family = Scope::Family::diagrams;

  bool exact() const { return prover != Prover::Kind::nobody; }
};
std::span<const Engine> engines();  // the default first
const Engine* find_engine(std::string_view name);
const Engine& engine_of(const Request& request);
bool takes(const Engine& engine, std::string_view option);

Result<Outcome> learn(const Dataset& dataset, const Request& request, const Control& control = {},
                      const Exchange& exchange = {});
// Where a limit comes before the features are made (Dataset::lacks_features), learn answers the constant that costs
// least, and proves nothing. Not where the request asks for what no constant is or has: required features, the paper's
// reading, a certificate, a proof, a state to go on from.
bool constant_will_do(const Request& request);
// The same from rows that come in parts, of which one at a time is in memory (shards.hpp). `frame` is a dataset with
// the features and classes of the parts, and no rows. Engine search, at one depth, without lists, node limits,
// certificates and checkpoints; what is not possible is an Error that names the option.
struct ShardsLearnt {
  Outcome outcome;
  // What the outcome speaks of: all features by name, and the rows added up that agree on its own; of these alone the
  // values are there.
  Dataset dataset;
  std::string rows_sha256;  // of all rows as one table; if it was asked for
  ShardStats stats;
};
Result<ShardsLearnt> learn_from_shards(const Shards& shards, const Dataset& frame, const Request& request, bool hash,
                                       const Control& control = {});
// Refuses what cannot be had from shards; part of learn_from_shards.
Status check_for_shards(const Request& request);

// At most `most` alternatives near the best, and as many of the front; a limit leaves fewer of them, and says so.
Result<Alternatives> alternatives_to(const Dataset& dataset, const Request& request, const Outcome& outcome,
                                     std::size_t most, const Control& control = {});
// The claim of a point of the outcome's front.
Claim claim_of_point(const Outcome& outcome, const SetAnswer& point);

// For callers who keep to the files that a request names: the state to resume from and a sink for checkpoints, which
// are written whole or not at all, with a warning where that fails; and the certificate and proof, as paths with their
// texts. The name - asks for a value without a file.
Result<Exchange> open_exchange(const Request& request, const Control& control);
// Refuses a name whose file, or that file with ".old", is there and is no search state. open_exchange asks as well.
Status check_checkpoint(const std::string& path);
std::vector<std::pair<std::string, std::string>> files_of(const Request& request, const Outcome& outcome);

// P_bdd(E, H) of the paper, by SAT: is there a diagram on exactly H features whose root is a bead and that makes no
// errors?
struct Decision {
  std::size_t depth = 0;
  SolveStatus status = SolveStatus::unknown;  // optimal: yes, here it is; infeasible: no; unknown: limit
  std::optional<TruthTable> table;
  std::optional<DratProof> proof;  // that there is none, if it was asked for
  std::string solver;              // whose word it is that there is none; empty: our own solver's
  FormulaSize size;
  double encode_seconds = 0;
  double solve_seconds = 0;
};
// Read of the request: encoding (bdd1 or bdd2), encode_limit, solve_limit, solver, proof, check_proof, keep_all_zero.
Result<Decision> decide(const Dataset& dataset, std::size_t depth, const Request& request, const Control& control = {});

// The least H for which P_bdd(E, H) holds, by the paper's linear search from a start depth, down after a yes and up
// after a no, within floor..K. 0 for data of one class. The published depths come from a search with floor 2, it seems:
// see docs/paper-notes.md.
struct MinDepth {
  SolveStatus status = SolveStatus::unknown;  // infeasible: rows contradict each other
  std::optional<std::size_t> depth;           // the least, or the least found so far
  std::size_t lower_bound = 0;                // no smaller depth will do
  // Above 1: of depths below this one nothing was asked and nothing is known; `depth` is the least from there on.
  std::size_t floor = 1;
  std::string solver;  // whose word the lower bound is; empty: our own solver's
  std::optional<TruthTable> table;
  std::vector<Decision> steps;  // in the order they were asked
};
Result<MinDepth> min_depth(const Dataset& dataset, std::size_t start, const Request& request,
                           const Control& control = {}, std::size_t floor = 1);

// The same by search, from depth 0 up, without any formula; `steps` stays empty. A diagram of the least depth depends
// on all its features, so its root is a bead and the paper's reading makes no difference. Read of the request: threads,
// seed, kernel.
Result<MinDepth> min_depth_by_search(const Dataset& dataset, const Request& request, const Control& control = {});

// What a diagram costs the rows, in the units of the request's claims.
Result<std::int64_t> training_cost(const Dataset& dataset, const Diagram& diagram, const Request& request);
// Weight of the rows that a diagram gets wrong; nothing where control says stop before the last of many rows.
std::int64_t training_errors(const Dataset& dataset, const Diagram& diagram);
std::optional<std::int64_t> training_errors(const Dataset& dataset, const Diagram& diagram, const Control& control);

}  // namespace beadwork

#include <beadwork/engine/plan.hpp>
