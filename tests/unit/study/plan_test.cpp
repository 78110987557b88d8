// Study files that say something else than they must, and figures and tables of records with gaps.
#include <study/study.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace beadwork {
namespace {

std::string complaint(const std::string& file) {
  const auto plan = parse_plan(file, "p", "");
  return plan ? "none" : plan.error().to_string();
}

// The complaint about a plan with these keys more; `learner` in place of its only one.
std::string complaint_about(const std::string& keys,
                            const std::string& learner = R"({"name": "c", "engine": "cart"})") {
  return complaint(R"({"name": "x", "sets": ["a"], "depths": [1], "learners": [)" + learner + "]" +
                   (keys.empty() ? "" : ", " + keys) + "}");
}

TEST(StudyPlan, EveryKeyIsChecked) {
  EXPECT_EQ(complaint_about(""), "none");
  EXPECT_EQ(complaint("[]"), "p: expected an object");
  EXPECT_EQ(complaint("{}"), "p: expected a text 'name'");
  EXPECT_EQ(complaint(R"({"name": 7})"), "p: expected a text 'name'");
  EXPECT_EQ(complaint(R"({"name": "x", "sets": "a"})"), "p: expected a list 'sets'");
  EXPECT_EQ(complaint(R"({"name": "x", "sets": []})"), "p: expected a list 'learners'");
  EXPECT_EQ(complaint(R"({"name": "x", "sets": [], "learners": [{"name": "c", "engine": "cart"}]})"), "p: no depths");
  EXPECT_EQ(complaint_about(R"("stratified": 1)"), "p: 'stratified' is not true or false");
  EXPECT_EQ(complaint_about(R"("stratified": true)"), "none");
  EXPECT_EQ(complaint_about(R"("suffix": null)"), "p: expected a text 'suffix'");
  EXPECT_EQ(complaint_about(R"("folds": -1)"), "p: 'folds' is not a whole number");
  EXPECT_EQ(complaint_about(R"("seeds": [0.5])"), "p: 'seeds' is not a list of whole numbers");
  EXPECT_EQ(complaint_about(R"("shares": [0.5])"), "p: 'shares' is not a list of texts");
  for (const char* share : {"0", "1", "-1", "x", ""})
    EXPECT_EQ(complaint_about(std::string(R"("shares": [")") + share + "\"]"),
              std::string("p: '") + share + "' is not a share between 0 and 1");
  EXPECT_EQ(complaint_about(R"("seeds": [1, 2, 1])"), "p: 'seeds' says the same twice");
  EXPECT_EQ(complaint_about(R"("shares": ["0.5", "0.5"])"), "p: 'shares' says the same twice");
  EXPECT_EQ(complaint(R"({"name": "x", "sets": ["a", "a"], "learners": []})"), "p: 'sets' says the same twice");
  EXPECT_EQ(complaint(R"({"name": "x", "sets": ["a"], "depths": [1, 1], "learners": []})"),
            "p: 'depths' says the same twice");
  EXPECT_EQ(complaint_about(R"("colour": "red")"), "p: unknown key 'colour'");
  EXPECT_EQ(complaint_about(R"("tables": [1])"), "p, table 1: expected an object");
}

TEST(StudyPlan, EveryLearnerIsChecked) {
  EXPECT_EQ(complaint_about("", "7"), "p, learner 1: expected an object");
  EXPECT_EQ(complaint_about("", R"({"name": "c"})"), "p, learner 1: expected a text 'engine'");
  EXPECT_EQ(complaint_about("", R"({"name": "c", "task": "guess"})"),
            "p, learner 1: expected the task learn, min-depth or describe, got 'guess'");
  EXPECT_EQ(complaint_about("", R"({"name": "c", "engine": "cart", "options": []})"),
            "p, learner 1: expected an object 'options'");
  EXPECT_EQ(complaint_about("", R"({"name": "c", "engine": "cart", "literals": "bdd9"})"),
            "p, learner 1: expected literals of bdd1, bdd2 or dt");
  EXPECT_EQ(complaint_about("", R"({"name": "c", "engine": "cart", "options": {"min-split": 2}})"), "none");
  EXPECT_EQ(complaint_about("", R"({"name": "c", "engine": "cart"}, {"name": "c", "task": "describe"})"),
            "p: two learners have the name 'c'");
}

TEST(StudyPlan, TablesAndFiguresAreChecked) {
  EXPECT_EQ(complaint_about(R"("tables": [{"name": "t", "rows": [], "columns": [
    {"title": "t", "learner": "d", "measure": "train"}]}])"),
            "p: table t names an unknown learner 'd'");
  EXPECT_EQ(complaint_about(R"("tables": [{"name": "t", "rows": [], "columns": [
    {"title": "t", "learner": "c", "measure": "train", "digits": 10}]}])"),
            "p, table 1, a column: 10 in 'digits' is more than the 9 allowed");
  EXPECT_EQ(complaint_about(R"("figures": [{"name": "f", "kind": "pie", "series": []}])"),
            "p, figure 1: expected a scatter, boxes or race, got 'pie'");
  EXPECT_EQ(complaint_about(R"("figures": [{"name": "f", "kind": "scatter", "series": []}])"),
            "p, figure 1: a scatter needs two series, x and y");
  const std::string longest(100, 'x');
  EXPECT_EQ(complaint_about(R"("tables": [{"name": ")" + longest + R"(", "rows": [], "columns": []}])"), "none");
  EXPECT_TRUE(complaint_about(R"("tables": [{"name": "x)" + longest + R"(", "rows": [], "columns": []}])")
                  .starts_with("p, table 1: a file name may have only"));
}

