#include "dataset.hpp"

#include "learned.hpp"

namespace beadwork::python {
namespace {

// Kind, decimal, thousands, unit, order, fields, missing, other.
using ReadingTuple = std::tuple<std::string, std::string, std::string, std::string, std::string, int,
                                std::vector<std::string>, std::string>;
using InputTuple = std::tuple<std::string, std::string, std::vector<std::string>, ReadingTuple>;
using TestTuple = std::tuple<std::size_t, std::string, double, std::string>;

constexpr const char* kTestNames[] = {"at_most", "equals", "missing"};
constexpr const char* kReadingKinds[] = {"plain", "number", "date", "moment", "duration", "boolean", "ordinal"};
constexpr const char* kDateOrders[] = {"ymd", "dmy", "mdy"};

template <class E, std::size_t N>
E named(const char* const (&names)[N], const std::string& name, const char* what) {
  const auto* at = std::find(std::begin(names), std::end(names), name);
  if (at == std::end(names)) throw nb::value_error(what);
  return static_cast<E>(at - std::begin(names));
}

std::string text_of(char c) {
  return c == 0 ? std::string() : std::string(1, c);
}

char char_of(const std::string& text) {
  return text.empty() ? '\0' : text[0];
}

ReadingTuple tuple_of(const Reading& r) {
  return {kReadingKinds[static_cast<std::size_t>(r.kind)],
          text_of(r.decimal),
          text_of(r.thousands),
          r.unit,
          kDateOrders[static_cast<std::size_t>(r.order)],
          r.fields,
          r.missing,
          r.other};
}

Reading reading_of(const ReadingTuple& t) {
  const auto& [kind, decimal, thousands, unit, order, fields, missing, other] = t;
  Reading r;
  r.kind = named<Reading::Kind>(kReadingKinds, kind, "no such reading");
  r.decimal = char_of(decimal);
  r.thousands = char_of(thousands);
  r.unit = unit;
  r.order = named<Reading::Order>(kDateOrders, order, "no such order of dates");
  r.fields = fields;
  r.missing = missing;
  r.other = other;
  return r;
}

// What `reading` of an estimator says; Python has checked it.
TextReading text_reading(const nb::dict& given) {
  TextReading out;
  const auto sign = [&](const char* key) {
    return given.contains(key) ? char_of(nb::cast<std::string>(given[key])) : '\0';
  };
  out.tidy.decimal = sign("decimal");
  out.tidy.thousands = sign("thousands");
  if (given.contains("dates"))
    out.tidy.dates = named<Reading::Order>(kDateOrders, nb::cast<std::string>(given["dates"]), "dates");
  if (given.contains("max_categories")) out.tidy.max_categories = nb::cast<std::size_t>(given["max_categories"]);
  if (given.contains("missing")) out.missing = nb::cast<std::vector<std::string>>(given["missing"]);
  if (given.contains("keep_columns")) out.keep = nb::cast<std::vector<std::string>>(given["keep_columns"]);
  if (given.contains("ordered"))
    for (const auto& [column, levels] : nb::cast<nb::dict>(given["ordered"]))
      out.ordered.push_back({nb::cast<std::string>(column), nb::cast<std::vector<std::string>>(levels)});
  return out;
}

std::vector<InputTuple> inputs_of(const Binarizer& b) {
  std::vector<InputTuple> out;
  for (const InputColumn& i : b.inputs())
    out.emplace_back(i.name, i.type == ColumnType::numeric ? "numeric" : "nominal",
                     i.ordinal() ? i.reading.levels : i.levels, tuple_of(i.reading));
  return out;
}

std::vector<TestTuple> tests_of(const Binarizer& b) {
  std::vector<TestTuple> out;
  const Binarizer listed = b.listed();
  for (const Test& t : listed.tests())
    out.emplace_back(t.column, kTestNames[static_cast<std::size_t>(t.kind)], t.threshold, t.level);
  return out;
}

Binarizer binarizer_of(const std::vector<InputTuple>& inputs, const std::vector<TestTuple>& tests, std::string target,
                       std::vector<std::string> class_names, std::vector<double> target_cuts) {
  Binarizer::Parts parts;
  for (const auto& [name, type, levels, reading] : inputs) {
    parts.inputs.push_back(
        {name, type == "numeric" ? ColumnType::numeric : ColumnType::nominal, levels, reading_of(reading)});
    InputColumn& input = parts.inputs.back();
    if (input.ordinal()) input.reading.levels = std::exchange(input.levels, {});
  }
  for (const auto& [column, kind, threshold, level] : tests)
    parts.tests.push_back(
        {column, named<TestKind>(kTestNames, kind, "a test is at_most, equals or missing"), threshold, level});
  parts.target_cuts = std::move(target_cuts);
  parts.target = std::move(target);
  parts.class_names = std::move(class_names);
  return take(Binarizer::make(std::move(parts)));
}

// The last: sorted columns without their rows, in place of the tests.
using StateTuple = std::tuple<std::vector<InputTuple>, std::vector<TestTuple>, std::string, std::vector<std::string>,
                              std::vector<double>, nb::object>;

StateTuple binarizer_state(const Binarizer& b) {
  if (b.ranks()) return {{}, {}, {}, {}, {}, nb::cast(state_of(rows_of(*b.ranks(), {})))};
  return {inputs_of(b), tests_of(b), b.target(), b.class_names(), b.target_cuts(), nb::none()};
}

Binarizer binarizer_in(const StateTuple& state) {
  const auto& [inputs, tests, target, class_names, target_cuts, ranks] = state;
  if (!ranks.is_none()) return Binarizer::of(ranks_in(nb::cast<RanksTuple>(ranks)));
  return binarizer_of(inputs, tests, target, class_names, target_cuts);
}

std::vector<std::string> names_of(const Binarizer& b) {
  std::vector<std::string> out;
  for (std::size_t f = 0; f < b.num_features(); ++f) out.push_back(b.feature_name(Feature{f}));
  return out;
}

Matrix<std::uint8_t> matrix_of(const Dataset& d) {
  std::vector<std::uint8_t> out(d.num_rows() * d.num_features());
  for (std::size_t f = 0; f < d.num_features(); ++f)
    for (std::size_t r = 0; r < d.num_rows(); ++r) out[r * d.num_features() + f] = d.value(Feature{f}, Row{r}) ? 1 : 0;
  return to_numpy(std::move(out), d.num_rows(), d.num_features());
}

Matrix<std::uint8_t> bits_of(const Binarizer& b, const Frame& frame) {
  std::vector<std::uint8_t> out;
  std::size_t rows = 0;
  {
    const Released released;
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
                         const std::optional<Array>& weights, std::int64_t weight_scale, std::int64_t rounding,
                         const std::string& thresholds, TextReading reading, const std::optional<Array>& times)
    : reading_(std::move(reading)), thresholds_(take(parse_threshold_rule(thresholds))) {
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
    data_.weight_rounding = rounding;
    whole_ = {data_.weights, weight_scale, rounding};
    weight_.emplace();
    weight_->name = target + " weight";
    for (const std::int64_t w : data_.weights)
      weight_->numbers.push_back(static_cast<double>(w) / static_cast<double>(weight_scale));
  }
  if (times) times_ = some(integers(*times), labels.shape(0), rows_);
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

const OrderedWords* DataBuilder::order_of(const std::string& column) const {
  for (const OrderedWords& order : reading_.ordered)
    if (order.column == column) return &order;
  return nullptr;
}

void DataBuilder::add_text(Column column, bool typed) {
  if (const OrderedWords* order = order_of(column.name)) {
    if (auto fewer = without(column, reading_.missing)) column = *std::move(fewer);
    placed_.push_back(column.name);
    column = placed(column, *order);
    column.reading.add_missing(reading_.missing);
    return add(std::move(column));
  }
  // What files mean by no value; in a column of other texts these may be categories.
  static const std::vector<std::string> kUsual{"", "?", "NA", "NaN"};
  TidyOptions options = reading_.tidy;
  options.typed = typed;
  options.keep = among(reading_.keep, column.name);
  if (!typed && !reading_.missing.empty())
    if (auto fewer = without(column, reading_.missing)) column = *std::move(fewer);
  if (!typed)
    if (auto fewer = without(column, kUsual)) {
      Findings unheard;
      if (tidy(*fewer, options, unheard, times_) && fewer->type == ColumnType::numeric) {
        std::vector<std::string> gone;
        for (const std::string& text : kUsual)
          if (among(column.levels, text)) gone.push_back(text);
        column = *std::move(fewer);
        column.reading.add_missing(gone);
      }
    }
  if (!tidy(column, options, findings_, times_)) return;
  if (!typed) column.reading.add_missing(reading_.missing);
  add(std::move(column));
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
  const Released released;
  const Table table = take_block();
  const Binarizer block = take(Binarizer::fit(table, {thresholds_, weight_ ? &whole_ : nullptr}));
  for (BitColumn& bits : take(block.bits(table))) data_.columns.push_back(std::move(bits));
  for (Test test : block.tests()) {
    data_.feature_names.push_back(block.feature_name(test));
    if (test.kind == TestKind::at_most) data_.thresholds = to_string(thresholds_);
    test.column += tests_.inputs.size();
    data_.inputs.push_back(test.column);
    tests_.tests.push_back(std::move(test));
  }
  for (const InputColumn& input : block.inputs()) data_.input_names.push_back(input.name);
  tests_.inputs.insert(tests_.inputs.end(), block.inputs().begin(), block.inputs().end());
}

std::pair<Binarizer, Dataset> DataBuilder::finish(const std::optional<Request>& request) {
  for (const OrderedWords& order : reading_.ordered)
    if (!among(placed_, order.column))
      throw nb::value_error(("reading['ordered']: no column '" + order.column + "' holds texts or numbers").c_str());
  if (request && thresholds_.kind == ThresholdRule::Kind::all && !block_.empty()) {
    const Released released;
    const Table table = take_block();
    if (sorts_columns(table, thresholds_, *request)) {
      auto ranked = std::make_shared<RankedData>(take(rank(table)));
      ranked->target = tests_.target;
      ranked->class_names = tests_.class_names;
      ranked->labels = data_.labels;
      ranked->weights = data_.weights;
      ranked->weight_scale = data_.weight_scale;
      ranked->weight_rounding = data_.weight_rounding;
      return {Binarizer::of(ranked), ranked_dataset(ranked)};
    }
    for (std::size_t i = 0; i < table.num_columns(); ++i)
      if (i != table.target() && i != table.weight()) block_.push_back(table.column(i));
  }
  flush();
  return {take(Binarizer::make(std::move(tests_))), Dataset(std::move(data_))};
}

namespace {

void add_numbers(DataBuilder& b, std::string name, const Array& values) {
  if (auto warning = read_as_one(name, values, b.rows())) b.warn(*std::move(warning));
  if (b.order_of(name) != nullptr)
    b.add_text(number_column(std::move(name), values, b.rows(), ColumnType::nominal), true);
  else
    b.add(number_column(std::move(name), values, b.rows()));
}

void bind_builder(nb::module_& m) {
  nb::class_<DataBuilder>(m, "DataBuilder", "Columns in, one by one; a binarizer and a dataset out.")
      .def(
          "__init__",
          [](DataBuilder* b, const Array& labels, std::vector<std::string> class_names, std::string target,
             const std::optional<Array>& weights, std::int64_t weight_scale, std::int64_t rounding,
             const std::string& thresholds, const nb::dict& reading, const std::optional<Array>& times) {
            new (b) DataBuilder(labels, std::move(class_names), std::move(target), weights, weight_scale, rounding,
                                thresholds, text_reading(reading), times);
          },
          nb::arg("labels"), nb::arg("class_names"), nb::arg("target"), nb::arg("weights").none(),
          nb::arg("weight_scale"), nb::arg("rounding"), nb::arg("thresholds"), nb::arg("reading"),
          nb::arg("times").none() = nb::none())
      .def(
          "add_numbers",
          [](DataBuilder& b, std::string name, const Array& values) { add_numbers(b, std::move(name), values); },
          nb::arg("name"), nb::arg("values"), "Numbers, NaN where missing.")
      .def(
          "add_times",
          [](DataBuilder& b, std::string name, const Array& values, const std::string& kind) {
            b.add(timed_column(std::move(name), values, kind, b.rows()));
          },
          nb::arg("name"), nb::arg("values"), nb::arg("kind"), kTimesDoc)
      .def(
          "add_codes",
          [](DataBuilder& b, std::string name, const Array& codes, std::vector<std::string> levels, bool typed,
             bool ordered) {
            Column column = coded_column(std::move(name), codes, std::move(levels), b.rows());
            if (!ordered || column.levels.size() < 2 || b.order_of(column.name) != nullptr)
              return b.add_text(std::move(column), typed);
            into_places(column);
            b.add(std::move(column));
          },
          nb::arg("name"), nb::arg("codes"), nb::arg("levels"), nb::arg("typed"), nb::arg("ordered") = false,
          "Codes into levels, negative where missing. Texts that are not `typed` are read as what they mean; `ordered` "
          "levels become their places.")
      .def(
          "warn",
          [](DataBuilder& b, std::string message) {
            b.warn({std::move(message), {}, {}});
          },
          nb::arg("message"), "One more for `warnings`.")
      .def_prop_ro(
          "warnings",
          [](const DataBuilder& b) {
            std::vector<std::tuple<std::string, std::vector<std::pair<std::string, std::string>>, std::string>> out;
            for (const TableWarning& w : b.warnings()) out.emplace_back(w.message, w.options, w.to);
            return out;
          },
          "(message, (option, value) of each that settles it, what for) of each.")
      .def_prop_ro("thresholds", [](const DataBuilder& b) { return to_string(b.thresholds()); })
      .def(
          "finish",
          [](DataBuilder& b, const std::optional<nb::dict>& options) {
            return b.finish(options ? std::optional(request_of(*options)) : std::nullopt);
          },
          nb::arg("options") = nb::none(),
          "The binarizer and the dataset; the builder is empty after. Columns may be sorted for a fit with `options`.");
}

}  // namespace

void bind_dataset(nb::module_& m) {
  nb::class_<Binarizer>(m, "Binarizer", "Tests on raw columns.")
      .def_static("make", &binarizer_of, nb::arg("inputs"), nb::arg("tests"), nb::arg("target"), nb::arg("class_names"),
                  nb::arg("target_cuts"))
      .def("__getstate__", [](const Binarizer& b) { return with_version(binarizer_state(b)); })
      .def("__setstate__",
           [](Binarizer& b, const nb::tuple& state) {
             new (&b) Binarizer(binarizer_in(state_in<StateTuple>(state, "Binarizer")));
           })
      .def_prop_ro("inputs", &inputs_of,
                   "(name, 'numeric' or 'nominal', levels, reading) of each raw column (levels also of kind ordinal); "
                   "a reading is (kind, decimal, "
                   "thousands, unit, order of dates, fields, missing, other).")
      .def_prop_ro("tests", &tests_of, "(column, 'at_most', 'equals' or 'missing', threshold, level) of each.")
      .def_prop_ro("feature_names", &names_of)
      .def_prop_ro("class_names", &Binarizer::class_names)
      .def_prop_ro("target", &Binarizer::target)
      .def("bits", &bits_of, nb::arg("frame"), "The 0/1 matrix of the tests over a frame, as uint8.");
  nb::class_<Dataset>(m, "Dataset", "The 0/1 matrix with classes and integer weights.")
      .def("__getstate__", [](const Dataset& d) { return with_version(state_of(d)); })
      .def("__setstate__",
           [](Dataset& d, const nb::tuple& state) {
             new (&d) Dataset(dataset_of(state_in<DatasetState>(state, "Dataset")));
           })
      .def_prop_ro("num_rows", &Dataset::num_rows)
      .def_prop_ro("num_features", &Dataset::num_features)
      .def_prop_ro("feature_names", &Dataset::feature_names)
      .def_prop_ro("class_names", &Dataset::class_names)
      .def_prop_ro("total_weight", &Dataset::total_weight)
      .def_prop_ro("weight_scale", &Dataset::weight_scale)
      .def_prop_ro(
          "sha256", [](const Dataset& d) { return rows_sha256(d); },
          "Of names and distinct rows, in any order of rows.")
      .def(
          "is_of", [](const Dataset& d, const Model& m) { return same_rows(m.training(), d); }, nb::arg("model"),
          nb::sig("def is_of(self, model: Model) -> bool"), "Was the model learnt from these rows?")
      .def("bits", &matrix_of, "The 0/1 matrix, as uint8.")
      .def_prop_ro(
          "unavoidable_errors", [](const Dataset& d) { return condense(d).unavoidable_errors; },
          "Weight that no classifier on these features gets right.");
  bind_builder(m);
}

}  // namespace beadwork::python
