#include <beadwork/table.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace beadwork {
namespace {

class Parts : public testing::Test {
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

const ReadOptions kNamed{.needs_target = false, .only_named = true, .numeric = {"n"}, .nominal = {"s"}};

TEST_F(Parts, AreTheWholeTable) {
  std::string text = "s,other,n\n";
  for (int i = 0; i < 100; ++i)
    text += "w" + std::to_string(i % 7) + ",nan," + (i % 9 == 0 ? "" : std::to_string(i)) + "\n";
  const std::string path = write(text);
  const Table whole = read_table(path, kNamed)->table;
  ASSERT_EQ(whole.num_columns(), 2U);
  for (const std::size_t rows : {1U, 7U, 99U, 100U, 1000U}) {
    auto parts = TableParts::open(path, kNamed);
    ASSERT_TRUE(parts);
    std::size_t at = 0;
    for (;;) {
      const auto part = parts->next(rows);
      ASSERT_TRUE(part);
      if (!*part) break;
      for (std::size_t r = 0; r < (*part)->num_rows(); ++r, ++at)
        for (std::size_t c = 0; c < 2; ++c) EXPECT_EQ((*part)->column(c).text(r), whole.column(c).text(at));
    }
    EXPECT_EQ(at, 100U);
  }
}

TEST_F(Parts, RefuseWhereTheyGetTo) {
  auto parts = TableParts::open(write("s,n\na,1\nb,2\nc,x\n"), kNamed);
  ASSERT_TRUE(parts->next(2));
  EXPECT_EQ(parts->next(2).error().where, folder_ + "/t.csv:4:3");
  parts = TableParts::open(write("s,n\na,1\n\"b,2\n"), kNamed);
  EXPECT_EQ(parts->read_rest().error().where, folder_ + "/t.csv:3:1");
  EXPECT_EQ(TableParts::open(write("s,m\na,1\n"), kNamed).error().message,
            "the model needs column 'n', which is missing; the columns are 's', 'm'");
}

TEST_F(Parts, CountRowsOfWhichNothingIsAsked) {
  auto parts = TableParts::open(write("s,n\na,1\nb,2\n"), {.needs_target = false, .only_named = true});
  EXPECT_EQ((**parts->next(10)).num_rows(), 2U);
}

TEST_F(Parts, NeedNames) {
  EXPECT_THROW((void)TableParts::open("t.csv", {}), ContractViolation);
}

}  // namespace
}  // namespace beadwork
