#include <beadwork/dataset/prices.hpp>
#include <beadwork/dataset/ranked.hpp>

namespace beadwork {
namespace {

// The rows that the mixture has, with their classes and weights.
struct Mixture {
  std::vector<Row> rows;
  std::vector<Class> labels;
  std::vector<std::int64_t> weights;
};

Result<Mixture> mix(const Dataset& dataset, std::span<const std::int64_t> shares) {
  const std::size_t classes = dataset.num_classes();
  require(shares.size() == dataset.num_rows() * classes, "with_mixed_labels: a share for each row and class");
  Mixture out;
  CheckedTotal total;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    if (shares[i] < 0) return input_error("a share is negative");
    if (shares[i] == 0) continue;
    const Row row{i / classes};
    if (!total.add(dataset.weight(row), shares[i])) return input_error("the weights are too large");
    out.rows.push_back(row);
    out.labels.emplace_back(i % classes);
    out.weights.push_back(dataset.weight(row) * shares[i]);
  }
  if (total.value() == 0) return input_error("all shares are 0");
  return out;
}

Dataset mixed_ranks(const RankedData& data, Mixture mixture, std::int64_t scale, std::int64_t rounding) {
  auto out = std::make_shared<RankedData>(data);
  for (RankedColumn& column : out->columns) {
    std::vector<std::uint32_t> ranks;
    ranks.reserve(mixture.rows.size());
    for (const Row r : mixture.rows) ranks.push_back(column.ranks[r()]);
    column.ranks = std::move(ranks);
  }
  out->labels = std::move(mixture.labels);
  out->weights = std::move(mixture.weights);
  out->weight_scale = scale;
  out->weight_rounding = rounding;
  out->mixed_labels = true;
  return ranked_dataset(std::move(out));
}

}  // namespace

Result<Dataset> with_mixed_labels(const Dataset& dataset, std::span<const std::int64_t> shares, std::int64_t unit) {
  require(unit > 0, "with_mixed_labels: a positive unit");
  TRY(auto mixture, mix(dataset, shares));
  const bool ranks = dataset.ranks() != nullptr;
  const auto scale = checked_product(ranks ? dataset.ranks()->weight_scale : dataset.weight_scale(), unit);
  const auto rounding = checked_product(ranks ? dataset.ranks()->weight_rounding : dataset.weight_rounding(), unit);
  if (!scale || !rounding) return input_error("the weights have too many decimals");
  if (ranks) {
    require(dataset.num_features() == 0, "with_mixed_labels: before any excerpt is made");
    return mixed_ranks(*dataset.ranks(), std::move(mixture), *scale, *rounding);
  }
  const Dataset rows = dataset.subset(mixture.rows);
  Dataset::Parts parts;
  for (std::size_t f = 0; f < rows.num_features(); ++f) parts.columns.push_back(rows.column(Feature{f}));
  parts.feature_names = rows.feature_names();
  for (std::size_t f = 0; f < rows.num_features(); ++f) parts.inputs.push_back(rows.input_of(Feature{f}));
  for (std::size_t i = 0; i < rows.num_inputs(); ++i) parts.input_names.push_back(rows.input_name(i));
  parts.labels = std::move(mixture.labels);
  parts.class_names = rows.class_names();
  parts.weights = std::move(mixture.weights);
  parts.weight_scale = *scale;
  parts.weight_rounding = *rounding;
  parts.thresholds = rows.thresholds();
  parts.mixed_labels = true;
  return Dataset(std::move(parts));
}

}  // namespace beadwork
