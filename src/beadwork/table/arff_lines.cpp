#include <beadwork/table/arff.hpp>

#include <algorithm>

namespace beadwork::table {
namespace {

bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}
char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

bool ArffLines::next_line() {
  while (next_ < text_.size()) {
    at_ = next_;
    end_ = std::min(text_.find('\n', at_), text_.size());
    next_ = std::min(end_ + 1, text_.size());
    while (end_ > at_ && blank(text_[end_ - 1])) --end_;
    skip_blanks();
    if (!done() && peek() != '%') return true;
  }
  return false;
}

void ArffLines::skip_blanks() {
  while (at_ < end_ && blank(text_[at_])) ++at_;
}

bool ArffLines::take_keyword(std::string_view lower_case) {
  const std::string_view rest = text_.substr(at_, end_ - at_);
  if (rest.size() < lower_case.size()) return false;
  if (!std::equal(lower_case.begin(), lower_case.end(), rest.begin(), [](char a, char b) { return a == lower(b); }))
    return false;
  if (rest.size() > lower_case.size() && !blank(rest[lower_case.size()])) return false;
  at_ += lower_case.size();
  skip_blanks();
  return true;
}

Result<Field> ArffLines::value(std::string_view stops) {
  skip_blanks();
  if (peek() == '\'' || peek() == '"') return quoted();
  const std::size_t begin = at_;
  for (; !done() && stops.find(peek()) == std::string_view::npos; ++at_) {
    if (peek() == '\'' || peek() == '"') return refuse("a quote inside an unquoted value; quote the whole value");
    if (peek() == '%') return refuse("% starts a comment; quote a value that contains it");
    if (peek() == '{' || peek() == '}') return refuse("a brace inside an unquoted value; quote the whole value");
  }
  std::size_t end = at_;
  while (end > begin && blank(text_[end - 1])) --end;
  if (end - begin > kLongestField) return source_.refuse(begin, "a value longer than 1 MiB");
  return Field{text_.substr(begin, end - begin), false, false, 0};
}

Result<Field> ArffLines::quoted() {
  const std::size_t open = at_;
  const char quote = text_[open];
  char escape = 0;
  for (++at_; !done() && peek() != quote; ++at_) {
    if (peek() != '\\') continue;
    escape = '\\';
    if (++at_ == end_) break;
  }
  if (done()) return source_.refuse(open, "the quote opened here is not closed on its line");
  const Field field{text_.substr(open + 1, at_ - open - 1), true, true, escape};
  skip();
  if (field.raw.size() > kLongestField) return source_.refuse(open, "a value longer than 1 MiB");
  return field;
}

bool looks_like_arff(std::string_view text) {
  const Control control;
  const Source source(text, {}, control);
  ArffLines lines(source);
  return lines.next_line() &&
         (lines.take_keyword("@relation") || lines.take_keyword("@attribute") || lines.take_keyword("@data"));
}

}  // namespace beadwork::table
