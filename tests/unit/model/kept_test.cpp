// What Model::make accepts can be written, and is read back as it was: random parts, most of them odd.
#include "fitting.hpp"
#include <beadwork/model.hpp>

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace beadwork {
namespace {

class OddParts {
 public:
  explicit OddParts(std::uint64_t seed) : rng_(seed) {}

  // The parts of a model that is as it should be, with up to three changes.
  Model::Parts next() {
    const Model m = fixtures::small_model();
    Model::Parts p{m.binarizer(), m.matrix_columns(), m.diagram(), m.counts(), m.training(), m.claim()};
    for (std::uint64_t changes = below(4); changes > 0; --changes) change(p);
    return p;
  }

 private:
  std::uint64_t below(std::uint64_t n) { return rng_.below(n); }
  std::int64_t number() {
    constexpr std::array<std::int64_t, 10> kNumbers{0, 1, 2, 3, 4, -1, 7, std::int64_t{1} << 53, INT64_MAX, INT64_MIN};
    return kNumbers[below(kNumbers.size())];
  }
  std::size_t size() { return static_cast<std::size_t>(number()); }
  double real() {
    constexpr std::array kReals{0.0,
                                0.5,
                                -1.0,
                                1e300,
                                1.0 / 3,
                                std::numeric_limits<double>::infinity(),
                                std::numeric_limits<double>::quiet_NaN()};
    return kReals[below(kReals.size())];
  }
  std::string text() {
    const std::array<std::string, 9> kTexts{"",         "age",  "red", "no", "a\nb", std::string("a\0b", 3),
                                            "\xc3\xbc", "\xff", "\"\\"};
    return kTexts[below(kTexts.size())];
  }
  bool flag() { return below(2) == 0; }

  void change(Model::Parts& p) {
    const std::array<std::function<void()>, 29> kChanges{
        [&] { p.training.engine = text(); },
        [&] { p.training.seed = number(); },
        [&] { p.training.thresholds = text(); },
        [&] { p.training.rows = number(); },
        [&] { p.training.weight_scale = p.claim.scale = number(); },
        [&] {
          p.training.hashes = {text(), text()};
        },
        [&] { p.training.data_sha256 = text(); },
        [&] {
          p.training.asked = {{{text(), flag()},
                               {text(), number()},
                               {text(), real()},
                               {text(), text()},
                               {text(), std::vector{text(), text()}}},
                              std::vector<double>(below(6), real())};
        },
        [&] { p.training.num_features = number(); },
        [&] { p.claim.status = static_cast<SolveStatus>(below(4)); },
        [&] { p.claim.lower_bound = number(); },
        [&] { p.claim.upper_bound = number(); },
        [&] { p.claim.rounding = number(); },
        [&] {
          p.claim.objective = {flag(), real(), flag()};
        },
        [&] { p.claim.scope.family = flag() ? Scope::Family::trees : Scope::Family::diagrams; },
        [&] { p.claim.scope.depth = size(); },
        [&] { p.claim.scope.max_nodes = size(); },
        [&] { p.claim.scope.num_features = size(); },
        [&] { p.claim.scope.num_allowed = size(); },
        [&] {
          p.claim.scope.required = {text(), text()};
        },
        [&] { p.claim.scope.required_columns = {text()}; },
        [&] { p.claim.scope.thresholds = text(); },
        [&] {
          p.claim.prover = {static_cast<Prover::Kind>(below(6)), text(), flag(), size(), size()};
        },
        [&] { p.claim.near_optimum = flag(); },
        [&] { p.edits = {text()}; },
        [&] {
          p.matrix_columns = {size(), size()};
        },
        [&] {
          p.counts.add(below(3), Class{below(2)}, flag() ? INT64_MAX / 4 : static_cast<std::int64_t>(below(9)) - 4);
        },
        [&] { change_names(p); },
        [&] { change_reading(p.reading); },
    };
    kChanges[below(kChanges.size())]();
  }

  void change_names(Model::Parts& p) {
    auto made =
        Binarizer::make({{{text(), ColumnType::numeric, {}}, {"color", ColumnType::nominal, {"blue", text()}}},
                         {{0, TestKind::at_most, real(), {}}, {1, TestKind::equals, 0, flag() ? "blue" : text()}},
                         text(),
                         {text(), "yes"}});
    if (made) p.binarizer = *std::move(made);
  }

  void change_reading(ReadOptions& r) {
    r.weight = text();
    r.missing = {text()};
    r.numeric = {text()};
    r.keep = {text()};
    r.max_categories = static_cast<std::size_t>(below(3));
  }

  Rng rng_;
};

TEST(KeptModels, WhatIsMadeIsReadBack) {
  OddParts odd(5);
  std::size_t made = 0;
  constexpr std::size_t kTries = 1500;
  for (std::size_t i = 0; i < kTries; ++i) {
    const auto model = Model::make(odd.next());
    if (!model) continue;
    ++made;
    const std::string written = to_json(*model);
    const auto read = model_from_json(written);
    ASSERT_TRUE(read) << "try " << i << ": " << read.error().to_string() << '\n' << written;
    ASSERT_EQ(to_json(*read), written) << "try " << i;
    ASSERT_EQ(*read, *model) << "try " << i << '\n' << written;
  }
  EXPECT_GT(made, kTries / 10);
  EXPECT_LT(made, kTries * 9 / 10);
}

}  // namespace
}  // namespace beadwork
