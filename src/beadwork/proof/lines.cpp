#include "beadwork/proof/lines.hpp"

#include <fmt/format.h>

#include <charconv>

namespace beadwork {

Error ProofLines::error(const std::string& message) const {
  return input_error(message, fmt::format("{}:{}", name_, number_));
}

Result<bool> ProofLines::next(ProofLine& out) {
  while (!text_.empty()) {
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    const std::string_view line = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++number_;
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string_view::npos || line[first] == 'c') continue;
    if (const auto parsed = parse(line.substr(first), out); !parsed) return parsed.error();
    out.number = number_;
    return true;
  }
  return false;
}

Status ProofLines::parse(std::string_view line, ProofLine& out) const {
  out.clause.clear();
  out.deletes = line[0] == 'd';
  const char* at = line.data() + (out.deletes ? 1 : 0);
  const char* end = line.data() + line.size();
  const auto skip = [&] {
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
  };
  for (skip(); at < end; skip()) {
    int value = 0;
    const auto [rest, fault] = std::from_chars(at, end, value);
    const bool whole = rest == end || *rest == ' ' || *rest == '\t' || *rest == '\r';
    if (fault != std::errc() || !whole)
      return error("expected a literal (is it a binary proof? only text proofs can be read)");
    at = rest;
    if (value == 0) {
      skip();
      if (at < end) return error("text after the closing 0");
      return Done{};
    }
    if (value < -static_cast<int>(kMaxVars) || value > static_cast<int>(kMaxVars))
      return error("variable out of range");
    out.clause.push_back(Lit::from_dimacs(value));
  }
  return error("the clause has no closing 0");
}

}  // namespace beadwork
