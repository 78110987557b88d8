#include <beadwork/dataset.hpp>
#include <beadwork/dataset/fitting.hpp>
#include <beadwork/dataset/match.hpp>
#include <beadwork/dataset/meaning.hpp>
#include <beadwork/dataset/thresholds.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace beadwork {
namespace detail {

std::vector<std::string> sorted_levels(std::vector<std::string> levels) {
  const bool numbers =
      std::all_of(levels.begin(), levels.end(), [](const auto& s) { return parse_number(s).has_value(); });
  std::sort(levels.begin(), levels.end(), [&](const std::string& a, const std::string& b) {
    if (!numbers) return a < b;
    const double x = *parse_number(a);
    const double y = *parse_number(b);
    return x != y ? x < y : a < b;
  });
  return levels;
}

std::vector<std::string> with_both_bits(std::vector<std::string> levels) {
  const bool zero_one = std::all_of(levels.begin(), levels.end(), [](const auto& s) { return s == "0" || s == "1"; });
  return zero_one && !levels.empty() ? std::vector<std::string>{"0", "1"} : std::move(levels);
}

ValueCounts value_counts(const SurveyColumn& column) {
  std::vector<std::pair<double, double>> entries;
  for (std::size_t r = 0; r < column.column.num_rows(); ++r)
    if (!column.column.missing(r)) entries.emplace_back(column.column.numbers[r], column.weights[r]);
  std::sort(entries.begin(), entries.end());
  ValueCounts out{{}, 1, {}};
  for (const auto& [value, weight] : entries) {
    if (out.values.empty() || out.values.back() < value) {
      out.values.push_back(value);
      out.weights.push_back(0);
    }
    out.weights.back() += weight;
  }
  return out;
}

void add_cuts(const ValueCounts& values, std::size_t input, const ThresholdRule& rule, const Control& control,
              Binarizer::Parts& parts) {
  for (const double t : choose_thresholds(values, rule, control))
    parts.tests.push_back({input, TestKind::at_most, t, {}});
}

void add_categories(std::size_t input, Binarizer::Parts& parts) {
  const std::vector<std::string>& levels = parts.inputs[input].levels;
  const std::size_t first = levels.size() == 2 ? 1 : 0;  // two values: one feature, for the second
  if (levels.size() >= 2)
    for (std::size_t i = first; i < levels.size(); ++i) parts.tests.push_back({input, TestKind::equals, 0, levels[i]});
}

}  // namespace detail

namespace {

using namespace detail;

std::vector<std::string> labels_present(const Column& column) {
  std::vector<bool> seen(column.levels.size());
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    if (!column.missing(r)) seen[column.codes[r]] = true;
  std::vector<std::string> present;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i]) present.push_back(column.levels[i]);
  return sorted_levels(std::move(present));
}

bool any_missing(const Column& column) {
  for (std::size_t r = 0; r < column.num_rows(); ++r)
    if (column.missing(r)) return true;
  return false;
}

Error stopped() {
  return {ErrorCode::limit, "stopped while turning its columns into features", {}};
}

// `cuts` of a numeric column.
void add_tests(const Column& column, const std::vector<double>& cuts, Binarizer::Parts& parts) {
  parts.inputs.push_back({column.name, column.type, {}, column.reading});
  if (column.type == ColumnType::nominal) parts.inputs.back().levels = with_both_bits(labels_present(column));
  const std::size_t input = parts.inputs.size() - 1;
  for (const double t : cuts) parts.tests.push_back({input, TestKind::at_most, t, {}});
  if (column.type == ColumnType::nominal) add_categories(input, parts);
  if (any_missing(column)) parts.tests.push_back({input, TestKind::missing, 0, {}});
}

// What the choice of thresholds looks at besides the column itself. Sums of integers are the same in any order of rows.
struct Weighed {
  std::vector<Class> labels;
  const ScaledWeights* weights = nullptr;

  ValueCounts counts(const Column& column, std::size_t classes) const {
    const auto weight_of = [&](std::size_t r) { return weights == nullptr ? 1 : weights->weights[r]; };
    const double unit = weights == nullptr ? 1 : static_cast<double>(weights->scale);
    return counts_by_value<std::int64_t>(column, labels, classes, weight_of, unit);
  }
};

