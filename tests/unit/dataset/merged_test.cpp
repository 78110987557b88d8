#include <beadwork/dataset.hpp>
#include <beadwork/table/quantiles.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <unistd.h>

namespace beadwork {
namespace {

ValueCounts counted(const std::vector<std::pair<double, double>>& values) {
  ValueCounts out{{}, 1, {}};
  for (const auto& [value, weight] : values) {
    out.values.push_back(value);
    out.weights.push_back(weight);
  }
  return out;
}

// Numbers of many magnitudes, some of them heavy, in an order that may mislead.
std::vector<std::pair<double, double>> random_numbers(Rng& rng) {
  std::vector<std::pair<double, double>> out;
  const std::size_t rows = 50 + rng.below(400);
  const std::size_t different = 1 + rng.below(300);
  for (std::size_t r = 0; r < rows; ++r) {
    const double x = static_cast<double>(rng.below(different)) - 20;
    out.emplace_back(rng.below(3) == 0 ? x * 1e200 : x / 8, static_cast<double>(rng.below(4)));
  }
  if (rng.below(2) == 0) std::sort(out.begin(), out.end());
  return out;
}

TEST(QuantileLumps, DecideAsAllNumbersDo) {
  Rng rng(1);
  for (int round = 0; round < 2000; ++round) {
    const auto numbers = random_numbers(rng);
    const std::size_t quantiles = 1 + rng.below(12);
    std::map<double, double> all;
    for (const auto& [x, w] : numbers) all[x + 0.0] += w;
    if (all.size() <= quantiles + 1) continue;  // never in lumps
    table::Lump whole;
    for (const auto& [x, w] : numbers) whole.add(table::key_of(x), 1, w);
    table::QuantileLumps lumps({whole}, quantiles);
    const std::size_t room = rng.below(3) * 100;
    int walks = 0;
    while (lumps.look_closer(room)) {
      for (const auto& [x, w] : numbers) lumps.add(table::key_of(x), w);
      lumps.looked();
      ASSERT_LT(++walks, 20);
    }
    const ThresholdRule rule{ThresholdRule::Kind::quantiles, quantiles};
    EXPECT_EQ(choose_thresholds(counted(lumps.values()), rule),
              choose_thresholds(counted({all.begin(), all.end()}), rule));
  }
}

class Merged : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "beadwork.XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string write(const std::string& text) const {
    std::ofstream(folder_ + "/t.csv", std::ios::binary) << text;
    return folder_ + "/t.csv";
  }
  std::string folder_;
};

TEST_F(Merged, IsWhatTheRowsCondenseTo) {
  Rng rng(7);
  for (int round = 0; round < 40; ++round) {
    std::string text = "a,b,c,d,w,y\n";
    for (std::size_t r = 0; r < 1 + rng.below(300); ++r)
      text += std::to_string(rng.below(40)) + "," + std::to_string(rng.below(2)) + "," + "xyz"[rng.below(3)] + "," +
              (rng.below(9) == 0 ? "" : std::to_string(rng.below(100000)) + "." + std::to_string(rng.below(99))) + "," +
              std::to_string(rng.below(3) + (r == 0 ? 1 : 0)) + "," + "pqr"[rng.below(3)] + "\n";
    const std::string path = write(text);
    const ReadOptions options{.weight = "w"};
    const ThresholdRule rule{ThresholdRule::Kind::quantiles, 1 + rng.below(9)};
    const auto file = read_table(path, options);
    ASSERT_TRUE(file);
    const auto binarizer = Binarizer::fit(file->table, {rule});
    const auto dataset = binarizer->apply(file->table);
    const auto merged = read_merged(path, options, [&](std::size_t, std::size_t) { return rule; });
    ASSERT_TRUE(merged && *merged);
    EXPECT_EQ((*merged)->binarizer, *binarizer);
    EXPECT_EQ(rows_sha256((*merged)->dataset), rows_sha256(*dataset));
    EXPECT_EQ((*merged)->dataset.num_given_rows(), dataset->num_rows());
    EXPECT_EQ((*merged)->file.notes, file->notes);
    const Condensed a = condense(*dataset);
    const Condensed b = condense((*merged)->dataset);
    EXPECT_EQ(a.features, b.features);
    EXPECT_EQ(a.columns, b.columns);
    EXPECT_EQ(a.class_weights, b.class_weights);
  }
}

TEST_F(Merged, AFileThatIsReplacedBetweenPassesIsRefused) {
  const std::string path = write("a,b,y\n1,5,p\n2,6,q\n3,7,p\n");
  const auto merged = read_merged(path, {}, [&](std::size_t, std::size_t) {
    write("a,b,y\n3,5,p\n2,6,q\n1,7,p\n");
    return ThresholdRule{};
  });
  ASSERT_FALSE(merged);
  EXPECT_EQ(merged.error().to_string(), path + ": changed while it was being read");
}

// A block of rows is no table: it may be without weight.
TEST_F(Merged, ManyRowsWithoutWeight) {
  std::string text = "a,w,y\n";
  for (int i = 0; i < 300000; ++i) text += i < 299990 ? "1,0,p\n" : i % 2 == 0 ? "1,1,p\n" : "2,3,q\n";
  const auto merged =
      read_merged(write(text), {.weight = "w"}, [](std::size_t, std::size_t) { return ThresholdRule{}; });
  ASSERT_TRUE(merged && *merged) << merged.error().to_string();
  EXPECT_EQ((*merged)->dataset.total_weight(), 20);
}

TEST_F(Merged, NeedsWholeWeights) {
  const auto rule = [](std::size_t, std::size_t) { return ThresholdRule{}; };
  const auto merged = read_merged(write("a,w,y\n1,0.5,p\n2,1,q\n"), {.weight = "w"}, rule);
  ASSERT_TRUE(merged);
  EXPECT_FALSE(*merged);
}

}  // namespace
}  // namespace beadwork
