#include <beadwork/dataset.hpp>
#include <beadwork/dataset/fitting.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

constexpr std::size_t kMostTexts = 1000000;

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
                  shown, one, other, printable(part, 60), shown));
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
  return out;
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
    for (const double w : weights->numbers) ++row_weights_[w];
  for (std::size_t i = 0; i < part.num_columns(); ++i)
    if (const std::string& column = part.column(i).name;
        i != part.target() && i != part.weight() &&
        std::none_of(inputs_.begin(), inputs_.end(), [&](const Input& input) { return input.name == column; }))
      return input_error(fmt::format("column '{}' is not in the shards before", printable(column, 40)));
  for (Input& input : inputs_) {
    const auto at = part.find(input.name);
    if (!at)
      return input_error(fmt::format("column '{}' of the shards before is not there", printable(input.name, 40)));
    if (auto ok = add_input(input, part.column(*at), labels, weights, name); !ok) return ok;
  }
  rows_ += part.num_rows();
  return Done{};
}

// Type and reading so far against those of a part.
Status TableSurvey::settle(Input& input, const Column& column, const std::string& part) {
  for (const std::string& text : column.reading.missing)
    if (std::find(input.reading.missing.begin(), input.reading.missing.end(), text) == input.reading.missing.end())
      input.reading.missing.push_back(text);
  const auto type = type_in(column);
  if (!type) return Done{};
  if (input.type && (type != input.type || without_missing(column.reading) != without_missing(input.reading)))
    return disagreement(input.name, kind_words(type, column.reading), input.part,
                        kind_words(input.type, input.reading));
  if (column.reading.kind == Reading::Kind::boolean && input.read && !input.levels.empty())
    for (const std::string& level : column.levels)
      if (!input.levels.contains(level)) return disagreement(input.name, "other spellings", input.part, "these");
  const int fields = std::max(input.reading.fields, column.reading.fields);
  auto missing = std::move(input.reading.missing);
  if (!input.type) input.reading = column.reading;
  input.reading.missing = std::move(missing);
  input.reading.fields = fields;
  input.read = true;
  input.type = type;
  if (input.part.empty()) input.part = part;
  return Done{};
}

// Merges two increasing lists of values.
void TableSurvey::add_values(Input& input, const std::vector<double>& values,
                             std::vector<std::vector<double>> weights) {
  const std::size_t classes = std::max(weights.size(), input.weights.size());
  weights.resize(classes, std::vector<double>(values.size()));
  input.weights.resize(classes, std::vector<double>(input.values.size()));
  std::vector<double> merged;
  std::vector<std::vector<double>> sums(classes);
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
  if (auto ok = settle(input, column, part); !ok) return ok;
  for (std::size_t r = 0; r < column.num_rows() && !input.missing; ++r) input.missing = column.missing(r);
  const auto weight_of = [&](std::size_t r) { return weight == nullptr ? 1.0 : weight->numbers[r]; };
  if (column.type == ColumnType::numeric) {
    const ValueCounts counts = counts_by_value<double>(column, labels, classes_.size(), weight_of, 1);
    std::vector<std::vector<double>> weights(classes_.size());
    for (std::size_t i = 0; i < counts.size(); ++i)
      for (std::size_t k = 0; k < classes_.size(); ++k) weights[k].push_back(counts.by_class(i)[k]);
    add_values(input, counts.values, std::move(weights));
    return Done{};
  }
  const bool bits = !type_in(column);
  std::vector<std::size_t> count(column.levels.size());
  std::vector<std::vector<double>> weights(bits ? count.size() : 0, std::vector<double>(classes_.size()));
  for (std::size_t r = 0; r < column.num_rows(); ++r) {
    if (column.missing(r)) continue;
    ++count[column.codes[r]];
    if (bits) weights[column.codes[r]][labels[r]()] += weight_of(r);
  }
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 0) continue;
    input.levels[column.levels[i]] += count[i];
    if (input.levels.size() > kMostTexts)
      return input_error(fmt::format("column '{}' has more than {} different texts; ignore it",
                                     printable(input.name, 40), kMostTexts));
    if (!bits) continue;
    std::vector<double>& sums = input.level_weights[column.levels[i]];
    sums.resize(classes_.size());
    std::transform(weights[i].begin(), weights[i].end(), sums.begin(), sums.begin(), std::plus<>());
  }
  return Done{};
}

