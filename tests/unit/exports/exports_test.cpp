#include <beadwork/exports.hpp>

#include <gtest/gtest.h>

namespace beadwork {
namespace {

Model model_of(std::vector<InputColumn> columns, std::vector<Test> tests, std::vector<DiagramNode> nodes,
               std::vector<std::string> classes) {
  Model::Parts parts;
  parts.matrix_columns.resize(tests.size());
  parts.counts = PathCounts(Diagram::make(nodes)->num_paths(), classes.size());
  parts.binarizer = *Binarizer::make({std::move(columns), std::move(tests), "target", std::move(classes)});
  parts.diagram = *Diagram::make(std::move(nodes));
  parts.claim.status = SolveStatus::feasible;
  parts.claim.upper_bound = 0;
  return *Model::make(std::move(parts));
}

//    a <= 1
//   . .   |
//  no     b = x\0y
//          . |
//         no yes      and a feature that nothing tests
Model small() {
  return model_of(
      {{"unused", ColumnType::numeric, {}},
       {"a", ColumnType::numeric, {}},
       {"b", ColumnType::nominal, {std::string("x\0y", 3), "z"}}},
      {{0, TestKind::at_most, 9, {}}, {1, TestKind::at_most, 1, {}}, {2, TestKind::equals, 0, std::string("x\0y", 3)}},
      {DiagramNode::test(Feature{1}, Node{2}, Node{1}), DiagramNode::test(Feature{2}, Node{2}, Node{3}),
       DiagramNode::leaf(Class{0}), DiagramNode::leaf(Class{1})},
      {"no", "yes"});
}

TEST(Exports, AskForWhatIsTestedOnly) {
  for (const ExportFormat& f : export_formats()) {
    if (f.name == "json" || f.name == "png" || f.name == "pdf" || f.name == "pmml") continue;
    const auto text = export_model(small(), f.name);
    ASSERT_TRUE(text) << f.name;
    EXPECT_EQ(text->find("unused"), std::string::npos) << f.name;
  }
}

// No C string and no text of a database can hold a NUL; the others can.
TEST(Exports, CategoriesWithANul) {
  const Model model = small();
  EXPECT_NE(export_model(model, "c")->find("if (0)"), std::string::npos);
  EXPECT_NE(export_model(model, "sql")->find("1 = 0"), std::string::npos);
  EXPECT_NE(export_model(model, "c++")->find("\"x\\000y\"sv"), std::string::npos);
  EXPECT_NE(export_model(model, "python")->find("\"x\\u0000y\""), std::string::npos);
  EXPECT_NE(export_model(model, "rust")->find("Some(\"x\\u{0}y\")"), std::string::npos);
  EXPECT_EQ(export_model(model, "pmml").error().message,
            "category \"x\\u{0}y\" holds a character that XML cannot hold");
  for (const ExportFormat& f : export_formats()) {
    if (!f.text || f.name == "pmml") continue;
    EXPECT_EQ(export_model(model, f.name)->find('\0'), std::string::npos) << f.name;
  }
}

// A test of b sends both answers to one node; a is asked twice, on some path in vain.
TEST(Exports, DiagramsThatAreNotReduced) {
  const Model model = model_of(
      {{"a", ColumnType::numeric, {}}, {"b", ColumnType::numeric, {}}},
      {{0, TestKind::at_most, 1, {}}, {1, TestKind::at_most, 1, {}}},
      {DiagramNode::test(Feature{1}, Node{1}, Node{1}), DiagramNode::test(Feature{0}, Node{2}, Node{3}),
       DiagramNode::test(Feature{0}, Node{3}, Node{4}), DiagramNode::leaf(Class{1}), DiagramNode::leaf(Class{0})},
      {"0", "1"});
  const std::string dddmp = *export_model(model, "dddmp");
  EXPECT_NE(dddmp.find(".rootids 1\n"), std::string::npos) << dddmp;  // always the second class
  EXPECT_NE(export_model(model, "blif")->find(".names x_b_1 n1\n0 1\n1 1\n"), std::string::npos);
  const std::string pla = *export_model(model, "pla");
  EXPECT_NE(pla.find(".p 4\n"), std::string::npos) << pla;  // the two paths that ask a both ways are left out
}

TEST(Exports, LongChainsAreCutIntoFunctions) {
  std::vector<DiagramNode> nodes;
  constexpr std::size_t kTests = 300;
  for (std::size_t n = 0; n < kTests; ++n) nodes.push_back(DiagramNode::test(Feature{0}, Node{kTests}, Node{n + 1}));
  nodes.push_back(DiagramNode::leaf(Class{0}));
  nodes.insert(nodes.end() - 1, DiagramNode::test(Feature{0}, Node{kTests + 1}, Node{kTests + 2}));
  nodes.push_back(DiagramNode::leaf(Class{1}));
  const Model model = model_of({{"a", ColumnType::numeric, {}}}, {{0, TestKind::at_most, 1, {}}}, nodes, {"0", "1"});
  for (const ExportFormat& f : export_formats()) {
    if (f.name == "png" || f.name == "pdf" || f.name == "text" || f.name == "svg" || f.name == "dot") continue;
    if (f.name == "formula") continue;  // Excel nests 64 deep
    EXPECT_TRUE(export_model(model, f.name)) << f.name;
  }
  const std::string c = *export_model(model, "c");
  EXPECT_EQ(c.find(std::string(2 * 14, ' ')), std::string::npos);
}

// The conditions on a under which class 1 is answered, from the text of an export.
std::string first_test(const Model& model, const ExportOptions& options) {
  const std::string text = *export_model(model, "c", options);
  const std::size_t at = text.find("  if (") + 6;
  return text.substr(at, text.find(") {", at) - at);
}

Model cut_at(double threshold) {
  return model_of(
      {{"a", ColumnType::numeric, {}}}, {{0, TestKind::at_most, threshold, {}}},
      {DiagramNode::test(Feature{0}, Node{1}, Node{2}), DiagramNode::leaf(Class{0}), DiagramNode::leaf(Class{1})},
      {"0", "1"});
}

TEST(Exports, ThresholdsOfOtherTypes) {
  using enum ExportNumbers::Kind;
  ExportOptions options;
  const auto with = [&](double threshold, ExportNumbers numbers) {
    options.numbers = numbers;
    return first_test(cut_at(threshold), options);
  };
  EXPECT_EQ(with(2.45, {integer, 8, 10}), "!row->missing_a && row->x_a <= 24");
  EXPECT_EQ(with(5.1, {integer, 16, 10}), "!row->missing_a && row->x_a <= 51");  // 51 / 10 is the double 5.1
  EXPECT_EQ(with(-2.5, {integer, 8, 1}), "!row->missing_a && row->x_a <= -3");
  EXPECT_EQ(with(1e9, {integer, 8, 1}), "!row->missing_a");
  EXPECT_EQ(with(-1e9, {integer, 8, 1}), "0");
  EXPECT_EQ(with(-128, {integer, 8, 1}), "!row->missing_a && row->x_a <= -128");
  EXPECT_EQ(with(-9223372036854775808.0, {integer, 64, 1}),
            "!row->missing_a && row->x_a <= -9223372036854775296");  // which rounds to it
  EXPECT_EQ(with(0.1, {float32}), "row->x_a <= 0.099999994f");       // 0.1f is above 0.1
  EXPECT_EQ(with(3, {float32}), "row->x_a <= 3.0f");
  EXPECT_EQ(with(1e300, {float32}), "row->x_a <= 3.4028235e+38f");
  EXPECT_EQ(with(-1e300, {float32}), "row->x_a < -3.4028235e+38f");
}

TEST(Exports, OptionsFromText) {
  ExportOptions options;
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"inputs", "raw"},
                                                                                   {"numbers", "int12"},
                                                                                   {"point", "4"},
                                                                                   {"categories", "enum"},
                                                                                   {"probabilities", "yes"},
                                                                                   {"header", "a.h"},
                                                                                   {"dialect", "mariadb"},
                                                                                   {"name", "b"}})
    EXPECT_TRUE(set_export_option(options, name, text)) << name;
  EXPECT_EQ(options,
            (ExportOptions{
                ExportInputs::raw, "b", {ExportNumbers::Kind::integer, 12, 16}, true, true, "a.h", SqlDialect::mysql}));
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"inputs", ""},
                                                                                   {"numbers", "int"},
                                                                                   {"numbers", "int1"},
                                                                                   {"numbers", "int65"},
                                                                                   {"scale", "1.5"},
                                                                                   {"scale", "-1"},
                                                                                   {"point", "53"},
                                                                                   {"categories", ""},
                                                                                   {"probabilities", "1"},
                                                                                   {"header", "a\nb"},
                                                                                   {"dialect", ""},
                                                                                   {"colour", "red"}})
    EXPECT_EQ(set_export_option(options, name, text).error().where, name) << text;
}

TEST(Exports, Refusals) {
  const Model model = small();
  EXPECT_EQ(export_model(model, "cobol").error().where, "to");
  EXPECT_EQ(export_model(model, "blif", {ExportInputs::raw, "m", {}, false, false, {}, {}}).error().where, "inputs");
  for (const char* name : {"", "1a", "a b", "a__b", "a;"})
    EXPECT_EQ(export_model(model, "c", {std::nullopt, name, {}, false, false, {}, {}}).error().where, "name");
}

}  // namespace
}  // namespace beadwork
