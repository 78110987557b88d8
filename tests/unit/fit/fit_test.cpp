// One call against the steps that it stands for, on files.
#include <beadwork/fit.hpp>
#include <beadwork/samples.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <unistd.h>

namespace beadwork {
namespace {

class FitFile : public testing::Test {
 protected:
  FitFile() { std::filesystem::create_directories(folder_); }
  ~FitFile() override { std::filesystem::remove_all(folder_); }
  std::string file(const std::string& text) const {
    EXPECT_TRUE(write_file(folder_ + "/t.csv", text));
    return folder_ + "/t.csv";
  }

 private:
  std::string folder_ = testing::TempDir() + "fit_test_" + std::to_string(::getpid());
};

using Texts = std::vector<std::string>;

std::string ages() {
  std::string out = "age,colour,ill\n";
  for (int i = 0; i < 60; ++i)
    out += std::to_string(20 + i) + (i % 3 == 0 ? ",red," : ",blue,") + (i > 25 && i % 3 == 0 ? "yes\n" : "no\n");
  return out;
}

// Also where the new file has as many rows and bytes as the old one.
TEST_F(FitFile, AFileThatIsReplacedBetweenPassesIsRefused) {
  const std::string path = file(ages());
  const ShardTables parts = parts_of_files({path}, {}, {}, nullptr);
  const auto whole = survey(parts, {});
  ASSERT_TRUE(whole) << whole.error().to_string();
  const Shards shards = whole->shards(parts);
  EXPECT_TRUE(shards.open(0));
  std::string other = ages();
  other[other.find("20")] = '1';
  file(other);
  const auto again = shards.open(0);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().to_string(), path + ": changed while it was being read");
}

TEST_F(FitFile, PredictsAndSays) {
  const std::string path = file(ages());
  for (const auto kind : {ThresholdRule::Kind::quantiles, ThresholdRule::Kind::all}) {
    FitOptions options;
    options.request.run.depth.most = 2;
    ThresholdRule rule;
    rule.kind = kind;
    options.thresholds = rule;
    const auto fitted = fit_file(path, options);
    ASSERT_TRUE(fitted) << fitted.error().to_string();
    EXPECT_TRUE(is_proven(fitted->outcome.claim));
    const auto table = read_table(path);
    const auto answers = predict(fitted->model, table->table);
    ASSERT_TRUE(answers);
    const auto wrong =
        std::count_if(answers->classes.begin(), answers->classes.end(), [&, r = std::size_t{0}](Class k) mutable {
          const bool ill = r > 25 && r % 3 == 0;
          ++r;
          return (fitted->model.class_names()[k()] == "yes") != ill;
        });
    EXPECT_EQ(wrong, fitted->outcome.claim.upper_bound);
    EXPECT_TRUE(kind != ThresholdRule::Kind::all || wrong == 0);
    const auto again = model_from_json(to_json(fitted->model));
    ASSERT_TRUE(again);
    EXPECT_EQ(*again, fitted->model);
  }
}

TEST_F(FitFile, NamesAndPrices) {
  FitOptions options;
  ASSERT_TRUE(set_option(options.request, "require", "colour = red"));
  ASSERT_TRUE(set_option(options.request, "prices", "true"));
  const auto fitted = fit_file(file(ages()), options);
  ASSERT_TRUE(fitted) << fitted.error().to_string();
  ASSERT_FALSE(fitted->outcome.columns.empty());
  EXPECT_TRUE(std::all_of(fitted->outcome.columns.begin(), fitted->outcome.columns.end(),
                          [](const ColumnWorth& c) { return c.price.has_value(); }));
}

TEST_F(FitFile, ErrorsAreValues) {
  const auto none = fit_file("there is no such file.csv");
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().to_string().find("there is no such file.csv"), std::string::npos);
  EXPECT_FALSE(fit_file(file("")));
  EXPECT_FALSE(fit_file(file("a,b\n")));
  FitOptions options;
  ASSERT_TRUE(set_option(options.request, "require", "height"));
  const auto unknown = fit_file(file(ages()), options);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().message.find("height"), std::string::npos);
  FitOptions target;
  target.reading.target = "weight";
  EXPECT_FALSE(fit_file(file(ages()), target));
}

// Files and tables alike: what a row of weight 0 says is as if nobody had said it.
TEST_F(FitFile, RowsOfWeightZeroAreNone) {
  std::string all = "age,colour,ill,w\n", kept = all;
  for (int i = 0; i < 60; ++i) {
    const std::string weight = i % 4 == 0 ? "0" : i % 4 == 1 ? "0.50" : "2";
    const std::string row = std::to_string(20 + i) +
                            (i % 4 == 0   ? ",green,"
                             : i % 3 == 0 ? ",red,"
                                          : ",blue,") +
                            (i > 25 && i % 3 == 0 ? "yes," : "no,") + weight + "\n";
    all += row;
    if (weight != "0") kept += row;
  }
  FitOptions options;
  options.reading.weight = "w";
  options.reading.target = "ill";
  const Table few = parse_table(kept, "kept", options.reading)->table;
  EXPECT_EQ(parse_table(all, "all", options.reading)->table, few);
  ReadOptions as_it_is = options.reading;
  as_it_is.needs_target = false;
  as_it_is.numeric = {"age"};
  as_it_is.nominal = {"colour"};
  const Table whole = parse_table(all, "all", as_it_is)->table;
  EXPECT_EQ(whole.num_rows(), 60U);
  const auto from_table = fit(whole, options), from_few = fit(few, options), from_file = fit_file(file(all), options);
  ASSERT_TRUE(from_table && from_few && from_file);
  EXPECT_EQ(to_json(from_table->model), to_json(from_few->model));
  EXPECT_EQ(from_file->model.training().hashes.rows, from_few->model.training().hashes.rows);
  EXPECT_EQ(from_file->dataset.num_rows(), 45U);
  const auto none = fit_file(file("age,ill,w\n1,yes,0\n2,no,0.0\n"), options);
  ASSERT_FALSE(none);
  EXPECT_NE(none.error().message.find("at least one row must count"), std::string::npos) << none.error().to_string();
}

