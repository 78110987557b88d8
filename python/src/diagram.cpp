#include "bindings.hpp"
#include <beadwork/diagram.hpp>
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>

#include <nanobind/operators.h>

namespace beadwork::python {
namespace {

using Bits = nb::ndarray<const std::uint8_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using Counts = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using NodeTuple = std::tuple<std::optional<std::size_t>, std::size_t, std::size_t, std::optional<std::size_t>>;

std::vector<Feature> features_of(const std::vector<std::size_t>& order) {
  std::vector<Feature> out;
  for (const std::size_t f : order) out.emplace_back(f);
  return out;
}

std::vector<NodeTuple> nodes_of(const Diagram& d) {
  std::vector<NodeTuple> out;
  for (const DiagramNode& n : d.nodes())
    out.emplace_back(n.sink ? std::nullopt : std::optional(n.feature()), n.low(), n.high(),
                     n.answer ? std::optional((*n.answer)()) : std::nullopt);
  return out;
}

Diagram diagram_from(const std::vector<NodeTuple>& nodes) {
  std::vector<DiagramNode> out;
  for (const auto& [feature, low, high, answer] : nodes) {
    if (feature)
      out.push_back(DiagramNode::test(Feature{*feature}, Node{low}, Node{high}));
    else
      out.push_back(DiagramNode::leaf(answer ? std::optional(Class{*answer}) : std::nullopt));
  }
  return take(Diagram::make(std::move(out)));
}

Vector<std::int64_t> classify(const Diagram& d, const Bits& bits) {
  for (const Feature f : d.used_features())
    if (f() >= bits.shape(1)) throw nb::value_error("there is no column for a feature of the diagram");
  std::vector<std::int64_t> out;
  for (std::size_t r = 0; r < bits.shape(0); ++r)
    out.push_back(static_cast<std::int64_t>(d.classify([&](Feature f) { return bits(r, f()) != 0; })()));
  return to_numpy(std::move(out));
}

// A model whose columns are the features themselves and that has seen no rows: enough to be drawn.
Model drawable(const Diagram& d, std::vector<std::string> features, std::vector<std::string> classes) {
  Model::Parts parts;
  Binarizer::Parts b;
  for (std::size_t f = 0; f < features.size(); ++f) {
    b.inputs.push_back({features[f], ColumnType::nominal, {"0", "1"}});
    b.tests.push_back({f, TestKind::equals, 0, "1"});
    parts.matrix_columns.push_back(f);
  }
  b.target = "class";
  b.class_names = std::move(classes);
  parts.binarizer = take(Binarizer::make(std::move(b)));
  parts.diagram = d;
  parts.counts = PathCounts(d.num_paths(), parts.binarizer.class_names().size());
  parts.training.engine = "none";
  parts.claim.status = SolveStatus::feasible;
  parts.claim.upper_bound = 0;
  return take(Model::make(std::move(parts)));
}

std::vector<std::string> cells_of(const TruthTable& t) {
  std::vector<std::string> out;
  for (std::size_t c = 0; c < t.num_cells(); ++c) {
    std::string classes;
    for (std::size_t k = 0; k < t.num_classes(); ++k)
      if (t.allows(c, Class{k})) classes += (classes.empty() ? "" : " ") + std::to_string(k);
    out.push_back(std::move(classes));
  }
  return out;
}

std::span<const std::int64_t> counts_for(const std::vector<std::size_t>& order, const Counts& counts) {
  if (order.size() > kMaxDepth) throw nb::value_error("a truth table has at most 20 features");
  if (counts.shape(0) != std::size_t{1} << order.size())
    throw nb::value_error("counts have a row for each of the 2^H cells and a column for each class");
  return {counts.data(), counts.size()};
}

}  // namespace

namespace {

void bind_table(nb::module_& m) {
  nb::class_<TruthTable>(m, "TruthTable", "An order of features and the classes that each of its 2^H cells may take.")
      .def_static(
          "parse",
          [](const std::string& cells, const std::vector<std::size_t>& order, std::size_t num_classes) {
            return take(TruthTable::parse(cells, features_of(order), num_classes));
          },
          nb::arg("cells"), nb::arg("order"), nb::arg("num_classes") = 2,
          "From text, a character a cell: the class, or u for any. The first feature is the most significant "
          "bit.")
      .def_static(
          "from_counts",
          [](const std::vector<std::size_t>& order, const Counts& counts) {
            return TruthTable::from_counts(features_of(order), counts.shape(1), counts_for(order, counts));
          },
          nb::arg("order"), nb::arg("counts"), "Majority of each cell; ties and empty cells are free.")
      .def(
          "fill_by_branch",
          [](const TruthTable& t, const Counts& counts) {
            return fill_by_branch(t, counts_for(numbers_of(t.order()), counts));
          },
          nb::arg("counts"), "Free cells follow the majority of their branch.")
      .def_prop_ro("order", [](const TruthTable& t) { return numbers_of(t.order()); })
      .def_prop_ro("depth", &TruthTable::depth)
      .def_prop_ro("num_cells", &TruthTable::num_cells)
      .def_prop_ro("num_classes", &TruthTable::num_classes)
      .def_prop_ro("all_decided", &TruthTable::all_decided)
      .def_prop_ro("cells", &cells_of, "The classes that each cell allows, as text with blanks between.")
      .def_prop_ro(
          "beads",
          [](const TruthTable& t) {
            std::vector<std::tuple<std::size_t, std::size_t, std::size_t>> out;
            for (const Subtable& s : beads(t)) out.emplace_back(s.level, s.first, s.length);
            return out;
          },
          "(level, first cell, cells) of each distinct bead: one a node of the reduced diagram.")
      .def(
          "diagram",
          [](const TruthTable& t) {
            for (std::size_t c = 0; c < t.num_cells(); ++c)
              if (!t.decided(c) && !t.unknown(c))
                throw nb::value_error("a cell that allows some of the classes must be decided first");
            return diagram_of(t);
          },
          "The reduced ordered diagram of this table.")
      .def("__str__", &TruthTable::to_string)
      .def("__repr__", [](const TruthTable& t) { return "TruthTable('" + t.to_string() + "')"; })
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"));
}

}  // namespace

void bind_diagram(nb::module_& m) {
  bind_table(m);
  nb::class_<Diagram>(m, "Diagram", "A rooted acyclic graph of binary tests; node 0 is the root.")
      .def_static("from_nodes", &diagram_from, nb::arg("nodes"),
                  "(feature, low, high, None) of a test, (None, 0, 0, class) of a sink; children after parents.")
      .def_prop_ro("nodes", &nodes_of)
      .def_prop_ro("size", &Diagram::size, "Nodes, sinks counted.")
      .def_prop_ro("inner_nodes", &Diagram::inner_nodes)
      .def_prop_ro("depth", &Diagram::depth, "Tests on the longest path.")
      .def_prop_ro("used_features", [](const Diagram& d) { return numbers_of(d.used_features()); })
      .def_prop_ro("ordered", &Diagram::ordered)
      .def_prop_ro("reduced", &Diagram::reduced)
      .def_prop_ro("num_paths", [](const Diagram& d) { return d.num_paths(); })
      .def("classify", &classify, nb::arg("bits"),
           "Classes of the rows of a 0/1 matrix, as uint8; column f is feature f.")
      .def(
          "truth_table",
          [](const Diagram& d, const std::vector<std::size_t>& order, std::size_t num_classes) {
            for (const Feature f : d.used_features())
              if (std::find(order.begin(), order.end(), f()) == order.end())
                throw nb::value_error("the order must hold every feature of the diagram");
            return truth_of(d, features_of(order), num_classes);
          },
          nb::arg("order"), nb::arg("num_classes") = 2)
      .def(
          "drawing",
          [](const Diagram& d, std::vector<std::string> f, std::vector<std::string> k) {
            return drawable(d, std::move(f), std::move(k));
          },
          nb::arg("feature_names"), nb::arg("class_names"), "A model without rows, to be drawn and exported.")
      .def("__getstate__", &nodes_of)
      .def("__setstate__",
           [](Diagram& d, const std::vector<NodeTuple>& nodes) { new (&d) Diagram(diagram_from(nodes)); })
      .def("__len__", &Diagram::size)
      .def(nb::self == nb::self, nb::sig("def __eq__(self, arg: object, /) -> bool"));
}

}  // namespace beadwork::python
