#pragma once
// Makes instances of one table for `benchmarks`: formula, bounds, model and certificate.
#include "benchmark_record.hpp"
#include "input_flags.hpp"

#include <map>

namespace beadwork {

struct BenchmarkWork {
  std::string folder;
  std::string ending;  // of a formula's file: ".wcnf.gz"
  double time_limit = 0;
  std::int64_t threads = 1;
  std::size_t most_literals = 0;
};

// The instance's name: for bdd2 as in the MaxSAT Evaluation.
std::string benchmark_name(const std::string& table, Encoding model, std::size_t depth);
std::string benchmark_matrix(const std::string& table);  // its file in the folder
// Its files, without the table's.
std::vector<std::string> benchmark_files(const BenchmarkWork& work, const std::string& name);

class BenchmarkTable {
 public:
  // Reads the table and writes its matrix into the folder.
  static Result<BenchmarkTable> open(const std::string& path, const BenchmarkWork& work);

  // The record of an instance that is there: its files are whole, it is of this table, and more time would not help.
  std::optional<BenchmarkRecord> kept(Encoding model, std::size_t depth) const;
  // Writes an instance and its record, the record last. Nothing where the formula is too large. An Error of code limit
  // where a signal came: then there is no record.
  Result<std::optional<BenchmarkRecord>> make(Encoding model, std::size_t depth);
  // Why there is no such instance of this table; empty: there is.
  std::string refusal(Encoding model, std::size_t depth) const;
  const std::string& name() const { return name_; }

 private:
  struct Answer {
    Request request;
    Outcome outcome;
  };
  BenchmarkTable(std::string name, LoadedData data, const BenchmarkWork& work)
      : name_(std::move(name)), data_(std::move(data)), work_(&work) {}
  Request request_for(std::size_t depth) const;
  Result<const Answer*> ask(const std::string& key, const Request& request, std::size_t depth);
  Result<const Answer*> answer_for(Encoding model, std::size_t depth);
  Result<const Answer*> certified(std::size_t depth);
  Result<std::optional<Assignment>> fill_in(const Instance& instance, const Answer& answer, BenchmarkRecord& record);
  Status write(const BenchmarkRecord& record, const std::string& ending, const std::string& text) const;
  Status add_solution(const Instance& instance, const Answer& answer, BenchmarkRecord& record);
  Status add_certificate(BenchmarkRecord& record);
  Status seal(BenchmarkRecord& record) const;
  std::string matrix_name() const { return benchmark_matrix(name_); }

  std::string name_;
  LoadedData data_;
  const BenchmarkWork* work_;
  std::map<std::string, Answer> answers_;  // that several models share
  std::optional<Examples> rows_, merged_;
  std::string matrix_sha256_;
};

}  // namespace beadwork
