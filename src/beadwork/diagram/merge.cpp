#include <beadwork/diagram.hpp>

#include <algorithm>

namespace beadwork {
namespace {

void narrow_range(TruthTable& table, std::size_t a, std::size_t b, std::size_t length) {
  for (std::size_t i = 0; i < length; ++i) table.narrow(a + i, b + i);
}

// Phase 2: halves that match become one, so that their subtable needs no node.
void join_halves(TruthTable& table, std::size_t half) {
  for (std::size_t first = 0; first < table.num_cells(); first += 2 * half) {
    if (!table.ranges_match(first, first + half, half)) continue;
    narrow_range(table, first, first + half, half);
    narrow_range(table, first + half, first, half);
  }
}

// Phase 3: first fit. Equal subtables join the same group, because groups only ever get narrower: what the first of
// them did not match, the second does not match either. The first member holds what the group has in common. Returns
// the first cells of the groups and of all others with that of their group.
struct Groups {
  std::vector<std::size_t> first;
  std::vector<std::pair<std::size_t, std::size_t>> members;
};
Groups join_subtables(TruthTable& table, std::size_t length) {
  Groups out;
  for (std::size_t first = 0; first < table.num_cells(); first += length) {
    const auto group = std::find_if(out.first.begin(), out.first.end(),
                                    [&](std::size_t g) { return table.ranges_match(g, first, length); });
    if (group == out.first.end()) {
      out.first.push_back(first);
      continue;
    }
    narrow_range(table, *group, first, length);
    out.members.emplace_back(first, *group);
  }
  for (const auto& [first, group] : out.members) narrow_range(table, first, group, length);
  return out;
}

}  // namespace

TruthTable merge_compatible(const TruthTable& table) {
  TruthTable out = table;
  for (std::size_t length = table.num_cells() / 2; length >= 1; length /= 2) {
    join_halves(out, length);
    join_subtables(out, length);
  }
  return fill_by_first(out);
}

std::vector<MergeStep> merge_steps(const TruthTable& table) {
  std::vector<MergeStep> steps;
  TruthTable now = table;
  for (std::size_t length = table.num_cells() / 2; length >= 1; length /= 2) {
    const std::size_t level = steps.size();
    MergeStep step{level, now, {}, {}, {}};
    join_halves(now, length);
    step.joined = now;
    const Groups groups = join_subtables(now, length);
    for (const std::size_t first : groups.first) {
      step.groups.push_back({{level + 1, first, length}});
      for (const auto& [member, group] : groups.members)
        if (group == first) step.groups.back().push_back({level + 1, member, length});
    }
    step.after = now;
    steps.push_back(std::move(step));
  }
  return steps;
}

}  // namespace beadwork
