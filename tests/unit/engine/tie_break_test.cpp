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
  double impurity = 0;
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
  for (std::size_t a = 0; a < rows.size(); ++a) {
    double others = 0;
    double unlike = 0;
    for (std::size_t b = 0; b < rows.size(); ++b) {
      if (a == b || cell_of(rows[a]) != cell_of(rows[b])) continue;
      others += static_cast<double>(rows[b].weight);
      if (rows[a].label != rows[b].label) unlike += static_cast<double>(rows[b].weight);
    }
    const double alone = 1 - 1 / static_cast<double>(classes);
    out.impurity += static_cast<double>(rows[a].weight) * (others == 0 ? alone : unlike / others);
  }
  out.features = std::move(features);
  return out;
}

std::vector<std::size_t> numbers(const std::vector<Feature>& features) {
  std::vector<std::size_t> out;
  for (const Feature f : features) out.push_back(f());
  return out;
}

TEST(TieBreak, ThePurestOfTheBestSets) {
  Rng rng(31);
  std::size_t several = 0;
  std::size_t settled = 0;
  std::size_t spared = 0;
  for (int round = 0; round < 600; ++round) {
    constexpr std::size_t kFeatures = 7;
    const std::size_t classes = 2 + rng.below(2);
    const auto rows = random_rows(rng, 3 + rng.below(25), kFeatures, classes, rng.below(2) == 0);
    SCOPED_TRACE(describe(rows));
    const Dataset data = dataset_of(rows, kFeatures, classes);
    Request options;
    ask(options, "depth", static_cast<std::int64_t>(rng.below(5)));
    std::vector<Judged> all;
    for (unsigned mask = 0; mask < 1U << kFeatures; ++mask) {
      std::vector<std::size_t> set;
      for (std::size_t f = 0; f < kFeatures; ++f)
        if ((mask >> f & 1U) != 0) set.push_back(f);
      all.push_back(judge(rows, classes, std::move(set)));
    }
    const std::int64_t unavoidable = all.back().errors;
    const auto depth = options.depth();
    std::int64_t least = all[0].errors;
    for (const Judged& j : all)
      if (j.features.size() <= depth) least = std::min(least, j.errors);
    std::size_t size = depth;  // as few features as the error takes
    for (const Judged& j : all)
      if (j.errors == least) size = std::min(size, j.features.size());
    double purest = 1e300;
    std::size_t rivals = 0;
    for (const Judged& j : all)
      if (j.features.size() == size && j.errors == least) {
        purest = std::min(purest, j.impurity);
        ++rivals;
      }
    ASSERT_GT(rivals, 0U);
    several += rivals > 1 ? 1 : 0;
    settled += least == unavoidable ? 1 : 0;
    spared += size < depth ? 1 : 0;

    ask(options, "bias", "P");
    ask(options, "tie_break", "first");
    const auto first = learn(data, options);
    ask(options, "tie_break", "purity");
    const auto pure = learn(data, options);
    ASSERT_TRUE(first && pure);
    for (const auto& o : {first, pure}) {
      ASSERT_EQ(o->status(), SolveStatus::optimal);
      ASSERT_EQ(*o->claim.upper_bound, least);
      ASSERT_EQ(o->features.size(), size);
    }
    ASSERT_NEAR(judge(rows, classes, numbers(pure->features)).impurity, purest,
                1e-9 * static_cast<double>(data.total_weight()));

    // The same answer where the whole search is wanted for its proof.
    ask(options, "certificate", "wanted");
    const auto certified = learn(data, options);
    ASSERT_TRUE(certified) << certified.error().to_string();
    ASSERT_EQ(certified->features, pure->features);
    ASSERT_FALSE(certified->certificate.empty());
  }
  EXPECT_GT(several, 200U);
  EXPECT_GT(settled, 50U);
  EXPECT_GT(spared, 50U);
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

TEST(TieBreak, RefusesWhatItDoesNotKnow) {
  Request options;
  EXPECT_EQ(set_option(options, "tie_break", "best").error().to_string(),
            "tie_break: expected first or purity, got 'best'");
}

}  // namespace
}  // namespace beadwork