std::vector<Class> encode_labels(const Column& target, const std::vector<std::string>& names) {
  std::unordered_map<std::string, std::size_t> number;
  for (std::size_t k = 0; k < names.size(); ++k) number[names[k]] = k;
  std::vector<Class> of_level;
  for (const std::string& level : target.levels) {
    const auto it = number.find(level);
    of_level.emplace_back(it == number.end() ? 0 : it->second);  // a level no row has
  }
  std::vector<Class> labels;
  labels.reserve(target.num_rows());
  for (std::size_t r = 0; r < target.num_rows(); ++r) labels.push_back(of_level[target.codes[r]]);
  return labels;
}

// The classes of a target of numbers that training cut into bins.
Result<std::vector<Class>> binned(const Column& column, const std::vector<double>& cuts) {
  std::vector<std::optional<std::size_t>> of_level;
  for (const std::string& level : column.levels) {
    const auto number = parse_number(level);
    of_level.push_back(number ? std::optional(bin_of(cuts, *number)) : std::nullopt);
  }
  std::vector<Class> out;
  for (std::size_t r = 0; r < column.num_rows(); ++r) {
    if (column.missing(r) || !of_level[column.codes[r]])
      return input_error(fmt::format("row {} has no number in '{}'", r + 1, printable(column.name)));
    out.emplace_back(*of_level[column.codes[r]]);
  }
  return out;
}

bool zero_one(const InputColumn& input) {
  return input.type == ColumnType::nominal && input.levels == std::vector<std::string>{"0", "1"};
}

// A reading must fit the column's type and levels.
Status check_reading(const InputColumn& input) {
  using enum Reading::Kind;
  const Reading& r = input.reading;
  const bool nominal = input.type == ColumnType::nominal;
  const bool has_other = std::find(input.levels.begin(), input.levels.end(), r.other) != input.levels.end();
  bool fits = r.kind == plain || (r.kind == boolean ? nominal && input.levels.size() == 2 : !nominal);
  const std::unordered_set<std::string_view> words(r.levels.begin(), r.levels.end());
  if (words.size() != r.levels.size() || (r.kind == ordinal) != (words.size() > 1)) fits = false;
  if (!fits || (!r.other.empty() && !has_other) || (r.kind == duration && r.fields != 2 && r.fields != 3))
    return input_error(fmt::format("the reading of column '{}' does not fit it", printable(input.name)));
  return Done{};
}

// `levels`: of the inputs, made as they are needed.
Status check_test(const Test& test, const std::vector<InputColumn>& inputs, std::map<std::size_t, Places>& levels) {
  if (test.column >= inputs.size()) return input_error("a feature names a column that does not exist");
  const InputColumn& input = inputs[test.column];
  if (test.kind == TestKind::at_most && input.type != ColumnType::numeric)
    return input_error(fmt::format("a threshold on the nominal column '{}'", printable(input.name)));
  if (test.kind == TestKind::at_most && !std::isfinite(test.threshold))
    return input_error(fmt::format("a threshold on '{}' is not a number", printable(input.name)));
  if (test.kind == TestKind::at_most && input.ordinal() &&
      (test.threshold < 0 || test.threshold >= static_cast<double>(input.reading.levels.size())))
    return input_error(fmt::format("a threshold on '{}' lies beyond its values", printable(input.name)));
  if (test.kind == TestKind::equals && input.type != ColumnType::nominal)
    return input_error(fmt::format("a category of the numeric column '{}'", printable(input.name)));
  if (test.kind == TestKind::equals && !levels.try_emplace(test.column, input.levels).first->second.find(test.level))
    return input_error(fmt::format("column '{}' has no value '{}'", printable(input.name), printable(test.level)));
  return Done{};
}

Result<ScaledWeights> whole_weights(const Column& column) {
  auto scaled = round_weights(column.numbers);
  if (!scaled) return input_error(fmt::format("column '{}': {}", printable(column.name), scaled.error().message));
  return scaled;
}

}  // namespace

