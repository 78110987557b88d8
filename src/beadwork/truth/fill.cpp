#include <beadwork/truth.hpp>

#include <algorithm>
#include <bit>

namespace beadwork {
namespace {

// The class that alone has most of all that the cell allows, if there is one; classes that are not listed have 0.
template <class Listed>
std::optional<Class> clear_winner(const TruthTable& table, std::size_t cell, const Listed& listed) {
  std::size_t others = table.num_allowed(cell);
  const bool all = others == table.num_classes();
  std::optional<Class> best;
  std::int64_t most = 0;
  std::size_t leading = 0;
  for (const auto& [label, amount] : listed) {
    if (!all && !table.allows(cell, Class{label})) continue;
    --others;
    if (leading == 0 || amount > most) {
      best = Class{label};
      most = amount;
      leading = 1;
    } else if (amount == most) {
      ++leading;
    }
  }
  if (others == 0 || (leading > 0 && most > 0)) return leading == 1 ? best : std::nullopt;
  if (others > 1 || (leading > 0 && most == 0)) return std::nullopt;
  for (std::size_t k = 0; k < table.num_classes(); ++k)  // the only one that is not listed
    if (table.allows(cell, Class{k}) &&
        std::none_of(listed.begin(), listed.end(), [&](const auto& l) { return l.first == k; }))
      return Class{k};
  return std::nullopt;
}

using Votes = std::vector<std::pair<std::uint32_t, std::int64_t>>;  // class, what speaks for it

// The branches of one level that hold rows, in order, each with what speaks for its classes.
struct Branches {
  std::vector<std::uint32_t> number;
  std::vector<std::size_t> above;  // place of the branch that each is part of, a level higher
  std::vector<std::size_t> first;  // of its votes; one more at the end
  Votes votes;

  std::size_t size() const { return number.size(); }
  std::span<const std::pair<std::uint32_t, std::int64_t>> of(std::size_t i) const {
    return std::span(votes).subspan(first[i], first[i + 1] - first[i]);
  }
};

Branches cells_of(std::span<const Merit> merits) {
  Branches out;
  for (const Merit& m : merits) {
    if (out.number.empty() || out.number.back() != m.cell) {
      out.number.push_back(m.cell);
      out.first.push_back(out.votes.size());
    }
    out.votes.emplace_back(m.label, m.amount);
  }
  out.first.push_back(out.votes.size());
  return out;
}

// One level higher: pairs of neighbours added up.
Branches halves_of(Branches& below) {
  Branches out;
  for (std::size_t i = 0; i < below.size();) {
    const bool two = i + 1 < below.size() && below.number[i] / 2 == below.number[i + 1] / 2;
    out.number.push_back(below.number[i] / 2);
    out.first.push_back(out.votes.size());
    const auto one = below.of(i), other = two ? below.of(i + 1) : one.first(0);
    auto a = one.begin(), b = other.begin();
    while (a != one.end() || b != other.end()) {
      if (b == other.end() || (a != one.end() && a->first < b->first)) {
        out.votes.push_back(*a++);
      } else if (a == one.end() || b->first < a->first) {
        out.votes.push_back(*b++);
      } else {
        out.votes.emplace_back(a->first, a->second + b->second);
        ++a, ++b;
      }
    }
    for (const std::size_t end = i + (two ? 2 : 1); i < end; ++i) below.above.push_back(out.size() - 1);
  }
  out.first.push_back(out.votes.size());
  return out;
}

// Fills free cells by the branches above them. In a branch without rows all cells that allow every class are answered
// alike, so that only the branches beside those with rows are looked at.
class BranchFiller {
 public:
  BranchFiller(const TruthTable& table, std::span<const Merit> merits, const Control& control)
      : table_(table), out_(table), merits_(merits), steps_(control), whole_({}, table.num_classes()) {}