// The categories of the whole, as one reading of all its texts would have them.
Result<bool> TableSurvey::add_levels(const Input& input, Binarizer::Parts& parts) const {
  std::vector<std::string> levels;
  std::vector<std::size_t> counts;
  for (const auto& [level, count] : input.levels) {
    levels.push_back(level);
    counts.push_back(count);
  }
  const auto names = [&](const std::vector<std::string>& list) {
    return std::find(list.begin(), list.end(), input.name) != list.end();
  };
  if (input.type && !names(reading_.nominal) && input.reading.kind == Reading::Kind::plain) {
    const TextsAre verdict = judge_texts(levels, counts, reading_);
    if (verdict == TextsAre::something_else)
      return input_error(
          fmt::format("the texts of column '{}' would be read otherwise if all shards were one table; "
                      "name it nominal, or ignore it",
                      printable(input.name, 40)));
    if (verdict == TextsAre::left_out && !names(reading_.keep)) return false;
  }
  parts.inputs.push_back({input.name, ColumnType::nominal, {}, input.reading});
  InputColumn& out = parts.inputs.back();
  if (levels.size() > reading_.max_categories) {
    const auto [stay, other] = frequent_levels(levels, counts, reading_.max_categories);
    for (const std::size_t i : stay) out.levels.push_back(levels[i]);
    out.levels.push_back(other);
    out.reading.other = other;
  } else {
    out.levels = std::move(levels);
  }
  out.levels = with_both_bits(sorted_levels(std::move(out.levels)));
  add_categories(parts.inputs.size() - 1, parts);
  return true;
}

void TableSurvey::add_numbers(Input input, const std::vector<std::string>& classes, const BinarizeOptions& options,
                              const Control& control, Binarizer::Parts& parts) const {
  for (const auto& [level, weights] : input.level_weights) {  // 0 and 1, where other parts have other numbers
    std::vector<std::vector<double>> by_class;
    for (const double w : weights) by_class.push_back({w});
    add_values(input, {number_of(input.reading, level).value_or(level == "1" ? 1 : 0)}, std::move(by_class));
  }
  input.weights.resize(classes_.size(), std::vector<double>(input.values.size()));
  std::vector<std::size_t> order;  // of the classes as we met them
  for (const std::string& name : classes)
    order.push_back(static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), name) - classes_.begin()));
  ValueCounts counts{input.values, classes_.size(), {}};
  for (std::size_t i = 0; i < input.values.size(); ++i)
    for (const std::size_t k : order) counts.weights.push_back(input.weights[k][i]);
  parts.inputs.push_back({input.name, ColumnType::numeric, {}, input.reading});
  add_cuts(counts, parts.inputs.size() - 1, options.thresholds, control, parts);
}

Result<Binarizer> TableSurvey::fit(const BinarizeOptions& options, const Control& control) {
  if (rows_ == 0) return input_error("the table has no rows");
  left_out_.clear();
  Binarizer::Parts parts;
  parts.target = target_;
  parts.class_names = sorted_levels(classes_);
  parts.thresholds = to_string(options.thresholds);
  for (const Input& input : inputs_) {
    if (input.type ? *input.type == ColumnType::numeric : input.levels.empty()) {
      add_numbers(input, parts.class_names, options, control, parts);
    } else {
      const auto added = add_levels(input, parts);
      if (!added) return added.error();
      if (!*added) left_out_.push_back(input.name);
      if (!*added) continue;
    }
    if (input.missing) parts.tests.push_back({parts.inputs.size() - 1, TestKind::missing, 0, {}});
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while turning its columns into features", {}};
  }
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
