#pragma once
// What is asked of an engine, typed. Text becomes a Request in options.cpp alone.
#include <beadwork/encoding.hpp>
#include <beadwork/formula.hpp>
#include <beadwork/heuristic.hpp>
#include <beadwork/search.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace beadwork {

struct Engine;
struct EngineRef {  // none: the default, search
  const Engine* chosen = nullptr;
  friend bool operator==(const EngineRef&, const EngineRef&) = default;
};

// --depth 4, or 2..5: the answers for every depth from 2 to 5; or cv:2..5: the one that cross-validation chooses.
struct DepthRange {
  std::size_t most = 4;
  std::optional<std::size_t> from;
  bool chosen = false;
  bool asked = false;  // somebody wrote it; else set_option lets it follow the other options (depth_by_default)
  friend bool operator==(const DepthRange& a, const DepthRange& b) {
    return a.most == b.most && a.from == b.from && a.chosen == b.chosen;
  }
};

// What cells that training does not decide answer. Training error is the same under all of them. Such a cell is an
// empty one or a tied one; under the paper's reading an empty one only.
enum class Bias {
  majority,    // P: the class of most weight on the nearest branch above (fill_by_branch)
  merging,     // C: compatible subtrees are merged (merge_compatible)
  solver,      // S: what MaxSAT's assignment says for bdd2 and bdd3; elsewhere the first class allowed
  neighbours,  // N: the class of most weight among the most similar cells (fill_by_neighbours); of all orders the one
               //    with fewest nodes, but under the paper's reading the engine's own
  size,        // whatever makes the diagram smallest; the order of features is chosen too (smallest_diagram)
};

// How depth and nodes are chosen: as asked, or by cross-validation on the training rows: what answers held-out rows
// best, or the smallest within one standard error of that.
enum class SizeRule { as_asked, best, one_error };
// Features that a size is best chosen among, where nobody says how many (docs/results.md).
inline constexpr std::size_t kFeaturesOfSizes = 16;

// The encodings, or: pair where pairs of rows are few, else bdd3 (under the paper's reading bdd2).
enum class EncodingChoice { automatic, bdd1, bdd2, bdd3, pair };

// Only the features of CART's tree may be selected, or only those that a file names, one a line.
struct FeatureSource {
  bool cart = false;
  std::string file;  // the caller reads it: see read_named_features
  friend bool operator==(const FeatureSource&, const FeatureSource&) = default;
};

// A file that the caller writes or reads: `learn` itself touches none. Not asked for if it has no name.
struct OutFile {
  std::string path;
  explicit operator bool() const { return !path.empty(); }
  friend bool operator==(const OutFile&, const OutFile&) = default;
};
struct InFile {
  std::string path;
  explicit operator bool() const { return !path.empty(); }
  friend bool operator==(const InFile&, const InFile&) = default;
};

// How far from the optimum: so many errors (or costs), or so many per cent of the training weight.
struct Margin {
  double amount = 1;
  bool percent = true;
  friend bool operator==(const Margin&, const Margin&) = default;
};

// The groups of options. Each line of options.def is a field here.
#define BEADWORK_GROUP(Group, name) struct Group {
#define BEADWORK_ONLY_GROUP(Group, engine) struct Group {
#define BEADWORK_OPTION(type, name, value, low, high, section, rank, word, uses, help) type name = value;
#define BEADWORK_END(Group)                                     \
  friend bool operator==(const Group&, const Group&) = default; \
  }                                                             \
  ;
#include <beadwork/engine/options.def>
#undef BEADWORK_GROUP
#undef BEADWORK_ONLY_GROUP
#undef BEADWORK_OPTION
#undef BEADWORK_END

// The groups that several engines take, and in `only` what a single engine takes.
struct Request {
#define BEADWORK_GROUP(Group, name) Group name;
#define BEADWORK_ONLY_GROUP(Group, engine)
#define BEADWORK_OPTION(type, name, value, low, high, section, rank, word, uses, help)
#define BEADWORK_END(Group)
#include <beadwork/engine/options.def>
#undef BEADWORK_GROUP
#undef BEADWORK_ONLY_GROUP
#undef BEADWORK_OPTION
#undef BEADWORK_END
  std::variant<std::monostate, ForSearch, ForMaxsat, ForOodg> only;
  // Columns that are left out beside those that `forbid` names, by number (Dataset::input_of). No option sets it.
  std::vector<std::size_t> without_inputs;
  // By which cross-validation chooses a depth or a size; none: five, stratified, by the seed. No option sets them.
  std::vector<Split> folds;
  // Of the depths up to the one asked for the least at which a search finds no avoidable error, or the last that it
  // tried. No option sets it.
  bool least_depth = false;

  std::size_t depth() const {
    return run.depth.most;
  }
  // In bytes; 0: none, as where no machine has so much.
  std::size_t memory_limit() const {
    constexpr std::int64_t kMost = std::int64_t{1} << 43;  // MiB
    const std::int64_t limit = run.memory_limit.value_or(0);
    return limit > 0 && limit < kMost ? static_cast<std::size_t>(limit) << 20 : 0;
  }
  std::uint64_t seed() const {
    return static_cast<std::uint64_t>(run.seed);
  }
  // What a single engine takes, its defaults where nothing was asked.
  template <class Group>
  const Group& only_of() const {
    static const Group defaults;
    const Group* given = std::get_if<Group>(&only);
    return given != nullptr ? *given : defaults;
  }
  template <class Group>
  Group& ask() {
    if (!std::holds_alternative<Group>(only)) only = Group{};
    return std::get<Group>(only);
  }
  friend bool operator==(const Request&, const Request&) = default;
};

}  // namespace beadwork
