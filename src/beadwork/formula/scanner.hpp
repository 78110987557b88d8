#pragma once
#include <beadwork/formula/dimacs.hpp>

#include <optional>
#include <vector>

namespace beadwork {

// Walks over DIMACS text word by word, knows where it is, and skips comment lines wherever they stand. `c var
// 7 name` gives variable 7 its name.
class Scanner {
 public:
  Scanner(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  bool at_end();            // after blanks and comments
  std::string_view word();  // the next word; empty at the end
  std::string_view peek();
  bool end_of_line();  // only blanks are left on this line

  Result<std::uint64_t> number(std::string_view what, std::uint64_t largest);
  // Literals up to the 0, which is consumed. `num_vars` is the header's count.
  Status clause(std::vector<Lit>& out, std::size_t num_vars);

  Error error(const std::string& message) const;  // at the last word
  const std::vector<std::pair<Var, std::string>>& names() const { return names_; }
  std::size_t size() const { return text_.size(); }

 private:
  void skip();
  void comment();
  Result<Lit> literal(std::size_t num_vars);

  std::string_view text_;
  std::string name_;
  std::size_t position_ = 0, line_ = 1, line_start_ = 0;
  std::size_t word_line_ = 1, word_column_ = 1;
  std::vector<std::pair<Var, std::string>> names_;
};

}  // namespace beadwork
