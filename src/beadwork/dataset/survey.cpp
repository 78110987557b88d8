#include <beadwork/dataset.hpp>
#include <beadwork/dataset/fitting.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace beadwork {
namespace {

constexpr std::size_t kMostTexts = 1000000;
constexpr double kExact = 0x1p53;  // sums of whole weights

// What a part says of a column's type: nothing, if it has no values or only 0 and 1.
std::optional<ColumnType> type_in(const Column& column) {
  if (column.type == ColumnType::numeric) {
    const bool any = std::any_of(column.numbers.begin(), column.numbers.end(), [](double x) { return !std::isnan(x); });
    return any || column.reading.kind == Reading::Kind::ordinal ? std::optional(ColumnType::numeric) : std::nullopt;
  }
  const bool bits = column.reading.kind == Reading::Kind::plain &&
                    std::all_of(column.levels.begin(), column.levels.end(),
                                [](const std::string& s) { return s == "0" || s == "1"; });
  return bits ? std::nullopt : std::optional(ColumnType::nominal);
}

bool among_names(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Reading without_missing(Reading reading) {
  reading.missing.clear();
  reading.fields = reading.kind == Reading::Kind::moment ? 0 : reading.fields;
  return reading;
}

std::string kind_words(std::optional<ColumnType> type, const Reading& reading) {
  if (reading.kind != Reading::Kind::plain) return words(reading);
  return type == ColumnType::nominal ? "text" : "numbers";
}

Error disagreement(const std::string& name, const std::string& one, const std::string& part, const std::string& other) {
  const std::string shown = printable(name, 40);
  return input_error(
             fmt::format("column '{}' holds {} here and {} in {}; say how to read it in all shards, for example "
                         "as categories (nominal '{}'), or ignore it",
                         shown, one, other, printable(part, 60), shown))
      .with({"nominal", name});
}

}  // namespace

using namespace detail;

std::vector<Class> TableSurvey::labels_of(const Column& target) {
  std::vector<std::optional<Class>> of_level(target.levels.size());
  std::vector<Class> out;
  for (std::size_t r = 0; r < target.num_rows(); ++r) {
    auto& label = of_level[target.codes[r]];
    if (!label) {
      const std::string& name = target.levels[target.codes[r]];
      const auto at = std::find(classes_.begin(), classes_.end(), name);
      label = Class{static_cast<std::size_t>(at - classes_.begin())};
      if (at == classes_.end()) classes_.push_back(name);
    }
    out.push_back(*label);
  }
  class_rows_.resize(classes_.size());
  for (const Class k : out) ++class_rows_[k()];
  return out;
}

// Weights are added up as integers, whose sum no order of parts changes.
std::int64_t TableSurvey::weight_of(const Column* weights, std::size_t row) const {
  if (weights == nullptr) return 1;
  if (scale_) return scale_->of(weights->numbers[row]);
  return weight_sum_ < kExact ? static_cast<std::int64_t>(weights->numbers[row]) : 0;  // else this is done again
}

Status TableSurvey::add(const Table& part, const std::string& name) {
  require(part.target().has_value(), "TableSurvey::add: the table has a target");
  const std::string target = part.column(*part.target()).name;
  const std::string weight = part.weight() ? part.column(*part.weight()).name : "";
  const bool first = rows_ == 0;
  if (first) {
    target_ = target;
    weight_ = weight;
    for (std::size_t i = 0; i < part.num_columns(); ++i)
      if (i != part.target() && i != part.weight()) inputs_.emplace_back().name = part.column(i).name;
  }
  if (target != target_)
    return input_error(fmt::format("the target is '{}' here and '{}' in the shards before", printable(target, 40),
                                   printable(target_, 40)));
  const std::vector<Class> labels = labels_of(part.column(*part.target()));
  const Column* weights = part.weight() ? &part.column(*part.weight()) : nullptr;
  if (weights != nullptr)
    for (const double w : weights->numbers) {
      ++row_weights_[w];
      weight_sum_ += w == std::floor(w) ? w : std::numeric_limits<double>::infinity();
    }
  for (std::size_t i = 0; i < part.num_columns(); ++i)
    if (const std::string& column = part.column(i).name;
        i != part.target() && i != part.weight() &&
        std::none_of(inputs_.begin(), inputs_.end(), [&](const Input& input) { return input.name == column; }))
      return input_error(fmt::format("column '{}' is not in the shards before", printable(column, 40)));
  for (Input& input : inputs_) {
    const auto at = part.find(input.name);
    if (!at)
      return input_error(fmt::format("column '{}' of the shards before is not there", printable(input.name, 40)));
    TRY_DONE(add_input(input, part.column(*at), labels, weights, name));
  }
  rows_ += part.num_rows();
  return Done{};
}

// False: the parts are not read another time.
bool TableSurvey::ask_again(const Input& input) {
  if (again_) return false;
  if (!among_names(to_ask_again_, input.name)) to_ask_again_.push_back(input.name);
  return true;
}

// Texts that mean no value here, as nobody but their column says. Of numbers only NaN counts: beside other words it is
// one more of them, and beside numbers alone it is refused.
bool TableSurvey::has_strays(const Column& column) const {
  const auto& codes = reading_.missing_of;
  return std::any_of(column.reading.missing.begin(), column.reading.missing.end(), [&](const std::string& text) {
    const bool nan = text.size() == 3 && (text[0] | 0x20) == 'n' && (text[1] | 0x20) == 'a' && (text[2] | 0x20) == 'n';
    if (column.type == ColumnType::numeric && !nan) return false;
    return std::none_of(codes.begin(), codes.end(), [&](const MissingCode& code) { return code.text == text; });
  });
}

// Type and reading so far against those of a part.
Status TableSurvey::settle(Input& input, const Column& column, const std::string& part) {
  input.reading.add_missing(column.reading.missing);
  const auto type = type_in(column);
  if (among_names(as_found_, input.name)) {
    if (!input.part.empty() && column.as_found != input.as_found)
      return disagreement(input.name, "values of a declared type", input.part, "others");
    input.as_found = column.as_found;
    if (input.part.empty()) input.part = part;
  }
  if (column.as_found) {
    input.type = type;
    return Done{};
  }
  // What is left of such a column does not say what it would be among other texts.
  const bool unsure = column.reading.kind == Reading::Kind::boolean || has_strays(column);
  if (unsure && ask_again(input)) return Done{};
  if (!type) return Done{};
  if (input.type && (type != input.type || without_missing(column.reading) != without_missing(input.reading))) {
    if (ask_again(input)) return Done{};
    return disagreement(input.name, kind_words(type, column.reading), input.part,
                        kind_words(input.type, input.reading));
  }
  const int fields = std::max(input.reading.fields, column.reading.fields);
  auto missing = std::move(input.reading.missing);
  if (!input.type) input.reading = column.reading;
  input.reading.missing = std::move(missing);
  input.reading.fields = fields;
  input.type = type;
  if (input.part.empty()) input.part = part;
  return Done{};
}

// Merges two increasing lists of values.
void TableSurvey::add_values(Input& input, const std::vector<double>& values,
                             std::vector<std::vector<std::int64_t>> weights) {
  const std::size_t classes = std::max(weights.size(), input.weights.size());
  weights.resize(classes, std::vector<std::int64_t>(values.size()));
  input.weights.resize(classes, std::vector<std::int64_t>(input.values.size()));
  std::vector<double> merged;
  std::vector<std::vector<std::int64_t>> sums(classes);
  for (std::size_t a = 0, b = 0; a < input.values.size() || b < values.size();) {
    const bool from_a = a < input.values.size() && (b == values.size() || !(values[b] < input.values[a]));
    const bool from_b = b < values.size() && (a == input.values.size() || !(input.values[a] < values[b]));
    merged.push_back(from_a ? input.values[a] : values[b]);
    for (std::size_t k = 0; k < classes; ++k)
      sums[k].push_back((from_a ? input.weights[k][a] : 0) + (from_b ? weights[k][b] : 0));
    a += from_a ? 1 : 0;
    b += from_b ? 1 : 0;
  }
  input.values = std::move(merged);
  input.weights = std::move(sums);
}

Status TableSurvey::add_input(Input& input, const Column& column, const std::vector<Class>& labels,
                              const Column* weight, const std::string& part) {
  TRY_DONE(settle(input, column, part));
  if (among_names(to_ask_again_, input.name)) return Done{};
  for (std::size_t r = 0; r < column.num_rows() && !input.missing; ++r) input.missing = column.missing(r);
  if (column.type != ColumnType::numeric) return count_levels(input, column, labels, weight);
  const ValueCounts counts = counts_by_value<std::int64_t>(
      column, labels, classes_.size(), [&](std::size_t r) { return weight_of(weight, r); }, 1);
  std::vector<std::vector<std::int64_t>> weights(classes_.size());
  for (std::size_t i = 0; i < counts.size(); ++i)
    for (std::size_t k = 0; k < classes_.size(); ++k)
      weights[k].push_back(static_cast<std::int64_t>(counts.by_class(i)[k]));
  add_values(input, counts.values, std::move(weights));
  return Done{};
}

Status TableSurvey::count_levels(Input& input, const Column& column, const std::vector<Class>& labels,
                                 const Column* weight) const {
  const bool weighed = column.as_found || !type_in(column);
  std::vector<std::size_t> count(column.levels.size());
  std::vector<std::vector<std::int64_t>> weights(weighed ? count.size() : 0,
                                                 std::vector<std::int64_t>(classes_.size()));
  for (std::size_t r = 0; r < column.num_rows(); ++r) {
    if (column.missing(r)) continue;
    ++count[column.codes[r]];
    if (weighed) weights[column.codes[r]][labels[r]()] += weight_of(weight, r);
  }
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 0) continue;
    input.levels[column.levels[i]] += count[i];
    if (input.levels.size() > kMostTexts)
      return input_error(fmt::format("column '{}' has more than {} different texts; ignore it",
                                     printable(input.name, 40), kMostTexts));
    if (!weighed) continue;
    std::vector<std::int64_t>& sums = input.level_weights[column.levels[i]];
    sums.resize(classes_.size());
    std::transform(weights[i].begin(), weights[i].end(), sums.begin(), sums.begin(), std::plus<>());
  }
  return Done{};
}

