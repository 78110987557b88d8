#include "dataset.hpp"

#include <cstring>
#include <tuple>

// A dataset as plain values, for pickle: how it travels to other processes.

namespace beadwork::python {
namespace {

template <class T>
nb::bytes bytes_of(const std::vector<T>& values) {
  return nb::bytes(values.data(), values.size() * sizeof(T));
}

template <class T>
std::vector<T> values_in(const nb::bytes& bytes) {
  if (bytes.size() % sizeof(T) != 0) throw nb::value_error("the state of a dataset is damaged");
  std::vector<T> out(bytes.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), bytes.c_str(), bytes.size());
  return out;
}

nb::bytes bytes_of_classes(const std::vector<Class>& classes) {
  std::vector<std::uint32_t> numbers;
  for (const Class k : classes) numbers.push_back(static_cast<std::uint32_t>(k()));
  return bytes_of(numbers);
}

std::vector<Class> classes_in(const nb::bytes& bytes) {
  std::vector<Class> out;
  for (const std::uint32_t k : values_in<std::uint32_t>(bytes)) out.emplace_back(k);
  return out;
}

}  // namespace

RanksTuple state_of(const RankedData& r) {
  Binarizer::Parts tests;
  tests.inputs = r.inputs;
  tests.target = r.target;
  tests.class_names = r.class_names;
  std::vector<RankedTuple> columns;
  for (const RankedColumn& c : r.columns) {
    const auto test = c.test ? static_cast<std::int64_t>(tests.tests.size()) : -1;
    if (c.test) tests.tests.push_back(*c.test);
    columns.emplace_back(c.input, c.num_ranks, c.missing, test, bytes_of(c.ranks), bytes_of(c.values));
  }
  return {take(Binarizer::make(std::move(tests))),
          std::move(columns),
          bytes_of_classes(r.labels),
          bytes_of(r.weights),
          r.weight_scale,
          r.weight_rounding,
          r.target_cuts};
}

std::shared_ptr<const RankedData> ranks_in(const RanksTuple& state) {
  auto out = std::make_shared<RankedData>();
  const Binarizer& tests = std::get<0>(state);
  out->inputs = tests.inputs();
  out->target = tests.target();
  out->class_names = tests.class_names();
  for (const auto& [input, num_ranks, missing, test, ranks, values] : std::get<1>(state)) {
    RankedColumn c;
    c.input = input;
    c.num_ranks = num_ranks;
    c.missing = missing;
    if (test >= 0) c.test = tests.tests().at(static_cast<std::size_t>(test));
    c.ranks = values_in<std::uint32_t>(ranks);
    c.values = values_in<double>(values);
    out->columns.push_back(std::move(c));
  }
  out->labels = classes_in(std::get<2>(state));
  out->weights = values_in<std::int64_t>(std::get<3>(state));
  std::tie(out->weight_scale, out->weight_rounding, out->target_cuts) =
      std::tie(std::get<4>(state), std::get<5>(state), std::get<6>(state));
  return out;
}

nb::tuple check_version(const nb::tuple& pickled, const char* what) {
  std::string version;
  const bool told = pickled.size() > 0 && nb::try_cast(pickled[0], version, false);
  if (!told || version != BEADWORK_VERSION)
    throw nb::value_error((std::string("this pickle of a ") + what + " is from " +
                           (told ? "version " + version : "an earlier version") + " of beadwork, and this is version " +
                           BEADWORK_VERSION + ": make it again here, or keep the model's text instead (to_json)")
                              .c_str());
  const nb::object& all = pickled;
  return nb::tuple(nb::object(all[nb::slice(nb::int_(1), nb::none(), nb::none())]));
}

DatasetState state_of(const Dataset& d) {
  std::vector<std::uint64_t> bits;
  std::vector<std::size_t> inputs;
  std::vector<std::string> input_names;
  std::vector<Class> labels;
  std::vector<std::int64_t> weights;
  const std::size_t here = d.is_sorted() ? 0 : d.num_features();  // those of sorted columns are made again
  for (std::size_t f = 0; f < here; ++f) {
    const BitColumn& column = d.column(Feature{f});
    bits.insert(bits.end(), column.begin(), column.end());
    inputs.push_back(d.input_of(Feature{f}));
  }
  for (std::size_t i = 0; i < d.num_inputs(); ++i) input_names.push_back(d.input_name(i));
  for (std::size_t r = 0; r < d.num_rows(); ++r) {
    labels.push_back(d.label(Row{r}));
    if (!d.unit_weights()) weights.push_back(d.weight(Row{r}));
  }
  const nb::object ranks = d.ranks() ? nb::cast(state_of(*d.ranks())) : nb::none();
  auto names = d.is_sorted() ? std::vector<std::string>{} : d.feature_names();
  return {bytes_of(bits),        std::move(names),    bytes_of_classes(labels), d.class_names(), bytes_of(weights),
          d.weight_scale(),      d.weight_rounding(), d.thresholds(),           ranks,           std::move(inputs),
          std::move(input_names)};
}

Dataset dataset_of(const DatasetState& state) {
  const auto& [bits, feature_names, labels, class_names, weights, scale, rounding, thresholds, ranks, inputs,
               input_names] = state;
  Dataset::Parts parts;
  parts.feature_names = feature_names;
  parts.labels = classes_in(labels);
  const auto words = values_in<std::uint64_t>(bits);
  const std::size_t each = words_for(parts.labels.size());
  if (words.size() != each * feature_names.size()) throw nb::value_error("the state of a dataset is damaged");
  for (std::size_t f = 0; f < feature_names.size(); ++f) {
    const auto from = words.begin() + static_cast<std::ptrdiff_t>(f * each);
    parts.columns.emplace_back(from, from + static_cast<std::ptrdiff_t>(each));
  }
  parts.class_names = class_names;
  parts.weights = values_in<std::int64_t>(weights);
  parts.weight_scale = scale;
  parts.weight_rounding = rounding;
  parts.thresholds = thresholds;
  parts.inputs = inputs;
  parts.input_names = input_names;
  if (!ranks.is_none()) parts.ranks = ranks_in(nb::cast<RanksTuple>(ranks));
  return Dataset(std::move(parts));
}

}  // namespace beadwork::python