  std::optional<TruthTable> fill() {
    if (!add_up() || !choose()) return std::nullopt;
    const std::size_t depth = table_.depth();
    if (levels_[0].size() == 0) return fill_by_first(table_);
    for (std::size_t i = 0; i < levels_[depth].size(); ++i) {
      if (!steps_.go_on(20)) return std::nullopt;
      fill_cell(levels_[depth].number[i], depth, i);
    }
    for (std::size_t level = 1; level <= depth; ++level) {
      const Branches& above = levels_[level - 1];
      std::size_t next = 0;  // of those with rows
      for (std::size_t i = 0; i < above.size(); ++i)
        for (std::size_t child = 2 * std::size_t{above.number[i]}, end = child + 2; child < end; ++child) {
          if (next < levels_[level].size() && levels_[level].number[next] == child)
            ++next;
          else if (!fill_branch(child, level, i))
            return std::nullopt;
        }
    }
    return std::move(out_);
  }

 private:
  // What speaks for the classes in each branch, from the cells up.
  bool add_up() {
    levels_.resize(table_.depth() + 1);
    if (!steps_.go_on(10 * merits_.size())) return false;
    levels_.back() = cells_of(merits_);
    for (std::size_t level = table_.depth(); level-- > 0;) {
      if (!steps_.go_on(20 * levels_[level + 1].votes.size())) return false;
      levels_[level] = halves_of(levels_[level + 1]);
    }
    return true;
  }

  // The class of each branch for cells that allow all: from the root down.
  bool choose() {
    chosen_.resize(levels_.size());
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      if (!steps_.go_on(10 * levels_[level].votes.size())) return false;
      for (std::size_t i = 0; i < levels_[level].size(); ++i) {
        auto winner = clear_winner(whole_, 0, levels_[level].of(i));
        if (!winner && level > 0) winner = chosen_[level - 1][levels_[level].above[i]];
        chosen_[level].push_back(winner);
      }
    }
    return true;
  }

  // A cell whose lowest branch with rows is number `i` of the level.
  void fill_cell(std::size_t cell, std::size_t level, std::size_t i) {
    const std::size_t allowed = table_.num_allowed(cell);
    if (allowed == 1) return;
    std::optional<Class> winner;
    if (allowed == table_.num_classes()) {
      winner = chosen_[level][i];
    } else {
      for (;; --level) {
        winner = clear_winner(table_, cell, levels_[level].of(i));
        if (winner || level == 0) break;
        i = levels_[level].above[i];
      }
    }
    out_.decide(cell, winner.value_or(table_.first_allowed(cell)));
  }

  // A branch without rows below number `i` of the level above.
  bool fill_branch(std::size_t branch, std::size_t level, std::size_t i) {
    const std::size_t length = table_.num_cells() >> level;
    for (std::size_t cell = branch * length; cell < (branch + 1) * length; ++cell) {
      if (!steps_.go_on(10)) return false;
      fill_cell(cell, level - 1, i);
    }
    return true;
  }

  const TruthTable& table_;
  TruthTable out_;
  std::span<const Merit> merits_;
  Steps steps_;
  TruthTable whole_;  // of one cell, which allows all
  std::vector<Branches> levels_;
  std::vector<std::vector<std::optional<Class>>> chosen_;  // by level, then as the branches
};

}  // namespace

TruthTable fill_by_branch(const TruthTable& table, std::span<const std::int64_t> counts) {
  require(counts.size() == table.num_cells() * table.num_classes(), "fill_by_branch: counts for every cell and class");
  return *fill_by_branch(table, merits_of(counts, table.num_classes()));
}

std::optional<TruthTable> fill_by_branch(const TruthTable& table, std::span<const Merit> merits,
                                         const Control& control) {
  require(merits.empty() || merits.back().cell < table.num_cells(), "fill_by_branch: merits of this table");
  return BranchFiller(table, merits, control).fill();
}

namespace {

// What speaks for classes in the cells at each distance from a cell. What is nearest is looked at first, by flipping
// features, as long as that is less work than looking at all cells that hold rows.
class Neighbourhood {
 public:
  Neighbourhood(const TruthTable& table, std::span<const Merit> merits)
      : depth_(table.depth()), cells_(cells_of(merits)), place_(table.num_cells(), kNone), sum_(table.num_classes()) {
    for (std::size_t i = 0; i < cells_.size(); ++i) place_[cells_.number[i]] = static_cast<std::uint32_t>(i);
  }

