#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/protobuf.hpp>
#include <beadwork/exports/tree.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

// Field numbers are those of onnx.proto. Raw columns become 0/1 features by operators of the standard, in doubles, so
// that no threshold is rounded; the tree then asks feature > 0.5.
namespace beadwork::exports {
namespace {

constexpr std::uint64_t kFloat = 1;
constexpr std::uint64_t kString = 8;
constexpr std::uint64_t kDouble = 11;

struct Attribute {
  static Message named(std::string_view name, std::uint64_t type) { return Message().text(1, name).number(20, type); }
  static Message integer(std::string_view name, std::int64_t v) {
    return named(name, 2).number(3, static_cast<std::uint64_t>(v));
  }
  static Message real(std::string_view name, float v) { return named(name, 1).real(2, v); }
  static Message text(std::string_view name, std::string_view v) { return named(name, 3).text(4, v); }
  static Message reals(std::string_view name, const std::vector<float>& v) { return named(name, 6).reals(7, v); }
  static Message integers(std::string_view name, const std::vector<std::int64_t>& v) {
    return named(name, 7).numbers(8, v);
  }
  static Message texts(std::string_view name, const std::vector<std::string>& v) {
    Message m = named(name, 8);
    for (const std::string& s : v) m.text(9, s);
    return m;
  }
};

// A tensor of rows and, unless 0, `columns`.
Message value_info(std::string_view name, std::uint64_t type, std::size_t columns, std::string_view doc = "") {
  Message shape;
  shape.message(1, Message().text(2, "rows"));
  if (columns != 0) shape.message(1, Message().number(1, columns));
  const Message tensor = Message().number(1, type).message(2, shape);
  Message out;
  out.text(1, name).message(2, Message().message(1, tensor));
  if (!doc.empty()) out.text(3, doc);
  return out;
}

class Graph {
 public:
  void node(std::string_view op, const std::vector<std::string>& inputs, const std::vector<std::string>& outputs,
            const std::vector<Message>& attributes = {}, std::string_view domain = "") {
    Message m;
    for (const std::string& i : inputs) m.text(1, i);
    for (const std::string& o : outputs) m.text(2, o);
    m.text(3, outputs.front() + "_node").text(4, op);
    for (const Message& a : attributes) m.message(5, a);
    m.text(7, domain);
    graph_.message(1, m);
  }
  void constant(std::string_view name, double value) {
    graph_.message(5, Message().numbers(1, {1}).number(2, kDouble).text(8, name).doubles(10, {value}));
  }
  void input(const Message& info) { graph_.message(11, info); }
  void output(const Message& info) { graph_.message(12, info); }
  Message& message() { return graph_; }

