#include <beadwork/encoding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

// MaxSAT-DT (Hu, Siala, Hebrard, Huguet, IJCAI 2020, lifting Narodytska, Ignatiev, Pereira, Marques-Silva, IJCAI 2018):
// decision trees of at most N nodes and depth H. Nodes are numbered breadth-first from 1; children of a node are an
// even number j, for value 0 of its feature, and j + 1.
//
// | paper          | here                                                                      |
// |----------------|---------------------------------------------------------------------------|
// | v_i            | leaf[i]                                                                   |
// | l_ij, r_i,j+1, p_ji | child[i][j]: j and j + 1 are the children of i; j even, i < j <= 2i    |
// | a_rj           | test[j][r]: node j tests feature r                                        |
// | u_rj           | above[j][r]: r is tested at j or above                                    |
// | d0_rj, d1_rj   | cut[0][j][r], cut[1][j][r]: no example with value 0 (1) of r comes to j   |
// | c_j            | answer[j]: class of leaf j; with more than two classes one variable each  |
// | b_q            | not wrong[q]                                                              |
// | depth          | deeper[j][t]: node j has more than t tests above it                       |
//
// As published, but for these. l, r and p are one variable each, since children come in pairs and left ones are even. A
// node has one parent, so "d0_rj <-> OR over i of ..." is written parent by parent, without new variables: p_ji ->
// (d0_rj
// <-> d0_ri or ...). used[j] says that a node is there, in pairs and without gaps, so that smaller trees are among the
// answers, the single leaf too. Parents of later nodes are later ones: the numbering is the breadth-first one and no
// other. Depth counts in unary.

namespace beadwork {
namespace {

class TreeModel {
 public:
  TreeModel(const Examples& examples, std::size_t depth, std::size_t nodes, const NamedSink& hard)
      : e_(examples), sink_(hard), last_(nodes) {
    v_.depth = depth;
    v_.nodes = nodes;
  }

  TreeVariables encode(const SoftClauses& soft) {
    make_variables();
    encode_shape();
    for (std::size_t j = 1; j <= last_; ++j) encode_test(j);
    encode_root();
    for (std::size_t i = 1; i <= last_; ++i)
      for (const auto& [j, link] : v_.child[i])
        for (const bool high : {false, true}) encode_branch(i, j + (high ? 1 : 0), link, high);
    for (std::size_t q = 0; q < e_.size(); ++q) encode_example(q, soft);
    return std::move(v_);
  }

 private:
  template <class... Args>
  Var fresh(std::string_view text, const Args&... args) {
    return sink_.fresh_var([&] { return fmt::vformat(text, fmt::make_format_args(args...)); });
  }
  void clause(std::initializer_list<Lit> lits) { sink_.clauses.add_clause(lits); }
  void clause(const std::vector<Lit>& lits) { sink_.clauses.add_clause(lits); }

  void make_variables() {
    const std::size_t n = last_ + 1;
    v_.used.resize(n), v_.leaf.resize(n), v_.child.resize(n), v_.test.resize(n), v_.answer.resize(n);
    above_.resize(n), deeper_.resize(n), cut_[0].resize(n), cut_[1].resize(n);
    for (std::size_t j = 1; j <= last_; ++j) {
      v_.used[j] = j % 2 == 1 && j > 1 ? v_.used[j - 1] : fresh("m[{}] node {} is there", j, j);
      v_.leaf[j] = fresh("v[{}] node {} is a leaf", j, j);
      for (std::size_t t = j + 1 + (j + 1) % 2; t <= 2 * j && t < last_; t += 2)
        v_.child[j].emplace_back(t, fresh("l[{},{}] nodes {}, {} are the children of {}", j, t, t, t + 1, j));
      for (std::size_t r = 0; r < e_.num_features(); ++r) {
        v_.test[j].push_back(fresh("a[{},{}] node {} tests feature {}", r + 1, j, j, e_.features[r]()));
        above_[j].push_back(fresh("u[{},{}] tested at or above", r + 1, j));
        for (const std::size_t value : {0U, 1U}) cut_[value][j].push_back(fresh("d{}[{},{}] cut off", value, r + 1, j));
      }
      for (std::size_t k = 0; k < (e_.num_classes > 2 ? e_.num_classes : 1); ++k)
        v_.answer[j].push_back(fresh("c[{},{}] class of leaf {}", j, k, j));
      for (std::size_t t = 0; t < v_.depth; ++t)
        deeper_[j].push_back(fresh("h[{},{}] more than {} tests above", j, t, t));
    }
  }

