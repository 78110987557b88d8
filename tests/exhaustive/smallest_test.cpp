// Merging and the smallest diagram against all fills and all orders, counted here on bits by code of its own: a
// function of h variables is an integer with a bit a cell, cell 0 the lowest.

#include "support/repeats.hpp"
#include <beadwork/smallest.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>
#include <set>
#include <string>

namespace beadwork {
namespace {

using Function = std::uint64_t;

std::vector<std::vector<std::size_t>> all_orders(std::size_t h) {
  std::vector<std::size_t> p(h);
  std::iota(p.begin(), p.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> out;
  do out.push_back(p);
  while (std::next_permutation(p.begin(), p.end()));
  return out;
}

// Place of each cell once the variables are in another order.
std::vector<std::size_t> cell_map(const std::vector<std::size_t>& order) {
  const std::size_t h = order.size();
  std::vector<std::size_t> map(std::size_t{1} << h);
  for (std::size_t cell = 0; cell < map.size(); ++cell)
    for (std::size_t i = 0; i < h; ++i)
      if ((cell >> (h - 1 - i) & 1) != 0) map[cell] |= std::size_t{1} << (h - 1 - order[i]);
  return map;
}

std::size_t count_nodes(Function f, std::size_t h) {
  std::size_t nodes = 0;
  for (std::size_t length = std::size_t{1} << h; length >= 2; length /= 2) {
    const Function mask = length == 64 ? ~Function{0} : (Function{1} << length) - 1;
    const Function low = (Function{1} << length / 2) - 1;
    std::array<Function, 32> seen{};
    std::size_t count = 0;
    for (std::size_t first = 0; first < std::size_t{1} << h; first += length) {
      const Function s = f >> first & mask;
      if ((s & low) == s >> length / 2) continue;
      if (std::find(seen.begin(), seen.begin() + static_cast<std::ptrdiff_t>(count), s) ==
          seen.begin() + static_cast<std::ptrdiff_t>(count))
        seen[count++] = s;
    }
    nodes += count;
  }
  const Function all = h == 6 ? ~Function{0} : (Function{1} << (std::size_t{1} << h)) - 1;
  return nodes + (f == 0 || f == all ? 1 : 2);
}

// Of each function, the size in its best order.
std::size_t best_size(Function f, std::size_t h, const std::vector<std::vector<std::size_t>>& maps) {
  std::size_t best = 1000;
  for (const auto& map : maps) {
    Function g = 0;
    for (std::size_t cell = 0; cell < map.size(); ++cell) g |= (f >> map[cell] & 1) << cell;
    best = std::min(best, count_nodes(g, h));
  }
  return best;
}

struct Ternary {
  Function ones = 0, known = 0;
  std::string text(std::size_t h) const {
    std::string out;
    for (std::size_t c = 0; c < std::size_t{1} << h; ++c)
      out += (known >> c & 1) == 0 ? 'u' : (ones >> c & 1) != 0 ? '1' : '0';
    return out;
  }
};

std::vector<Feature> features(std::size_t h) {
  std::vector<Feature> out;
  for (std::size_t i = 0; i < h; ++i) out.emplace_back(i);
  return out;
}

std::vector<std::vector<std::size_t>> maps_of(std::size_t h) {
  std::vector<std::vector<std::size_t>> maps;
  for (const auto& order : all_orders(h)) maps.push_back(cell_map(order));
  return maps;
}

// Proven, what it says it is, and within what the table allows.
void check_smallest(const Ternary& t, std::size_t h, std::size_t expected) {
  SCOPED_TRACE(t.text(h));
  const auto table = TruthTable::parse(t.text(h), features(h));
  ASSERT_TRUE(table);
  Control stopped;  // before anything is asked: what the lattice of sets proves alone
  stopped.deadline = Deadline::in(0);
  ASSERT_LE(smallest_diagram(*table, stopped).lower_bound, expected);
  const SmallestOutcome s = smallest_diagram(*table);
  ASSERT_TRUE(s.proven);
  ASSERT_EQ(s.lower_bound, expected);
  ASSERT_EQ(s.diagram.size(), expected);
  ASSERT_TRUE(s.diagram.ordered());
  ASSERT_TRUE(s.diagram.reduced());
  ASSERT_EQ(s.diagram, diagram_of(s.table));
  for (std::size_t cell = 0; cell < table->num_cells(); ++cell) {
    const Class k = s.diagram.classify([&](Feature f) { return (cell >> (h - 1 - f()) & 1) != 0; });
    ASSERT_TRUE(table->allows(cell, k));
  }
}

void for_each_ternary(std::size_t h, const std::function<void(const Ternary&)>& take) {
  const std::size_t cells = std::size_t{1} << h;
  for (Function known = 0; known < Function{1} << cells; ++known)
    for (Function ones = known;; ones = (ones - 1) & known) {
      take({ones, known});
      if (ones == 0) break;
    }
}

// All 3^8 tables in all six orders: merging keeps what is known and is never larger than with u as a sink of its own.
TEST(Merging, NeverHurtsInThreeVariables) {
  std::size_t tables = 0;
  for_each_ternary(3, [&](const Ternary& t) {
    const auto table = TruthTable::parse(t.text(3), features(3));
    for (const auto& order : all_orders(3)) {
      std::vector<Feature> in_order;
      for (const std::size_t x : order) in_order.emplace_back(x);
      const TruthTable before = reordered(*table, in_order);
      const TruthTable after = merge_compatible(before);
      ASSERT_TRUE(after.all_decided());
      for (std::size_t c = 0; c < 8; ++c) ASSERT_TRUE(before.allows(c, after.first_allowed(c))) << t.text(3);
      ASSERT_LE(diagram_of(after).size(), diagram_of(before).size()) << t.text(3);
    }
    ++tables;
  });
  EXPECT_EQ(tables, 6561U);
}

TEST(Smallest, EqualsAllFillsAndOrdersUpToThreeVariables) {
  for (const std::size_t h : {0U, 1U, 2U, 3U}) {
    const auto maps = maps_of(h);
    const Function functions = Function{1} << (std::size_t{1} << h);
    std::vector<std::size_t> sizes;
    for (Function f = 0; f < functions; ++f) sizes.push_back(best_size(f, h, maps));
    for_each_ternary(h, [&](const Ternary& t) {
      if (testing::Test::HasFatalFailure()) return;
      std::size_t best = 1000;
      for (Function f = 0; f < functions; ++f)
        if ((f & t.known) == t.ones) best = std::min(best, sizes[f]);
      check_smallest(t, h, best);
    });
  }
}

TEST(Smallest, EqualsAllFillsAndOrdersOfFourVariables) {
  const auto maps = maps_of(4);
  std::vector<std::uint8_t> sizes;
  for (Function f = 0; f < 65536; ++f) sizes.push_back(static_cast<std::uint8_t>(best_size(f, 4, maps)));
  Rng rng(5);
  for (int round = 0; round < test::repeats(2000) && !testing::Test::HasFatalFailure(); ++round) {
    Ternary t;
    const std::uint64_t share = rng.below(101);
    for (std::size_t c = 0; c < 16; ++c)
      if (rng.below(100) < share) t.known |= Function{1} << c;
    t.ones = rng.next() & t.known;
    std::size_t best = 1000;
    for (Function f = 0; f < 65536; ++f)
      if ((f & t.known) == t.ones) best = std::min<std::size_t>(best, sizes[f]);
    check_smallest(t, 4, best);
  }
}

// A function of few nodes, so that its best order is worth finding: the last of a few random steps "if x then a else
// b".
Function small_function(Rng& rng, std::size_t h) {
  std::vector<Function> known{0, ~Function{0}};
  const std::size_t steps = 4 + rng.below(6);
  for (std::size_t i = 0; i < steps; ++i) {
    const std::size_t x = rng.below(h);
    Function variable = 0;
    for (std::size_t c = 0; c < std::size_t{1} << h; ++c) variable |= static_cast<Function>(c >> x & 1) << c;
    const Function a = known[rng.below(known.size())], b = known[rng.below(known.size())];
    known.push_back((variable & a) | (~variable & b));
  }
  const Function all = h == 6 ? ~Function{0} : (Function{1} << (std::size_t{1} << h)) - 1;
  return known.back() & all;
}

TEST(Smallest, EqualsAllFillsAndOrdersOfFiveVariables) {
  const auto maps = maps_of(5);
  Rng rng(6);
  for (int round = 0; round < 2000 && !testing::Test::HasFatalFailure(); ++round) {
    Ternary t;
    t.known = (Function{1} << 32) - 1;
    const std::uint64_t most = rng.below(8);
    std::vector<std::size_t> open;
    for (std::uint64_t i = 0; i < most; ++i) open.push_back(rng.below(32));
    for (const std::size_t c : open) t.known &= ~(Function{1} << c);
    t.ones = small_function(rng, 5);
    if (rng.below(4) == 0) t.ones ^= Function{1} << rng.below(32);
    t.ones &= t.known;
    const Function unknown = ~t.known & ((Function{1} << 32) - 1);
    std::size_t best = 1000;
    for (Function fill = unknown;; fill = (fill - 1) & unknown) {
      best = std::min(best, best_size(t.ones | fill, 5, maps));
      if (fill == 0) break;
    }
    check_smallest(t, 5, best);
  }
}

}  // namespace
}  // namespace beadwork