bool TableSurvey::begin_again() {
  if (again_) return false;
  for (const Input& input : inputs_) {
    if (input.type != ColumnType::nominal || among_names(reading_.nominal, input.name)) continue;
    std::vector<std::string> levels;
    std::vector<std::size_t> counts;
    for (const auto& [level, count] : input.levels) {
      levels.push_back(level);
      counts.push_back(count);
    }
    if (judge_texts(levels, counts, reading_) == TextsAre::something_else) ask_again(input);
  }
  TableSurvey next(reading_);
  next.again_ = true;
  next.as_found_ = std::move(to_ask_again_);
  to_ask_again_.clear();
  if (!(weight_sum_ < kExact))
    if (auto scale = weight_scale(); scale) next.scale_ = *scale;
  if (next.as_found_.empty() && !next.scale_) return false;
  *this = std::move(next);
  return true;
}

// The categories of the whole, as one reading of all its texts would have them.
bool TableSurvey::add_levels(const Input& input, Binarizer::Parts& parts) const {
  std::vector<std::string> levels;
  std::vector<std::size_t> counts;
  for (const auto& [level, count] : input.levels) {
    levels.push_back(level);
    counts.push_back(count);
  }
  if (input.type && !among_names(reading_.nominal, input.name) && !among_names(reading_.keep, input.name) &&
      judge_texts(levels, counts, reading_) == TextsAre::left_out)
    return false;
  parts.inputs.push_back({input.name, ColumnType::nominal, {}, input.reading});
  InputColumn& out = parts.inputs.back();
  if (levels.size() > reading_.max_categories) {
    const FrequentLevels frequent = frequent_levels(levels, counts, reading_.max_categories);
    for (const std::size_t i : frequent.stay) out.levels.push_back(levels[i]);
    if (!frequent.other.empty()) out.levels.push_back(frequent.other);
    out.reading.other = frequent.other;
  } else {
    out.levels = std::move(levels);
  }
  out.levels = with_both_bits(sorted_levels(std::move(out.levels)));
  add_categories(parts.inputs.size() - 1, parts);
  return true;
}

