#include <gtest/gtest.h>

#include <unit/report/models.hpp>

namespace beadwork {
namespace {

using namespace fixtures;

//        x1
//      /    \          low to the left
//    x2      x2
//   /  \    /  \       six beads, six nodes
//  0    x3      1
//      /  \            (the same 0 and 1)
Model majority() {
  const Diagram diagram = table_diagram("00010111");
  PathCounts counts(diagram.num_paths(), 2);  // paths 00, 010, 011, 100, 101, 11
  counts.add(0, Class{0}, 14);
  counts.add(0, Class{1}, 1);
  counts.add(2, Class{1}, 10);
  counts.add(3, Class{0}, 1);
  counts.add(5, Class{1}, 299);
  counts.add(5, Class{0}, 1);
  return make(zero_one({"x1", "x2", "x3"}, {"no", "yes"}, "vote"), diagram, counts);
}

TEST(TextRules, StandByClassAndSayWhatTheyRestOn) {
  EXPECT_EQ(text_rules(majority()),
            "Predicts vote: training accuracy 99.4% (2 errors in 326 rows), optimal\n"
            "\n"
            "no: 3 rules, 16 rows\n"
            "  IF not x1 AND not x2 THEN no (0.93, 14 of 15 rows)\n"
            "  IF x1 AND not x2 AND not x3 THEN no (1.00, 1 of 1 row)\n"
            "  IF not x1 AND x2 AND not x3 THEN no (no training rows; the branch above: 0.00, 0 of 10 rows)\n"
            "\n"
            "yes: 3 rules, 310 rows\n"
            "  IF x1 AND x2 THEN yes (>0.99, 299 of 300 rows)\n"
            "  IF not x1 AND x2 AND x3 THEN yes (1.00, 10 of 10 rows)\n"
            "  IF x1 AND not x2 AND x3 THEN yes (no training rows; the branch above: 0.00, 0 of 1 row)\n");
}

TEST(TextDiagram, NamesSharedNodesAndDoesNotRepeatThem) {
  EXPECT_EQ(text_diagram(majority()),
            "Predicts vote: training accuracy 99.4% (2 errors in 326 rows), optimal\n"
            "\n"
            "x1? (326 rows)\n"
            "  no:  x2? (25 rows)\n"
            "    no:  => no (in all 0.94, 15 of 16 rows)\n"
            "    yes: #3 x3? (11 rows)\n"
            "      no:  => no\n"
            "      yes: => yes (in all >0.99, 309 of 310 rows)\n"
            "  yes: x2? (301 rows)\n"
            "    no:  #3 x3? (above)\n"
            "    yes: => yes\n");
}

TEST(Text, OfAConstantModel) {
  PathCounts counts(1, 2);
  counts.add(0, Class{1}, 3);
  counts.add(0, Class{0}, 1);
  const Model model = make(zero_one({}, {"no", "yes"}), table_diagram("1"), counts);
  EXPECT_EQ(text_rules(model),
            "Predicts class: training accuracy 75.0% (1 error in 4 rows), optimal\n\n"
            "yes: 1 rule, 4 rows\n  ALWAYS yes (0.75, 3 of 4 rows)\n");
  EXPECT_EQ(text_diagram(model),
            "Predicts class: training accuracy 75.0% (1 error in 4 rows), optimal\n\n"
            "=> yes (0.75, 3 of 4 rows)\n");
}

// age <= 50, then age <= 37.5, then color = red, then income is missing, every outcome its own sink.
Model mixed(std::int64_t scale) {
  Binarizer::Parts parts{{{"age", ColumnType::numeric, {}},
                          {"color", ColumnType::nominal, {"blue", "green", "red"}},
                          {"income", ColumnType::numeric, {}}},
                         {{0, TestKind::at_most, 50, {}},
                          {0, TestKind::at_most, 37.5, {}},
                          {1, TestKind::equals, 0, "red"},
                          {2, TestKind::missing, 0, {}}},
                         "risk",
                         {"high", "low"}};
  const auto test = [](std::size_t f, std::size_t low, std::size_t high) {
    return DiagramNode::test(Feature{f}, Node{low}, Node{high});
  };
  const auto leaf = [](std::size_t k) { return DiagramNode::leaf(Class{k}); };
  // 0: age <= 50 -no-> 1: age <= 37.5 -> {3: high, 4: low};  -yes-> 2: age <= 37.5 -> {5: color, 6: income}
  Diagram diagram = *Diagram::make({test(0, 1, 2), test(1, 3, 4), test(1, 5, 6), leaf(0), leaf(1), test(2, 7, 8),
                                    test(3, 9, 10), leaf(0), leaf(1), leaf(0), leaf(1)});
  PathCounts counts(diagram.num_paths(), 2);
  for (const std::uint64_t p : {0U, 2U, 3U, 4U, 5U}) counts.add(p, Class{p % 2}, static_cast<std::int64_t>(10 * p + 5));
  return make(parts, diagram, counts, scale);
}

TEST(TextRules, SpeakOfEachColumnOnceAndNoteImpossiblePaths) {
  EXPECT_EQ(text_rules(mixed(1)),
            "Predicts risk: training accuracy 100.0% (0 errors in 165 rows), optimal\n"
            "\n"
            "high: 3 rules, 75 rows\n"
            "  IF age <= 37.5 AND income is present THEN high (1.00, 45 of 45 rows)\n"
            "  IF 37.5 < age <= 50 AND color != red THEN high (1.00, 25 of 25 rows)\n"
            "  IF age > 50 THEN high (1.00, 5 of 5 rows)\n"
            "\n"
            "low: 2 rules, 90 rows\n"
            "  IF age <= 37.5 AND income is missing THEN low (1.00, 55 of 55 rows)\n"
            "  IF 37.5 < age <= 50 AND color = red THEN low (1.00, 35 of 35 rows)\n"
            "\n"
            "No row can take this path:\n"
            "  IF age > 50 AND age <= 37.5 THEN low\n"
            "\n"
            "A missing value, or a category not seen in training, fails every test except \"is missing\": it "
            "counts "
            "as > and as !=.\n");
}

TEST(TextRules, CountInTheUnitsOfTheWeights) {
  const std::string text = text_rules(mixed(10));
  EXPECT_NE(text.find("(errors of weight 0 in 16.5)"), std::string::npos) << text;
  EXPECT_NE(text.find("(1.00, 4.5 of 4.5 by weight)"), std::string::npos) << text;
}

TEST(TextRules, PrintEveryPath) {
  const Diagram diagram = random_diagram(10, 2, 1);
  const Model model = make(zero_one(numbered("f", 10), {"a", "b"}), diagram, random_counts(diagram, 2, 1));
  const std::string text = text_rules(model);
  std::size_t rules = 0;
  for (std::size_t at = 0; (at = text.find("\n  IF ", at)) != std::string::npos; ++at) ++rules;
  EXPECT_EQ(rules, diagram.num_paths());
}

TEST(Text, ShowsHostileNamesOnOneLine) {
  const auto names = hostile_names();
  const Diagram diagram = random_unordered(20, names.size(), names.size(), false, 1);
  const Model model = make(zero_one(names, names, names[3]), diagram, random_counts(diagram, names.size(), 1));
  for (const std::string& text : {text_rules(model), text_diagram(model)}) {
    EXPECT_FALSE(find_invalid_utf8(text));
    for (const char* hidden : {"\r", "\t", "\u202E", "\u200B", "a\nb"}) EXPECT_EQ(text.find(hidden), std::string::npos);
    EXPECT_EQ(text.find('\0'), std::string::npos);
    EXPECT_LT(text.size(), 200'000U);
  }
}

TEST(ClassColour, IsItsOwnForFortyClasses) {
  std::vector<std::string> seen;
  for (std::size_t k = 0; k < 40; ++k) {
    EXPECT_EQ(std::count(seen.begin(), seen.end(), class_colour(k)), 0) << k;
    seen.push_back(class_colour(k));
    EXPECT_EQ(seen.back().size(), 7U);
  }
  EXPECT_EQ(seen[0], "#0072b2");
  EXPECT_EQ(seen[1], "#e69f00");
}

}  // namespace
}  // namespace beadwork
