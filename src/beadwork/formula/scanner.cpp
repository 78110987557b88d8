#include "beadwork/formula/scanner.hpp"

#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <charconv>

namespace beadwork {

namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
bool space(char c) {
  return blank(c) || c == '\n';
}

}  // namespace

void Scanner::comment() {
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  std::string_view line = text_.substr(position_, end - position_);
  position_ = end;
  constexpr std::string_view mark = "c var ";
  if (line.substr(0, mark.size()) != mark) return;
  line.remove_prefix(mark.size());
  std::size_t number = 0;
  const auto [rest, fault] = std::from_chars(line.data(), line.data() + line.size(), number);
  if (fault != std::errc() || number < 1 || number > kMaxVars || rest == line.data() + line.size() || *rest != ' ')
    return;
  std::string_view label = line.substr(static_cast<std::size_t>(rest - line.data()) + 1);
  if (!label.empty() && label.back() == '\r') label.remove_suffix(1);
  names_.emplace_back(Var(number - 1), std::string(label));
}

void Scanner::skip() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++position_;
      ++line_;
      line_start_ = position_;
    } else if (blank(c)) {
      ++position_;
    } else if (c == 'c' && position_ == line_start_) {
      comment();
    } else {
      break;
    }
  }
  word_line_ = line_;
  word_column_ = position_ - line_start_ + 1;
}

bool Scanner::at_end() {
  skip();
  return position_ == text_.size();
}

std::string_view Scanner::peek() {
  skip();
  std::size_t end = position_;
  while (end < text_.size() && !space(text_[end])) ++end;
  return text_.substr(position_, end - position_);
}

std::string_view Scanner::word() {
  const std::string_view w = peek();
  position_ += w.size();
  return w;
}

bool Scanner::end_of_line() {
  while (position_ < text_.size() && blank(text_[position_])) ++position_;
  word_line_ = line_;
  word_column_ = position_ - line_start_ + 1;
  return position_ == text_.size() || text_[position_] == '\n';
}

Error Scanner::error(const std::string& message) const {
  return input_error(message, fmt::format("{}:{}:{}", name_, word_line_, word_column_));
}

Result<std::uint64_t> Scanner::number(std::string_view what, std::uint64_t largest) {
  const std::string_view w = word();
  if (w.empty()) return error(fmt::format("expected {}, found the end of the file", what));
  std::uint64_t value = 0;
  const auto [rest, fault] = std::from_chars(w.data(), w.data() + w.size(), value);
  const bool whole = rest == w.data() + w.size();
  if (whole && (fault == std::errc::result_out_of_range || (fault == std::errc() && value > largest)))
    return error(fmt::format("{} {} is too large (at most {})", what, printable(w, 40), largest));
  if (fault != std::errc() || !whole) return error(fmt::format("expected {}, got '{}'", what, printable(w, 40)));
  return value;
}

Result<Lit> Scanner::literal(std::size_t num_vars) {
  const std::string_view w = word();
  if (w.empty()) return error("the last clause has no closing 0");
  std::int64_t value = 0;
  const auto [rest, fault] = std::from_chars(w.data(), w.data() + w.size(), value);
  const bool whole = rest == w.data() + w.size();
  const auto largest = static_cast<std::int64_t>(num_vars);
  if (whole && fault == std::errc() && value != 0 && -largest <= value && value <= largest)
    return Lit::from_dimacs(static_cast<int>(value));
  if (whole && (fault == std::errc::result_out_of_range || (fault == std::errc() && value != 0)))
    return error(fmt::format("variable {} is out of range (at most {})", printable(w, 40), num_vars));
  if (w == "%") return error("'%' (the end mark of some old collections) is not DIMACS; delete it and what follows");
  return error(fmt::format("expected a literal or 0, got '{}'", printable(w, 40)));
}

Status Scanner::clause(std::vector<Lit>& out, std::size_t num_vars) {
  out.clear();
  while (peek() != "0") {
    TRY(const auto l, literal(num_vars));
    out.push_back(l);
  }
  word();
  return Done{};
}

}  // namespace beadwork
