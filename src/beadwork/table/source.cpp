#include <beadwork/table/source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace beadwork::table {
namespace {

constexpr std::size_t kBlock = std::size_t{4} << 20;
constexpr std::size_t kAhead = std::size_t{16} << 20;  // a longer row makes the file be read as a whole

bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// Neither a NUL nor a byte above 127, eight bytes at a time: nearly all of nearly all files.
bool plain_ascii(std::string_view s) {
  constexpr std::uint64_t kHigh = 0x8080808080808080ULL;
  constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
  std::uint64_t bad = 0;
  std::size_t i = 0;
  for (; i + 8 <= s.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, s.data() + i, 8);
    bad |= word | ((word - kOnes) & ~word);
  }
  if ((bad & kHigh) != 0) return false;
  return std::all_of(s.begin() + static_cast<std::ptrdiff_t>(i), s.end(),
                     [](char c) { return c != 0 && static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

Status Source::check(std::vector<std::string>& notes) {
  if (auto status = advance(0); !status) return status;
  if (auto status = check_magic(); !status) return status;
  if (text_.starts_with("\xEF\xBB\xBF")) {
    text_.remove_prefix(3);
    skipped_ = 3;
    notes.emplace_back("UTF-8 byte-order mark skipped");
  }
  if (auto status = check_bytes(); !status) return status;
  if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) return refuse("the file is empty");
  return Done{};
}

Status Source::check_magic() const {
  const std::string_view t = text_;
  const bool wide = t.size() >= 4 && ((t[0] == 0 && t[2] == 0) || (t[1] == 0 && t[3] == 0)) && (t[0] != t[1]);
  if (wide || t.starts_with("\xFF\xFE") || t.starts_with("\xFE\xFF")) return refuse("is UTF-16 text; save it as UTF-8");
  if (t.starts_with("\x1F\x8B")) return refuse("is compressed by gzip; unpack it first (gunzip)");
  if (t.starts_with("PK\x03\x04")) return refuse("is a zip archive or a spreadsheet; save the table as CSV");
  return Done{};
}

Status Source::advance(std::size_t offset) {
  if (control_.stopping()) return Error{ErrorCode::limit, "stopped while reading it", name_};
  const std::size_t size = text_.size() + skipped_;
  if (loaded_ == size || loaded_ >= offset + skipped_ + kAhead) return Done{};
  const std::size_t end = std::min(offset + skipped_ + 2 * kAhead, size);
  if (auto status = window_->load(loaded_, end, control_); !status) return status;
  const std::size_t begin = std::exchange(loaded_, end);
  window_->release(kept_, std::max(kept_, offset + skipped_));
  return begin == 0 ? Status(Done{}) : check_bytes();  // the first part is left to check()
}

Status Source::check_bytes() {
  std::size_t to = loaded_ - skipped_;
  if (to < text_.size()) {  // the last character may be cut
    for (int back = 0; back < 3 && to > checked_ + 1 && continues(text_[to - 1]); ++back) --to;
    --to;
  }
  for (std::size_t begin = std::exchange(checked_, to); begin < to;) {
    if (control_.stopping()) return Error{ErrorCode::limit, "stopped while reading it", name_};
    std::size_t end = std::min(begin + kBlock, to);
    for (int back = 0; back < 3 && end < to && continues(text_[end]); ++back) --end;
    const std::string_view block = text_.substr(begin, end - begin);
    if (!plain_ascii(block)) {
      const std::size_t nul = block.find('\0');
      const std::size_t bad = find_invalid_utf8(block).value_or(std::string_view::npos);
      if (nul < bad) return refuse(begin + nul, "a NUL byte; the file is not text");
      if (bad < nul)
        return refuse(begin + bad, fmt::format("byte 0x{:02x} is not UTF-8; save the file as UTF-8",
                                               static_cast<unsigned char>(block[bad])));
    }
    begin = end;
  }
  return Done{};
}

std::size_t Source::line_at(std::size_t offset) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size()));
  return 1 + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

Error Source::refuse(std::size_t offset, std::string message) const {
  const std::string_view before = text_.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto column = 1 + std::count_if(line.begin(), line.end(), [](char c) { return !continues(c); });
  return input_error(std::move(message), fmt::format("{}:{}:{}", name_, line_at(offset), column));
}

}  // namespace beadwork::table
