#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace beadwork {
namespace {

Error no_room() {
  return {ErrorCode::limit, "the memory limit leaves no room for its features", {}};
}

// What a copy of so many bits is done under: no limit is too short for a small one.
Control limits_of_copy(std::size_t features, std::size_t rows, Control control) {
  constexpr std::size_t kFree = std::size_t{1} << 24;
  if (features * rows > kFree) return control;
  control.deadline = Deadline::never();
  control.memory_limit = 0;
  return control;
}

}  // namespace

// The cuts of sorted columns by number, and the bits that somebody has asked for.
struct Dataset::Sorted {
  explicit Sorted(const RankedData& data) {
    for (const RankedColumn& c : data.columns) ends.push_back((ends.empty() ? 0 : ends.back()) + c.num_features());
  }
  std::size_t num_cuts() const { return ends.empty() ? 0 : ends.back(); }
  Cut cut(Feature f) const {
    const auto column = static_cast<std::size_t>(std::upper_bound(ends.begin(), ends.end(), f()) - ends.begin());
    require(column < ends.size(), "Dataset: a feature of it");
    return {static_cast<std::uint32_t>(column), static_cast<std::uint32_t>(f() - (column == 0 ? 0 : ends[column - 1]))};
  }

  std::vector<std::size_t> ends;  // by column: the number of the first feature after it
  std::mutex mutex;
  std::unordered_map<std::size_t, BitColumn> made;
};

Dataset::Dataset(Parts parts) : parts_(std::move(parts)) {
  if (parts_.ranks && parts_.columns.empty() && parts_.ranks->num_features() > 0)
    sorted_ = std::make_shared<Sorted>(*parts_.ranks);
  const std::size_t rows = parts_.labels.size();
  require(parts_.feature_names.size() == parts_.columns.size(), "Dataset: a name for every feature");
  require(!parts_.class_names.empty(), "Dataset: at least one class");
  require(parts_.weights.empty() || parts_.weights.size() == rows, "Dataset: a weight for every row, or none");
  require(!parts_.ranks || sorted_ || parts_.columns.size() == parts_.ranks->num_features(),
          "Dataset: all cuts of sorted columns, or none");
  require(parts_.inputs.empty() || parts_.inputs.size() == parts_.columns.size(), "Dataset: an input of every feature");
  for (const std::size_t input : parts_.inputs)
    require(input < parts_.input_names.size(), "Dataset: a name for every input");
  require(parts_.weight_scale >= 1, "Dataset: weight_scale is positive");
  require(parts_.weight_rounding >= 0, "Dataset: weight_rounding is not negative");
  for (const Class k : parts_.labels) require(k() < parts_.class_names.size(), "Dataset: labels name classes");
  for (const BitColumn& c : parts_.columns) {
    require(c.size() == words_for(rows), "Dataset: bit columns have a bit for every row");
    require(rows % 64 == 0 || c.back() >> (rows % 64) == 0, "Dataset: bits past the last row are zero");
  }
  CheckedTotal sum;
  for (const std::int64_t w : parts_.weights) {
    require(w >= 0, "Dataset: weights are not negative");
    require(sum.add(w), "Dataset: the sum of the weights is at most 2^56");
  }
  if (std::all_of(parts_.weights.begin(), parts_.weights.end(), [](std::int64_t w) { return w == 1; }))
    parts_.weights.clear();
  total_weight_ = parts_.weights.empty() ? static_cast<std::int64_t>(rows) : sum.value();
}

BitColumn compress(const BitColumn& from, const BitColumn& mask, std::size_t rows) {
  BitColumn out(words_for(rows) + 1);
  std::size_t at = 0;
  for (std::size_t w = 0; w < from.size(); ++w) {
    std::uint64_t bits = from[w];
    if (mask[w] != ~std::uint64_t{0}) {
      bits = 0;
      for (std::uint64_t left = from[w] & mask[w]; left != 0; left &= left - 1) {
        const std::uint64_t below = (left & (~left + 1)) - 1;
        bits |= std::uint64_t{1} << std::popcount(mask[w] & below);
      }
    }
    out[at / 64] |= bits << at % 64;
    if (at % 64 != 0) out[at / 64 + 1] |= bits >> (64 - at % 64);
    at += static_cast<std::size_t>(std::popcount(mask[w]));
  }
  out.pop_back();
  return out;
}

std::size_t Dataset::num_cuts() const {
  return sorted_->num_cuts();
}

const BitColumn& Dataset::made(Feature f) const {
  const std::lock_guard lock(sorted_->mutex);
  const auto [at, fresh] = sorted_->made.try_emplace(f());
  if (fresh) at->second = bits_of(*parts_.ranks, sorted_->cut(f));
  return at->second;
}

bool Dataset::passes(Feature f, Row r) const {
  return beadwork::passes(*parts_.ranks, sorted_->cut(f), r);
}

std::string Dataset::feature_name(Feature f) const {
  return sorted_ ? name_of(to_test(*parts_.ranks, sorted_->cut(f)), parts_.ranks->inputs) : parts_.feature_names[f()];
}

std::vector<std::string> Dataset::feature_names() const {
  if (!sorted_) return parts_.feature_names;
  std::vector<std::string> out;
  for (std::size_t f = 0; f < num_features(); ++f) out.push_back(feature_name(Feature{f}));
  return out;
}

std::size_t Dataset::input_of(Feature f) const {
  if (sorted_) return parts_.ranks->columns[sorted_->cut(f).column].input;
  return parts_.inputs.empty() ? f() : parts_.inputs[f()];
}

Dataset Dataset::subset(std::span<const Row> rows) const {
  return *subset(rows, Control{});
}

