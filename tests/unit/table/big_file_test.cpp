#include <beadwork/table.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>

// Files that are read through a moving window: the same tables and the same refusals as from memory.
namespace beadwork {
namespace {

class BigFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "beadwork.XXXXXX";
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ + "/big.csv";
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // 72 MiB in few rows; two-byte characters, so that every other window starts inside one; a quoted line break a row.
  static std::string content() {
    std::string pad;
    for (int i = 0; i < 50000; ++i) pad += "\xC3\xA9";
    std::string text = "\xEF\xBB\xBFn,pad,word,y\n";
    for (int i = 0; text.size() < std::size_t{72} << 20; ++i)
      text += std::to_string(i) + (i % 2 == 0 ? "" : ".5") + ",\"" + pad + "\n\",w" + std::to_string(i % 5) + ",k" +
              std::to_string(i % 3) + "\n";
    return text;
  }
  void expect_same(const std::string& text, const ReadOptions& options = {.ignore = {"pad"}}) {
    std::ofstream(path_, std::ios::binary) << text;
    const auto expected = parse_table(text, path_, options);
    const auto got = read_table(path_, options);
    ASSERT_EQ(static_cast<bool>(got), static_cast<bool>(expected));
    if (!expected) {
      EXPECT_EQ(got.error().to_string(), expected.error().to_string());
      return;
    }
    EXPECT_EQ(got->table, expected->table);
    EXPECT_EQ(got->notes, expected->notes);
  }
  std::string folder_, path_;
};

TEST_F(BigFile, GivesTheTableThatMemoryGives) {
  expect_same(content());
}

TEST_F(BigFile, RefusesAtTheRightPlace) {
  expect_same(content() + "1,2\n");
  expect_same(content() + "1,\xFF,2,k\n");
  std::string text = content();
  text[text.size() / 2] = '\0';
  expect_same(text);
}

TEST_F(BigFile, ReadsColumnsAgainThatTurnOutToBeText) {
  expect_same(content() + "many,x,w0,k0\n");
}

TEST_F(BigFile, ReadsARowThatIsLongerThanItsWindow) {
  std::string wide = "a,b,y\n", row = "1";
  for (int i = 0; i < 40; ++i) wide.insert(wide.size() - 2, "p" + std::to_string(i) + ",");
  row += ",2";
  for (int i = 0; i < 40; ++i) row += "," + std::string(std::size_t{1} << 20, 'x');
  expect_same(wide + row + ",k\n" + row + ",k\n", {});
}

TEST_F(BigFile, StopsWhenAsked) {
  std::ofstream(path_, std::ios::binary) << content();
  std::atomic<bool> flag = true;
  Control control;
  control.interrupt = &flag;
  const auto stopped = read_table(path_, {}, control);
  EXPECT_EQ(stopped.error().code, ErrorCode::limit);
  EXPECT_EQ(stopped.error().message, "stopped while reading it");
  EXPECT_EQ(parse_table("a,y\n0,k\n", "small", {}, control).error().code, ErrorCode::limit);
}

TEST_F(BigFile, SurvivesBeingCutShortWhileItIsRead) {
  const std::string text = content();
  std::ofstream(path_, std::ios::binary) << text;
  const std::size_t rest = text.find('\n', text.rfind(",k", 1 << 20)) + 1;  // whole rows: the cut may come first
  std::thread cutter([&] {
    ::usleep(5000);
    std::filesystem::resize_file(path_, rest);
  });
  const auto file = read_table(path_, {.ignore = {"pad"}});
  cutter.join();
  if (!file) {
    EXPECT_EQ(file.error().message, "became shorter while it was read");
  }
}

}  // namespace
}  // namespace beadwork