TEST(StudyPlan, PathsAreBelowTheFolderOfTheData) {
  const auto path = [](const std::string& keys, const std::string& data) {
    const auto plan = parse_plan(R"({"name": "x", "sets": ["a"], "learners": [])" + keys + "}", "p", data);
    return plan ? plan->sets.at(0).path : plan.error().to_string();
  };
  EXPECT_EQ(path("", ""), "a");
  EXPECT_EQ(path("", "d"), "d/a");
  EXPECT_EQ(path(R"(, "folder": "f", "suffix": ".csv")", "d"), "d/f/a.csv");
  EXPECT_EQ(path(R"(, "folder": "/f")", "d"), "/f/a");
}

TEST(StudyPublished, LinesOfOneLength) {
  const std::string path = testing::TempDir() + "beadwork_published_" + std::to_string(::getpid()) + ".csv";
  std::ofstream(path) << "dataset,x\r\na,1\r\nb,NA\r\n";
  const auto good = read_published(path);
  ASSERT_TRUE(good) << good.error().to_string();
  EXPECT_EQ(good->value({{"dataset", "a"}}, "x"), 1);
  EXPECT_EQ(good->value({{"dataset", "b"}}, "x"), std::nullopt);
  EXPECT_EQ(good->text({{"dataset", "b"}}, "x"), "NA");
  EXPECT_EQ(good->text({{"dataset", "a"}}, "y"), "");
  EXPECT_EQ(good->text({{"depth", "1"}}, "x"), "");
  std::ofstream(path) << "dataset,x\na,1\nb,1,2\n";
  EXPECT_EQ(read_published(path).error().to_string(), path + ":3: 3 values, but the first line has 2");
  std::filesystem::remove(path);
  EXPECT_EQ(read_published(path).error().where, path);
  EXPECT_TRUE(read_published("")->rows.empty());
}

// A plan of one table and one figure of each kind, over two sets.
StudyPlan plan_with_figures() {
  auto plan =
      parse_plan(R"({"name": "x", "sets": ["a<b", "b"], "depths": [2], "learners": [{"name": "c", "engine": "cart"}],
    "tables": [{"name": "t", "rows": ["dataset"], "columns": [
       {"title": "m", "learner": "c", "measure": "m", "published": "m"}, {"title": "n", "learner": "c", "measure": "none"}]}],
    "figures": [{"name": "s", "kind": "scatter", "caption": "\"x\" & >", "series": [
                   {"title": "x", "learner": "c", "measure": "m"}, {"title": "y", "published": "m"}]},
                {"name": "b", "kind": "boxes", "series": [{"title": "x", "learner": "c", "measure": "m"},
                                                          {"title": "none", "learner": "c", "measure": "none"}]},
                {"name": "r", "kind": "race", "series": [{"title": "theirs", "published": "m", "share": "p"},
                                                         {"title": "ours", "learner": "c", "measure": "m"}]}]})",
                 "p", "");
  EXPECT_TRUE(plan) << plan.error().to_string();
  return plan ? *plan : StudyPlan{};
}

