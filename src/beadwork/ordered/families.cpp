#include <beadwork/ordered/families.hpp>

#include <algorithm>
#include <array>

namespace beadwork::ordered {
namespace {

// A cut with a hash of the rows that pass it, or of those that fail it, whichever is less. It is a sum of random
// numbers of 128 bits, so that one pass along a column gives those of all cuts; different cuts do not meet.
struct Hashed {
  std::array<std::uint64_t, 2> hash;
  Cut cut;
  bool required;
  friend auto operator<=>(const Hashed&, const Hashed&) = default;
};

std::vector<Hashed> hash_cuts(const RankedData& data, const OrderedOptions& o, const Control& control) {
  using Hash = std::array<std::uint64_t, 2>;
  const auto allowed = allowed_cuts(data, o);
  std::vector<Hash> number(data.num_rows());
  Rng rng(1);
  for (Hash& h : number) h = {rng.next(), rng.next()};
  std::vector<Hashed> out;
  for (std::uint32_t c = 0; c < data.columns.size() && !control.stopping(); ++c) {
    const RankedColumn& column = data.columns[c];
    std::vector<Hash> upto(column.num_ranks, Hash{});
    for (std::size_t r = 0; r < data.num_rows(); ++r)
      for (std::size_t i = 0; i < 2; ++i) upto[column.ranks[r]][i] += number[r][i];
    for (std::uint32_t k = 1; k < column.num_ranks; ++k)
      for (std::size_t i = 0; i < 2; ++i) upto[k][i] += upto[k - 1][i];
    for (std::uint32_t k = 0; k < column.num_cuts(); ++k) {
      const bool required = std::find(o.require.begin(), o.require.end(), Cut{c, k}) != o.require.end();
      const Hash &passed = upto[k], &all = upto.back(), failed{all[0] - passed[0], all[1] - passed[1]};
      if (required || allowed[c][k]) out.push_back({std::min(passed, failed), {c, k}, required});
    }
  }
  return out;
}

}  // namespace

std::vector<std::vector<std::uint32_t>> merge_families(const RankedData& data, OrderedOptions& o,
                                                       const Control& control) {
  std::vector<std::vector<std::uint32_t>> copies;
  for (const RankedColumn& c : data.columns) copies.emplace_back(c.num_cuts(), 0);
  auto cuts = hash_cuts(data, o, control);
  std::sort(cuts.begin(), cuts.end());
  for (auto begin = cuts.begin(); begin != cuts.end();) {
    const auto end = std::find_if(begin, cuts.end(), [&](const Hashed& h) { return h.hash != begin->hash; });
    const bool out = begin->hash == std::array<std::uint64_t, 2>{} ||  // every row, or none
                     std::any_of(begin, end, [](const Hashed& h) { return h.required; });
    copies[begin->cut.column][begin->cut.rank] = static_cast<std::uint32_t>(end - begin);
    for (auto it = begin + (out ? 0 : 1); it != end; ++it)
      if (!it->required) o.forbid.push_back(it->cut);
    begin = end;
  }
  return copies;
}

}  // namespace beadwork::ordered
