#include <beadwork/diagram.hpp>

#include <algorithm>
#include <utility>

namespace beadwork {
namespace {

// The first cells of the groups, and of all other subtables with that of their group.
struct Groups {
  std::vector<std::size_t> first;
  std::vector<std::pair<std::size_t, std::size_t>> members;
};

// The phases on one table; each ends early where control says stop.
class Merging {
 public:
  Merging(TruthTable table, const Control& control) : table_(std::move(table)), steps_(control) {}

  const TruthTable& table() const { return table_; }
  bool stopped() const { return stopped_; }

  // Phase 2: halves that match become one, so that their subtable needs no node.
  void join_halves(std::size_t half) {
    for (std::size_t first = 0; first < table_.num_cells() && !stopped_; first += 2 * half) {
      if (!match(first, first + half, half)) continue;
      narrow(first, first + half, half);
      narrow(first + half, first, half);
    }
  }

  // Phase 3: first fit. Equal subtables join the same group, because groups only ever get narrower: what the first of
  // them did not match, the second does not match either. The first member holds what the group has in common.
  Groups join_subtables(std::size_t length) {
    Groups out;
    for (std::size_t first = 0; first < table_.num_cells() && !stopped_; first += length) {
      const auto group = std::find_if(out.first.begin(), out.first.end(),
                                      [&](std::size_t g) { return stopped_ || match(g, first, length); });
      if (group == out.first.end()) {
        out.first.push_back(first);
      } else if (!stopped_) {
        narrow(*group, first, length);
        out.members.emplace_back(first, *group);
      }
    }
    for (const auto& [first, group] : out.members) narrow(first, group, length);
    return out;
  }

 private:
  bool match(std::size_t a, std::size_t b, std::size_t length) {
    std::size_t i = 0;
    while (i < length && table_.cells_match(a + i, b + i)) ++i;
    stopped_ = stopped_ || !steps_.go_on(3 * i + 3);
    return i == length;
  }
  void narrow(std::size_t a, std::size_t b, std::size_t length) {
    if (stopped_) return;
    for (std::size_t i = 0; i < length; ++i) table_.narrow(a + i, b + i);
    stopped_ = !steps_.go_on(5 * length);
  }

  TruthTable table_;
  Steps steps_;
  bool stopped_ = false;
};

}  // namespace

std::optional<TruthTable> merge_compatible(const TruthTable& table, const Control& control) {
  if (table.all_decided()) return table;  // what matches is equal already
  Merging merging(table, control);
  for (std::size_t length = table.num_cells() / 2; length >= 1; length /= 2) {
    merging.join_halves(length);
    merging.join_subtables(length);
    if (merging.stopped()) return std::nullopt;
  }
  return fill_by_first(merging.table());
}

TruthTable merge_compatible(const TruthTable& table) {
  return *merge_compatible(table, Control{});
}

std::vector<MergeStep> merge_steps(const TruthTable& table) {
  std::vector<MergeStep> steps;
  const Control endless;
  Merging merging(table, endless);
  for (std::size_t length = table.num_cells() / 2; length >= 1; length /= 2) {
    const std::size_t level = steps.size();
    MergeStep step{level, merging.table(), {}, {}, {}};
    merging.join_halves(length);
    step.joined = merging.table();
    const Groups groups = merging.join_subtables(length);
    for (const std::size_t first : groups.first) {
      step.groups.push_back({{level + 1, first, length}});
      for (const auto& [member, group] : groups.members)
        if (group == first) step.groups.back().push_back({level + 1, member, length});
    }
    step.after = merging.table();
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace beadwork