Result<Dataset> Dataset::subset(std::span<const Row> rows, const Control& given) const {
  if (sorted_) {
    if (given.no_room_for(parts_.ranks->columns.size() * rows.size() * sizeof(std::uint32_t))) return no_room();
    return ranked_dataset(std::make_shared<const RankedData>(rows_of(*parts_.ranks, rows)));
  }
  const Control control = limits_of_copy(num_features(), num_rows(), given);
  Parts p{{},
          parts_.feature_names,
          {},
          parts_.class_names,
          {},
          parts_.weight_scale,
          parts_.weight_rounding,
          parts_.thresholds,
          {},
          0,
          parts_.inputs,
          parts_.input_names,
          parts_.lacks_features};
  for (const Row r : rows) require(r() < num_rows(), "Dataset::subset: rows of the dataset");
  if (control.no_room_for(num_features() * (words_for(rows.size()) * 8 + 32) + 16 * rows.size())) return no_room();
  const bool in_order = std::adjacent_find(rows.begin(), rows.end(), std::greater_equal<>()) == rows.end();
  BitColumn mask;
  if (in_order) mask.resize(words_for(num_rows()));
  for (std::size_t i = 0; i < rows.size() && in_order; ++i) set_bit(mask, rows[i]());
  p.columns.reserve(num_features());
  for (const BitColumn& from : parts_.columns) {
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while parting its rows", {}};
    BitColumn to = in_order ? compress(from, mask, rows.size()) : BitColumn(words_for(rows.size()));
    for (std::size_t i = 0; i < rows.size() && !in_order; ++i)
      if (bit(from, rows[i]())) set_bit(to, i);
    p.columns.push_back(std::move(to));
  }
  for (const Row r : rows) p.labels.push_back(label(r));
  if (!unit_weights())
    for (const Row r : rows) p.weights.push_back(weight(r));
  return Dataset(std::move(p));
}

Dataset Dataset::without_features() const {
  Dataset out = select({});
  out.parts_.thresholds.clear();
  out.parts_.input_names.clear();
  out.parts_.lacks_features = true;
  return out;
}

Dataset Dataset::select(std::span<const Feature> features) const {
  return *select(features, Control{});
}

Result<Dataset> Dataset::select(std::span<const Feature> features, const Control& given) const {
  const Control control = limits_of_copy(features.size(), num_rows(), given);
  if (control.no_room_for(features.size() * (words_for(num_rows()) * 8 + 64) + 16 * num_rows())) return no_room();
  Parts p{{},
          {},
          parts_.labels,
          parts_.class_names,
          parts_.weights,
          parts_.weight_scale,
          parts_.weight_rounding,
          parts_.thresholds,
          {},
          parts_.given_rows,
          {},
          {},
          parts_.lacks_features};
  for (std::size_t i = 0; i < num_inputs(); ++i) p.input_names.push_back(input_name(i));
  for (const Feature f : features) {
    require(f() < num_features(), "Dataset::select: features of the dataset");
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while selecting its features", {}};
    p.columns.push_back(column(f));
    p.feature_names.push_back(feature_name(f));
    p.inputs.push_back(input_of(f));
  }
  return Dataset(std::move(p));
}

namespace {

template <class Take>
void for_each_canonical_line(const Dataset& dataset, Take&& take) {
  std::string line;
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    line = fmt::format("{} {} ", dataset.label(Row{r})(), dataset.weight(Row{r}));
    for (std::size_t f = 0; f < dataset.num_features(); ++f) line += dataset.value(Feature{f}, Row{r}) ? '1' : '0';
    line += '\n';
    if (!take(line)) return;
  }
}

}  // namespace

std::string canonical_text(const Dataset& dataset) {
  std::string text;
  for_each_canonical_line(dataset, [&](const std::string& line) {
    text += line;
    return true;
  });
  return text;
}

std::string sha256(const Dataset& dataset) {
  return *sha256(dataset, Control{});
}

Result<std::string> sha256(const Dataset& dataset, const Control& control) {
  Sha256 hash;
  for_each_canonical_line(dataset, [&](const std::string& line) {
    hash.update(line);
    return !control.stopping();
  });
  if (control.stopping()) return Error{ErrorCode::limit, "stopped while hashing its rows", {}};
  return hash.hex_digest();
}

std::string matrix_text(const Dataset& dataset) {
  std::string text = "# beadwork matrix 1\n";
  for (std::size_t k = 0; k < dataset.num_classes(); ++k)
    text += fmt::format("# class {} {}\n", k, spelled(dataset.class_name(Class{k})));
  for (std::size_t f = 0; f < dataset.num_features(); ++f)
    text += fmt::format("# feature {} {}\n", f, spelled(dataset.feature_name(Feature{f})));
  const bool weights = !dataset.unit_weights() || dataset.weight_scale() != 1;
  if (weights) text += "# weights\n";
  if (dataset.weight_scale() != 1) text += fmt::format("# weight-scale {}\n", dataset.weight_scale());
  for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
    text += fmt::format("{}", dataset.label(Row{r})());
    if (weights) text += fmt::format(" {}", dataset.weight(Row{r}));
    for (std::size_t f = 0; f < dataset.num_features(); ++f) text += dataset.value(Feature{f}, Row{r}) ? " 1" : " 0";
    text += '\n';
  }
  return text;
}

std::vector<Feature> all_zero_features(const Dataset& dataset) {
  std::vector<Feature> out;
  for (std::size_t f = 0; f < dataset.num_features(); ++f) {
    const BitColumn& c = dataset.column(Feature{f});
    if (std::all_of(c.begin(), c.end(), [](std::uint64_t w) { return w == 0; })) out.emplace_back(f);
  }
  return out;
}

}  // namespace beadwork
