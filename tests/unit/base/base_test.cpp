#include <beadwork/base.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <set>
#include <vector>

namespace beadwork {
namespace {

Result<int> half(int n) {
  if (n % 2 != 0) return Error{ErrorCode::input, "expected an even number"};
  return n / 2;
}

TEST(Result, HoldsAValueOrAnError) {
  EXPECT_EQ(*half(4), 2);
  EXPECT_EQ(half(3).error().message, "expected an even number");
  EXPECT_THROW(*half(3), ContractViolation);
  EXPECT_THROW((void)half(4).error(), ContractViolation);
}

TEST(Error, NamesThePlaceFirst) {
  EXPECT_EQ(input_error("expected a number, got 'x'", "file.csv:12:3").to_string(),
            "file.csv:12:3: expected a number, got 'x'");
  EXPECT_EQ(input_error("no rows").to_string(), "no rows");
  const Error option = option_error("expected a number, got 'x'", "max_nodes");
  EXPECT_TRUE(option.names_option);
  EXPECT_EQ(option.code, ErrorCode::usage);
  EXPECT_EQ(option.to_string(), "max_nodes: expected a number, got 'x'");
}

TEST(Sha256, MatchesThePublishedVectors) {  // FIPS 180-4, appendix B, and NIST's million a's
  EXPECT_EQ(Sha256::of(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(Sha256::of("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(Sha256::of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  Sha256 h;
  for (int i = 0; i < 1000; ++i) h.update(std::string(1000, 'a'));
  EXPECT_EQ(h.hex_digest(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Rng, RepeatsForASeedAndCoversItsRange) {
  Rng a(7);
  Rng b(7);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.next(), b.next());
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(a.below(10));
  EXPECT_EQ(seen.size(), 10U);
  EXPECT_EQ(*seen.rbegin(), 9U);
  std::vector<int> v(50);
  std::iota(v.begin(), v.end(), 0);
  a.shuffle(std::span<int>(v));
  EXPECT_FALSE(std::is_sorted(v.begin(), v.end()));
  std::sort(v.begin(), v.end());
  for (int i = 0; i < 50; ++i) EXPECT_EQ(v[static_cast<std::size_t>(i)], i);
}

TEST(Text, NumbersAreWholeOrNothing) {
  EXPECT_EQ(parse_number("37.5"), 37.5);
  EXPECT_EQ(parse_number("-1e-3"), -1e-3);
  EXPECT_EQ(parse_number("+4"), 4.0);
  for (const char* bad : {"", "1,234", "nan", "inf", "-inf", "1e999", "12x", "+-3", "0x10", " 1", "+"})
    EXPECT_FALSE(parse_number(bad)) << bad;
  EXPECT_EQ(format_number(37.5), "37.5");
  EXPECT_EQ(format_number(0.1), "0.1");
  EXPECT_EQ(format_number(3), "3");
}

TEST(Text, FindsInvalidUtf8) {
  EXPECT_FALSE(find_invalid_utf8("na\xC3\xAFve \xE2\x82\xAC \xF0\x9F\x98\x80"));
  EXPECT_EQ(find_invalid_utf8("ab\xFF"), 2U);
  EXPECT_EQ(find_invalid_utf8("\xC0\xAF"), 0U);           // overlong
  EXPECT_EQ(find_invalid_utf8("\xED\xA0\x80"), 0U);       // surrogate
  EXPECT_EQ(find_invalid_utf8("x\xF4\x90\x80\x80"), 1U);  // beyond U+10FFFF
  EXPECT_EQ(find_invalid_utf8("x\xE2\x82"), 1U);          // cut short
}

TEST(Text, PrintableShowsWhatHides) {
  EXPECT_EQ(printable("a\nb"), "a\\u{a}b");
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "evil"),
            "\\u{202e}evil");
  EXPECT_EQ(printable("abcdef", 3), "abc...");
  EXPECT_EQ(printable("\xFF"), "\\xff");
  EXPECT_EQ(printable("\uFFFE\u061C"), "\\u{fffe}\\u{61c}");
  EXPECT_EQ(escaped("a<b&\"", {{'<', "&lt;"}, {'&', "&amp;"}}), "a&lt;b&amp;\"");
  EXPECT_EQ(escaped(std::string_view("\0x\xFF", 3), {{'\0', ""}, {'\xFF', "y"}}), "xy");
}

// Every character by its number: those that show nothing or turn the line around are written out, all others kept.
TEST(Text, PrintableKeepsWhatShows) {
  const auto utf8 = [](unsigned c) {
    if (c < 0x80) return std::string(1, static_cast<char>(c));
    const unsigned tail = c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    std::string text(1, static_cast<char>((tail == 1 ? 0xC0 : tail == 2 ? 0xE0 : 0xF0) | c >> 6 * tail));
    for (unsigned i = tail; i-- > 0;) text += static_cast<char>(0x80 | (c >> 6 * i & 0x3F));
    return text;
  };
  for (const unsigned c :
       {0x0U,    0x1FU,   0x7FU,   0x80U,   0x9FU,   0xADU,   0x61CU,  0x180EU,  0x200BU,  0x200FU,  0x2028U,
        0x202EU, 0x2060U, 0x206FU, 0xFEFFU, 0xFFF9U, 0xFFFBU, 0xFFFEU, 0x1FFFFU, 0xE0000U, 0xE007FU, 0x10FFFFU})
    EXPECT_EQ(printable(utf8(c)), fmt::format("\\u{{{:x}}}", c));
  for (const unsigned c :
       {0x20U,   0x7EU,   0xA0U,   0xACU,   0xAEU,   0x61BU,  0x61DU,  0x180DU,  0x180FU,  0x200AU,  0x2010U,
        0x2027U, 0x202FU, 0x205FU, 0x2070U, 0xFEFEU, 0xFFF8U, 0xFFFCU, 0x10000U, 0x1F600U, 0xDFFFDU, 0xE0080U})
    EXPECT_EQ(printable(utf8(c)), utf8(c)) << c;
}

TEST(Control, CountsWorkInPlaceOfTime) {
  const auto work = std::make_shared<WorkCount>();
  Control control;
  control.count(1'000'000'000);  // nobody counts
  control.deadline = Deadline::never().counted(work, 2);
  Control half = control;
  half.deadline = control.deadline.part(0.5);
  EXPECT_EQ(control.deadline.remaining(), 2);
  EXPECT_EQ(half.deadline.remaining(), 1);
  half.count(1'000'000'000);
  EXPECT_TRUE(half.stopping());
  EXPECT_FALSE(control.stopping());
  EXPECT_EQ(control.deadline.part(0.25).remaining(), 0.25);
  EXPECT_EQ(control.deadline.within(1e300).remaining(), 1);
  EXPECT_TRUE(control.deadline.within(0).passed());  // the clock counts as well
  EXPECT_FALSE(Deadline::never().within(3600).part(0.5).passed());
  EXPECT_GT(Deadline::never().part(0.5).remaining(), 1e9);
  control.count(1'000'000'000);
  EXPECT_TRUE(control.stopping());
  EXPECT_EQ(work->seconds(), 2);
}

TEST(Control, StopsOnDeadlineAndInterrupt) {
  std::atomic<bool> flag = false;
  Control control;
  control.interrupt = &flag;
  EXPECT_FALSE(control.stopping());
  flag = true;
  EXPECT_TRUE(control.stopping());
  flag = false;
  control.deadline = Deadline::in(0);
  EXPECT_TRUE(control.stopping());
  EXPECT_FALSE(Deadline::in(1e300).passed());
  EXPECT_GT(peak_memory(), 0U);
  EXPECT_GT(current_memory(), 0U);
}

TEST(Text, NamesAreSpelledApart) {
  Rng rng(9);
  const std::array<std::string, 14> pieces{
      "\\", "u", "{", "}", "1", "5c", "\\u{", "\\u{1}", "\x01", "\n", "\xC3\xA9", "\xE2\x80\xAE", "\xF0\x9F\x98\x80",
      "x"};
  for (int i = 0; i < 20000; ++i) {
    std::string name;
    for (std::size_t n = rng.below(6); n > 0; --n) name += pieces[rng.below(pieces.size())];
    const std::string text = spelled(name);
    ASSERT_EQ(unspelled(text), name) << text;  // so no two names are spelled alike
    ASSERT_EQ(text, printable(text, std::string::npos));
  }
  EXPECT_EQ(spelled("a\\u{1}"), "a\\u{5c}u{1}");
  EXPECT_EQ(spelled("a\x01"), "a\\u{1}");
  EXPECT_EQ(unspelled("C:\\dir\\u{"), "C:\\dir\\u{");
  EXPECT_EQ(unspelled("\\u{110000}\\u{d800}\\u{}\\u{-1}"), "\\u{110000}\\u{d800}\\u{}\\u{-1}");
  const std::string long_name(std::size_t{1} << 21, 'a');
  EXPECT_EQ(spelled(long_name), long_name);
}

}  // namespace
}  // namespace beadwork
