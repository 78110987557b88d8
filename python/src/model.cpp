#include "columns.hpp"
#include "export_options.hpp"
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>

#include <unordered_map>

namespace beadwork::python {
namespace {

using PathNumbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

nb::tuple predict_on(const Model& model, const Frame& frame) {
  std::vector<std::int64_t> classes;
  std::vector<std::int64_t> paths;
  UnseenCounts unseen;
  {
    const Released released;
    auto p = take(predict(model, take(frame.table())));
    for (const Class k : p.classes) classes.push_back(static_cast<std::int64_t>(k()));
    paths.assign(p.paths.begin(), p.paths.end());
    unseen = std::move(p.unseen);
  }
  return nb::make_tuple(to_numpy(std::move(classes)), to_numpy(std::move(paths)), unseen);
}

void check(const Model& model, const PathNumbers& paths) {
  for (std::size_t i = 0; i < paths.shape(0); ++i)
    if (paths(i) < 0 || static_cast<std::uint64_t>(paths(i)) >= model.diagram().num_paths())
      throw nb::value_error("there is no such path");
}

Matrix<double> probabilities_of(const Model& model, const PathNumbers& paths) {
  check(model, paths);
  const std::size_t classes = model.class_names().size();
  std::vector<double> out;
  out.reserve(paths.shape(0) * classes);
  std::unordered_map<std::int64_t, std::vector<double>> known;
  for (std::size_t i = 0; i < paths.shape(0); ++i) {
    auto& p = known[paths(i)];
    if (p.empty()) p = probabilities(model, static_cast<std::uint64_t>(paths(i)));
    out.insert(out.end(), p.begin(), p.end());
  }
  return to_numpy(std::move(out), paths.shape(0), classes);
}

// Nodes on the way of each path, the sink included: rows of a sparse matrix.
nb::tuple visits(const Model& model, const PathNumbers& paths) {
  check(model, paths);
  std::vector<std::int64_t> starts{0};
  std::vector<std::int64_t> nodes;
  for (std::size_t i = 0; i < paths.shape(0); ++i) {
    const auto path = model.diagram().path(static_cast<std::uint64_t>(paths(i)));
    for (const auto& step : path.steps) nodes.push_back(static_cast<std::int64_t>(step.node()));
    nodes.push_back(static_cast<std::int64_t>(path.sink()));
    starts.push_back(static_cast<std::int64_t>(nodes.size()));
  }
  return nb::make_tuple(to_numpy(std::move(starts)), to_numpy(std::move(nodes)));
}

nb::tuple steps_of(const Model& model, std::uint64_t number) {
  if (number >= model.diagram().num_paths()) throw nb::value_error("there is no such path");
  const auto path = model.diagram().path(number);
  std::vector<std::pair<std::size_t, bool>> steps;
  for (const auto& step : path.steps) steps.emplace_back(step.node(), step.passed);
  return nb::make_tuple(steps, path.sink());
}

std::vector<std::int64_t> counts_of(const Model& model, std::uint64_t path) {
  if (path >= model.diagram().num_paths()) throw nb::value_error("there is no such path");
  const auto counts = model.counts().of(path);
  return {counts.begin(), counts.end()};
}

Matrix<std::int64_t> node_weights(const Model& model) {
  const auto counts = node_counts(model.diagram(), model.counts());
  std::vector<std::int64_t> out;
  for (const auto& row : counts.at) out.insert(out.end(), row.begin(), row.end());
  return to_numpy(std::move(out), model.diagram().size(), model.class_names().size());
}

nb::dict training_dict(const Model& model) {
  const Training& t = model.training();
  const Claim& c = model.claim();
  nb::dict d;
  d["engine"] = t.engine;
  d["status"] = std::string(to_string(c.status));
  d["optimal"] = is_proven(c);
  d["depth"] = c.scope.depth;
  d["rows"] = t.rows;
  d["total_weight"] = t.total_weight;
  d["weight_scale"] = t.weight_scale;
  d["errors"] = t.errors;
  d["lower_bound"] = c.lower_bound;
  d["upper_bound"] = c.upper_bound.value_or(t.errors);
  d["scale"] = c.scale;
  d["rounding"] = c.rounding;
  d["faithful"] = c.scope.exactly;
  d["seed"] = t.seed;
  d["thresholds"] = t.thresholds;
  d["num_features"] = t.num_features;
  d["rows_sha256"] = t.hashes.rows;
  d["file_sha256"] = t.hashes.file;
  d["data_sha256"] = t.data_sha256;
  return d;
}

nb::dict layout_of(const Model& model) {
  const Layout l = lay_out(model);
  nb::list nodes;
  for (const auto& n : l.nodes) nodes.append(nb::make_tuple(n.x, n.y, n.rx, n.ry, n.level, n.label, n.note));
  nb::list edges;
  for (const auto& e : l.edges) {
    std::vector<std::pair<double, double>> points;
    for (const auto& p : e.points) points.emplace_back(p.x, p.y);
    edges.append(nb::make_tuple(e.from(), e.to(), e.high, e.share, points));
  }
  nb::list levels;
  for (const auto& v : l.levels) levels.append(nb::make_tuple(v.text, v.whole, v.y));
  nb::dict out;
  out["width"] = l.width;
  out["height"] = l.height;
  out["names_width"] = l.names_width;
  out["ordered"] = l.ordered;
  out["nodes"] = nodes;
  out["edges"] = edges;
  out["levels"] = levels;
  return out;
}

nb::bytes export_as(const Model& model, const std::string& format, const OptionTexts& options) {
  const std::string text = take(export_model(model, format, export_options(options)));
  return nb::bytes(text.data(), text.size());
}

nb::list format_list() {
  nb::list out;
  for (const ExportFormat& f : export_formats())
    out.append(nb::make_tuple(std::string(f.name), std::string(f.what), f.raw, f.binary, f.text));
  return out;
}

// The same model under other names: of its columns, in their order, and of its classes. What is proven of it stands.
Model renamed(const Model& model, const std::vector<std::string>& columns, const std::vector<std::string>& classes) {
  const Binarizer& b = model.binarizer();
  if (columns.size() != b.inputs().size()) throw nb::value_error("a name for every column");
  Binarizer::Parts names{b.inputs(), b.tests(), b.target(), classes, {}, b.target_cuts()};
  for (std::size_t i = 0; i < columns.size(); ++i) names.inputs[i].name = columns[i];
  Model::Parts parts{take(Binarizer::make(std::move(names))),
                     model.matrix_columns(),
                     model.diagram(),
                     model.counts(),
                     model.training(),
                     model.claim(),
                     model.reading(),
                     model.edits(),
                     model.standing(),
                     model.sealed()};
  return take(Model::make(std::move(parts)));
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Model>(m, "Model", "A binarizer, a diagram over its tests, and the training rows on each path.")
      .def_static(
          "from_json",
          [](const std::string& text, const std::string& name) { return take(model_from_json(text, name)); },
          nb::arg("text"), nb::arg("name") = "model")
      .def("to_json", [](const Model& model) { return to_json(model); })
      .def("renamed", &renamed, nb::arg("columns"), nb::arg("classes"),
           "The same under other names of its columns and classes.")
      .def("__getstate__", [](const Model& model) { return to_json(model); })
      .def("__setstate__",
           [](Model& model, const std::string& text) { new (&model) Model(take(model_from_json(text))); })
      .def_prop_ro("binarizer", &Model::binarizer)
      .def_prop_ro("diagram", &Model::diagram)
      .def_prop_ro("class_names", &Model::class_names)
      .def_prop_ro("feature_names", &Model::feature_names)
      .def_prop_ro("matrix_columns", &Model::matrix_columns)
      .def_prop_ro("training", &training_dict)
      .def_prop_ro(
          "claim", [](const Model& model) { return claim_json(model.claim()); }, "As JSON.")
      .def(
          "sentence", [](const Model& model, std::size_t parts) { return to_words(model, parts); },
          nb::arg("parts") = 1, "What is proven, in words, by a search in so many parts.")
      .def("predict", &predict_on, nb::arg("frame"),
           "Class and path of each row, and (column, rows) with categories that did not occur in training.")
      .def("probabilities", &probabilities_of, nb::arg("paths"))
      .def("visits", &visits, nb::arg("paths"), "Nodes of each path as (starts, nodes).")
      .def("steps", &steps_of, nb::arg("path"), "((node, passed), ...) and the sink.")
      .def("path_counts", &counts_of, nb::arg("path"), "Training weight of each class on a path.")
      .def("node_counts", &node_weights, "Training weight of each class at each node.")
      .def("text_rules", &text_rules)
      .def("text_diagram", [](const Model& model) { return text_diagram(model); })
      .def("text_report", [](const Model& model) { return text_report(model); })
      .def("to_dot", [](const Model& model) { return to_dot(model); })
      .def("to_svg", [](const Model& model) { return to_svg(model); })
      .def("export_as", &export_as, nb::arg("format"), nb::arg("options"), "The model for other programs, as bytes.")
      .def("layout", &layout_of);
  m.def("export_formats", &format_list, "(name, what, raw, binary, text) of each format.");
  m.def("class_colour", &class_colour, nb::arg("k"));
}

}  // namespace beadwork::python
