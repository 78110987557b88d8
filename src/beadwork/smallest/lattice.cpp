#include <beadwork/smallest/lattice.hpp>

#include <algorithm>
#include <limits>

namespace beadwork {
namespace {

// Cells of a subtable: fixed values of the features in `above`, all values of the others.
class Subtables {
 public:
  Subtables(const TruthTable& table, std::uint64_t above) : table_(table) {
    for (std::size_t cell = 0; cell < table.num_cells(); ++cell) {
      if ((cell & ~bits(above)) == 0) corners_.push_back(cell);
      if ((cell & bits(above)) == 0) offsets_.push_back(cell);
    }
  }

  // Nodes that test x: a clique of subtables that x splits and that do not match each other, taken greedily.
  std::size_t nodes(std::size_t x) const {
    const std::size_t stride = bits(std::uint64_t{1} << x);
    std::vector<std::size_t> clique;
    for (const std::size_t corner : corners_)
      if (split(corner, stride) &&
          std::none_of(clique.begin(), clique.end(), [&](std::size_t other) { return match(corner, other); }))
        clique.push_back(corner);
    return clique.size();
  }

 private:
  // Cell numbers have the first feature as their highest bit.
  std::size_t bits(std::uint64_t set) const {
    std::size_t out = 0;
    for (std::size_t x = 0; x < table_.depth(); ++x)
      if ((set >> x & 1) != 0) out |= std::size_t{1} << (table_.depth() - 1 - x);
    return out;
  }
  bool split(std::size_t corner, std::size_t stride) const {
    return std::any_of(offsets_.begin(), offsets_.end(), [&](std::size_t o) {
      return (o & stride) == 0 && !table_.cells_match(corner + o, corner + o + stride);
    });
  }
  bool match(std::size_t a, std::size_t b) const {
    return std::all_of(offsets_.begin(), offsets_.end(),
                       [&](std::size_t o) { return table_.cells_match(a + o, b + o); });
  }

  const TruthTable& table_;
  std::vector<std::size_t> corners_;
  std::vector<std::size_t> offsets_;
};

std::size_t forced_sinks(const TruthTable& table) {
  std::vector<bool> seen(table.num_classes());
  for (std::size_t c = 0; c < table.num_cells(); ++c)
    if (table.decided(c)) seen[table.first_allowed(c)()] = true;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::count(seen.begin(), seen.end(), true)));
}

// A feature that some two decided cells depend on is tested somewhere.
std::size_t essential_features(const TruthTable& table) {
  std::size_t count = 0;
  for (std::size_t x = 0; x < table.depth(); ++x) {
    const std::size_t stride = table.num_cells() >> (x + 1);
    for (std::size_t c = 0; c < table.num_cells(); ++c)
      if ((c & stride) == 0 && !table.cells_match(c, c + stride)) {
        ++count;
        break;
      }
  }
  return count;
}

}  // namespace

Lattice make_lattice(const TruthTable& table) {
  Lattice out;
  out.depth = table.depth();
  out.sinks = forced_sinks(table);
  if (table.depth() > Lattice::kMostFeatures) {
    out.inner = essential_features(table);
    return out;
  }
  const std::size_t h = table.depth();
  const std::size_t sets = std::size_t{1} << h;
  constexpr std::size_t kFar = std::numeric_limits<std::size_t>::max() / 4;
  std::vector<std::size_t> cost(sets * h), from_top(sets, kFar), to_bottom(sets, kFar);
  from_top[0] = 0;
  for (std::size_t t = 0; t < sets; ++t) {
    const Subtables subtables(table, t);
    for (std::size_t x = 0; x < h; ++x) {
      if ((t >> x & 1) != 0) continue;
      cost[t * h + x] = subtables.nodes(x);
      std::size_t& next = from_top[t | std::size_t{1} << x];
      next = std::min(next, from_top[t] + cost[t * h + x]);
    }
  }
  to_bottom[sets - 1] = 0;
  for (std::size_t t = sets - 1; t-- > 0;)
    for (std::size_t x = 0; x < h; ++x)
      if ((t >> x & 1) == 0)
        to_bottom[t] = std::min(to_bottom[t], cost[t * h + x] + to_bottom[t | std::size_t{1} << x]);
  out.inner = to_bottom[0];
  out.through.assign(sets * h, 0);
  for (std::size_t t = 0; t < sets; ++t)
    for (std::size_t x = 0; x < h; ++x)
      if ((t >> x & 1) == 0)
        out.through[t * h + x] = from_top[t] + cost[t * h + x] + to_bottom[t | std::size_t{1} << x];
  return out;
}

}  // namespace beadwork