// A column of texts as they stand in all parts becomes what they mean in the whole.
Status TableSurvey::add_as_found(Input input, const std::vector<std::string>& classes, const BinarizeOptions& options,
                                 const Control& control, Binarizer::Parts& parts) {
  Column texts{input.name, ColumnType::nominal, {}, {}, {}, input.reading};
  std::vector<std::size_t> counts;
  for (const auto& [level, count] : input.levels) {
    texts.levels.push_back(level);
    counts.push_back(count);
  }
  const std::vector<std::string> found = texts.levels;
  TRY(const auto read, read_texts(std::move(texts), counts, reading_, findings_));
  if (!read) return Done{};
  const Column* column = &*read;
  for (std::size_t i = 0; i < found.size() && !input.missing; ++i) input.missing = column->missing(i);
  input.reading = column->reading;
  const auto weights = std::exchange(input.level_weights, {});
  std::set<std::string> levels;
  std::vector<std::pair<double, std::size_t>> values;
  for (std::size_t i = 0; i < found.size(); ++i)
    if (column->missing(i))
      continue;
    else if (column->type == ColumnType::nominal)
      levels.insert(column->levels[column->codes[i]]);
    else
      values.emplace_back(column->numbers[i], i);
  std::sort(values.begin(), values.end());
  input.weights.resize(classes_.size());
  for (const auto& [value, i] : values) {
    const bool fresh = input.values.empty() || input.values.back() < value;
    if (fresh) input.values.push_back(value);
    const std::vector<std::int64_t>& of_class = weights.at(found[i]);
    for (std::size_t k = 0; k < classes_.size(); ++k) {
      if (fresh) input.weights[k].push_back(0);
      input.weights[k].back() += k < of_class.size() ? of_class[k] : 0;
    }
  }
  if (column->type == ColumnType::numeric) {
    add_numbers(input, classes, options, control, parts);
  } else {
    parts.inputs.push_back({input.name, ColumnType::nominal, {}, input.reading});
    parts.inputs.back().levels = with_both_bits(sorted_levels({levels.begin(), levels.end()}));
    add_categories(parts.inputs.size() - 1, parts);
  }
  if (input.missing) parts.tests.push_back({parts.inputs.size() - 1, TestKind::missing, 0, {}});
  return Done{};
}

