#pragma once
// What every harness uses. A harness is one function of the bytes; libFuzzer links it with its own main, the tests with
// replay_main.cpp.
#include <beadwork/base.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);

namespace fuzz {

// Ends the program, so that the input is kept as a finding.
inline void insist(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", what);
  std::abort();
}

inline void insist_one_line(const beadwork::Error& error) {
  insist(!error.message.empty(), "an error says what is wrong");
  insist(error.to_string().find('\n') == std::string::npos, "an error is one line");
  insist(error.code != beadwork::ErrorCode::internal, "bad input is no bug of ours");
}

inline std::string_view text_of(const unsigned char* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// The part before the mark; the rest stays in `text`. All of it where there is no mark.
inline std::string_view cut(std::string_view& text, char mark) {
  const std::size_t at = text.find(mark);
  const std::string_view head = text.substr(0, at);
  text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
  return head;
}

}  // namespace fuzz
