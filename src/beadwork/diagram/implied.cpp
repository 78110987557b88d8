#include <beadwork/diagram.hpp>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>

namespace beadwork {
namespace {

// The regions that are open on one way from the root, as bits: those of all columns that can be asked about more than
// once.
using Open = std::vector<std::uint64_t>;

class Redirector {
 public:
  Redirector(const Diagram& diagram, const TestRegions& regions)
      : nodes_(diagram.nodes()),
        most_ways_(std::clamp<std::size_t>(kMostInAll / nodes_.size(), 4, 4096)),
        ways_(nodes_.size()) {
    const std::size_t least = diagram.ordered() ? 2 : 1;  // a tree may ask the same twice
    std::map<std::size_t, std::size_t> tests, first;      // of each column
    for (const auto& [_, passes] : regions.of) ++tests[passes.column];
    std::size_t bits = 0;
    for (const auto& [feature, passes] : regions.of) {
      if (tests[passes.column] < least) continue;
      const auto [at, fresh] = first.try_emplace(passes.column, bits);
      if (fresh) bits += passes.region.size();
      auto& side = sides_[feature];
      for (std::size_t i = 0; i < passes.region.size(); ++i) side[passes.region[i] ? 1 : 0].push_back(at->second + i);
    }
    ways_[0] = {Open(bits / 64 + 1, ~std::uint64_t{0})};
  }

  std::vector<DiagramNode> redirect() {
    for (std::size_t n = 0; n < nodes_.size(); ++n) {  // parents come first
      if (nodes_[n].sink || ways_[n].empty()) continue;
      settle(ways_[n]);
      nodes_[n].low = redirected(n, nodes_[n].low, false);
      nodes_[n].high = redirected(n, nodes_[n].high, true);
      ways_[n] = {};
    }
    return std::move(nodes_);
  }

 private:
  static constexpr std::size_t kMostInAll = 16'000'000;  // ways over all nodes: a second's work

  // The ways on which the test of node n is passed, or failed, and what is open there.
  std::vector<Open> narrowed(std::vector<Open> ways, std::size_t n, bool passed) const {
    const auto related = sides_.find(nodes_[n].feature);
    if (related == sides_.end()) return ways;
    std::erase_if(ways, [&](Open& open) {
      for (const std::size_t i : related->second[passed ? 0 : 1]) open[i / 64] &= ~(std::uint64_t{1} << i % 64);
      const auto& left = related->second[passed ? 1 : 0];
      return std::none_of(left.begin(), left.end(), [&](std::size_t i) { return (open[i / 64] >> i % 64 & 1) != 0; });
    });
    return ways;
  }

  // Where the edge of node n may as well lead.
  Node redirected(std::size_t n, Node to, bool passed) {
    const auto ways = narrowed(ways_[n], n, passed);
    while (!nodes_[to()].sink) {
      const bool may_pass = !narrowed(ways, to(), true).empty();
      if (may_pass && !narrowed(ways, to(), false).empty()) break;
      to = may_pass ? nodes_[to()].high : nodes_[to()].low;
    }
    auto& there = ways_[to()];
    there.insert(there.end(), ways.begin(), ways.end());
    return to;
  }

  // Each once; where they are too many, all in one, in which fewer tests are seen to be implied.
  void settle(std::vector<Open>& ways) const {
    std::sort(ways.begin(), ways.end());
    ways.erase(std::unique(ways.begin(), ways.end()), ways.end());
    if (ways.size() <= most_ways_) return;
    for (const Open& way : ways)
      for (std::size_t i = 0; i < way.size(); ++i) ways.front()[i] |= way[i];
    ways.resize(1);
  }

  std::vector<DiagramNode> nodes_;
  std::size_t most_ways_;
  std::vector<std::vector<Open>> ways_;  // to each node
  std::map<Feature, std::array<std::vector<std::size_t>, 2>>
      sides_;  // of related tests: the regions that fail, that pass
};

// For each node the one that stands for it: its child where both are the same, the last equal one if they are shared.
std::vector<std::size_t> representatives(const std::vector<DiagramNode>& nodes, bool sharing) {
  std::vector<std::size_t> out(nodes.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  std::map<std::tuple<Feature, std::size_t, std::size_t>, std::size_t> known;
  for (std::size_t n = nodes.size(); n-- > 0;) {
    if (nodes[n].sink) continue;
    const std::size_t low = out[nodes[n].low()], high = out[nodes[n].high()];
    if (low == high)
      out[n] = low;
    else if (sharing)
      out[n] = known.try_emplace({nodes[n].feature, low, high}, n).first->second;
  }
  return out;
}

Diagram redirected_once(const Diagram& diagram, const TestRegions& regions, bool sharing) {
  const auto nodes = Redirector(diagram, regions).redirect();
  const auto of = representatives(nodes, sharing);
  std::vector<bool> reached(nodes.size());
  reached[of[0]] = true;
  std::vector<std::size_t> number(nodes.size());
  std::size_t count = 0;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!reached[n]) continue;
    number[n] = count++;
    if (!nodes[n].sink) reached[of[nodes[n].low()]] = reached[of[nodes[n].high()]] = true;
  }
  std::vector<DiagramNode> out;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!reached[n]) continue;
    out.push_back(nodes[n]);
    if (nodes[n].sink) continue;
    out.back().low = Node{number[of[nodes[n].low()]]};
    out.back().high = Node{number[of[nodes[n].high()]]};
  }
  auto made = Diagram::make(std::move(out));
  require(static_cast<bool>(made), "without_implied_tests: the nodes make a diagram");
  return *std::move(made);
}

}  // namespace

// Where a node goes because both its children are one, its edges lead on, each with ways of its own: once more.
Diagram without_implied_tests(const Diagram& diagram, const TestRegions& regions) {
  const bool sharing = diagram.reduced();
  for (Diagram before = diagram;;) {
    Diagram after = redirected_once(before, regions, sharing);
    if (after == before) return after;
    before = std::move(after);
  }
}

}  // namespace beadwork