Result<Binarizer> Binarizer::make(Parts parts) {
  for (const InputColumn& input : parts.inputs) TRY_DONE(check_reading(input));
  std::map<std::size_t, Places> levels;
  for (const Test& test : parts.tests) TRY_DONE(check_test(test, parts.inputs, levels));
  if (parts.class_names.empty()) return input_error("there are no classes");
  Binarizer b;
  b.parts_ = std::move(parts);
  return b;
}

Result<Binarizer> Binarizer::fit(const Table& table, const BinarizeOptions& options, const Control& control) {
  require(table.target().has_value(), "Binarizer::fit: the table has a target");
  if (table.num_rows() == 0) return input_error("the table has no rows");
  const Column& target = table.column(*table.target());
  Parts parts;
  parts.target = target.name;
  parts.class_names = target.reading.cuts.empty() ? labels_present(target) : target.levels;
  parts.target_cuts = target.reading.cuts;
  parts.thresholds = to_string(options.thresholds);
  ScaledWeights own;
  if (table.weight() && options.weights == nullptr) {
    TRY(auto scaled, whole_weights(table.column(*table.weight())));
    own = std::move(scaled);
  }
  const Weighed rows{encode_labels(target, parts.class_names), options.weights != nullptr ? options.weights
                                                               : table.weight()           ? &own
                                                                                          : nullptr};
  constexpr std::size_t kFree = std::size_t{1} << 20;  // values: no limit is too short for these
  Control signals = control;
  signals.deadline = Deadline::never();
  for (std::size_t i = 0; i < table.num_columns(); ++i) {
    if (i == table.target() || i == table.weight()) continue;
    const Column& column = table.column(i);
    const Control& now = i * table.num_rows() > kFree ? control : signals;
    std::vector<double> cuts;
    if (column.type == ColumnType::numeric)
      cuts = choose_thresholds(rows.counts(column, parts.class_names.size()), options.thresholds, now);
    add_tests(column, cuts, parts);
    if (now.stopping()) return stopped();
  }
  return make(std::move(parts));
}

Result<Binarizer> Binarizer::fit(const Survey& survey, const BinarizeOptions& options) {
  require(options.thresholds.kind != ThresholdRule::Kind::mdlp, "Binarizer::fit: MDLP needs all rows");
  const Column& target = survey.columns[survey.target].column;
  Parts parts;
  parts.target = target.name;
  parts.class_names = target.reading.cuts.empty() ? labels_present(target) : target.levels;
  parts.target_cuts = target.reading.cuts;
  parts.thresholds = to_string(options.thresholds);
  for (std::size_t i = 0; i < survey.columns.size(); ++i) {
    if (i == survey.target || i == survey.weight) continue;
    const SurveyColumn& column = survey.columns[i];
    std::vector<double> cuts;
    if (column.column.type == ColumnType::numeric) cuts = choose_thresholds(value_counts(column), options.thresholds);
    add_tests(column.column, cuts, parts);
  }
  return make(std::move(parts));
}

Result<ClassesAlone> classes_alone(const Table& table, const ThresholdRule& rule) {
  require(table.target().has_value(), "classes_alone: the table has a target");
  if (table.num_rows() == 0) return input_error("the table has no rows");
  const Column& target = table.column(*table.target());
  TRY(auto binarizer, Binarizer::make({{},
                                       {},
                                       target.name,
                                       target.reading.cuts.empty() ? labels_present(target) : target.levels,
                                       to_string(rule),
                                       target.reading.cuts}));
  TRY(const auto dataset, binarizer.apply(table));
  return ClassesAlone{std::move(binarizer), dataset.without_features()};
}

Binarizer Binarizer::of(std::shared_ptr<const RankedData> data) {
  Binarizer b;
  b.parts_ = {data->inputs, {}, data->target, data->class_names, "all", data->target_cuts};
  b.ranks_ = std::move(data);
  return b;
}

Test Binarizer::test(Feature f) const {
  return ranks_ ? to_test(*ranks_, ranks_->cut_of(f())) : parts_.tests[f()];
}

Binarizer Binarizer::listed() const {
  Binarizer out;
  out.parts_ = parts_;
  for (std::size_t f = out.num_features(); f < num_features(); ++f) out.parts_.tests.push_back(test(Feature{f}));
  return out;
}

