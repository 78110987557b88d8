#pragma once
// Boxes of cuts, halved until a judge wants nothing of them or each is a single cut (docs/ordered.md, judged sets). The
// same tree as that of tree.hpp, but cells keep their places, and those that do not err count, too.

#include <beadwork/ordered/problem.hpp>
#include <beadwork/ordered/sets.hpp>

#include <algorithm>

namespace beadwork::ordered {

bool fails(const RankedData& data, const Cut& cut);  // do rows that fail the cut have its feature?

class JudgedTree {
 public:
  JudgedTree(const RankedData& data, const Problem& problem, std::size_t size, CellJudge& judge,
             const Control& control);

  // False where the control ended it.
  bool visit();
  bool extend(const std::vector<Cut>& cuts);  // cuts of work columns; `size` is one more

 private:
  using Ranges = std::vector<Range>;
  using Rows = std::vector<std::uint32_t>;

  struct Node {                                        // the rows that the chosen boxes leave
    std::vector<std::span<const std::uint32_t>> rows;  // by work column, sorted by rank; where a range asks for it
    std::vector<Rows> sorted;
    Rows cell;  // by row
    std::vector<std::int64_t> totals;
    std::uint32_t num_rows = 0;
  };
  struct Group {  // cuts with the same rows of a node on their left
    std::uint32_t place, lo, hi;
  };
  struct Box {  // an interval of groups: rows between its ends are dropped
    Range range{};
    std::vector<Group> groups;
    std::uint32_t left = 0, right = 0;
    std::int64_t dropped = 0;
    Rows cell;
    std::vector<std::int64_t> totals;
  };
  static constexpr std::uint32_t kDropped = UINT32_MAX;

  Ranges all_ranges() const;
  bool solve(std::size_t d, std::int64_t grain, Ranges& ranges);
  void begin(std::size_t d, const Range& range);
  void find_groups(const Node& node, const Range& range, std::vector<Group>& out) const;
  bool box(std::size_t d, std::uint32_t i, std::uint32_t j, std::int64_t grain, const Ranges& in);
  bool test(std::size_t d, std::uint32_t i, std::uint32_t j, std::int64_t grain, Ranges& ranges);
  void move(std::size_t d, std::uint32_t left, std::uint32_t right);
  void change(const Node& node, Box& b, std::uint32_t from, std::uint32_t to, std::uint32_t left, std::uint32_t right);
  static std::uint32_t middle(const std::vector<Group>& groups, std::uint32_t i, std::uint32_t j);
  bool alive_as_it_is(const Box& b, std::size_t d);
  void make_child(std::size_t d, const Ranges& ranges);
  void add(std::vector<std::int64_t>& totals, std::size_t cell, std::uint32_t row, std::int64_t sign) const;

  // One cut is left to choose.
  struct Sweep {
    const Node& node;
    const Rows& cell;
    const std::vector<std::int64_t>& totals;
    Range range;
    std::uint32_t begin, end;  // places
  };
  enum class Look { take, hull, any };
  bool leaf(const Node& node, const Rows& cell, const std::vector<std::int64_t>& totals, Look look, Ranges& ranges);
  Sweep sweep_of(const Node& node, const Rows& cell, const std::vector<std::int64_t>& totals, const Range& r) const;
  void start(const Sweep& s, std::uint32_t place);
  std::int64_t step(const Sweep& s, std::uint32_t at, bool to_left);
  std::optional<std::uint32_t> first_alive(const Sweep& s, bool forward);
  void take_all(const Sweep& s);
  bool is_cut(const Sweep& s, std::uint32_t place) const;
  Range cuts_at(const Sweep& s, std::uint32_t place) const;
  void take(const Range& last);
  std::int64_t distance();
  bool polling(std::uint64_t steps);

  const RankedData& data_;
  const Problem& problem_;
  const std::size_t size_, channels_;
  CellJudge& judge_;
  const Control& control_;
  std::vector<std::int64_t> most_;  // what each row may cost
  std::vector<Node> nodes_;
  std::vector<Box> boxes_;
  std::vector<Cut> chosen_;
  std::vector<std::int64_t> costs_;  // of the cells, while the last cut moves
  Stopwatch clock_;
  std::uint64_t steps_ = 0;
  double next_report_ = 0.2, share_ = 0;
  bool stopped_ = false;
};

}  // namespace beadwork::ordered
