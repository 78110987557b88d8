#include <beadwork/dataset.hpp>
#include <beadwork/dataset/fitting.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

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
      return input_error(
          fmt::format("column '{}' is not in the shards before, or was left out of them because nearly "
                      "all its texts differ; ignore it, or keep it by naming it nominal",
                      printable(column, 40)));
  for (Input& input : inputs_) {
    const auto at = part.find(input.name);
    if (!at)
      return input_error(
          fmt::format("column '{}' of the shards before is not there, or is left out because nearly all "
                      "its texts differ; ignore it, or keep it by naming it nominal",
                      printable(input.name, 40)));
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
  const Labelled rows{labels, weight};
  if (column.type == ColumnType::numeric) {
    const ValueCounts counts = value_counts(column, rows, classes_.size());
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
    if (bits) weights[column.codes[r]][labels[r]()] += rows.weight_of(r);
  }
  for (std::size_t i = 0; i < count.size(); ++i) {
    if (count[i] == 0) continue;
    input.levels[column.levels[i]] += count[i];
    if (!bits) continue;
    std::vector<double>& sums = input.level_weights[column.levels[i]];
    sums.resize(classes_.size());
    std::transform(weights[i].begin(), weights[i].end(), sums.begin(), sums.begin(), std::plus<>());
  }
  return Done{};
}

// Too many categories, or texts that are none.
Status TableSurvey::limit_levels(const Input& input, InputColumn& out) const {
  std::vector<std::string> levels;
  std::vector<std::size_t> counts;
  std::size_t cells = 0;
  for (const auto& [level, count] : input.levels) {
    levels.push_back(level);
    counts.push_back(count);
    cells += count;
  }
  const bool typed = std::find(typed_.begin(), typed_.end(), input.name) != typed_.end();
  if (!typed && nearly_all_different(levels.size(), cells))
    return input_error(
        fmt::format("column '{}' has {} different texts in {} rows; ignore it, or keep it by naming it "
                    "nominal",
                    printable(input.name, 40), levels.size(), cells));
  if (levels.size() > max_categories_) {
    const auto [stay, other] = frequent_levels(levels, counts, max_categories_);
    std::vector<std::string> frequent;
    for (const std::size_t i : stay) frequent.push_back(levels[i]);
    frequent.push_back(other);
    out.reading.other = other;
    levels = std::move(frequent);
  }
  out.levels = with_both_bits(sorted_levels(std::move(levels)));
  return Done{};
}

Result<Binarizer> TableSurvey::fit(const BinarizeOptions& options, const Control& control) const {
  if (rows_ == 0) return input_error("the table has no rows");
  Binarizer::Parts parts;
  parts.target = target_;
  parts.class_names = sorted_levels(classes_);
  parts.thresholds = to_string(options.thresholds);
  std::vector<std::size_t> order;  // of our classes among the sorted ones
  for (const std::string& name : parts.class_names)
    order.push_back(static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), name) - classes_.begin()));
  for (const Input& given : inputs_) {
    Input input = given;
    const bool numeric = input.type ? *input.type == ColumnType::numeric : input.levels.empty();
    parts.inputs.push_back({input.name, numeric ? ColumnType::numeric : ColumnType::nominal, {}, input.reading});
    if (numeric) {
      for (const auto& [level, weights] : input.level_weights) {  // 0 and 1, where other parts have other numbers
        std::vector<std::vector<double>> by_class;
        for (const double w : weights) by_class.push_back({w});
        add_values(input, {number_of(input.reading, level).value_or(level == "1" ? 1 : 0)}, std::move(by_class));
      }
      input.weights.resize(classes_.size(), std::vector<double>(input.values.size()));
      ValueCounts counts{input.values, classes_.size(), {}};
      for (std::size_t i = 0; i < input.values.size(); ++i)
        for (const std::size_t k : order) counts.weights.push_back(input.weights[k][i]);
      add_cuts(counts, parts.inputs.size() - 1, options.thresholds, control, parts);
    } else {
      if (auto ok = limit_levels(input, parts.inputs.back()); !ok) return ok.error();
      add_categories(parts.inputs.size() - 1, parts);
    }
    if (input.missing) parts.tests.push_back({parts.inputs.size() - 1, TestKind::missing, 0, {}});
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while turning its columns into features", {}};
  }
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
