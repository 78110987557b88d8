#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <unit/report/models.hpp>

namespace beadwork {
namespace {

using namespace fixtures;
namespace fs = std::filesystem;

bool runs(const std::string& command) {
  return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

class Markup : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() /
              (std::string("beadwork-") + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" +
               std::to_string(static_cast<unsigned long long>(reinterpret_cast<std::uintptr_t>(this))));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string write(const std::string& name, const std::string& content) {
    const std::string path = (folder_ / name).string();
    EXPECT_TRUE(write_file(path, content));
    return path;
  }

  fs::path folder_;
};

// Each hostile name as a column, a value, a class and the target, in ordered and in unordered diagrams.
std::vector<Model> hostile_models() {
  std::vector<Model> out;
  const auto names = hostile_names();
  const std::size_t count = names.size();
  for (const bool ordered : {true, false}) {
    const Diagram d = ordered ? random_diagram(5, count, 1) : random_unordered(24, count, count, true, 2);
    Binarizer::Parts parts = zero_one(names, names, names[6]);
    for (std::size_t i = 0; i < count; i += 2) {
      parts.inputs[i].levels = names;
      parts.tests[i].level = names[(i + 3) % count];
    }
    out.push_back(make(parts, d, random_counts(d, count, 3)));
  }
  for (const std::string& name : names) {
    const Diagram d = table_diagram("01");
    out.push_back(make(zero_one({name}, {name, "other"}, name), d, random_counts(d, 2, 5)));
  }
  return out;
}

TEST_F(Markup, SvgIsWellFormedWhateverTheNames) {
  if (!runs("python3 -c 'import xml.dom.minidom'")) GTEST_SKIP() << "python3 is not installed";
  std::string command = "python3 -c 'import sys, xml.dom.minidom as m; [m.parse(f) for f in sys.argv[1:]]'";
  std::size_t i = 0;
  for (const Model& model : hostile_models()) {
    const std::string svg = to_svg(model);
    for (const char* raw : {"<script", "<b>", "<!--", "]]>", "\u202E", "\uFFFE"})
      EXPECT_EQ(svg.find(raw), std::string::npos) << raw;
    command += " " + write(std::to_string(i++) + ".svg", svg);
  }
  EXPECT_TRUE(runs(command));
}

TEST_F(Markup, GraphvizReadsEveryGraphAndShowsTheNamesAsTheyAre) {
  if (!runs("dot -V")) GTEST_SKIP() << "Graphviz is not installed";
  std::size_t i = 0;
  for (const Model& model : hostile_models()) {
    const std::string path = write(std::to_string(i++) + ".dot", to_dot(model));
    EXPECT_TRUE(runs("dot -Tsvg -o " + path + ".svg " + path)) << to_dot(model);
  }
  const Diagram d = table_diagram("01");
  const auto drawn = [&](const std::string& name) {
    const std::string path = write("one.dot", to_dot(make(zero_one({name}, {"a", "b"}), d, PathCounts(2, 2))));
    EXPECT_TRUE(runs("dot -Tsvg -o " + path + ".svg " + path));
    return *read_file(path + ".svg");
  };
  EXPECT_NE(drawn("\\N \\L").find(">\\N \\L<"), std::string::npos);
  EXPECT_NE(drawn("<b>x</b>").find("&lt;b&gt;x&lt;/b&gt;"), std::string::npos);
  EXPECT_NE(drawn("&lt;").find(">&amp;lt;<"), std::string::npos);
}

TEST_F(Markup, GraphvizDrawsOrdinaryDiagrams) {
  if (!runs("dot -V")) GTEST_SKIP() << "Graphviz is not installed";
  for (std::size_t depth = 0; depth <= 5; ++depth) {
    const Diagram d = random_diagram(depth, 3, depth);
    const std::string path =
        write("d.dot", to_dot(make(zero_one(numbered("x", depth), numbered("c", 3)), d, random_counts(d, 3, 1))));
    EXPECT_TRUE(runs("dot -Tsvg -o " + path + ".svg " + path));
  }
}

TEST(Svg, SaysWhatItShows) {
  const Diagram d = table_diagram("0001");
  const std::string svg = to_svg(make(zero_one({"smoker", "old"}, {"low", "high"}, "risk"), d, random_counts(d, 2, 1)));
  for (const char* part :
       {"role=\"img\"", "<title id=\"title\">Decision diagram for risk</title>", "Tests from the top: smoker; old.",
        "stroke-dasharray", ">test passes<", ">test fails<", ">low<", ">high<", "training accuracy"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(Svg, EllipsizesLongNamesAndKeepsThemWholeInTheTooltip) {
  const std::string name = std::string(150, 'n') + "!";
  const Diagram d = table_diagram("01");
  const std::string svg = to_svg(make(zero_one({name}, {"a", "b"}), d, random_counts(d, 2, 1)));
  EXPECT_NE(svg.find("n\u2026</text>"), std::string::npos);
  EXPECT_NE(svg.find("<title>" + name + "</title>"), std::string::npos);
  const Layout narrow = lay_out(make(zero_one({name}, {"a", "b"}), d, random_counts(d, 2, 1)));
  EXPECT_LT(narrow.names_width, 460);
  EXPECT_GT(narrow.names_width, 400);  // a small diagram leaves room for names
}

}  // namespace
}  // namespace beadwork