  // Which nodes there are and who is whose child.
  void encode_shape() {
    clause({v_.used[1]});
    std::vector<std::vector<std::pair<std::size_t, Lit>>> parents(last_ + 1);
    for (std::size_t i = 1; i <= last_; ++i) {
      clause({~Lit(v_.leaf[i]), v_.used[i]});
      std::vector<Lit> some{~Lit(v_.used[i]), v_.leaf[i]};
      std::vector<Lit> links;
      for (const auto& [j, link] : v_.child[i]) {
        clause({~Lit(link), v_.used[i]});
        clause({~Lit(link), ~Lit(v_.leaf[i])});
        clause({~Lit(link), v_.used[j]});
        links.emplace_back(link);
        parents[j].emplace_back(i, link);
      }
      some.insert(some.end(), links.begin(), links.end());
      clause(some);
      at_most_one_sequential(sink_.clauses, links);
    }
    for (std::size_t j = 2; j <= last_; j += 2) {
      std::vector<Lit> links;
      for (const auto& [i, link] : parents[j]) links.push_back(link);
      at_most_one_sequential(sink_.clauses, links);
      links.push_back(~Lit(v_.used[j]));
      clause(links);
      if (j + 2 > last_) continue;
      clause({~Lit(v_.used[j + 2]), v_.used[j]});
      for (const auto& [i, link] : parents[j])
        for (const auto& [later, other] : parents[j + 2])
          if (later < i) clause({~link, ~other});
    }
  }

  // An inner node tests one feature, a leaf none; a leaf has at most one class.
  void encode_test(std::size_t j) {
    std::vector<Lit> tests(v_.test[j].begin(), v_.test[j].end());
    at_most_one_sequential(sink_.clauses, tests);
    for (const Lit a : tests) {
      clause({~a, ~Lit(v_.leaf[j])});
      clause({~a, v_.used[j]});
    }
    tests.push_back(v_.leaf[j]);
    tests.push_back(~Lit(v_.used[j]));
    clause(tests);
    if (e_.num_classes > 2)
      at_most_one_pairwise(sink_.clauses, std::vector<Lit>(v_.answer[j].begin(), v_.answer[j].end()));
    for (std::size_t r = 0; r < e_.num_features(); ++r) clause({~Lit(v_.test[j][r]), above_[j][r]});
    for (std::size_t t = 0; t + 1 < v_.depth; ++t) clause({~Lit(deeper_[j][t + 1]), deeper_[j][t]});
  }

  void encode_root() {
    for (std::size_t r = 0; r < e_.num_features(); ++r) {
      clause({~Lit(above_[1][r]), v_.test[1][r]});
      for (const std::size_t value : {0U, 1U}) clause({~Lit(cut_[value][1][r])});
    }
    for (const Var deeper : deeper_[1]) clause({~Lit(deeper)});
  }

  // What j takes over from i if `link` makes it i's child, for the value `high` of i's feature.
  void encode_branch(std::size_t i, std::size_t j, Lit link, bool high) {
    if (v_.depth == 0) {
      clause({~link});
    } else {
      clause({~link, deeper_[j][0]});
      for (std::size_t t = 0; t + 1 < v_.depth; ++t) clause({~link, ~Lit(deeper_[i][t]), deeper_[j][t + 1]});
      clause({~link, ~Lit(deeper_[i][v_.depth - 1])});
    }
    for (std::size_t r = 0; r < e_.num_features(); ++r) {
      const Lit test = v_.test[i][r];
      clause({~link, ~Lit(above_[i][r]), ~Lit(v_.test[j][r])});
      clause({~link, ~Lit(above_[i][r]), above_[j][r]});
      clause({~link, ~Lit(above_[j][r]), above_[i][r], v_.test[j][r]});
      for (const std::size_t value : {0U, 1U}) {
        const Lit at_i = cut_[value][i][r];
        const Lit at_j = cut_[value][j][r];
        clause({~link, ~at_i, at_j});
        if ((value == 0) == high) {  // the test sends rows of this value elsewhere
          clause({~link, ~test, at_j});
          clause({~link, ~at_j, at_i, test});
        } else {
          clause({~link, ~at_j, at_i});
        }
      }
    }
  }

