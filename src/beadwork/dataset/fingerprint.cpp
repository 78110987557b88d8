#include <beadwork/dataset.hpp>
#include <beadwork/dataset/fingerprint.hpp>

#include <fmt/format.h>

#include <charconv>

namespace beadwork {

void DataFingerprint::add(const Dataset& dataset) {
  const DistinctRows distinct = distinct_rows(dataset);
  const std::size_t classes = dataset.num_classes();
  std::string bits(dataset.num_features(), '0');
  for (std::size_t i = 0; i < distinct.first.size(); ++i) {
    for (std::size_t f = 0; f < bits.size(); ++f)
      bits[f] = dataset.value(Feature{f}, Row{distinct.first[i]}) ? '1' : '0';
    for (std::size_t k = 0; k < classes; ++k)
      if (const std::int64_t weight = distinct.class_weights[i * classes + k]; weight != 0)
        add(fmt::format("{} {}", k, bits), static_cast<std::uint64_t>(weight));
  }
}

void DataFingerprint::add(const std::string& row, std::uint64_t times) {
  const std::string digest = Sha256::of(row);
  __extension__ using Wide = unsigned __int128;
  Wide carry = 0;
  for (std::size_t i = 0; i < sum_.size(); ++i) {
    std::uint64_t word = 0;
    const char* digits = digest.data() + digest.size() - 16 * (i + 1);
    std::from_chars(digits, digits + 16, word, 16);
    carry += Wide{word} * times + sum_[i];
    sum_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

std::string DataFingerprint::hex() const {
  return fmt::format("{:016x}{:016x}{:016x}{:016x}", sum_[3], sum_[2], sum_[1], sum_[0]);
}

std::string data_sha256(const Dataset& dataset) {
  if (dataset.ranks()) return sha256(*dataset.ranks());
  DataFingerprint all;
  all.add(dataset);
  return all.hex();
}

}  // namespace beadwork
