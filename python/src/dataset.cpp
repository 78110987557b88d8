#include "dataset.hpp"

#include <beadwork/engine.hpp>

namespace beadwork::python {
namespace {

using InputTuple = std::tuple<std::string, std::string, std::vector<std::string>>;
using TestTuple = std::tuple<std::size_t, std::string, double, std::string>;

constexpr const char* kTestNames[] = {"at_most", "equals", "missing"};

std::vector<std::int64_t> integers(const Array& values) {
  if (values.dtype() != nb::dtype<std::int64_t>()) throw nb::type_error("expected an array of int64");
  const auto* data = static_cast<const std::int64_t*>(values.data());
  const std::int64_t stride = values.shape(0) > 1 ? values.stride(0) : 1;
  std::vector<std::int64_t> out;
  out.reserve(values.shape(0));
  for (std::size_t i = 0; i < values.shape(0); ++i) out.push_back(data[static_cast<std::int64_t>(i) * stride]);
  return out;
}

std::vector<InputTuple> inputs_of(const Binarizer& b) {
  std::vector<InputTuple> out;
  for (const InputColumn& i : b.inputs())
    out.emplace_back(i.name, i.type == ColumnType::numeric ? "numeric" : "nominal", i.levels);
  return out;
}

std::vector<TestTuple> tests_of(const Binarizer& b) {
  std::vector<TestTuple> out;
  for (const Test& t : b.tests())
    out.emplace_back(t.column, kTestNames[static_cast<std::size_t>(t.kind)], t.threshold, t.level);
  return out;
}

Binarizer binarizer_of(const std::vector<InputTuple>& inputs, const std::vector<TestTuple>& tests, std::string target,
                       std::vector<std::string> class_names) {
  Binarizer::Parts parts;
  for (const auto& [name, type, levels] : inputs)
    parts.inputs.push_back({name, type == "numeric" ? ColumnType::numeric : ColumnType::nominal, levels});
  for (const auto& [column, kind, threshold, level] : tests) {
    const auto* at = std::find(std::begin(kTestNames), std::end(kTestNames), kind);
    if (at == std::end(kTestNames)) throw nb::value_error("a test is at_most, equals or missing");
    parts.tests.push_back({column, static_cast<TestKind>(at - std::begin(kTestNames)), threshold, level});
  }
  parts.target = std::move(target);
  parts.class_names = std::move(class_names);
  return take(Binarizer::make(std::move(parts)));
}

std::vector<std::string> names_of(const Binarizer& b) {
  std::vector<std::string> out;
  for (const Test& t : b.tests()) out.push_back(b.feature_name(t));
  return out;
}

Matrix<std::uint8_t> bits_of(const Binarizer& b, const Frame& frame) {
  std::vector<std::uint8_t> out;
  std::size_t rows = 0;
  {
    nb::gil_scoped_release release;
    const Table table = take(frame.table());
    const auto columns = take(b.bits(table));
    rows = table.num_rows();
    out.resize(rows * columns.size());
    for (std::size_t f = 0; f < columns.size(); ++f)
      for (std::size_t r = 0; r < rows; ++r) out[r * columns.size() + f] = bit(columns[f], r) ? 1 : 0;
  }
  return to_numpy(std::move(out), rows, b.num_features());
}

}  // namespace

DataBuilder::DataBuilder(const Array& labels, std::vector<std::string> class_names, std::string target,
                         const std::optional<Array>& weights, std::int64_t weight_scale, const std::string& thresholds)
    : thresholds_(take(parse_threshold_rule(thresholds))) {
  if (weights) {
    auto all = integers(*weights);
    if (all.size() != labels.shape(0)) throw nb::value_error("a weight for every row");
    if (std::find(all.begin(), all.end(), 0) != all.end()) {
      rows_.emplace();
      for (std::size_t r = 0; r < all.size(); ++r)
        if (all[r] != 0) rows_->push_back(static_cast<std::uint32_t>(r));
      std::erase(all, 0);
    }
    data_.weights = std::move(all);
    data_.weight_scale = weight_scale;
    weight_.emplace();
    weight_->name = target + " weight";
    for (const std::int64_t w : data_.weights)
      weight_->numbers.push_back(static_cast<double>(w) / static_cast<double>(weight_scale));
  }
  target_ = coded_column(target, labels, class_names, rows_);
  for (std::size_t r = 0; r < target_.num_rows(); ++r) data_.labels.emplace_back(target_.codes[r]);
  data_.class_names = class_names;
  tests_.target = std::move(target);
  tests_.class_names = std::move(class_names);
}

void DataBuilder::add(Column column) {
  constexpr std::size_t kBlock = std::size_t{1} << 20;  // cells
  if (column.num_rows() != target_.num_rows()) throw nb::value_error("columns differ in length");
  block_.push_back(std::move(column));
  if (thresholds_.kind != ThresholdRule::Kind::all && block_.size() * target_.num_rows() >= kBlock) flush();
}

Table DataBuilder::take_block() {
  std::vector<Column> columns = std::move(block_);
  block_.clear();
  const std::size_t count = columns.size();
  if (weight_) {
    while (std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return c.name == weight_->name; }))
      weight_->name += '_';
    columns.push_back(*weight_);
  }
  columns.push_back(target_);
  return take(
      Table::make(std::move(columns), count + (weight_ ? 1 : 0), weight_ ? std::optional(count) : std::nullopt));
}

