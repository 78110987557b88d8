#pragma once
// Models to draw: from truth tables and hand-built diagrams, with counts.
#include <beadwork/report.hpp>

#include <numeric>
#include <string>
#include <vector>

namespace beadwork::fixtures {

inline std::vector<std::string> numbered(const std::string& stem, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t i = 1; i <= count; ++i) out.push_back(stem + std::to_string(i));
  return out;
}

// 0/1 columns by these names.
inline Binarizer::Parts zero_one(const std::vector<std::string>& names, std::vector<std::string> classes,
                                 std::string target = "class") {
  Binarizer::Parts parts{{}, {}, std::move(target), std::move(classes)};
  for (std::size_t i = 0; i < names.size(); ++i) {
    parts.inputs.push_back({names[i], ColumnType::nominal, {"0", "1"}});
    parts.tests.push_back({i, TestKind::equals, 0, "1"});
  }
  return parts;
}

// Counts are those of `paths`, path by path, class by class; the training facts follow from them.
inline Model make(Binarizer::Parts binarizer, Diagram diagram, PathCounts counts, std::int64_t scale = 1) {
  Model::Parts parts;
  parts.training.engine = "search";
  parts.training.weight_scale = scale;
  for (std::uint64_t p = 0; p < counts.num_paths(); ++p) {
    const Class answer = diagram[diagram.path(p).sink].answer.value_or(Class{0});
    for (std::size_t k = 0; k < counts.num_classes(); ++k) {
      parts.training.total_weight += counts.of(p)[k];
      if (k != answer()) parts.training.errors += counts.of(p)[k];
    }
  }
  parts.training.rows = parts.training.total_weight / scale;
  parts.claim.status = SolveStatus::optimal;
  parts.claim.lower_bound = parts.training.errors;
  parts.claim.upper_bound = parts.training.errors;
  parts.claim.scale = scale;
  parts.claim.prover.kind = Prover::Kind::search;
  parts.binarizer = *Binarizer::make(std::move(binarizer));
  parts.matrix_columns.resize(parts.binarizer.num_features());
  std::iota(parts.matrix_columns.begin(), parts.matrix_columns.end(), std::size_t{0});
  parts.diagram = std::move(diagram);
  parts.counts = std::move(counts);
  return *Model::make(std::move(parts));
}

// Every path gets rows: mostly of its class, some of others, some paths none.
inline PathCounts random_counts(const Diagram& diagram, std::size_t classes, std::uint64_t seed) {
  Rng rng(seed);
  PathCounts counts(diagram.num_paths(), classes);
  for (std::uint64_t p = 0; p < diagram.num_paths(); ++p) {
    if (rng.below(4) == 0) continue;
    counts.add(p, *diagram[diagram.path(p).sink].answer, static_cast<std::int64_t>(1 + rng.below(60)));
    if (rng.below(2) == 0) counts.add(p, Class{rng.below(classes)}, static_cast<std::int64_t>(rng.below(12)));
  }
  return counts;
}

inline Diagram table_diagram(const std::string& cells, std::size_t classes = 2) {
  std::vector<Feature> order;
  for (std::size_t i = 0; (std::size_t{1} << i) < cells.size(); ++i) order.emplace_back(i);
  return diagram_of(*TruthTable::parse(cells, order, classes));
}

inline Diagram random_diagram(std::size_t depth, std::size_t classes, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Feature> order;
  for (std::size_t i = 0; i < depth; ++i) order.emplace_back(i);
  TruthTable table(order, classes);
  for (std::size_t c = 0; c < table.num_cells(); ++c) table.decide(c, Class{rng.below(classes)});
  return diagram_of(table);
}

// A tree or, with `merging`, a graph that follows no order: each node tests any feature.
inline Diagram random_unordered(std::size_t inner, std::size_t features, std::size_t classes, bool merging,
                                std::uint64_t seed) {
  Rng rng(seed);
  std::vector<DiagramNode> nodes(1);
  std::vector<std::pair<std::size_t, bool>> open{{0, false}, {0, true}};  // edges that lead nowhere yet
  nodes[0] = DiagramNode::test(Feature{rng.below(features)}, Node{0}, Node{0});
  const auto attach = [&](std::size_t at, Node to) {
    (open[at].second ? nodes[open[at].first].high : nodes[open[at].first].low) = to;
    open.erase(open.begin() + static_cast<std::ptrdiff_t>(at));
  };
  while (nodes.size() < inner) {
    const Node fresh{nodes.size()};
    attach(rng.below(open.size()), fresh);
    if (merging && open.size() > 2 && rng.below(2) == 0) attach(rng.below(open.size()), fresh);
    nodes.push_back(DiagramNode::test(Feature{rng.below(features)}, Node{0}, Node{0}));
    open.emplace_back(fresh(), false);
    open.emplace_back(fresh(), true);
  }
  while (!open.empty()) {
    attach(0, Node{nodes.size()});
    if (merging)
      while (!open.empty() && rng.below(3) != 0) attach(rng.below(open.size()), Node{nodes.size()});
    nodes.push_back(DiagramNode::leaf(Class{rng.below(classes)}));
  }
  return *Diagram::make(std::move(nodes));
}

inline std::vector<std::string> hostile_names() {
  return {"</script><script>alert(1)</script>",
          "'; DROP TABLE rows; --",
          "*/ int main() {",
          "a\nb\r\tc",
          "\\N",
          "trailing \\",
          "<b>bold & \"quoted\"</b>",
          "&lt;&#x41;&amp;",
          "]]> <!-- --> <?xml?>",
          "\u202Ereversed\u202C and \u200Bhidden",
          "\U0001F600\U0001F468\u200D\U0001F469 emoji",
          "\uFFFE\uFFFF\u061C",
          std::string(10'000, 'W'),
          std::string("nul\0byte", 8),
          "\u6f22\u5b57\u306e\u9577\u3044\u540d\u524d\u306e\u5217",
          "endmodule"};
}

}  // namespace beadwork::fixtures
