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

std::string numbered(std::size_t i) {
  return "c" + std::to_string(i);
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
  EXPECT_EQ(with(-128, {integer, 8, 1}), "!row->missing_a && row->x_a <= -128");
  EXPECT_EQ(with(-9223372036854775808.0, {integer, 64, 1}),
            "!row->missing_a && row->x_a <= -9223372036854775296");  // which rounds to it
  EXPECT_EQ(with(0.1, {float32}), "row->x_a <= 0.099999994f");       // 0.1f is above 0.1
  EXPECT_EQ(with(2.5, {integer, 8, 1}), "!row->missing_a && row->x_a <= 2");
  EXPECT_EQ(with(3, {float32}), "row->x_a <= 3.0f");
  EXPECT_EQ(with(1e300, {float32}), "row->x_a <= 3.4028235e+38f");
  EXPECT_EQ(with(-1e300, {float32}), "row->x_a < -3.4028235e+38f");
}

// What the model knows of training: a value on either side of each threshold, and one between two of them.
TEST(Exports, IntegersThatChangeAnswers) {
  using enum ExportNumbers::Kind;
  const auto refusal = [](std::vector<double> cuts, ExportNumbers numbers, const char* format) {
    std::vector<beadwork::Test> tests;
    std::vector<DiagramNode> nodes;
    for (std::size_t i = 0; i < cuts.size(); ++i) {
      tests.push_back({0, TestKind::at_most, cuts[i], {}});
      nodes.push_back(DiagramNode::test(Feature{i}, Node{i + 1}, Node{cuts.size() + 1}));
    }
    nodes.push_back(DiagramNode::leaf(Class{0}));
    nodes.push_back(DiagramNode::leaf(Class{1}));
    const Model model = model_of({{"a", ColumnType::numeric, {}}}, tests, nodes, {"0", "1"});
    ExportOptions options;
    options.inputs = ExportInputs::raw;
    options.numbers = numbers;
    const auto text = export_model(model, format, options);
    return text ? std::string() : text.error().message;
  };
  for (const char* format : {"c", "c-table", "verilog", "vhdl"}) {
    EXPECT_EQ(
        refusal({2.45}, {integer, 32, 1}, format),
        "column \"a\": the threshold 2.45 lies between values that are not whole: give a scale (10 fits), or take "
        "doubles");
    EXPECT_EQ(
        refusal({0.005, 2.45}, {integer, 16, 1}, format),
        "column \"a\": the threshold 0.005 lies between values that are not whole: give a scale (100 fits), or take "
        "doubles");
    EXPECT_EQ(refusal({1e9}, {integer, 8, 1}, format),
              "column \"a\": training had values on both sides of 1e+09, integers of 8 bits have not");
    EXPECT_EQ(refusal({-1e9}, {integer, 8, 1}, format),
              "column \"a\": training had values on both sides of -1e+09, integers of 8 bits have not");
    EXPECT_EQ(refusal({13.5}, {integer, 8, 10}, format),
              "column \"a\": training had values on both sides of 13.5, integers of 8 bits over 10 have not");
    EXPECT_EQ(refusal({2.41, 2.45}, {integer, 16, 10}, format),
              "column \"a\": no integer over 10 lies between the thresholds 2.41 and 2.45: give a scale (100 fits), or "
              "take doubles");
    for (const double fine : {0.0, 2.0, 2.5, -0.5, -127.0, 126.5})
      EXPECT_EQ(refusal({fine}, {integer, 8, 1}, format), "");
    EXPECT_EQ(refusal({2.45, 2.55}, {integer, 16, 10}, format), "");
    EXPECT_EQ(refusal({1.0 / 3}, {integer, 16, 16}, format), "");
  }
  ExportOptions whole;
  whole.numbers = {integer, 32, 1};
  EXPECT_NE(export_model(cut_at(0.5), "c", whole)->find("An integer stands for the number itself"), std::string::npos);
  whole.numbers.scale = 10;
  EXPECT_NE(export_model(cut_at(0.5), "c", whole)->find("columns of multiples of 1/10"), std::string::npos);
}

Model asks_text(InputColumn column, std::string level) {
  return model_of({std::move(column)}, {{0, TestKind::equals, 0, std::move(level)}, {0, TestKind::missing, 0, {}}},
                  {DiagramNode::test(Feature{0}, Node{1}, Node{2}), DiagramNode::test(Feature{1}, Node{3}, Node{2}),
                   DiagramNode::leaf(Class{1}), DiagramNode::leaf(Class{0})},
                  {"0", "1"});
}

