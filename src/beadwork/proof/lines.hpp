#pragma once
#include <beadwork/formula.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

struct ProofLine {
  bool deletes = false;
  std::vector<Lit> clause;
  std::size_t number = 0;
};

// Reads a text proof line by line.
class ProofLines {
 public:
  ProofLines(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}
  // False at the end.
  Result<bool> next(ProofLine& line);

 private:
  Error error(const std::string& message) const;
  Status parse(std::string_view line, ProofLine& out) const;

  std::string_view text_;
  std::string name_;
  std::size_t number_ = 0;
};

}  // namespace beadwork
