#pragma once
#include <beadwork/dataset/matrix.hpp>

#include <array>

namespace beadwork {

// A hash of rows that does not depend on their order, on how equal ones are merged or on the parts in which they come:
// the sum over the rows of weight x SHA-256 of "class bits", as numbers of 256 bits. It tells tables apart that differ
// by accident; it is no guard against rows that somebody contrives. What a certificate is about has its own hash.
class DataFingerprint {
 public:
  void add(const Dataset& dataset);
  std::string hex() const;  // 64 digits

 private:
  void add(const std::string& row, std::uint64_t times);

  std::array<std::uint64_t, 4> sum_{};  // the lowest word first
};

}  // namespace beadwork
