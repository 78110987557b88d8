// What engine search takes beyond the others, against trying everything: required and forbidden features, ranges of
// depths, the best sets and those within a distance, with every bound switched off in turn.

#include "brute_force.hpp"
#include "support/requests.hpp"
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace beadwork {
namespace {

using namespace testing_support;

struct Candidate {
  std::size_t feature;
  std::uint64_t copies;
};

// The least allowed feature of each family of equal or complementary ones that holds no required feature.
std::vector<Candidate> candidates(const std::vector<BitRow>& rows, std::size_t features, const Set& required,
                                  const Set& forbidden) {
  const auto has = [](const Set& s, std::size_t f) { return std::find(s.begin(), s.end(), f) != s.end(); };
  const auto family = [&](std::size_t f) {
    const std::string column = column_of(rows, f);
    return std::min(column, flipped(column));
  };
  std::set<std::string> taken{std::string(rows.size(), '0')};
  for (const std::size_t f : required) taken.insert(family(f));
  std::map<std::string, Candidate> found;
  for (std::size_t f = 0; f < features; ++f)
    if (!has(forbidden, f) && taken.count(family(f)) == 0)
      ++found.try_emplace(family(f), Candidate{f, 0}).first->second.copies;
  std::vector<Candidate> out;
  for (const auto& [column, c] : found) out.push_back(c);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.feature < b.feature; });
  return out;
}

// All sets that compete at this depth, by error, then by list.
std::vector<NearSet> all_sets(const std::vector<BitRow>& rows, std::size_t features, std::size_t depth,
                              const Set& required, const Set& forbidden) {
  const auto c = candidates(rows, features, required, forbidden);
  const std::size_t choose = std::min(depth - required.size(), c.size());
  std::vector<NearSet> out;
  for (std::size_t mask = 0; mask < std::size_t{1} << c.size(); ++mask) {
    if (static_cast<std::size_t>(__builtin_popcountll(mask)) != choose) continue;
    Set set = required;
    NearSet n;
    for (std::size_t i = 0; i < c.size(); ++i)
      if (mask >> i & 1) {
        set.push_back(c[i].feature);
        n.copies *= c[i].copies;
      }
    std::sort(set.begin(), set.end());
    for (const std::size_t f : set) n.features.emplace_back(f);
    n.error = errors_of_set(rows, set);
    out.push_back(n);
  }
  std::sort(out.begin(), out.end(), [](const NearSet& a, const NearSet& b) {
    return std::tie(a.error, a.features) < std::tie(b.error, b.features);
  });
  return out;
}

struct Drawn {
  std::vector<BitRow> rows;
  std::size_t features;
  Set required, forbidden;
  Dataset dataset;
  Request options;
};

Drawn draw(Rng& rng) {
  Drawn d;
  d.features = 1 + rng.below(8);
  const std::size_t classes = 2 + rng.below(2);
  d.rows = random_rows(rng, 1 + rng.below(30), d.features, classes, true);
  d.dataset = dataset_of(d.rows, d.features, classes);
  ask(d.options, "depth", static_cast<std::int64_t>(rng.below(5)));
  ask(d.options, "threads", 1 + static_cast<std::int64_t>(rng.below(2)));
  for (std::size_t f = 0; f < d.features; ++f) {
    const std::uint64_t kind = rng.below(6);
    if (kind == 0 && d.required.size() < d.options.depth()) {
      d.required.push_back(f);
      d.options.pin.require.push_back(d.dataset.feature_name(Feature{f}));
    } else if (kind == 1) {
      d.forbidden.push_back(f);
      d.options.pin.forbid.push_back(d.dataset.feature_name(Feature{f}));
    }
  }
  if (rng.below(3) == 0) ask(d.options, "kernel", "portable");
  return d;
}

