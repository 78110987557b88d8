#pragma once
// The loops that touch rows, for two-way costs (see problem.hpp). One table of functions for each instruction
// set and lane width; all give the same numbers, so the rest of the search does not know which one it runs
// on.
//
// Layout: rows are packed 8 * sizeof(Lane) to a word, one word a feature, features side by side, so that one
// register holds one word of several features and every count stays in its lane. A block holds the rows of
// one kind (those that cost something when class 0, or class 1, is predicted) in weight groups, heaviest
// first: a row of group g weighs 2^(step * (groups - 1 - g)). Counting is Horner's rule over the groups; unit
// weights have one group. Totals must fit a signed lane; lanes past the last feature are zero; word arrays
// are aligned to 64 bytes.
//
// In weight arrays (W) a lane of -1 is a dead feature.

#include <cstddef>
#include <cstdint>

namespace beadwork::kernel {

struct Layout {
  std::size_t stride = 0;  // lanes of one row of words: chunks times lanes of a register
  std::uint32_t chunks = 0;
  std::uint32_t groups = 1;
  std::uint32_t step = 0;
};

template <class Lane>
struct Cell {
  std::int64_t weight[2] = {0, 0};                    // of each kind; both positive, or the cell is not kept
  const Lane* bits[2] = {nullptr, nullptr};           // words x stride
  const std::uint32_t* rows[2] = {nullptr, nullptr};  // rows of each weight group
};

// Where the counts of a node live: (cell * 2 + kind) * stride + feature.
template <class Lane>
struct Counts {
  Layout layout;
  const Cell<Lane>* cells = nullptr;
  std::uint32_t num_cells = 0;
  Lane* ones = nullptr;  // weight where the feature is 1
  Lane* with = nullptr;  // weight where it and the branching feature t are 1; of the chunks last counted
};

inline constexpr std::uint32_t kMaxPairCells = 512;

// Memory that the pairs of one node are worked out in.
template <class Lane>
struct PairRoom {
  Lane* diff = nullptr;               // kind 0 minus kind 1 of pairs: (cell * num_features + f) * stride + g, where
  std::uint8_t* diff_done = nullptr;  // [f * chunks + chunk] is set
  Lane* const* sub = nullptr;         // for the rows with t = 1, for each cell and kind
  std::uint32_t* const* sub_rows = nullptr;
  Lane* e = nullptr;  // each: (2 * num_cells + 1) * stride, the last row for the sum
  Lane* m = nullptr;
  Lane* w = nullptr;
  std::uint32_t* list = nullptr;  // `chunks` entries
};

// Where pairs go.
struct PairTaker {
  void* context = nullptr;
  std::int64_t (*offer)(void* context, std::uint32_t f, std::uint32_t g, std::int64_t error) = nullptr;
  bool (*stopping)(void* context) = nullptr;
};

// How often the per-cell bound paid, over all jobs of a thread.
struct PairStats {
  std::uint32_t good = 0, tried = 0;
};

// The last three features at once, in at most kMaxPairCells cells: T + t is fixed, all pairs f, g of living
// features are judged.
template <class Lane>
struct PairJob {
  const Counts<Lane>* counts = nullptr;
  std::uint32_t t = 0;
  std::uint32_t num_features = 0;
  const Lane* weights = nullptr;  // linear caps W of T + t with two to choose
  std::int64_t error = 0;         // of T + t
  std::int64_t total = 0;         // weight of all cells, before t
  std::int64_t limit = 0;         // sets with an error below it are offered
  bool gain_cap = true, cell_bound = true;
  PairRoom<Lane> room;
  PairTaker taker;
  PairStats* stats = nullptr;
  std::uint64_t evaluated = 0;  // sets counted exactly
};

template <class Lane>
struct Table {
  std::uint32_t lanes;  // of one register
  void (*ones)(const Counts<Lane>&);
  // Linear caps W with r to choose, from `ones`.
  void (*weigh)(const Counts<Lane>&, std::uint32_t r, Lane* weights);
  // Counts `with` for t on the chunks listed; linear caps W of the cells after t, with r to choose. Dead lanes
  // stay dead. False, with the work left unfinished, once the error is seen to be at least the target whatever is
  // chosen.
  bool (*extend)(const Counts<Lane>&, std::uint32_t t, const std::uint32_t* chunks, std::uint32_t num_chunks,
                 std::uint32_t r, std::int64_t target, Lane* weights);
  // Error after each feature, from `ones`; after t and each feature, from `with`.
  void (*errors)(const Counts<Lane>&, Lane* out);
  void (*errors_with)(const Counts<Lane>&, std::uint32_t t, const std::uint32_t* chunks, std::uint32_t num_chunks,
                      Lane* out);
  // Kills f while slack - W(f) - (sum of the r - 1 largest others) >= 0, to a fixpoint; returns how many
  // live, 0 if fewer than r. Only chunks listed are looked at.
  std::uint32_t (*eliminate)(Lane* weights, const std::uint32_t* chunks, std::uint32_t num_chunks, std::uint32_t r,
                             std::int64_t slack);
  // to = from where from > above, else -1; lists the chunks with a living lane; returns how many lanes live.
  std::uint32_t (*above)(const Lane* from, Lane* to, std::uint32_t num_chunks, std::int64_t above,
                         std::uint32_t* chunks, std::uint32_t* num_listed);
  // The sum of the q largest living weights (as many as there are).
  std::int64_t (*top)(const Lane* weights, std::uint32_t num_chunks, std::uint32_t q);
  // Sorts the rows of a cell into those with t = 1 and t = 0, keeping the features of `source` in that order;
  // a null cell is not wanted. The cells come with room for words and with their row counts; `plan` with
  // plan_bytes(n).
  void (*split)(const Layout& from, const Cell<Lane>& cell, std::uint32_t t, const Layout& to,
                const std::uint32_t* source, std::uint32_t num_source, void* plan, const Cell<Lane>* one,
                const Cell<Lane>* zero);
  void (*plan)(const Layout& from, const std::uint32_t* source, std::uint32_t num_source, void* plan);
  std::size_t (*plan_bytes)(std::uint32_t num_source);
  void (*pairs)(PairJob<Lane>&);
  // For a layout of at most 64 features and one group: the features of each row as bits; and the rows left in
  // a block, in place, by a mask a word.
  void (*row_keys)(const Layout&, const Lane* bits, std::uint32_t rows, std::uint64_t* keys);
  void (*keep_rows)(const Layout&, Lane* bits, std::uint32_t rows, const std::uint32_t* masks);
};

// The tables of one instruction set; null where this build has none. A kernel file is compiled with flags of
// its own. So it defines its Tables, as constant data, and nothing else that the linker sees: no initializer,
// no inline function that the rest of the program could end up with. tests/cpu checks that.
struct Tables {
  const Table<std::int16_t>* narrow = nullptr;
  const Table<std::int32_t>* wide = nullptr;
};
extern const Tables portable, avx2, avx512;

}  // namespace beadwork::kernel