void DataBuilder::flush() {
  if (block_.empty()) return;
  nb::gil_scoped_release release;
  const Table table = take_block();
  const Binarizer block = take(Binarizer::fit(table, {thresholds_}));
  for (BitColumn& bits : take(block.bits(table))) data_.columns.push_back(std::move(bits));
  for (Test test : block.tests()) {
    data_.feature_names.push_back(block.feature_name(test));
    if (test.kind == TestKind::at_most) data_.thresholds = to_string(thresholds_);
    test.column += tests_.inputs.size();
    tests_.tests.push_back(std::move(test));
  }
  tests_.inputs.insert(tests_.inputs.end(), block.inputs().begin(), block.inputs().end());
}

std::pair<Binarizer, Dataset> DataBuilder::finish(bool sorted) {
  if (sorted && thresholds_.kind == ThresholdRule::Kind::all && !block_.empty()) {
    nb::gil_scoped_release release;
    const Table table = take_block();
    if (sorts_columns(table, thresholds_, {})) {
      auto ranked = std::make_shared<RankedData>(take(rank(table)));
      ranked->target = tests_.target;
      ranked->class_names = tests_.class_names;
      ranked->labels = data_.labels;
      ranked->weights = data_.weights;
      ranked->weight_scale = data_.weight_scale;
      return {take(binarizer_of(*ranked, {})), ranked_dataset(std::move(ranked))};
    }
    for (std::size_t i = 0; i < table.num_columns(); ++i)
      if (i != table.target() && i != table.weight()) block_.push_back(table.column(i));
  }
  flush();
  return {take(Binarizer::make(std::move(tests_))), Dataset(std::move(data_))};
}

void bind_dataset(nb::module_& m) {
  nb::class_<Binarizer>(m, "Binarizer", "Tests on raw columns.")
      .def_static("make", &binarizer_of, nb::arg("inputs"), nb::arg("tests"), nb::arg("target"), nb::arg("class_names"))
      .def("__getstate__",
           [](const Binarizer& b) { return std::tuple(inputs_of(b), tests_of(b), b.target(), b.class_names()); })
      .def("__setstate__",
           [](Binarizer& b, const std::tuple<std::vector<InputTuple>, std::vector<TestTuple>, std::string,
                                             std::vector<std::string>>& state) {
             new (&b) Binarizer(
                 binarizer_of(std::get<0>(state), std::get<1>(state), std::get<2>(state), std::get<3>(state)));
           })
      .def_prop_ro("inputs", &inputs_of, "(name, 'numeric' or 'nominal', levels) of each raw column.")
      .def_prop_ro("tests", &tests_of, "(column, 'at_most', 'equals' or 'missing', threshold, level) of each.")
      .def_prop_ro("feature_names", &names_of)
      .def_prop_ro("class_names", &Binarizer::class_names)
      .def_prop_ro("target", &Binarizer::target)
      .def("bits", &bits_of, nb::arg("frame"), "The 0/1 matrix of the tests over a frame, as uint8.");
  nb::class_<Dataset>(m, "Dataset", "The 0/1 matrix with classes and integer weights.")
      .def_prop_ro("num_rows", &Dataset::num_rows)
      .def_prop_ro("num_features", &Dataset::num_features_in_all)
      .def_prop_ro("feature_names", &Dataset::feature_names)
      .def_prop_ro("class_names", &Dataset::class_names)
      .def_prop_ro("total_weight", &Dataset::total_weight)
      .def_prop_ro("weight_scale", &Dataset::weight_scale)
      .def_prop_ro("sha256", [](const Dataset& d) { return data_sha256(d); })
      .def_prop_ro(
          "unavoidable_errors", [](const Dataset& d) { return condense(d).unavoidable_errors; },
          "Weight that no classifier on these features gets right.");
  nb::class_<DataBuilder>(m, "DataBuilder", "Columns in, one by one; a binarizer and a dataset out.")
      .def(nb::init<const Array&, std::vector<std::string>, std::string, const std::optional<Array>&, std::int64_t,
                    const std::string&>(),
           nb::arg("labels"), nb::arg("class_names"), nb::arg("target"), nb::arg("weights").none(),
           nb::arg("weight_scale"), nb::arg("thresholds"))
      .def(
          "add_numbers",
          [](DataBuilder& b, std::string name, const Array& values) {
            b.add(number_column(std::move(name), values, b.rows()));
          },
          nb::arg("name"), nb::arg("values"), "Numbers, NaN where missing.")
      .def(
          "add_codes",
          [](DataBuilder& b, std::string name, const Array& codes, std::vector<std::string> levels) {
            b.add(coded_column(std::move(name), codes, std::move(levels), b.rows()));
          },
          nb::arg("name"), nb::arg("codes"), nb::arg("levels"), "Codes into levels, negative where missing.")
      .def_prop_ro("thresholds", [](const DataBuilder& b) { return to_string(b.thresholds()); })
      .def("finish", &DataBuilder::finish, nb::arg("sorted") = false,
           "The binarizer and the dataset; the builder is empty after. `sorted`: with all thresholds columns may be "
           "sorted "
           "instead of cut, for learn to decide.");
  m.def(
      "scale_weights",
      [](const nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>& weights) {
        auto scaled = take(scale_weights(std::span(weights.data(), weights.size())));
        return std::pair(to_numpy(std::move(scaled.weights)), scaled.scale);
      },
      nb::arg("weights"), "Integers and a scale with weight = integer / scale, exactly.");
}

}  // namespace beadwork::python