// What a text means stands in every format: a truth in any spelling, a number, the rest, texts for no value.
TEST(Exports, TextsMeanWhatTheyMeanToPredict) {
  const Model truth = asks_text({"a", ColumnType::nominal, {"no", "yes"}}, "yes");
  const Model number = asks_text({"a", ColumnType::nominal, {"1", "2", "30"}}, "30");
  const Model rest =
      asks_text({"a", ColumnType::nominal, {"x", "y", "other"}, {.missing = {"-"}, .other = "other"}}, "other");
  const auto has = [](const Model& model, const char* format, const std::string& text) {
    const auto said = export_model(model, format);
    ASSERT_TRUE(said) << format << said.error().message;
    EXPECT_NE(said->find(text), std::string::npos) << *said;
  };
  has(truth, "c", "if (beadwork_yes(row->x_a)) {");
  has(number, "c", "if (beadwork_same(row->x_a, \"30\")) {");
  has(rest, "c",
      "if ((!(row->x_a == NULL) && !(beadwork_is(row->x_a, \"x\") || beadwork_is(row->x_a, \"y\") || "
      "beadwork_is(row->x_a, \"-\")))) {");
  has(rest, "c", "(row->x_a == NULL || beadwork_is(row->x_a, \"-\"))");
  has(truth, "python", "if _yes(row.get(\"a\")):");
  has(number, "python", "if _same(row.get(\"a\"), \"30\"):");
  has(rest, "javascript", "!(is(value(row, \"a\"), \"x\") || is(value(row, \"a\"), \"y\")");
  has(number, "sql", "(CAST(\"a\" AS VARCHAR) = '30' OR RTRIM(CAST(\"a\" AS VARCHAR), '0') = '30.')");
  has(truth, "sql", "LOWER(CAST(\"a\" AS VARCHAR)) IN ('true', 'yes', 't', 'y', 'on')");
  has(rest, "sql", "NOT (\"a\" IS NULL) AND NOT (CAST(\"a\" AS VARCHAR) = 'x' OR");
  ExportOptions raw;
  raw.inputs = ExportInputs::raw;
  EXPECT_NE(export_model(rest, "verilog", raw)->find("x_a == 3'd4 || x_a == 3'd1"), std::string::npos);
  EXPECT_NE(export_model(rest, "pmml")->find("booleanOperator=\"isNotIn\""), std::string::npos);
}

// Texts of C, databases, R and spreadsheets end at a NUL: two classes would be one.
TEST(Exports, ClassesWithANul) {
  const Model model = model_of(
      {{"a", ColumnType::numeric, {}}}, {{0, TestKind::at_most, 1, {}}},
      {DiagramNode::test(Feature{0}, Node{1}, Node{2}), DiagramNode::leaf(Class{0}), DiagramNode::leaf(Class{1})},
      {std::string("p\0x", 3), std::string("p\0y", 3)});
  for (const char* format : {"c", "c-table", "c-header", "sql", "dbt", "r", "formula", "pmml"})
    EXPECT_EQ(export_model(model, format).error().where, "to") << format;
  for (const char* format : {"c++", "python", "javascript", "rust", "go", "java", "verilog"})
    EXPECT_TRUE(export_model(model, format)) << format;
}

// The parity of `depth` numbers: few nodes, and a path for each cell. And a chain.
Model parity(std::size_t depth) {
  std::vector<InputColumn> columns;
  std::vector<Test> tests;
  std::vector<DiagramNode> nodes;
  for (std::size_t i = 0; i < depth; ++i) {
    columns.push_back({numbered(i), ColumnType::numeric, {}});
    tests.push_back({i, TestKind::at_most, 0.5, {}});
    const std::size_t first = i == 0 ? 1 : 2 * i + 1;
    nodes.push_back(DiagramNode::test(Feature{i}, Node{first}, Node{first + 1}));
    if (i > 0) nodes.push_back(DiagramNode::test(Feature{i}, Node{first + 1}, Node{first}));
  }
  nodes.push_back(DiagramNode::leaf(Class{0}));
  nodes.push_back(DiagramNode::leaf(Class{1}));
  return model_of(columns, tests, nodes, {"0", "1"});
}

Model chain(std::size_t length) {
  std::vector<InputColumn> columns;
  std::vector<Test> tests;
  std::vector<DiagramNode> nodes;
  for (std::size_t i = 0; i < length; ++i) {
    columns.push_back({numbered(i), ColumnType::numeric, {}});
    tests.push_back({i, TestKind::at_most, 0.5, {}});
    nodes.push_back(
        DiagramNode::test(Feature{i}, Node{length + i % 2}, Node{i + 1 == length ? length + 1 - i % 2 : i + 1}));
  }
  nodes.push_back(DiagramNode::leaf(Class{0}));
  nodes.push_back(DiagramNode::leaf(Class{1}));
  return model_of(columns, tests, nodes, {"0", "1"});
}

TEST(Exports, LargeDiagramsAreRefusedByTheLimit) {
  const Model even = parity(18);
  for (const char* format : {"pmml", "onnx", "sklearn"})
    EXPECT_EQ(export_model(even, format).error().message,
              std::string(format) +
                  " has no shared nodes, and unrolled the diagram has 262144 paths x 2 classes; the limit is 131072");
  for (const Model& model : {even, chain(2000)})
    for (const char* format : {"sql", "dbt"})
      EXPECT_NE(export_model(model, format).error().message.find("; the limit is 16 MB"), std::string::npos);
  EXPECT_NE(export_model(even, "formula").error().message.find("262144 paths"), std::string::npos);
  for (const char* format : {"c", "python", "javascript", "java", "go", "rust", "r", "verilog", "blif", "dddmp"})
    EXPECT_LT(export_model(chain(2000), format)->size(), 1'000'000) << format;
  EXPECT_EQ(export_model(chain(5000), "pla").error().message,
            "pla has a cube of 5000 inputs for each of 5001 paths, 25 MB; the limit is 16 MB");
  for (const char* format : {"pmml", "onnx", "sklearn"}) EXPECT_TRUE(export_model(chain(2000), format)) << format;
  const std::string text = *export_model(chain(2000), "text");
  EXPECT_LT(text.size(), 1'000'000);
  EXPECT_NE(text.find("The rules of all 2001 paths are left out: they would name 2003000 tests"), std::string::npos)
      << text.substr(text.size() - 300);
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