 private:
  Message graph_;
};

constexpr std::string_view kMl = "ai.onnx.ml";

// ONNX has no missing text: the first of these that is no category of the column stands for it.
std::string missing_text(const InputColumn& column) {
  const std::vector<std::string>& levels = column.ordinal() ? column.reading.levels : column.levels;
  for (std::string text : {"", "?", "NA", "NaN"})
    if (std::find(levels.begin(), levels.end(), text) == levels.end()) return text;
  std::string text = "missing";
  while (std::find(levels.begin(), levels.end(), text) != levels.end()) text += '_';
  return text;
}

// 1 for some texts and 0 for all others, or the other way round.
void add_equality(Graph& graph, const std::string& input, const std::vector<std::string>& levels, bool others,
                  const std::string& output) {
  graph.node("LabelEncoder", {input}, {output},
             {Attribute::texts("keys_strings", levels),
              Attribute::reals("values_floats", std::vector<float>(levels.size(), others ? 0 : 1)),
              Attribute::real("default_float", others ? 1 : 0)},
             kMl);
}

void add_test(const Plan& plan, const std::vector<std::string>& ids, std::size_t f, Graph& graph) {
  const Test& test = plan.tests()[f];
  const InputColumn& column = plan.columns()[test.column];
  const std::string output = fmt::format("feature_{}", f);
  const std::string& input = ids[test.column];
  if (column.text()) {
    const TextTest texts = text_test(plan, test);
    std::vector<std::string> levels;
    std::set<std::string> seen;
    for (const Spelling& s : texts.but) seen.insert(s.text);
    if (texts.missing || texts.rest) levels.push_back(missing_text(column));
    seen.insert(missing_text(column));
    for (const Spelling& s : texts.texts)
      for (const std::string& text : spelled_out(s))
        if (seen.insert(text).second) levels.push_back(text);
    add_equality(graph, input, levels, texts.rest, output);
    return;
  }
  const std::string holds = output + "_holds";
  if (test.kind == TestKind::missing) {
    graph.node("IsNaN", {input}, {holds});
  } else {
    graph.constant(output + "_threshold", test.threshold);
    graph.node("LessOrEqual", {input, output + "_threshold"}, {holds});
  }
  graph.node("Cast", {holds}, {output}, {Attribute::integer("to", kFloat)});
}

// Adds inputs and what makes the 0/1 features of them; returns the name of the tensor of features.
std::string add_inputs(const Plan& plan, Graph& graph) {
  const std::vector<std::string> ids = input_identifiers(plan);
  if (plan.tests().empty()) {
    graph.input(value_info(ids[0], kFloat, 1, "only its number of rows is used"));
    return ids[0];
  }
  if (!plan.raw()) {
    graph.input(value_info("features", kFloat, plan.tests().size(), "0 or 1, in the order of the metadata"));
    return "features";
  }
  for (std::size_t c = 0; c < ids.size(); ++c) {
    const InputColumn& column = plan.columns()[c];
    const bool number = !column.text();
    graph.input(value_info(ids[c], number ? kDouble : kString, 1,
                           fmt::format("{}: {}", in_quotes(column.name),
                                       number ? "missing is NaN" : "missing is " + in_quotes(missing_text(column)))));
  }
  std::vector<std::string> features;
  for (std::size_t f = 0; f < plan.tests().size(); ++f) {
    add_test(plan, ids, f, graph);
    features.push_back(fmt::format("feature_{}", f));
  }
  graph.node("Concat", features, {"features"}, {Attribute::integer("axis", 1)});
  return "features";
}

struct TreeArrays {
  std::vector<std::int64_t> tree, id, feature, low, high;
  std::vector<std::string> mode;
  std::vector<float> value;
  std::vector<std::int64_t> leaf_tree, leaf, leaf_class;
  std::vector<float> answer, share;  // of each leaf and class
};

// What a leaf adds to the score of its class, and to those of the others.
struct Vote {
  float own = 1, others = 0;
};

// Adds a tree; `shares` are what a leaf gives to each class.
template <class Shares>
void add_tree(const Plan& plan, Vote vote, Shares shares, TreeArrays& a) {
  const std::vector<TreeNode> tree = unrolled(plan);
  const std::int64_t number = a.tree.empty() ? 0 : a.tree.back() + 1;
  for (std::size_t i = 0; i < tree.size(); ++i) {
    const TreeNode& node = tree[i];
    a.tree.push_back(number);
    a.id.push_back(static_cast<std::int64_t>(i));
    a.feature.push_back(static_cast<std::int64_t>(node.feature()));
    a.low.push_back(static_cast<std::int64_t>(node.low));
    a.high.push_back(static_cast<std::int64_t>(node.high));
    a.mode.emplace_back(node.leaf ? "LEAF" : "BRANCH_LEQ");
    a.value.push_back(node.leaf ? 0.0F : 0.5F);
    if (!node.leaf) continue;
    const std::vector<double> chances = shares(node);
    for (std::size_t k = 0; k < chances.size(); ++k) {
      a.leaf_tree.push_back(number);
      a.leaf.push_back(static_cast<std::int64_t>(i));
      a.leaf_class.push_back(static_cast<std::int64_t>(k));
      a.answer.push_back(k == node.answer() ? vote.own : vote.others);
      a.share.push_back(static_cast<float>(chances[k]));
    }
  }
}

std::vector<Message> tree_attributes(const TreeArrays& a) {
  return {Attribute::integers("nodes_treeids", a.tree),       Attribute::integers("nodes_nodeids", a.id),
          Attribute::integers("nodes_featureids", a.feature), Attribute::texts("nodes_modes", a.mode),
          Attribute::reals("nodes_values", a.value),          Attribute::integers("nodes_truenodeids", a.low),
          Attribute::integers("nodes_falsenodeids", a.high),  Attribute::text("post_transform", "NONE")};
}

struct OutputWords {
  std::string scores, probabilities;
};

// The classifier answers with the class of the leaf, whatever the shares of its rows are; these are the regressor's.
void add_trees(const Plan& plan, const TreeArrays& a, const std::string& features, const OutputWords& words,
               Graph& graph) {
  std::vector<Message> classifier = tree_attributes(a);
  for (Message& m :
       std::array{Attribute::integers("class_treeids", a.leaf_tree), Attribute::integers("class_nodeids", a.leaf),
                  Attribute::integers("class_ids", a.leaf_class), Attribute::reals("class_weights", a.answer),
                  Attribute::texts("classlabels_strings", plan.classes())})
    classifier.push_back(std::move(m));
  graph.node("TreeEnsembleClassifier", {features}, {"label", "scores"}, classifier, kMl);
  std::vector<Message> regressor = tree_attributes(a);
  for (Message& m :
       std::array{Attribute::integers("target_treeids", a.leaf_tree), Attribute::integers("target_nodeids", a.leaf),
                  Attribute::integers("target_ids", a.leaf_class), Attribute::reals("target_weights", a.share),
                  Attribute::integer("n_targets", static_cast<std::int64_t>(plan.classes().size()))})
    regressor.push_back(std::move(m));
  if (a.tree.back() > 0) regressor.push_back(Attribute::text("aggregate_function", "AVERAGE"));
  graph.node("TreeEnsembleRegressor", {features}, {"probabilities"}, regressor, kMl);
  graph.output(value_info("label", kString, 0, "the class"));
  graph.output(value_info("scores", kFloat, plan.classes().size(), words.scores));
  graph.output(value_info("probabilities", kFloat, plan.classes().size(), words.probabilities));
}

void add_metadata(const Plan& plan, Message& model) {
  const auto entry = [&](std::string_view key, std::string_view value) {
    model.message(14, Message().text(1, key).text(2, value));
  };
  const std::vector<std::string> ids = input_identifiers(plan);
  const std::vector<std::string> names = plan.input_names();
  entry("inputs", plan.raw() ? "raw columns" : "binary features");
  entry("target", plan.model.binarizer().target());
  for (std::size_t i = 0; i < names.size(); ++i)
    entry(plan.raw() ? fmt::format("column {}", ids[i]) : fmt::format("feature {}", i), names[i]);
}

std::string file_of(const Plan& plan, const TreeArrays& trees, const OutputWords& words) {
  Graph graph;
  add_trees(plan, trees, add_inputs(plan, graph), words, graph);
  graph.message().text(2, plan.name + "_model");
  std::string doc;
  for (const std::string& line :
       describe(plan, plan.raw() ? input_identifiers(plan) : std::vector<std::string>{}, {"NaN", "see the input"}))
    doc += line + "\n";
  Message model;
  model.number(1, 7).text(2, "beadwork").text(3, BEADWORK_VERSION).text(6, doc).message(7, graph.message());
  model.message(8, Message().text(1, "").number(2, 13)).message(8, Message().text(1, kMl).number(2, 2));
  add_metadata(plan, model);
  return model.bytes();
}

}  // namespace

Result<std::string> to_onnx(const Plan& plan) {
  if (const auto fits = check_unrolled(plan, "onnx"); !fits) return fits.error();
  TreeArrays trees;
  const BranchCounts branches(plan.model.diagram(), plan.model.counts());
  add_tree(
      plan, {}, [&](const TreeNode& leaf) { return shares_of(branches.of(leaf.first_path)); }, trees);
  return file_of(plan, trees,
                 {"1 for the class, 0 for the others", "shares of the classes among the training rows of the path"});
}

Result<std::string> to_onnx(const Ballot& ballot) {
  for (const Plan& plan : ballot.plans)
    if (const auto fits = check_unrolled(plan, "onnx"); !fits) return fits.error();
  TreeArrays trees;
  const auto own_class = [&](const TreeNode& leaf) {
    std::vector<double> out(ballot.optimum().classes().size());
    out[leaf.answer()] = 1;
    return out;
  };
  // Of two classes, onnxruntime answers the second wherever its score is above 0, whatever the other one has.
  const bool two = ballot.optimum().classes().size() == 2;
  for (const Plan& plan : ballot.plans) {
    const float weight = trees.tree.empty() ? 3 : 2;
    add_tree(plan, {weight, two ? -weight : 0}, own_class, trees);
  }
  return file_of(ballot.optimum(), trees,
                 {two ? "twice the votes, 1 more for the answer of the optimum, less those of the other class"
                      : "twice the votes, and 1 more for the answer of the optimum",
                  "shares of the votes"});
}

}  // namespace beadwork::exports
