#pragma once
// Models to load, save and ask: one learnt from a table, one written by hand.
#include <beadwork/engine.hpp>
#include <beadwork/model.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace beadwork::fixtures {

inline constexpr const char* kShop =
    "age,color,size,member,buys\n"
    "20,red,S,0,yes\n25,red,M,1,yes\n31,blue,L,0,no\n38,green,M,1,no\n44,red,S,1,yes\n"
    "52,blue,L,1,maybe\n61,green,S,0,no\n,blue,M,1,maybe\n29,,L,0,yes\n47,green,M,1,maybe\n"
    "33,red,L,0,no\n58,blue,S,1,maybe\n";

struct Fitted {
  Table table;
  Dataset dataset;
  Model model;
};

inline Fitted fitted(const std::string& text, std::int64_t depth) {
  auto file = parse_table(text, "t");
  auto binarizer = Binarizer::fit(file->table, {});
  auto dataset = binarizer->apply(file->table);
  Request request;
  request.run.depth.most = static_cast<std::size_t>(depth);
  auto outcome = learn(*dataset, request);
  auto model = make_model(*binarizer, *dataset, outcome->features, *outcome->diagram, {"search", 0, "quantiles:8"},
                          outcome->claim);
  return {file->table, *dataset, *model};
}

// A table read as `model` wants it.
inline Table table_of(const std::string& text, const Model& model) {
  auto file = parse_table(text, "t", read_options(model));
  EXPECT_TRUE(file) << (file ? "" : file.error().to_string());
  return file->table;
}

//        0 age <= 30
//       .     \         low dashed (dots), high solid
//      .       1 color = red
//     . .......     \   .
//   2 [no]           3 [yes]
inline Model small_model(const std::vector<std::vector<std::int64_t>>& paths = {{0, 0}, {3, 1}, {0, 0}}) {
  Model::Parts parts;
  parts.binarizer =
      *Binarizer::make({{{"age", ColumnType::numeric, {}}, {"color", ColumnType::nominal, {"blue", "red"}}},
                        {{0, TestKind::at_most, 30, {}}, {1, TestKind::equals, 0, "red"}},
                        "buys",
                        {"no", "yes"}});
  parts.matrix_columns = {4, 7};
  parts.diagram =
      *Diagram::make({DiagramNode::test(Feature{0}, Node{2}, Node{1}), DiagramNode::test(Feature{1}, Node{2}, Node{3}),
                      DiagramNode::leaf(Class{0}), DiagramNode::leaf(Class{1})});
  parts.counts = PathCounts(3, 2);
  parts.training.engine = "enumerate";
  parts.claim.status = SolveStatus::feasible;
  for (std::size_t p = 0; p < 3; ++p)
    for (std::size_t k = 0; k < 2; ++k) {
      parts.counts.add(p, Class{k}, paths[p][k]);
      parts.training.total_weight += paths[p][k];
      if (k != (p == 2 ? 1U : 0U)) parts.training.errors += paths[p][k];
    }
  parts.training.rows = parts.training.total_weight;
  parts.claim.upper_bound = parts.training.errors;
  return *Model::make(std::move(parts));
}

}  // namespace beadwork::fixtures
