// The examples in the comments of the front headers, as they stand there, compiled and run.
#include <beadwork/engine.hpp>
#include <beadwork/evidence.hpp>
#include <beadwork/exports.hpp>
#include <beadwork/heuristic.hpp>
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>
#include <beadwork/samples.hpp>
#include <beadwork/shards.hpp>
#include <beadwork/smallest.hpp>

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace beadwork {
namespace {

struct Complaints {
  std::string last;
  void operator()(std::string text) { last = std::move(text); }
  void operator()(const Error& error) { last = error.to_string(); }
};

Result<int> half(int n) {
  if (n % 2 != 0) return Error{ErrorCode::input, "expected an even number"};
  return n / 2;
}

TEST(Manual, Base) {
  int used = 0;
  Complaints complain;
  const auto use = [&](int value) { used = value; };
  if (auto h = half(4))
    use(*h);
  else
    complain(h.error().message);
  EXPECT_EQ(used, 2);
  if (auto h = half(5))
    use(*h);
  else
    complain(h.error().message);
  EXPECT_EQ(complain.last, "expected an even number");
}

TEST(Manual, Table) {
  const auto folder = std::filesystem::temp_directory_path() / ("beadwork_manual_" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = (folder / "loans.csv").string();
  std::ofstream(path) << "income;approved\n12.5;yes\n7;no\n";
  Complaints complain;
  auto file = read_table(path, {.target = "approved"});
  if (!file) complain(file.error().to_string());
  ASSERT_TRUE(file);
  std::size_t rows = 0;
  for (const Column& c : file->table.columns()) rows += c.num_rows();
  EXPECT_EQ(rows, 4U);
  EXPECT_EQ(file->notes, (std::vector<std::string>{"delimiter ';'"}));
  std::ofstream(path) << "income,approved\n12.5\n";
  file = read_table(path, {.target = "approved"});
  if (!file) complain(file.error().to_string());
  EXPECT_TRUE(complain.last.starts_with(path + ":2:5: ")) << complain.last;
  std::filesystem::remove_all(folder);
}

TEST(Manual, Samples) {
  auto t = make_sample("tic-tac-toe");
  ASSERT_TRUE(t);
  EXPECT_EQ(t->num_rows(), 958U);
}

TEST(Manual, Truth) {
  const Feature f1{1};
  const Feature f2{2};
  const Feature f3{3};
  const std::vector<Feature> order{f1, f2, f3};
  {
    auto t = TruthTable::parse("u0u1011u", {f1, f2, f3});
    ASSERT_TRUE(t);
    EXPECT_EQ(t->to_string(), "u0u1011u");
  }
  const std::vector<std::int64_t> counts{1, 1, 4, 0, 0, 0, 0, 2, 3, 1, 0, 1, 0, 5, 0, 0};
  TruthTable t = TruthTable::from_counts(order, 2, counts);
  EXPECT_EQ(t.to_string(), "u0u1011u");
  TruthTable full = fill_by_branch(t, counts);
  EXPECT_TRUE(full.all_decided());
  std::size_t count = 0;
  for (const Subtable& b : beads(full)) count += is_bead(full, b) ? 1 : 0;
  EXPECT_EQ(count, diagram_of(full).size());
}

TEST(Manual, Diagram) {
  const Feature x1{0};
  const Feature x2{1};
  const Feature x3{2};
  const std::vector<bool> row{true, false, true};
  Diagram d = diagram_of(*TruthTable::parse("00010111", {x1, x2, x3}));  // six beads, six nodes
  Class c = d.classify([&](Feature f) { return row[f()]; });
  EXPECT_EQ(c, Class{1});
  EXPECT_EQ(d.size(), 6U);
  EXPECT_TRUE(d.ordered() && d.reduced());
  EXPECT_EQ(diagram_of(*TruthTable::parse("0001", {x1, x2})).size(), 4U);
}

TEST(Manual, Smallest) {
  const Feature f1{1};
  const Feature f2{2};
  const Feature f3{3};
  SmallestOutcome s = smallest_diagram(*TruthTable::parse("u0u1011u", {f1, f2, f3}));
  EXPECT_EQ(s.diagram.size(), 5U);
  EXPECT_EQ(s.lower_bound, 5U);
  EXPECT_TRUE(s.proven);
  EXPECT_TRUE(s.table.all_decided());
  EXPECT_EQ(merge_compatible(*TruthTable::parse("u0u1011u", {f1, f2, f3})).to_string(), "10010110");
  const Table table = *make_sample("monk-1");
  const Dataset dataset = *Binarizer::fit(table, {})->apply(table);
  SearchOptions o;
  o.depth = 5;
  auto a = least_errors_within(dataset, o, 8);   // least errors with at most 8 nodes, sinks counted, and 5 features
  auto b = least_penalised(dataset, o, {5, 2});  // least errors + 5/2 x nodes
  auto front = error_front(dataset, o);          // all (features, nodes, errors) that nothing beats in all three
  ASSERT_TRUE(a && b && front);
  EXPECT_TRUE(a->proven && b->proven && front->proven);
  EXPECT_LE(a->diagram.size(), 8U);
  for (const FrontPoint& p : front->points) EXPECT_TRUE(p.nodes > 8 || p.errors >= a->errors);
}

TEST(Manual, Shards) {
  const Table table = *make_sample("monk-1");
  const Dataset whole = *Binarizer::fit(table, {})->apply(table);
  std::vector<std::vector<Row>> files(3);
  for (std::size_t r = 0; r < whole.num_rows(); ++r) files[r % 3].emplace_back(r);
  const auto dataset_of = [&](const std::vector<Row>& rows) -> Result<Dataset> { return whole.subset(rows); };
  const Control control;
  Shards shards{files.size(), [&](std::size_t i) { return dataset_of(files[i]); }};
  SearchOptions options;
  options.depth = 4;
  auto outcome = search_shards(shards, options, {}, control);
  ASSERT_TRUE(outcome && outcome->status == SolveStatus::optimal);
  EXPECT_EQ(outcome->error, search(*prepare(whole, options, control), options, control)->error);
}

TEST(Manual, DatasetEngineModelReport) {
  const Table table = *make_sample("monk-1");
  // dataset
  auto binarizer = Binarizer::fit(table, {});
  auto dataset = binarizer->apply(table);
  Condensed c = condense(*dataset);
  EXPECT_EQ(c.num_rows, 432U);
  // engine
  Complaints complain;
  const Control control;
  Request request;
  request.run.depth = {3, {}};  // or set_option(request, "depth", "3")
  auto outcome = learn(*dataset, request, control);
  if (!outcome) complain(outcome.error());
  ASSERT_TRUE(outcome) << complain.last;
  EXPECT_EQ(outcome->claim.status, SolveStatus::optimal);
  EXPECT_EQ(to_words(outcome->claim).substr(0, 8), "optimal:");
  ASSERT_TRUE(outcome->diagram);
  // model
  Training training{"search", 0, "quantiles:8"};
  Model m = *make_model(*binarizer, *dataset, outcome->features, *outcome->diagram, training, outcome->claim);
  auto text = to_json(m);
  auto loaded = model_from_json(text);
  ASSERT_TRUE(loaded) << loaded.error().to_string();
  auto p = predict(*loaded, table);
  ASSERT_TRUE(p);
  const auto shares = probabilities(*loaded, p->paths[0]);
  EXPECT_GE(shares[p->classes[0]()], 0.5);
  // report
  for (const std::string& shown : {text_rules(m), text_diagram(m), to_dot(m), to_svg(m)}) EXPECT_FALSE(shown.empty());
  EXPECT_EQ(lay_out(m).nodes.size(), m.diagram().size());
  // evidence
  auto model = model_of(*binarizer, *dataset, request, *outcome, "quantiles:8");
  EXPECT_NE(outcome_json(*dataset, request, *outcome).find("\"claim\""), std::string::npos);
  auto facts = facts_of(*model, {{ReportRows::Role::other, "loans.csv", table}}, learnt_from(*model, table));
  auto page = html_report(*model, *facts);
  EXPECT_TRUE(page);
  EXPECT_EQ(facts->rows[0].role, ReportRows::Role::training);
  // exports
  for (const ExportFormat& f : export_formats()) EXPECT_TRUE(f.raw || f.binary) << f.name;
  for (const auto& made :
       {export_model(m, "c"), export_model(m, "blif"), export_model(m, "python", {ExportInputs::binary})})
    EXPECT_TRUE(made);
}

TEST(Manual, Heuristic) {
  const Table table = *make_sample("monk-1");
  const Dataset dataset = *Binarizer::fit(table, {})->apply(table);
  CartTree tree = cart(dataset, {.depth = 3});
  EXPECT_LE(tree.diagram.depth(), 3U);
  const ValueTable values = values_of(dataset);
  auto odt = grow_odt(values_of(dataset), {.depth = 3});
  ObliviousGraph oodg = merge_subtrees(odt, 0);
  Diagram d = diagram_of(oodg);
  EXPECT_LE(d.size(), odt.nodes.size());
  const std::vector<std::size_t> order = odt.order;
  ObliviousGraph other = hoodg(values, order);
  EXPECT_EQ(training_errors(dataset, diagram_of(other)), training_errors(dataset, d));
}

}  // namespace
}  // namespace beadwork
