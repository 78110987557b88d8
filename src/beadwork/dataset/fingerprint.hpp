#pragma once
#include <beadwork/dataset/matrix.hpp>
#include <beadwork/dataset/spilled.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace beadwork {

// The hash of rows that a model keeps: SHA-256 of a text (docs/formats.md) with the names of classes and features and
// the different rows in ascending order, each with its weight. So it depends neither on the order of the rows nor on
// how equal ones are merged or on the parts in which they come, and nobody finds two tables with the same one. The
// different rows are kept, packed; what is more than `most` bytes goes to temporary files, sorted, which the end
// merges.
class RowsHash {
 public:
  explicit RowsHash(std::size_t most = std::size_t{1} << 26) : most_(most) {}
  // Rows of bits; all parts have the same features and classes.
  void add(const Dataset& dataset);
  Result<std::string> hex();  // 64 digits; afterwards nothing more is added

 private:
  // Sorted by key, then class; no two alike.
  struct Run {
    std::string keys;  // the bits of each row, the first feature in the highest bit of the first byte
    std::vector<std::uint32_t> classes;
    std::vector<std::int64_t> weights;
    std::size_t size() const { return classes.size(); }
    void put(std::string_view key, std::uint32_t label, std::int64_t weight);
  };
  struct Cursor;
  Run run_of(const Dataset& dataset) const;
  Run merged(const Run& a, const Run& b) const;
  void merge_runs();
  void spill();
  template <class Take>
  Status merge_all(Take take);

  std::size_t most_;
  std::string head_;
  std::size_t width_ = 0;   // bytes of a key
  std::size_t digits_ = 0;  // hexadecimal digits of a key
  std::vector<Run> runs_;   // each at least twice as long as the next
  std::vector<SpilledRecords> files_;
};

// What models of before version 4 hold instead: a sum over the rows of weight x SHA-256 of "class bits", as a number of
// 256 bits. Names are no part of it, and who wants to finds other rows with the same sum.
std::string data_sha256(const Dataset& dataset);

}  // namespace beadwork