TEST(SearchOptions, RequiredAndForbiddenFeaturesOverDepths) {
  Rng rng(401);
  for (std::size_t round = 0; round < 400; ++round) {
    Drawn d = draw(rng);
    d.options.run.depth.from = rng.below(d.options.depth() + 1);
    const auto o = learn(d.dataset, d.options);
    ASSERT_TRUE(o) << o.error().to_string();
    SCOPED_TRACE(fmt::format("round {}, depth {}..{}:\n{}", round, *d.options.run.depth.from, d.options.depth(),
                             describe(d.rows)));
    std::size_t depth = std::max<std::size_t>(*d.options.run.depth.from, d.required.size());
    for (const SetAnswer& a : o->by_depth) {
      const auto best = all_sets(d.rows, d.features, depth, d.required, d.forbidden).front();
      ASSERT_EQ(a.depth, depth++);
      ASSERT_EQ(a.status, SolveStatus::optimal);
      ASSERT_EQ(a.cost, best.error);
      ASSERT_EQ(a.lower_bound, best.error);
      ASSERT_EQ(a.features, best.features);
    }
    ASSERT_EQ(depth, d.options.depth() + 1);
    ASSERT_EQ(o->claim.upper_bound, o->by_depth.back().cost);
    // The answer: as few features as that error takes, of these sets the first.
    for (depth = d.required.size();; ++depth) {
      const auto best = all_sets(d.rows, d.features, depth, d.required, d.forbidden).front();
      if (best.error != *o->claim.upper_bound) continue;
      auto features = o->features;
      std::sort(features.begin(), features.end());
      ASSERT_EQ(features, best.features);
      break;
    }
  }
}

TEST(SearchOptions, SetsNearTheBest) {
  Rng rng(402);
  for (std::size_t round = 0; round < 400; ++round) {
    Drawn d = draw(rng);
    SCOPED_TRACE(fmt::format("round {}, depth {}:\n{}", round, d.options.depth(), describe(d.rows)));
    auto expected = all_sets(d.rows, d.features, d.options.depth(), d.required, d.forbidden);
    const bool top = rng.below(2) == 0;
    if (top) {
      const std::size_t most = 1 + rng.below(12);
      ask(d.options, "top", most);
      expected.resize(std::min(expected.size(), most));
    } else {
      const auto within = static_cast<std::int64_t>(rng.below(5));
      ask(d.options, "within", std::to_string(within));
      const std::int64_t limit = expected.front().error + within;
      std::erase_if(expected, [&](const NearSet& s) { return s.error > limit; });
    }
    const auto o = learn(d.dataset, d.options);
    ASSERT_TRUE(o) << o.error().to_string();
    ASSERT_TRUE(o->near);
    ASSERT_TRUE(o->near->complete);
    std::vector<NearSet> listed;
    for (const SetAnswer& s : o->near->sets) listed.push_back({s.features, s.cost, s.copies});
    ASSERT_EQ(listed, expected);
    ASSERT_EQ(o->near->num_sets, expected.size());
    ASSERT_EQ(o->near->num_copies, std::accumulate(expected.begin(), expected.end(), std::uint64_t{0},
                                                   [](std::uint64_t sum, const NearSet& s) { return sum + s.copies; }));
    ASSERT_EQ(listed.front().error, *o->claim.upper_bound);
  }
}

