#include <beadwork/encoding.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {

Result<Examples> faithful_examples(const Dataset& dataset, bool keep_all_zero) {
  return faithful_examples(dataset, keep_all_zero, {});
}

Result<Examples> faithful_examples(const Dataset& dataset, bool keep_all_zero, const Control& control) {
  if (dataset.num_classes() != 2)
    return input_error(fmt::format("this encoding needs two classes, the data have {}", dataset.num_classes()));
  const auto zero = keep_all_zero ? std::vector<Feature>{} : all_zero_features(dataset);
  Examples e;
  std::vector<Row> rows;  // a row of no weight is no example
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    if (dataset.weight(Row{r}) > 0) rows.emplace_back(r);
  std::optional<Dataset> fewer;
  if (rows.size() < dataset.num_rows()) {
    TRY(auto some, dataset.subset(rows, control));
    fewer = std::move(some);
  }
  const Dataset& counted = fewer ? *fewer : dataset;
  if (control.no_room_for(counted.num_features() * (words_for(counted.num_rows()) * 8 + 32)))
    return Error{ErrorCode::limit, "the memory limit leaves no room for the examples of a formula", {}};
  for (std::size_t f = 0; f < counted.num_features(); ++f) {
    if (control.stopping()) return Error{ErrorCode::limit, "stopped while making examples of its rows", {}};
    if (std::binary_search(zero.begin(), zero.end(), Feature{f})) continue;
    e.features.emplace_back(f);
    e.columns.push_back(counted.column(Feature{f}));
  }
  for (std::size_t r = 0; r < counted.num_rows(); ++r) {
    e.labels.push_back(counted.label(Row{r}));
    e.weights.push_back(counted.weight(Row{r}));
  }
  return e;
}

Examples merged_examples(const Dataset& dataset) {
  return *merged_examples(dataset, {});
}

std::optional<Examples> merged_examples(const Dataset& dataset, const Control& control) {
  const auto condensed = condense(dataset, control);
  if (!condensed) return std::nullopt;
  const Condensed& c = *condensed;
  Examples e;
  e.features = c.features;
  e.num_classes = c.num_classes;
  std::vector<std::size_t> rows;  // distinct row of each example
  for (std::size_t r = 0; r < c.num_rows; ++r) {
    const auto weights = std::span(c.class_weights).subspan(r * c.num_classes, c.num_classes);
    const std::int64_t least = *std::min_element(weights.begin(), weights.end());
    e.base_errors += least * static_cast<std::int64_t>(c.num_classes - 1);  // whatever the answer, all others are wrong
    for (std::size_t k = 0; k < c.num_classes; ++k) {
      if (weights[k] == least) continue;
      rows.push_back(r);
      e.labels.emplace_back(k);
      e.weights.push_back(weights[k] - least);
    }
  }
  if (control.no_room_for(c.columns.size() * words_for(rows.size()) * 8)) return std::nullopt;
  for (const BitColumn& column : c.columns) {
    if (control.stopping()) return std::nullopt;
    BitColumn bits(words_for(rows.size()));
    for (std::size_t q = 0; q < rows.size(); ++q)
      if (bit(column, rows[q])) set_bit(bits, q);
    e.columns.push_back(std::move(bits));
  }
  return e;
}

}  // namespace beadwork
