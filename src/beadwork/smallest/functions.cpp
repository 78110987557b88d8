#include <beadwork/smallest/functions.hpp>

#include <algorithm>
#include <array>
#include <numeric>

namespace beadwork {
namespace {

// A table is a number whose digits, in base `classes`, are its cells; the last cell has the highest place.
struct Tables {
  std::size_t features, classes;

  std::size_t power(std::size_t exponent) const {
    std::size_t out = 1;
    for (std::size_t i = 0; i < exponent; ++i) out *= classes;
    return out;
  }
  std::size_t digit(std::size_t table, std::size_t cell) const { return table / power(cell) % classes; }

  // Where this half's cells come in another order of features; cells from `first` on.
  std::vector<std::uint32_t> moved(const std::vector<std::size_t>& order, std::size_t first, std::size_t halves) const {
    std::vector<std::uint32_t> out(halves);
    for (std::size_t half = 0; half < halves; ++half)
      for (std::size_t i = 0; i < (std::size_t{1} << features) / 2; ++i) {
        std::size_t to = 0;
        for (std::size_t x = 0; x < features; ++x) to |= ((first + i) >> x & 1) << order[x];
        out[half] += static_cast<std::uint32_t>(digit(half, i) * power(to));
      }
    return out;
  }
};

// Distinct subtables, level by level; those whose halves differ are nodes, and the last ones are sinks.
std::size_t count_nodes(std::size_t table, const std::vector<std::size_t>& bases) {
  std::array<std::size_t, 64> now{}, next{};
  std::size_t count = 1, nodes = 0;
  now[0] = table;
  for (const std::size_t base : bases) {
    std::size_t more = 0;
    const auto keep = [&](std::size_t t) {
      if (std::find(next.begin(), next.begin() + more, t) == next.begin() + more) next[more++] = t;
    };
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t low = now[i] % base, high = now[i] / base;
      nodes += low != high ? 1 : 0;
      keep(low);
      keep(high);
    }
    std::swap(now, next);
    count = more;
  }
  return nodes + count;
}

}  // namespace

bool FunctionsBySize::few(std::size_t features, std::size_t num_classes) {
  if (features == 0 || features > 4) return false;
  std::size_t halves = 1;
  for (std::size_t i = 0; i < (std::size_t{1} << features) / 2 && halves <= kMostHalves; ++i) halves *= num_classes;
  return halves <= kMostHalves;
}

FunctionsBySize::FunctionsBySize(std::size_t features, std::size_t num_classes)
    : features_(features), classes_(num_classes) {
  halves_ = Tables{features, num_classes}.power((std::size_t{1} << features) / 2);
  const auto smallest = smallest_sizes();
  sizes_.resize(*std::max_element(smallest.begin(), smallest.end()) + 1);
  for (std::size_t size = 0; size < sizes_.size(); ++size)
    for (std::size_t high = 0; high <= halves_; ++high) {
      sizes_[size].first.push_back(static_cast<std::uint32_t>(sizes_[size].low.size()));
      for (std::size_t low = 0; low < halves_ && high < halves_; ++low)
        if (smallest[high * halves_ + low] == size && size > 0)
          sizes_[size].low.push_back(static_cast<std::uint8_t>(low));
    }
}

// Of every function, 0 where it does not depend on all features.
std::vector<std::size_t> FunctionsBySize::smallest_sizes() const {
  const Tables tables{features_, classes_};
  std::vector<std::size_t> bases, order(features_);
  for (std::size_t x = features_; x-- > 0;) bases.push_back(tables.power(std::size_t{1} << x));
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::vector<std::size_t> out(halves_ * halves_, SIZE_MAX);
  do {
    const auto low = tables.moved(order, 0, halves_);
    const auto high = tables.moved(order, (std::size_t{1} << features_) / 2, halves_);
    for (std::size_t t = 0; t < out.size(); ++t)
      out[t] = std::min(out[t], count_nodes(high[t / halves_] + low[t % halves_], bases));
  } while (std::next_permutation(order.begin(), order.end()));
  for (std::size_t t = 0; t < out.size(); ++t)
    if (!depends_on_all(t / halves_, t % halves_)) out[t] = 0;
  return out;
}

bool FunctionsBySize::depends_on_all(std::size_t high, std::size_t low) const {
  const Tables tables{features_, classes_};
  const std::size_t half = (std::size_t{1} << features_) / 2, table = high * halves_ + low;
  for (std::size_t x = 0; x < features_; ++x) {
    bool differs = false;
    for (std::size_t cell = 0; cell < 2 * half && !differs; ++cell)
      differs = tables.digit(table, cell) != tables.digit(table, cell ^ (std::size_t{1} << x));
    if (!differs) return false;
  }
  return true;
}

void FunctionsBySize::add_up(std::span<const std::int64_t> costs, std::vector<std::int64_t>& halves) const {
  halves.resize(halves_);
  halves[0] = 0;
  for (std::size_t cell = 0, known = 1; known < halves_; ++cell, known *= classes_)
    for (std::size_t k = classes_; k-- > 0;)
      for (std::size_t i = 0; i < known; ++i) halves[k * known + i] = halves[i] + costs[cell * classes_ + k];
}

std::int64_t FunctionsBySize::least(std::span<const std::int64_t> costs, std::span<const std::int64_t> limits,
                                    std::int64_t most) {
  add_up(costs.first(costs.size() / 2), low_);
  add_up(costs.last(costs.size() / 2), high_);
  const std::int64_t lowest = *std::min_element(low_.begin(), low_.end());
  for (std::size_t size = 1; size < sizes_.size(); ++size) {
    if (limits[size] < 0) continue;
    const Size& s = sizes_[size];
    for (std::size_t h = 0; h < halves_; ++h) {
      const std::int64_t high = high_[h] - limits[size];
      if (high + lowest >= most) continue;
      for (std::uint32_t i = s.first[h]; i < s.first[h + 1]; ++i) most = std::min(most, high + low_[s.low[i]]);
    }
  }
  return most;
}

}  // namespace beadwork