void TableSurvey::add_numbers(Input input, const std::vector<std::string>& classes, const BinarizeOptions& options,
                              const Control& control, Binarizer::Parts& parts) const {
  for (const auto& [level, weights] : input.level_weights) {  // 0 and 1, where other parts have other numbers
    std::vector<std::vector<std::int64_t>> by_class;
    for (const std::int64_t w : weights) by_class.push_back({w});
    add_values(input, {number_of(input.reading, level).value_or(level == "1" ? 1 : 0)}, std::move(by_class));
  }
  input.weights.resize(classes_.size(), std::vector<std::int64_t>(input.values.size()));
  std::vector<std::size_t> order;  // of the classes as we met them
  for (const std::string& name : classes)
    order.push_back(static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), name) - classes_.begin()));
  const auto unit = static_cast<double>(scale_ ? scale_->scale : 1);
  ValueCounts counts{input.values, classes_.size(), {}};
  for (std::size_t i = 0; i < input.values.size(); ++i)
    for (const std::size_t k : order) counts.weights.push_back(static_cast<double>(input.weights[k][i]) / unit);
  parts.inputs.push_back({input.name, ColumnType::numeric, {}, input.reading});
  add_cuts(counts, parts.inputs.size() - 1, options.thresholds, control, parts);
}

Result<Binarizer> TableSurvey::fit(const BinarizeOptions& options, const Control& control) {
  if (rows_ == 0) return input_error("the table has no rows");
  left_out_.clear();
  findings_ = {};
  if (!among_names(reading_.nominal, target_))
    TRY_DONE(check_target({target_, ColumnType::nominal, {}, {}, classes_}, class_rows_, findings_));
  Binarizer::Parts parts;
  parts.target = target_;
  parts.class_names = sorted_levels(classes_);
  parts.thresholds = to_string(options.thresholds);
  for (const Input& input : inputs_) {
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while turning its columns into features", {}};
    if (input.as_found && !input.levels.empty()) {
      TRY_DONE(add_as_found(input, parts.class_names, options, control, parts));
      continue;
    }
    if (input.type ? *input.type == ColumnType::numeric : input.levels.empty()) {
      add_numbers(input, parts.class_names, options, control, parts);
    } else if (!add_levels(input, parts)) {
      left_out_.push_back(input.name);
      continue;
    }
    if (input.missing) parts.tests.push_back({parts.inputs.size() - 1, TestKind::missing, 0, {}});
  }
  if (control.stopping()) return Error{ErrorCode::limit, "stopped while turning its columns into features", {}};
  if (parts.inputs.empty())
    return input_error("no input column is left: all are text, and nearly every value is different");
  return Binarizer::make(std::move(parts));
}

Result<WeightScale> TableSurvey::weight_scale() const {
  std::vector<double> distinct;
  std::vector<std::uint64_t> counts;
  for (const auto& [weight, count] : row_weights_) {
    distinct.push_back(weight);
    counts.push_back(count);
  }
  auto scale = distinct.empty() ? Result<WeightScale>(WeightScale{}) : weight_scale_of(distinct, counts);
  if (!scale) return input_error(fmt::format("column '{}': {}", printable(weight_), scale.error().message));
  return scale;
}

}  // namespace beadwork
