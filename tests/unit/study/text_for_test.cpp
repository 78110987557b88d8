// What a study file says reaches each kind of output as text, and as nothing else.

#include <study/study.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

const std::string kHostile =
    "\x1b]0;x\a<b>![p](http://x)\n# h | `c` *s* _u_ &amp; ~x~ \\input{x} $1$ 50% a^b \"q\", \xe2\x80\xae"
    "end";

TEST(TextFor, NothingThatMovesTextAnywhere) {
  for (const auto& text :
       {for_terminal(kHostile), for_markdown(kHostile), for_latex(kHostile), for_xml(kHostile), for_csv(kHostile)}) {
    for (const char c : text) EXPECT_GE(static_cast<unsigned char>(c), 0x20) << text;
    EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos) << text;
    EXPECT_NE(text.find("end"), std::string::npos) << text;
  }
}

TEST(TextFor, MarkdownShowsEveryCharacter) {
  EXPECT_EQ(for_markdown("a|b <i> [x](y) `c` *d* _e_ # f & ~g~ \\h"),
            "a\\|b &lt;i&gt; \\[x\\](y) \\`c\\` \\*d\\* \\_e\\_ \\# f & \\~g\\~ \\\\h");
  EXPECT_EQ(for_markdown("CART, 50 %"), "CART, 50 %");
}

TEST(TextFor, LatexHasNoCommands) {
  EXPECT_EQ(for_latex("\\input{x} a^b~c & 5% $x$ #1 _y"),
            "\\textbackslash{}input\\{x\\} a\\textasciicircum{}b\\textasciitilde{}c \\& 5\\% \\$x\\$ \\#1 \\_y");
}

TEST(TextFor, CsvFieldsAreOneFieldAndNoFormula) {
  EXPECT_EQ(for_csv("plain text"), "plain text");
  EXPECT_EQ(for_csv("C, purity"), "\"C, purity\"");
  EXPECT_EQ(for_csv("say \"x\""), "\"say \"\"x\"\"\"");
  for (const char* number : {"-1.5", "+2", "1e-3", ""}) EXPECT_EQ(for_csv(number), number);
  for (const char* formula : {"=1+1", "+cmd|x", "-2+3", "@x", "  =A1"})
    EXPECT_EQ(for_csv(formula), "'" + std::string(formula));
  EXPECT_EQ(for_csv("=a,\"b\""), "\"'=a,\"\"b\"\"\"");
}

}  // namespace
}  // namespace beadwork