  // Adds up the cells within distance 0, 1, ... of a cell until `enough` holds of the votes; how much work that was.
  template <class Enough>
  std::uint64_t grow(std::size_t cell, const Enough& enough) {
    start();
    add(cell);
    if (enough(votes())) return work_;
    double shell = 1;  // cells at that distance
    for (std::size_t d = 1; d <= depth_; ++d) {
      shell *= static_cast<double>(depth_ - d + 1) / static_cast<double>(d);
      if (shell > static_cast<double>(cells_.size())) return grow_over_all(cell, d, enough);
      std::size_t flips = (std::size_t{1} << d) - 1;
      while (flips < std::size_t{1} << depth_) {
        add(cell ^ flips);
        const std::size_t low = flips & (~flips + 1);  // the next number with as many bits
        const std::size_t high = flips + low;
        flips = high | (((flips ^ high) / low) >> 2);
      }
      if (enough(votes())) return work_;
    }
    return work_;
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  void start() {
    for (const auto& [label, _] : votes_) sum_[label] = {};
    votes_.clear();
    work_ = 10;
  }
  void add(std::size_t cell) {
    work_ += 2;
    if (place_[cell] != kNone) add_place(place_[cell]);
  }
  void add_place(std::size_t i) {
    for (const auto& [label, amount] : cells_.of(i)) {
      Sum& s = sum_[label];
      if (!s.listed) votes_.emplace_back(label, 0);
      s.listed = true;
      s.amount += amount;
    }
    work_ += 4 * cells_.of(i).size();
  }
  const Votes& votes() {
    for (auto& [label, amount] : votes_) amount = sum_[label].amount;
    work_ += 4 * votes_.size();
    return votes_;
  }

  template <class Enough>
  std::uint64_t grow_over_all(std::size_t cell, std::size_t from, const Enough& enough) {
    std::vector<std::vector<std::uint32_t>> shells(depth_ + 1);
    for (std::size_t i = 0; i < cells_.size(); ++i)
      shells[static_cast<std::size_t>(std::popcount(cells_.number[i] ^ cell))].push_back(static_cast<std::uint32_t>(i));
    work_ += 4 * cells_.size();
    for (std::size_t d = from; d <= depth_; ++d) {
      for (const std::uint32_t i : shells[d]) add_place(i);
      if (enough(votes())) break;
    }
    return work_;
  }

  struct Sum {
    std::int64_t amount = 0;
    bool listed = false;
  };
  std::size_t depth_;
  Branches cells_;
  std::vector<std::uint32_t> place_;  // of a cell in cells_
  std::vector<Sum> sum_;              // of each class
  Votes votes_;
  std::uint64_t work_ = 0;
};

}  // namespace

std::optional<TruthTable> fill_by_neighbours(const TruthTable& table, std::span<const std::int64_t> counts,
                                             const Control& control) {
  require(counts.size() == table.num_cells() * table.num_classes(),
          "fill_by_neighbours: counts for every cell and class");
  return fill_by_neighbours(table, merits_of(counts, table.num_classes()), control);
}

std::optional<TruthTable> fill_by_neighbours(const TruthTable& table, std::span<const Merit> merits,
                                             const Control& control) {
  require(merits.empty() || merits.back().cell < table.num_cells(), "fill_by_neighbours: merits of this table");
  Neighbourhood around(table, merits);
  Steps steps(control);
  TruthTable out = table;
  for (std::size_t c = 0; c < table.num_cells(); ++c) {
    if (!steps.go_on(10)) return std::nullopt;
    if (table.decided(c)) continue;
    std::optional<Class> winner;
    const std::uint64_t work = around.grow(c, [&](const Votes& votes) {
      winner = clear_winner(table, c, votes);
      return winner.has_value();
    });
    if (!steps.go_on(work)) return std::nullopt;
    out.decide(c, winner.value_or(table.first_allowed(c)));
  }
  return out;
}

}  // namespace beadwork
