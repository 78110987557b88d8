#include <beadwork/base.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

TEST(Sealed, LinesAreReadOneByOne) {
  const std::string text = seal("kind 1\na 1 2\nab\nb \n");
  auto lines = SealedLines::open(text, "kind 1");
  ASSERT_TRUE(lines);
  EXPECT_FALSE(lines->next("ab"));
  EXPECT_EQ(lines->next("a"), (std::vector<std::string_view>{"1", "2"}));
  EXPECT_FALSE(lines->next("a"));
  EXPECT_EQ(lines->next("ab"), std::vector<std::string_view>{});
  EXPECT_FALSE(lines->at_end());
  EXPECT_EQ(lines->next("b"), std::vector<std::string_view>{""});
  EXPECT_TRUE(lines->at_end());
  EXPECT_FALSE(lines->next("b"));
}

TEST(Sealed, OtherTextsAreRefused) {
  const auto why = [](const std::string& text) {
    const auto lines = SealedLines::open(text, "kind 1");
    return lines ? "" : lines.error().message;
  };
  EXPECT_EQ(why(seal("kind 1\n")), "");
  for (const char* text : {"", "kind 1\n", "sha256", "kind 1sha256 0\n"}) EXPECT_EQ(why(text), "no checksum") << text;
  EXPECT_EQ(why(seal("kind 1\n") + "\n"), "wrong checksum");
  EXPECT_EQ(why("kind 1\nsha256 0\n"), "wrong checksum");
  for (const char* text : {"", "kind 12\n", "kind 1 1\n", "kind\n"})
    EXPECT_EQ(why(seal(text)), "unknown version") << text;
}

TEST(Sealed, IntegersAreWhole) {
  EXPECT_EQ(parse_integer<std::int64_t>("-12"), -12);
  EXPECT_EQ(parse_integer<std::uint32_t>("4294967295"), 4294967295U);
  for (const char* text : {"", "-", "1 ", " 1", "+1", "1.0", "0x1", "4294967296", "-1"})
    EXPECT_FALSE(parse_integer<std::uint32_t>(text)) << text;
}

}  // namespace
}  // namespace beadwork
