#pragma once
// claim: what is proven of an answer, as a value.
//
//   const Claim& claim = outcome->claim;        // made by `learn`, where it is proven; stored in the model file
//   to_words(claim)                             // optimal: no diagram on at most 4 of these 11 features makes fewer
//   errors to_words(claim, Standing::claimed)          // claimed optimal: ... claim_json(claim), claim_from_json(text)
//   // as the model file and --json hold it
//
// A claim says what was minimised, over exactly which scope, with which bounds, and who proved it. The command line,
// the page, Python and JSON all show these words; no other code calls an answer optimal. docs/claims.md explains the
// parts to users. A new kind of claim is a field here, its key in claim/json.cpp and its words in claim/words.cpp.

#include <beadwork/base.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

// What is minimised: errors, or costs if each kind of error has a price of its own; plus a price for each node.
struct Objective {
  bool costs = false;
  double node_penalty = 0;  // in the user's units; 0: nodes are free
  bool mixed_labels =
      false;  // of older models alone: a row counted for several classes, for each with a share of its weight
  friend bool operator==(const Objective&, const Objective&) = default;
};

// Among what.
struct Scope {
  enum class Family { diagrams, trees };
  // Which features may be selected: all, those named as candidates, or those of CART's tree.
  enum class Choice { all, candidates, cart };

  Family family = Family::diagrams;
  std::size_t depth = 0;                 // most features of a diagram, most tests on a path of a tree
  bool exactly = false;                  // the paper's reading: exactly `depth` features, and the root is a bead
  std::optional<std::size_t> max_nodes;  // of an ordered diagram, answers included
  std::size_t num_features = 0;          // of the table
  std::size_t num_allowed = 0;           // of these, those that may be selected
  std::size_t num_zero = 0;              // all-zero columns that the paper's reading leaves out of these
  std::size_t num_distinct = 0;          // of these, equal and opposite ones counted once; 0: does not matter
  Choice choice = Choice::all;
  std::vector<std::string> required;          // features that every set has
  std::vector<std::string> required_columns;  // of each of these every set has a feature
  std::string thresholds;                     // the rule that cut numeric columns; empty: there are none
  friend bool operator==(const Scope&, const Scope&) = default;
};

// Whose proof it is. `nobody` is a heuristic, `hand` an answer that a person changed; all others prove, given time.
struct Prover {
  enum class Kind { nobody, search, enumeration, maxsat, solver, hand };
  Kind kind = Kind::nobody;
  std::string solver = {};  // of kind solver: its command
  bool resumed = false;     // part of the work is on the word of a checkpoint
  std::size_t parts = 1;    // ranges of one search that were run apart: told by the run, not by its model
  std::size_t shards = 1;   // tables that were searched apart
  bool exact() const { return kind != Kind::nobody && kind != Kind::hand; }
  friend bool operator==(const Prover&, const Prover&) = default;
};

// Bounds are integers; divide by `scale` for the user's units. With a node penalty they are of the errors (or costs) of
// diagrams with at most as many nodes as the answer has.
struct Claim {
  Objective objective;
  Scope scope;
  SolveStatus status = SolveStatus::unknown;
  std::int64_t lower_bound = 0;
  std::optional<std::int64_t> upper_bound;  // what the answer itself costs; absent: there is none
  std::int64_t scale = 1;
  std::int64_t rounding = 0;  // with the weights as given, bounds move by at most this, in the same units
  Prover prover;
  bool certifiable = false;  // can beadcheck check a claim of this kind?
  bool canonical = true;     // false: of several optimal answers it need not be the first; another run may give another
  // The answer is not the best, but one chosen near it: the lower bound is the proven optimum of the scope.
  bool near_optimum = false;
  // The search was not stopped: tests that few rows take were taken out of its answer.
  bool light_left_out = false;
  friend bool operator==(const Claim&, const Claim&) = default;
};

inline bool is_proven(const Claim& claim) {
  return claim.status == SolveStatus::optimal;
}
double in_units(const Claim& claim, std::int64_t value);
std::string_view measure(const Claim& claim);  // "errors" or "cost"

// Says `value` of a claim that is read, in the user's units: "1 error", "cost 3.5".
std::string amount_words(const Claim& claim, std::int64_t value);

// Where the proof stands: this run made it, a file says so, or the independent checker has accepted or rejected it.
enum class Standing { proven, claimed, verified, rejected };
std::string_view to_string(Standing standing);

// One sentence without a full stop. The only place that says "optimal".
std::string to_words(const Claim& claim, Standing standing = Standing::proven);
// In a word or two, for headlines: "optimal", "not proven optimal", "claimed optimal", "verified optimal".
std::string headline(const Claim& claim, Standing standing = Standing::proven);

// Which diagrams vote in a committee: one for each set of features in the scope of the optimum's claim that costs at
// most `within` more than the optimum, and of whose features none is idle (without it the set would cost more).
// Features that are equal or opposite on the training rows count once.
struct CommitteeClaim {
  enum class Extent {
    complete,  // all of these sets
    first,     // some of them: no other one costs less than any of these
    stopped,   // a limit came before all of them were known
  };
  std::int64_t within = 0;  // in the units of the optimum's claim
  Extent extent = Extent::stopped;
  std::size_t members = 1;     // that vote
  std::uint64_t num_sets = 0;  // that would, if all did; 0: not known
  friend bool operator==(const CommitteeClaim&, const CommitteeClaim&) = default;
};
// One sentence without a full stop, without what is said of the optimum.
std::string to_words(const CommitteeClaim& committee, const Claim& optimum);
// The same of a list of them: "all 92 diagrams that make at most 5 errors more than the optimum, ...".
std::string list_words(const CommitteeClaim& list, const Claim& optimum);
std::string_view to_string(CommitteeClaim::Extent extent);
std::optional<CommitteeClaim::Extent> parse_extent(std::string_view text);

// JSON texts; docs/formats.md. The Error of the second is one line without a place.
std::string claim_json(const Claim& claim);
Result<Claim> claim_from_json(std::string_view text);
// Refuses what no run could have made.
Status check_claim(const Claim& claim);

}  // namespace beadwork
