#pragma once
#include <beadwork/table/rows.hpp>

namespace beadwork::table {

// Walks the lines of an ARFF file and the quoted or bare words in them. A comment is a line that starts with %.
class ArffLines {
 public:
  explicit ArffLines(const Source& source) : source_(source), text_(source.text()) {}

  void look_again() { text_ = source_.text(); }  // the window moved
  bool next_line();                              // to the next line with something on it; false at the end of the file
  std::size_t next_line_at() const { return next_; }
  void go_to(std::size_t offset) { next_ = offset; }
  std::size_t at() const { return at_; }

  bool done() const { return at_ == end_; }
  char peek() const { return done() ? '\0' : text_[at_]; }
  void skip() { ++at_; }
  void skip_blanks();
  bool take_keyword(std::string_view lower_case);
  // A quoted text, or a bare one up to a byte of `stops` (blanks at its end trimmed).
  Result<Field> value(std::string_view stops);
  Error refuse(std::string message) const { return source_.refuse(at_, std::move(message)); }

 private:
  Result<Field> quoted();

  const Source& source_;
  std::string_view text_;
  std::size_t next_ = 0;  // where the next line starts
  std::size_t at_ = 0;
  std::size_t end_ = 0;
};

}  // namespace beadwork::table
