#include <beadwork/table/source.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

namespace beadwork::table {
namespace {

constexpr std::size_t kBlock = std::size_t{4} << 20;
constexpr std::size_t kFirst = std::size_t{64} << 20;  // a file up to here is read as a whole
constexpr std::size_t kLeast = std::size_t{1} << 16;
constexpr std::size_t kStep = std::size_t{16} << 20;
constexpr std::size_t kLongestRow = std::size_t{256} << 20;

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
  TRY_DONE(poll());
  if (stream_ != nullptr) TRY_DONE(load(kFirst));
  if (!encoding_.empty()) notes.push_back(fmt::format("read as {}", encoding_));
  TRY_DONE(check_magic());
  if (text_.starts_with("\xEF\xBB\xBF")) {
    marked_ = true;
    text_.remove_prefix(3);
    notes.emplace_back("UTF-8 byte-order mark skipped");
  }
  TRY_DONE(check_bytes());
  while (text_.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    if (complete_) return refuse("the file is empty");
    TRY_DONE(move_on(text_.size()));
  }
  return Done{};
}

Status Source::check_magic() const {
  const std::string_view t = text_;
  const bool wide = t.size() >= 4 && ((t[0] == 0 && t[2] == 0) || (t[1] == 0 && t[3] == 0)) && (t[0] != t[1]);
  if (wide || t.starts_with("\xFF\xFE") || t.starts_with("\xFE\xFF")) return refuse("is UTF-16 text; save it as UTF-8");
  if (t.starts_with("PK\x03\x04")) return refuse("is a zip archive or a spreadsheet; save the table as CSV");
  static constexpr std::pair<std::string_view, const char*> kOthers[] = {
      {"\xD0\xCF\x11\xE0", "an Excel file (.xls) or another one of old Office"},
      {"SQLite format 3", "an SQLite database"},
      {"%PDF-", "a PDF file"},
      {"[{\"", "JSON"},
      {"{\"", "JSON"},
      {"<html", "HTML"},
      {"<!doctype", "HTML"},
      {"<table", "HTML"},
      {"<?xml", "XML"},
  };
  std::string start;  // without blanks, in lower case
  for (const char c : t.substr(0, 64))
    if (start.size() < 16 && std::string_view(" \r\n").find(c) == std::string_view::npos)
      start += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  for (const auto& [sign, what] : kOthers)
    if (t.starts_with(sign) || start.starts_with(sign))
      return refuse(fmt::format("is {}; save the table as CSV", what));
  return Done{};
}

Status Source::poll() const {
  if (control_.stopping()) return Error{ErrorCode::limit, "stopped while reading it", name_};
  return Done{};
}

// Up to so many bytes more at the end of the window.
Status Source::load(std::size_t bytes) {
  std::size_t used = buffer_.size();
  const std::size_t end = used + bytes;
  while (used < end && !complete_) {
    if (used == buffer_.size()) buffer_.resize(used + std::min(end - used, std::clamp(used, kLeast, kBlock)));
    TRY(const auto n, stream_->read(buffer_.data() + used, buffer_.size() - used, control_));
    used += n;
    complete_ = n == 0;
  }
  buffer_.resize(used);
  text_ = buffer_;
  if (complete_) TRY_DONE(stream_->unchanged());
  return Done{};
}

Status Source::move_on(std::size_t offset) {
  if (complete_) return Done{};
  const std::string_view gone = text_.substr(0, offset);
  lines_before_ += static_cast<std::size_t>(std::count(gone.begin(), gone.end(), '\n'));
  checked_ -= std::min(checked_, offset);
  moved_ = moved_ || offset > 0;
  buffer_.erase(0, offset + (buffer_.size() - text_.size()));  // with the mark, if that is still there
  if (buffer_.size() > kLongestRow) {
    text_ = buffer_;
    return refuse("a header or row longer than 256 MiB; is a line break missing, or a quote?");
  }
  TRY_DONE(load(std::max(kStep, buffer_.size())));
  return check_bytes();
}

Status Source::rewind() {
  if (stream_ == nullptr) return Done{};
  require(complete_, "Source::rewind: all is read");
  if (!moved_) return Done{};
  TRY_DONE(stream_->rewind());
  all_checked_ = true;
  complete_ = false;
  lines_before_ = 0;
  buffer_.clear();
  TRY_DONE(load(kFirst));
  if (marked_) text_.remove_prefix(std::min<std::size_t>(3, text_.size()));
  return Done{};
}

Status Source::drain() {
  while (!complete_ && !refused_bytes_) TRY_DONE(move_on(all_checked_ ? text_.size() : checked_));
  return Done{};
}

Status Source::check_bytes() {
  if (all_checked_) return Done{};
  std::size_t to = text_.size();
  if (!complete_) {  // the last character may be cut
    for (int back = 0; back < 3 && to > checked_ + 1 && continues(text_[to - 1]); ++back) --to;
    --to;
  }
  for (std::size_t begin = std::exchange(checked_, to); begin < to;) {
    TRY_DONE(poll());
    std::size_t end = std::min(begin + kBlock, to);
    for (int back = 0; back < 3 && end < to && continues(text_[end]); ++back) --end;
    const std::string_view block = text_.substr(begin, end - begin);
    if (!plain_ascii(block)) {
      refused_bytes_ = true;  // unless it is not ASCII, but right
      const std::size_t nul = block.find('\0');
      const std::size_t bad = find_invalid_utf8(block).value_or(std::string_view::npos);
      if (begin == 0 && !moved_ && text_.starts_with("FEA1"))
        return refuse("is a Feather file of version 1; save it as version 2, as Parquet or as CSV");
      if (nul < bad) return refuse(begin + nul, "a NUL byte; the file is not text");
      if (bad < nul)
        return refuse(begin + bad, fmt::format("byte 0x{:02x} is not UTF-8; name the encoding (latin-1, windows-1252 "
                                               "or utf-16), or save the file as UTF-8",
                                               static_cast<unsigned char>(block[bad])))
            .with({"text_encoding", "latin-1"});
      refused_bytes_ = false;
    }
    begin = end;
  }
  return Done{};
}

std::size_t Source::line_at(std::size_t offset) const {
  const auto end = text_.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text_.size()));
  return 1 + lines_before_ + static_cast<std::size_t>(std::count(text_.begin(), end, '\n'));
}

std::string Source::place_of(std::size_t offset) const {
  if (from_arrow_) return row_ == 0 ? name_ : fmt::format("{}: row {}", name_, row_);
  const std::string_view before = text_.substr(0, offset);
  const std::size_t newline = before.rfind('\n');
  const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
  const auto column = 1 + std::count_if(line.begin(), line.end(), [](char c) { return !continues(c); });
  return fmt::format("{}:{}:{}", name_, line_at(offset), column);
}

}  // namespace beadwork::table