  // A leaf of another class is out of reach, or the example is wrong.
  void encode_example(std::size_t q, const SoftClauses& soft) {
    v_.wrong.push_back(fresh("w[{}] row {} is misclassified", q + 1, q + 1));
    const std::size_t k = e_.labels[q]();
    std::vector<Lit> lits;
    for (std::size_t j = 1; j <= last_; ++j) {
      lits.assign({v_.wrong[q], ~Lit(v_.leaf[j])});
      lits.push_back(e_.num_classes > 2 ? Lit(v_.answer[j][k]) : Lit(v_.answer[j][0], k == 1));
      for (std::size_t r = 0; r < e_.num_features(); ++r) lits.emplace_back(cut_[e_.value(r, q) ? 1 : 0][j][r]);
      clause(lits);
    }
    soft(std::vector<Lit>{~Lit(v_.wrong[q])}, static_cast<Weight>(e_.weights[q]));
  }

  const Examples& e_;
  const NamedSink& sink_;
  std::size_t last_;
  TreeVariables v_;
  std::vector<std::vector<Var>> above_;
  std::vector<std::vector<Var>> deeper_;
  std::array<std::vector<std::vector<Var>>, 2> cut_;
};

Class answer_of(const TreeVariables& v, std::size_t j, const Assignment& assignment) {
  if (v.answer[j].size() == 1) return Class{assignment[v.answer[j][0]] ? 1U : 0U};
  for (std::size_t k = 0; k < v.answer[j].size(); ++k)
    if (assignment[v.answer[j][k]]) return Class{k};
  return Class{0};
}

}  // namespace

std::size_t tree_nodes(const Examples& examples, std::size_t depth) {
  const std::size_t leaves = std::max<std::size_t>(examples.size(), 1);
  return 2 * (depth < 40 ? std::min(leaves, std::size_t{1} << depth) : leaves) - 1;
}

TreeVariables lift_dt(const Examples& examples, std::size_t depth, const NamedSink& hard, const SoftClauses& soft) {
  return TreeModel(examples, depth, tree_nodes(examples, depth), hard).encode(soft);
}

Diagram decode(const TreeVariables& v, const Examples& examples, const Assignment& assignment) {
  std::vector<DiagramNode> nodes;
  for (std::size_t j = 1; j <= v.nodes && assignment[v.used[j]]; ++j) {
    if (assignment[v.leaf[j]]) {
      nodes.push_back(DiagramNode::leaf(answer_of(v, j, assignment)));
      continue;
    }
    DiagramNode node;
    for (const auto& [child, link] : v.child[j])
      if (assignment[link]) node = DiagramNode::test({}, Node{child - 1}, Node{child});
    for (std::size_t r = 0; r < v.test[j].size(); ++r)
      if (assignment[v.test[j][r]]) node.feature = examples.features[r];
    nodes.push_back(node);
  }
  auto tree = Diagram::make(std::move(nodes));
  require(static_cast<bool>(tree), "decode: an assignment that satisfies the model");
  return *std::move(tree);
}

std::optional<std::vector<Lit>> literals_of(const TreeVariables& v, const Examples& examples, const Diagram& tree) {
  if (tree.size() > v.nodes || tree.depth() > v.depth) return std::nullopt;
  std::vector<Node> order{Node{0}};  // breadth-first: the place of a node is its number
  std::vector<Lit> out;
  for (std::size_t j = 1; j <= order.size(); ++j) {
    const DiagramNode& node = tree[order[j - 1]];
    out.emplace_back(v.leaf[j], node.sink);
    if (node.sink) {
      const std::size_t k = node.answer.value_or(Class{0})();
      out.push_back(v.answer[j].size() == 1 ? Lit(v.answer[j][0], k == 1) : Lit(v.answer[j][k]));
      continue;
    }
    const auto r = std::find(examples.features.begin(), examples.features.end(), node.feature);
    if (r == examples.features.end()) return std::nullopt;
    out.emplace_back(v.test[j][static_cast<std::size_t>(r - examples.features.begin())]);
    for (const auto& [child, link] : v.child[j])
      if (child == order.size() + 1) out.emplace_back(link);
    order.push_back(node.low);
    order.push_back(node.high);
  }
  for (std::size_t j = 2; j <= v.nodes; j += 2) out.emplace_back(v.used[j], j <= order.size());
  for (std::size_t q = 0; q < v.wrong.size(); ++q) {
    const Class answer = tree.classify([&](Feature f) {
      const auto r = std::find(examples.features.begin(), examples.features.end(), f);
      return examples.value(static_cast<std::size_t>(r - examples.features.begin()), q);
    });
    out.emplace_back(v.wrong[q], answer != examples.labels[q]);
  }
  return out;
}

}  // namespace beadwork
