#include <beadwork/dataset.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace beadwork {
namespace {

std::vector<Row> shuffled_rows(std::size_t n, Rng& rng) {
  std::vector<Row> rows;
  for (std::size_t r = 0; r < n; ++r) rows.emplace_back(r);
  rng.shuffle(std::span<Row>(rows));
  return rows;
}

// fold_of[row] -> splits with increasing rows.
std::vector<Split> splits_of(const std::vector<std::size_t>& fold_of, std::size_t k) {
  std::vector<Split> splits(k);
  for (std::size_t r = 0; r < fold_of.size(); ++r)
    for (std::size_t fold = 0; fold < k; ++fold)
      (fold == fold_of[r] ? splits[fold].test : splits[fold].train).emplace_back(r);
  return splits;
}

Status check_folds(std::size_t rows, std::size_t k) {
  if (k < 2 || k > rows)
    return input_error(fmt::format("cannot make {} folds of {} rows: 2 <= folds <= rows", k, rows));
  return Done{};
}

Status check_ratio(double ratio) {
  if (!(ratio > 0 && ratio < 1)) return input_error(fmt::format("ratio {} is not between 0 and 1", ratio));
  return Done{};
}

Result<Split> split_by(const std::vector<bool>& trained, double ratio) {
  Split s;
  for (std::size_t r = 0; r < trained.size(); ++r) (trained[r] ? s.train : s.test).emplace_back(r);
  if (s.train.empty() || s.test.empty())
    return input_error(fmt::format("ratio {} of {} rows leaves one side empty", ratio, trained.size()));
  return s;
}

std::vector<std::vector<Row>> rows_by_class(std::span<const Class> labels, Rng& rng) {
  std::vector<std::vector<Row>> by_class;
  for (const Row r : shuffled_rows(labels.size(), rng)) {
    const std::size_t k = labels[r()]();
    if (k >= by_class.size()) by_class.resize(k + 1);
    by_class[k].push_back(r);
  }
  return by_class;
}

}  // namespace

Result<std::vector<Split>> k_folds(std::size_t num_rows, std::size_t k, std::uint64_t seed) {
  TRY_DONE(check_folds(num_rows, k));
  Rng rng(seed);
  const std::vector<Row> rows = shuffled_rows(num_rows, rng);
  std::vector<std::size_t> fold_of(num_rows);
  for (std::size_t i = 0; i < num_rows; ++i) fold_of[rows[i]()] = i * k / num_rows;
  return splits_of(fold_of, k);
}

Result<std::vector<Split>> stratified_k_folds(std::span<const Class> labels, std::size_t k, std::uint64_t seed) {
  TRY_DONE(check_folds(labels.size(), k));
  Rng rng(seed);
  std::vector<std::size_t> fold_of(labels.size());
  std::size_t next = 0;  // goes on from class to class, so that fold sizes differ by at most one
  for (const std::vector<Row>& rows : rows_by_class(labels, rng))
    for (const Row r : rows) fold_of[r()] = next++ % k;
  return splits_of(fold_of, k);
}

static std::size_t rounded_down(double ratio, std::size_t rows) {
  // 1e-9: 0.15 * 20 is 2.9999999999999996 in binary, and 3 to everyone else.
  return static_cast<std::size_t>(std::floor(ratio * static_cast<double>(rows) + 1e-9));
}

Result<Split> hold_out(std::size_t num_rows, double ratio, std::uint64_t seed) {
  TRY_DONE(check_ratio(ratio));
  Rng rng(seed);
  const std::vector<Row> rows = shuffled_rows(num_rows, rng);
  const std::size_t count = rounded_down(ratio, num_rows);
  std::vector<bool> trained(num_rows);
  for (std::size_t i = 0; i < count; ++i) trained[rows[i]()] = true;
  return split_by(trained, ratio);
}

Result<Split> stratified_hold_out(std::span<const Class> labels, double ratio, std::uint64_t seed) {
  TRY_DONE(check_ratio(ratio));
  Rng rng(seed);
  std::vector<bool> trained(labels.size());
  for (const std::vector<Row>& rows : rows_by_class(labels, rng)) {
    std::size_t count = rounded_down(ratio, rows.size());
    if (rows.size() >= 2) count = std::clamp<std::size_t>(count, 1, rows.size() - 1);
    for (std::size_t i = 0; i < count; ++i) trained[rows[i]()] = true;
  }
  return split_by(trained, ratio);
}

}  // namespace beadwork