// Quarters, so that costs are scaled; the least cost over all sets of at most `depth` features.
TEST(SearchOptions, Costs) {
  Rng rng(404);
  for (std::size_t round = 0; round < 400; ++round) {
    Drawn d = draw(rng);
    const std::size_t classes = d.dataset.num_classes();
    std::vector<std::int64_t> quarters;
    for (std::size_t i = 0; i < classes * classes; ++i) {
      const bool right = i % (classes + 1) == 0;
      quarters.push_back(static_cast<std::int64_t>(rng.below(right ? 2 : 12)));
      d.options.cost.costs.push_back(static_cast<double>(quarters.back()) / 4);
    }
    if (std::all_of(quarters.begin(), quarters.end(), [](std::int64_t c) { return c == 0; })) continue;
    const auto cost_of = [&](const std::vector<Feature>& set) {
      std::map<std::string, std::vector<std::int64_t>> cells;
      for (const BitRow& r : d.rows) {
        std::string key;
        for (const Feature f : set) key += r.bits[f()];
        auto& cell = cells.try_emplace(key, classes, 0).first->second;
        for (std::size_t k = 0; k < classes; ++k) cell[k] += r.weight * quarters[r.label * classes + k];
      }
      std::int64_t sum = 0;
      for (const auto& [key, cell] : cells) sum += *std::min_element(cell.begin(), cell.end());
      return sum;
    };
    std::int64_t least = INT64_MAX;
    for (const NearSet& s : all_sets(d.rows, d.features, d.options.depth(), d.required, d.forbidden))
      least = std::min(least, cost_of(s.features));
    SCOPED_TRACE(fmt::format("round {}, depth {}:\n{}", round, d.options.depth(), describe(d.rows)));
    const auto o = learn(d.dataset, d.options);
    ASSERT_TRUE(o) << o.error().to_string();
    ASSERT_EQ(o->status(), SolveStatus::optimal);
    ASSERT_EQ(*o->claim.upper_bound * 4, least * o->claim.scale);
    ASSERT_EQ(o->claim.lower_bound, o->claim.upper_bound);
    std::int64_t cost = 0;
    for (std::size_t r = 0; r < d.rows.size(); ++r) {
      const Class answer = o->diagram->classify([&](Feature f) { return d.dataset.value(f, Row{r}); });
      cost += d.rows[r].weight * quarters[d.rows[r].label * classes + answer()];
    }
    ASSERT_EQ(cost, least);
    ask(d.options, "engine", "local");
    d.options.only = {};
    const auto local = learn(d.dataset, d.options);
    ASSERT_TRUE(local) << local.error().to_string();
    ASSERT_GE(*local->claim.upper_bound, *o->claim.upper_bound);
  }
}

TEST(SearchOptions, TheLeastDepthWithoutErrors) {
  Rng rng(403);
  for (std::size_t round = 0; round < 400; ++round) {
    const Drawn d = draw(rng);
    SCOPED_TRACE(fmt::format("round {}:\n{}", round, describe(d.rows)));
    const auto least = min_depth_by_search(d.dataset, {});
    ASSERT_TRUE(least) << least.error().to_string();
    std::vector<std::int64_t> errors;  // by depth
    for (std::size_t depth = 0; depth <= d.features; ++depth)
      errors.push_back(all_sets(d.rows, d.features, depth, {}, {}).front().error);
    const auto reached = std::find(errors.begin(), errors.end(), errors.back());  // what no set can avoid
    const auto enough = static_cast<std::size_t>(reached - errors.begin());
    Request up_to;
    up_to.least_depth = true;
    up_to.run.depth.most = rng.below(d.features + 1);
    const auto answer = learn(d.dataset, up_to);
    ASSERT_TRUE(answer) << answer.error().to_string();
    const std::size_t depth = std::min(enough, up_to.depth());
    ASSERT_EQ(answer->claim.scope.depth, depth);
    ASSERT_EQ(answer->claim.upper_bound, errors[depth]);
    ASSERT_TRUE(is_proven(answer->claim));
    const auto expected = errors.back() == 0 ? std::optional(enough) : std::nullopt;
    ASSERT_EQ(least->depth, expected);
    ASSERT_EQ(least->status, expected ? SolveStatus::optimal : SolveStatus::infeasible);
    if (!expected) continue;
    ASSERT_EQ(training_errors(d.dataset, diagram_of(*least->table)), 0);
    ASSERT_EQ(least->table->depth(), *expected);
  }
}

TEST(SearchOptions, ThoseOfAnotherEngineAreRefused) {
  const Dataset d = dataset_of({{"01", 0}, {"10", 1}}, 2);
  for (const Engine& engine : engines())
    for (const OptionInfo& info : option_table()) {
      Request o;
      if (info.name == "engine" || takes(engine, info.name)) continue;
      const char* value = info.type == OptionType::flag ? "true" : "3";
      for (const char* word : {value, "x", "bdd3", "entropy", "old", "portable", "P", "auto-1se"})
        if (set_option(o, info.name, word) && !options_given(o).empty()) break;
      ASSERT_FALSE(options_given(o).empty()) << info.name;
      ask(o, "engine", engine.name);
      const auto outcome = learn(d, o);
      ASSERT_FALSE(outcome) << engine.name << ' ' << info.name;
      EXPECT_EQ(outcome.error().code, ErrorCode::usage);
      EXPECT_EQ(outcome.error().where, info.name);
    }
}

}  // namespace
}  // namespace beadwork