StudyEntry one_run(const std::string& set, double m) {
  StudyEntry e;
  e.set = set;
  e.learner = "c";
  e.status = "feasible";
  e.depth = 2;
  e.measures = {{"m", m}};
  return e;
}

std::size_t dots(const std::string& svg) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = svg.find("<circle", at)) != std::string::npos; ++at) ++count;
  return count;
}

TEST(StudyFigures, OfAnEmptyRecordAreEmptyPictures) {
  const StudyPlan plan = plan_with_figures();
  for (const StudyFigure& figure : plan.figures) {
    const std::string svg = draw(plan, figure, {}, {});
    EXPECT_EQ(dots(svg), 0U);
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << svg;
  }
}

TEST(StudyFigures, ShowWhatBothSeriesHave) {
  const StudyPlan plan = plan_with_figures();
  Published published;
  published.rows = {{{"dataset", "a<b"}, {"depth", "2"}, {"m", "3"}, {"p", "50"}}};
  const std::vector<StudyEntry> entries = {one_run("a<b", 4), one_run("b", 8)};
  const std::string scatter = draw(plan, plan.figures[0], published, entries);
  EXPECT_NE(scatter.find("&quot;x&quot; &amp; &gt;"), std::string::npos) << scatter;
  EXPECT_NE(scatter.find("dataset a&lt;b, depth 2: 4.00, 3.00"), std::string::npos) << scatter;
  EXPECT_EQ(scatter.find("dataset b, depth 2"), std::string::npos);
  const std::string race = draw(plan, plan.figures[2], published, entries);
  EXPECT_NE(race.find("theirs: 3 s, 50 % proven"), std::string::npos) << race;
  EXPECT_NE(race.find("dataset b, depth 2, ours: 8 s"), std::string::npos) << race;
  EXPECT_NE(draw(plan, plan.figures[1], published, entries).find("<rect"), std::string::npos);
}

TEST(StudyTable, GapsStayEmpty) {
  const StudyPlan plan = plan_with_figures();
  Published published;
  published.rows = {{{"dataset", "a<b"}, {"m", "4"}}};
  const std::vector<StudyEntry> entries = {one_run("a<b", 4), one_run("b", 8)};
  const FilledTable filled = fill(plan, plan.tables[0], published, entries);
  ASSERT_EQ(filled.rows.size(), 2U);
  EXPECT_EQ(filled.rows[1].cells[0].theirs, std::nullopt);
  EXPECT_EQ(filled.means.cells[0].ours, 4);  // over the rows that were published
  EXPECT_EQ(filled.means.cells[1].ours, std::nullopt);
  EXPECT_EQ(to_csv(filled),
            "# m, n: facts of the whole table, computed; 2 runs\n"
            "dataset,m,m published,m difference,m counted,m runs,n,n counted,n runs\n"
            "a<b,4.0000,4,0.0000,1,1,,0,1\nb,8.0000,,,1,1,,0,1\nmean,4.0000,4.0000,0.0000,1,2,,0,2\n");
  EXPECT_NE(to_markdown(filled).find("| b | 8.00 |  [0 of 1] |"), std::string::npos) << to_markdown(filled);
  EXPECT_EQ(measured(entries, {{"ratio", "0.1"}}, "c", "m").ours, 6);  // a run of no share belongs to all
  EXPECT_EQ(measured(entries, {{"dataset", "b"}}, "c", "solved").ours, 0);
}

StudyEntry a_run(const std::string& learner, const std::string& engine, const std::string& status, std::uint64_t seed) {
  StudyEntry e = one_run("b", static_cast<double>(seed));
  e.learner = learner;
  e.engine = engine;
  e.status = status;
  e.seed = seed;
  e.version = "1.2.3";
  return e;
}

