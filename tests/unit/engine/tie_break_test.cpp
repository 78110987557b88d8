// Which of the sets with the least errors is the answer, against a look at every set.

#include "support/datasets.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace beadwork {
namespace {

using namespace testing_support;

struct Judged {
  std::vector<std::size_t> features;
  std::int64_t errors = 0;
};

// By the rows themselves: the cells are texts, every row is compared with every other.
Judged judge(const std::vector<BitRow>& rows, std::size_t classes, std::vector<std::size_t> features) {
  Judged out;
  std::map<std::string, std::vector<std::int64_t>> cells;
  const auto cell_of = [&](const BitRow& r) {
    std::string cell;
    for (const std::size_t f : features) cell += r.bits[f];
    return cell;
  };
  for (const BitRow& r : rows) {
    auto& cell = cells[cell_of(r)];
    cell.resize(classes);
    cell[r.label] += r.weight;
  }
  for (const auto& [name, cell] : cells)
    for (std::size_t k = 0; k < classes; ++k)
      if (k != static_cast<std::size_t>(std::max_element(cell.begin(), cell.end()) - cell.begin()))
        out.errors += cell[k];
  out.features = std::move(features);
  return out;
}

std::vector<std::size_t> numbers(const std::vector<Feature>& features) {
  std::vector<std::size_t> out;
  for (const Feature f : features) out.push_back(f());
  return out;
}

// Of the sets that the restrictions allow: least errors, then fewest features, then the first list.
std::vector<std::size_t> first_allowed(const std::vector<BitRow>& rows, std::size_t classes, std::size_t depth,
                                       unsigned allowed, unsigned required) {
  std::optional<Judged> best;
  for (unsigned mask = 0; mask <= allowed; ++mask) {
    if ((mask & ~allowed) != 0 || (required & ~mask) != 0) continue;
    std::vector<std::size_t> set;
    for (std::size_t f = 0; mask >> f != 0; ++f)
      if ((mask >> f & 1U) != 0) set.push_back(f);
    if (set.size() > depth) continue;
    Judged j = judge(rows, classes, std::move(set));
    const auto key = [](const Judged& x) { return std::tuple(x.errors, x.features.size(), x.features); };
    if (!best || key(j) < key(*best)) best = std::move(j);
  }
  return best->features;
}

TEST(TieBreak, TheFirstOfTheBestSetsAmongThoseAllowed) {
  Rng rng(77);
  constexpr std::size_t kFeatures = 7;
  std::size_t moved = 0;
  for (int round = 0; round < 400; ++round) {
    const auto rows = random_rows(rng, 3 + rng.below(14), kFeatures, 2, rng.below(2) == 0);
    SCOPED_TRACE(describe(rows));
    const Dataset data = dataset_of(rows, kFeatures, 2);
    const std::size_t depth = 1 + rng.below(4);
    const auto name = [&](std::size_t f) { return data.feature_name(Feature{f}); };
    unsigned allowed = (1U << kFeatures) - 1;
    unsigned required = 0;
    Request options;
    ask(options, "depth", static_cast<std::int64_t>(depth));
    ask(options, "bias", "P");
    if (rng.below(2) == 0) {
      allowed = static_cast<unsigned>(1 + rng.below((1U << kFeatures) - 1));
      for (std::size_t f = 0; f < kFeatures; ++f)
        if ((allowed >> f & 1U) != 0) ask(options, "candidate", name(f));
    }
    if (const std::size_t f = rng.below(kFeatures); (allowed & ~(1U << f)) != 0 && rng.below(2) == 0) {
      allowed &= ~(1U << f);
      ask(options, "forbid", name(f));
    }
    if (const std::size_t f = rng.below(kFeatures); (allowed >> f & 1U) != 0) {
      required = 1U << f;
      ask(options, "require", name(f));
    }
    const auto expected = first_allowed(rows, 2, depth, allowed, required);
    for (const std::int64_t threads : {1, 2}) {
      ask(options, "threads", threads);
      if (threads == 2) ask(options, "certificate", "wanted");  // the whole search
      const auto got = learn(data, options);
      ASSERT_TRUE(got) << got.error().to_string();
      ASSERT_TRUE(is_proven(got->claim) && got->claim.canonical);
      auto features = numbers(got->features);
      std::sort(features.begin(), features.end());
      ASSERT_EQ(features, expected);
    }
    moved += expected != first_allowed(rows, 2, depth, (1U << kFeatures) - 1, 0) ? 1 : 0;
  }
  EXPECT_GT(moved, 100U);
}

// A solver takes any of several that tie: only the engines that look for the first say that theirs is.
TEST(TieBreak, OnlyWhoLooksForTheFirstSaysSo) {
  Rng rng(5);
  const auto rows = random_rows(rng, 12, 6, 2, false);
  const Dataset data = dataset_of(rows, 6, 2);
  for (const auto& [engine, canonical] :
       {std::pair{"search", true}, {"enumerate", true}, {"maxsat", false}, {"maxsat-dt", false}}) {
    Request options;
    ask(options, "depth", std::int64_t{2});
    ask(options, "engine", engine);
    const auto got = learn(data, options);
    ASSERT_TRUE(got && is_proven(got->claim)) << engine;
    EXPECT_EQ(got->claim.canonical, canonical) << engine;
    EXPECT_EQ(to_words(got->claim).find("others may tie with it") == std::string::npos, canonical) << engine;
  }
}

}  // namespace
}  // namespace beadwork
