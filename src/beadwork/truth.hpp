#pragma once
// truth: an order of features and the 2^H cells of their values, each with the classes it may take.
//
//   auto t = TruthTable::parse("u0u1011u", {f1, f2, f3});         // a Result; the paper's example; u = any class
//   TruthTable t = TruthTable::from_counts(order, 2, counts);     // majority of each cell; ties and empty cells free
//   TruthTable full = fill_by_branch(t, counts);                  // bias P: free cells follow their branch
//   for (const Subtable& b : beads(full)) ...                     // one a node of the reduced diagram
//
// Cell numbers read the features in order, the first as the most significant bit, as in the paper: of order [x1, x2]
// cell 1 is x1 = 0, x2 = 1. A cell is decided if it allows one class, free otherwise; unknown if it allows all of
// several. With several classes, compatibility is not pairwise: {0,1}, {1,2}, {0,2} agree in pairs and not together.

#include <beadwork/base.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

inline constexpr std::size_t kMaxDepth = 20;  // a table of depth H has 2^H cells

// What speaks for a class in a cell. A list of them, by cell and then by class, is what counts of all cells and classes
// say, without its zeros: a deep table has many more cells than rows.
struct Merit {
  std::uint32_t cell = 0;
  std::uint32_t label = 0;
  std::int64_t amount = 0;
  friend bool operator==(const Merit&, const Merit&) = default;
};
// counts: cell * num_classes + class.
std::vector<Merit> merits_of(std::span<const std::int64_t> counts, std::size_t num_classes);

class TruthTable {
 public:
  TruthTable() : TruthTable({}, 1) {}
  // All cells unknown. Features must be distinct and at most kMaxDepth; at least one class.
  TruthTable(std::vector<Feature> order, std::size_t num_classes);
  // Two classes: characters 0, 1 and u; more: digits up to `num_classes` - 1 and u.
  static Result<TruthTable> parse(std::string_view cells, std::vector<Feature> order, std::size_t num_classes = 2);
  // Each cell allows the classes of largest count; all where the cell is empty. counts: cell * num_classes + class.
  static TruthTable from_counts(std::vector<Feature> order, std::size_t num_classes,
                                std::span<const std::int64_t> counts);
  // The same from a list.
  static TruthTable from_merits(std::vector<Feature> order, std::size_t num_classes, std::span<const Merit> merits);

  const std::vector<Feature>& order() const { return order_; }
  std::size_t depth() const { return order_.size(); }
  std::size_t num_cells() const { return std::size_t{1} << order_.size(); }
  std::size_t num_classes() const { return num_classes_; }

  bool allows(std::size_t cell, Class k) const;
  std::size_t num_allowed(std::size_t cell) const;
  bool decided(std::size_t cell) const { return num_allowed(cell) == 1; }
  bool unknown(std::size_t cell) const { return num_classes_ > 1 && num_allowed(cell) == num_classes_; }
  bool all_decided() const;
  Class first_allowed(std::size_t cell) const;

  // Changes one cell: to one class; to the classes that it allows and that are named, which must leave one.
  void decide(std::size_t cell, Class k);
  void restrict_to(std::size_t cell, std::span<const Class> classes);
  // Makes a cell allow what that cell of a table of as many classes allows.
  void copy_cell(std::size_t cell, const TruthTable& from, std::size_t its_cell);

  // What cells a and b both allow: is there a class? Narrows a to these, which must leave one.
  bool cells_match(std::size_t a, std::size_t b) const;
  void narrow(std::size_t a, std::size_t b);

  bool cells_equal(std::size_t a, std::size_t b) const;
  // Do the runs of `length` cells starting at a and at b allow the same classes, cell by cell?
  bool ranges_equal(std::size_t a, std::size_t b, std::size_t length) const;
  // Classes as digits (letters from 10 on), u for unknown, ? for a partial choice.
  std::string to_string() const;

  friend bool operator==(const TruthTable&, const TruthTable&) = default;

 private:
  std::span<const std::uint64_t> words(std::size_t cell) const {
    return {allowed_.data() + cell * words_per_cell_, words_per_cell_};
  }
  std::vector<Feature> order_;
  std::size_t num_classes_ = 1;
  std::size_t words_per_cell_ = 1;
  std::vector<std::uint64_t> allowed_;  // a bit a class, words_per_cell_ words a cell
};

// Cells [first, first + length) of a table, length a power of two: the function below some branch at `level` (0 =
// whole).
struct Subtable {
  std::size_t level = 0;
  std::size_t first = 0;
  std::size_t length = 1;
  friend bool operator==(const Subtable&, const Subtable&) = default;
};

// A subtable is a bead if its halves differ; a single cell always is one.
bool is_bead(const TruthTable& table, const Subtable& s);
// The distinct beads, level by level from the whole table down, each at its first place.
std::vector<Subtable> beads(const TruthTable& table);

// Bias P of the paper. A free cell takes, of the classes it allows, the one with the largest count on the nearest
// branch above it on which one class alone has the largest count of these; the first allowed class if there is no such
// branch. Training error is unchanged.
TruthTable fill_by_branch(const TruthTable& table, std::span<const std::int64_t> counts);
// The same from a list; nothing if a limit comes first.
std::optional<TruthTable> fill_by_branch(const TruthTable& table, std::span<const Merit> merits,
                                         const Control& control = {});

// Bias N, of our own: like the most similar cases. A free cell takes, of the classes it allows, the one with the
// largest count among the cells that differ from it in at most d features, for the least d at which one class alone has
// it; the first allowed class if there is no such d. The order of features does not matter. Training error is
// unchanged. Nothing if a limit comes first: a deep table takes a while.
std::optional<TruthTable> fill_by_neighbours(const TruthTable& table, std::span<const std::int64_t> counts,
                                             const Control& control = {});
std::optional<TruthTable> fill_by_neighbours(const TruthTable& table, std::span<const Merit> merits,
                                             const Control& control = {});

// The same function of its features in another order of them.
TruthTable reordered(const TruthTable& table, std::vector<Feature> order);

// Every free cell takes the first class that it allows.
TruthTable fill_by_first(const TruthTable& table);

}  // namespace beadwork
