#pragma once
// What `benchmarks` writes down of an instance, as the JSON file beside it (docs/benchmark-family.md).
#include <beadwork/instance.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

struct BenchmarkRecord {
  std::string version;  // of the program that wrote it
  std::string name;     // of the instance; its files begin with it
  std::string table;
  std::string model;  // of the formula: bdd2, ...
  std::size_t depth = 0, rows = 0, features = 0;
  InstanceSize size;
  // Of the formula's cost. `base`: errors beside it, which merging took out of its rows.
  std::int64_t lower = 0, base = 0;
  std::optional<std::int64_t> upper;  // the cost of its model; none: there is no model
  std::string claim;                  // what is proven, in words
  double seconds = 0, time_limit = 0;
  // The diagram: columns of the matrix, from 1, and the class in each of the 2^depth cells.
  std::vector<std::size_t> order;
  std::string cells;
  // What the certificate is for: no diagram on at most `depth` features makes fewer errors than this.
  std::optional<std::int64_t> certified;
  double certificate_seconds = 0;
  std::map<std::string, std::string> files;  // beside the record, with their SHA-256

  bool proven() const { return upper == lower; }
  // Does the certificate prove as much as is claimed?
  bool all_certified() const { return certified && *certified == lower + base; }
};

std::string to_json(const BenchmarkRecord& record);
Result<BenchmarkRecord> read_benchmark_record(const std::string& path);
// All that are in a folder, by table, model and depth; files that are none are passed over.
std::vector<BenchmarkRecord> benchmark_records(const std::string& folder);

// "5", or "3 to 5", or "3 or more".
std::string bounds_words(const BenchmarkRecord& record);
// The README of a folder.
std::string benchmark_readme(const std::vector<BenchmarkRecord>& records);

}  // namespace beadwork