TEST(StudyTable, ColumnsSayHowTheyCameAbout) {
  const StudyPlan plan = plan_with_figures();
  StudyTable table = plan.tables[0];
  table.columns = {{.title = "one", .learner = "s", .measure = "m"},
                   {.title = "two", .learner = "m", .measure = "m"},
                   {.title = "three", .learner = "m", .measure = "solved"},
                   {.title = "four", .learner = "x", .measure = "m"}};
  std::vector<StudyEntry> entries = {a_run("s", "search", "optimal", 1), a_run("m", "maxsat", "optimal", 1),
                                     a_run("m", "maxsat", "feasible", 2), a_run("m", "maxsat", "unknown", 3)};
  entries[0].settings = {{"bias", "C"}, {"faithful", "true"}};
  for (std::size_t i = 1; i < entries.size(); ++i)
    entries[i].settings = {{"encoding", "bdd2"}, {"solver", "loandra"}, {"time-limit", "60"}};
  const auto notes = notes_of(plan, table, entries);
  ASSERT_EQ(notes.size(), 3U);
  EXPECT_EQ(
      notes[0].how,
      "exact search, the paper's reading (exactly H features, the root a bead), bias C; 1 run: all proven; no limit; "
      "beadwork 1.2.3");
  EXPECT_EQ(notes[1].titles, (std::vector<std::string>{"two", "three"}));
  EXPECT_EQ(
      notes[1].how,
      "MaxSAT on bdd2, the paper's reading (exactly H features, the root a bead), by 'loandra'; 3 runs: 1 proven, 1 "
      "stopped with an answer, 1 stopped without one; limit 60 s a run; beadwork 1.2.3");
  EXPECT_EQ(notes[2].how, "not run");
}

TEST(StudyTable, MethodsOfARun) {
  const auto method = [](const std::string& engine, std::vector<std::pair<std::string, std::string>> settings) {
    StudyEntry e = a_run("l", engine, "optimal", 1);
    e.settings = std::move(settings);
    return method_of(e);
  };
  EXPECT_EQ(method("cart", {}), "engine cart");
  EXPECT_EQ(method("search", {{"all-optima", "true"}}), "exact search, our reading (at most H features), all-optima");
  EXPECT_EQ(method("maxsat", {{"encoding", "pair"}}),
            "MaxSAT on pair, our reading (at most H features), by our own solver");
  EXPECT_EQ(method("maxsat", {}),
            "MaxSAT on bdd3 or pair (encoding auto), our reading (at most H features), by our own solver");
  EXPECT_EQ(method("maxsat-dt", {}), "MaxSAT on dt, merged rows, by our own solver");
  EXPECT_EQ(method("sat", {{"encoding", "bdd1"}, {"start", "5"}}), "SAT on bdd1, every depth from 5 down, by CaDiCaL");
}

// Means of both over the rows that both solved: the second draw counts for neither.
TEST(StudyTable, OnlyRowsThatAllSolved) {
  StudyPlan plan = plan_with_figures();
  plan.tables[0].columns = {{.title = "one", .learner = "s", .measure = "m", .solved_by = {"s", "t"}},
                            {.title = "two", .learner = "t", .measure = "m", .solved_by = {"s", "t"}}};
  const std::vector<StudyEntry> entries = {a_run("s", "sat", "optimal", 1), a_run("t", "sat", "optimal", 1),
                                           a_run("s", "sat", "optimal", 2), a_run("t", "sat", "feasible", 2)};
  const FilledTable filled = fill(plan, plan.tables[0], {}, entries);
  ASSERT_EQ(filled.rows.size(), 1U);
  for (const StudyCell& cell : filled.rows[0].cells) {
    EXPECT_EQ(cell.ours, 1);
    EXPECT_EQ(cell.counted, 1U);
    EXPECT_EQ(cell.runs, 2U);
  }
  EXPECT_NE(to_markdown(filled).find("| b | 1.00 [1 of 2] | 1.00 [1 of 2] |"), std::string::npos)
      << to_markdown(filled);
  EXPECT_NE(to_latex(filled).find("means over the rows that s and t solved"), std::string::npos) << to_latex(filled);
}

TEST(StudyRecord, LinesThatSayTooLittle) {
  EXPECT_EQ(parse_line("[]", "r:1").error().to_string(), "r:1: not a JSON object");
  EXPECT_EQ(parse_line(R"({"set": 7})", "r:1").error().to_string(), "r:1: a field of the wrong type");
  for (const char* line :
       {R"({})", R"({"set": "a"})", R"({"set": "a", "learner": "c"})", R"({"learner": "c", "status": "x"})"})
    EXPECT_EQ(parse_line(line, "r:1").error().to_string(), "r:1: no set, learner or status");
  StudyEntry e = one_run("a", 1);
  e.depth.reset();
  EXPECT_EQ(*parse_line(to_line(e).substr(0, to_line(e).size() - 1), "r:1"), e);
}

}  // namespace
}  // namespace beadwork