const std::vector<Test>& Binarizer::tests() const {
  require(!ranks_, "Binarizer::tests: there is a list of them");
  return parts_.tests;
}

std::size_t Binarizer::num_features() const {
  return ranks_ ? ranks_->num_features() : parts_.tests.size();
}

std::string name_of(const Test& test, const std::vector<InputColumn>& inputs) {
  const InputColumn& input = inputs[test.column];
  switch (test.kind) {
    case TestKind::missing:
      return input.name + " is missing";
    case TestKind::at_most:
      return input.name + " <= " + text_of(input.reading, test.threshold);
    case TestKind::equals:
      break;
  }
  return zero_one(input) && test.level == "1" ? input.name : input.name + " = " + test.level;
}

void Binarizer::name_features(Dataset::Parts& parts) const {
  for (const InputColumn& input : parts_.inputs) parts.input_names.push_back(input.name);
  for (const Test& test : parts_.tests) {
    parts.feature_names.push_back(feature_name(test));
    parts.inputs.push_back(test.column);
  }
}

Binarizer Binarizer::select(std::span<const Feature> features) const {
  Parts out{{}, {}, parts_.target, parts_.class_names, parts_.thresholds, parts_.target_cuts};
  std::map<std::size_t, std::size_t> renumbered;  // old input -> new
  for (const Feature f : features) {
    require(f() < num_features(), "Binarizer::select: features of the binarizer");
    Test test = this->test(f);
    const auto [it, fresh] = renumbered.try_emplace(test.column, out.inputs.size());
    if (fresh) out.inputs.push_back(parts_.inputs[test.column]);
    test.column = it->second;
    out.tests.push_back(std::move(test));
  }
  Binarizer b;
  b.parts_ = std::move(out);
  return b;
}

Result<std::vector<Class>> Binarizer::labels(const Table& table) const {
  const auto at = table.find(parts_.target);
  if (!at) return input_error(fmt::format("the target column '{}' is missing", printable(parts_.target)));
  const Column& column = table.column(*at);
  require(column.type == ColumnType::nominal, "Binarizer::labels: the target is read as nominal");
  if (!parts_.target_cuts.empty() && column.reading.cuts.empty()) return binned(column, parts_.target_cuts);
  const std::unordered_set<std::string_view> names(parts_.class_names.begin(), parts_.class_names.end());
  std::vector<bool> known;
  for (const std::string& level : column.levels) known.push_back(names.contains(level));
  for (std::size_t r = 0; r < column.num_rows(); ++r) {
    if (column.missing(r)) return input_error(fmt::format("row {} has no class", r + 1));
    if (!known[column.codes[r]])
      return input_error(fmt::format("row {} has class '{}', which is not a class of the model", r + 1,
                                     printable(column.levels[column.codes[r]])));
  }
  return encode_labels(column, parts_.class_names);
}

Result<Dataset> Binarizer::apply(const Table& table, const Control& control) const {
  return apply(table, nullptr, control);
}

Result<Dataset> Binarizer::apply(const Table& table, const WeightScale& scale, const Control& control) const {
  return apply(table, &scale, control);
}

Result<Dataset> Binarizer::apply(const Table& table, const WeightScale* scale, const Control& control) const {
  TRY(auto columns, bits(table, nullptr, control));
  TRY(auto classes, labels(table));
  Dataset::Parts parts;
  parts.columns = std::move(columns);
  parts.labels = std::move(classes);
  parts.class_names = parts_.class_names;
  if (std::any_of(parts_.tests.begin(), parts_.tests.end(),
                  [](const Test& test) { return test.kind == TestKind::at_most; }))
    parts.thresholds = parts_.thresholds;
  name_features(parts);
  if (table.weight() && scale != nullptr) {
    for (const double weight : table.column(*table.weight()).numbers) parts.weights.push_back(scale->of(weight));
    parts.weight_scale = scale->scale;
    parts.weight_rounding = scale->rounding;
  } else if (table.weight()) {
    TRY(auto scaled, whole_weights(table.column(*table.weight())));
    parts.weights = std::move(scaled.weights);
    parts.weight_scale = scaled.scale;
    parts.weight_rounding = scaled.rounding;
  }
  return Dataset(std::move(parts));
}

}  // namespace beadwork