// The files that a request names are kept to, as on the command line.
TEST_F(FitFile, ReadsAndWritesWhatTheRequestNames) {
  const std::string table = file(ages()), folder = table.substr(0, table.size() - 5);
  FitOptions options;
  ASSERT_TRUE(set_option(options.request, "depth", "2"));
  ASSERT_TRUE(set_option(options.request, "certificate", folder + "c.txt"));
  ASSERT_TRUE(write_file(folder + "names.txt", "colour = red\nage <= 46\n"));
  const auto fitted = fit_file(table, options);
  ASSERT_TRUE(fitted) << fitted.error().to_string();
  EXPECT_EQ(*read_file(folder + "c.txt"), fitted->outcome.certificate);
  FitOptions again;
  ASSERT_TRUE(set_option(again.request, "depth", "2"));
  ASSERT_TRUE(set_option(again.request, "resume", folder + "state"));
  const auto resumed = fit_file(table, again);
  ASSERT_FALSE(resumed);
  EXPECT_NE(resumed.error().to_string().find("state: cannot open"), std::string::npos) << resumed.error().to_string();
  FitOptions named;
  ASSERT_TRUE(set_option(named.request, "features_from", folder + "names.txt"));
  EXPECT_FALSE(fit_file(table, named));  // no test has the second name
  ASSERT_TRUE(write_file(folder + "names.txt", "colour = red\n"));
  const auto few = fit_file(table, named);
  ASSERT_TRUE(few) << few.error().to_string();
  EXPECT_LE(few->outcome.features.size(), 1U);
  options.request.ask<ForSearch>().certificate.path = folder + "no/such/folder";
  EXPECT_FALSE(fit_file(table, options));
}

// What the command line does where nobody says a depth: a size is chosen among up to 16 features.
TEST_F(FitFile, ASizeIsChosenAmongManyFeatures) {
  Request request;
  ASSERT_TRUE(set_option(request, "size", "auto"));
  EXPECT_EQ(settled(request, {}).depth(), kFeaturesOfSizes);
  EXPECT_EQ(settled(request, ThresholdRule{ThresholdRule::Kind::all}).depth(), Request{}.depth());
  ASSERT_TRUE(set_option(request, "depth", "3"));
  EXPECT_EQ(settled(request, {}).depth(), 3U);
}

TEST_F(FitFile, AnInterruptedRunGivesWhatItHas) {
  const std::atomic<bool> interrupt = true;
  Control control;
  control.interrupt = &interrupt;
  const auto table = make_sample("multiplexer-6");
  FitOptions options;
  options.request.run.depth.most = 6;
  const auto fitted = fit(*table, options, control);
  EXPECT_TRUE(!fitted || !is_proven(fitted->outcome.claim));
}

// Partitions of another engine: functions that give tables.
TEST(FitParts, GivesTheModelOfTheWhole) {
  const Table table = parse_table(ages(), "ages")->table;
  ShardTables parts;
  parts.count = 3;
  parts.name = [](std::size_t part) { return "part " + std::to_string(part); };
  parts.read = [&](std::size_t part, const Binarizer*, const Texts&) -> Result<Table> {
    std::string text = "age,colour,ill\n";
    const std::string all = ages();
    std::size_t row = 0;
    for (std::size_t at = text.size(), end = 0; at < all.size(); at = end, ++row) {
      end = all.find('\n', at) + 1;
      if (row / 20 == part) text += all.substr(at, end - at);
    }
    auto file = parse_table(text, "part");
    if (!file) return file.error();
    return file->table;
  };
  FitOptions options;
  options.request.run.depth.most = 2;
  options.thresholds = ThresholdRule{};
  const auto whole = fit(table, options);
  const auto parted = fit_parts(parts, options);
  ASSERT_TRUE(whole && parted) << parted.error().message;
  EXPECT_EQ(whole->binarizer, parted->binarizer);
  EXPECT_EQ(whole->model.diagram(), parted->model.diagram());
  EXPECT_EQ(whole->model.counts(), parted->model.counts());
  EXPECT_EQ(whole->model.training(), parted->model.training());
  EXPECT_EQ(parted->model.claim().prover.shards, 3U);
  EXPECT_EQ(to_words(parted->outcome.claim), to_words(whole->outcome.claim) + "; proven from 3 shards");
}

TEST(FitParts, RefusesWhatItCannot) {
  ShardTables parts;
  parts.count = 1;
  FitOptions options;
  options.thresholds = ThresholdRule{ThresholdRule::Kind::all, 0};
  EXPECT_EQ(fit_parts(parts, options).error().where, "thresholds");
  options.thresholds.reset();
  options.request.ask<ForSearch>().top = 3;
  EXPECT_EQ(fit_parts(parts, options).error().where, "top");
}

}  // namespace
}  // namespace beadwork
