#include <beadwork/table/decode.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

namespace beadwork::table {
namespace {

// Of the bytes 0x80 to 0x9F in Windows-1252; 0: there is none.
constexpr std::array<std::uint16_t, 32> kWindows{0x20AC, 0,      0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021,
                                                 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0,      0x017D, 0,
                                                 0,      0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014,
                                                 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0,      0x017E, 0x0178};

void put_utf8(std::uint32_t code, std::string& out) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const auto more = [&](unsigned shift) { out += static_cast<char>(0x80U | ((code >> shift) & 0x3FU)); };
  if (code < 0x800) {
    out += static_cast<char>(0xC0U | (code >> 6U));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | (code >> 12U));
    more(6);
  } else {
    out += static_cast<char>(0xF0U | (code >> 18U));
    more(12);
    more(6);
  }
  more(0);
}

class DecodedStream final : public ByteStream {
 public:
  DecodedStream(std::unique_ptr<ByteStream> inner, Encoding encoding, std::string name)
      : inner_(std::move(inner)), encoding_(encoding), name_(std::move(name)) {}

  Result<std::size_t> read(char* to, std::size_t most, const Control& control) override {
    while (at_ == ready_.size() && !ended_) TRY_DONE(decode_more(control));
    const std::size_t n = std::min(most, ready_.size() - at_);
    std::memcpy(to, ready_.data() + at_, n);
    at_ += n;
    return n;
  }
  Status rewind() override {
    ready_.clear();
    raw_.clear();
    at_ = 0;
    seen_ = 0;
    ended_ = false;
    return inner_->rewind();
  }
  Status unchanged() override { return inner_->unchanged(); }

 private:
  Status decode_more(const Control& control) {
    constexpr std::size_t kBlock = std::size_t{1} << 18;
    const std::size_t kept = raw_.size();
    raw_.resize(kept + kBlock);
    TRY(const auto n, inner_->read(raw_.data() + kept, kBlock, control));
    raw_.resize(kept + n);
    ended_ = n == 0;
    ready_.clear();
    at_ = 0;
    const bool wide = encoding_ == Encoding::utf16le || encoding_ == Encoding::utf16be;
    return wide ? decode_wide() : decode_bytes();
  }

  Status decode_bytes() {
    for (const char c : raw_) {
      std::uint32_t code = static_cast<unsigned char>(c);
      if (encoding_ == Encoding::windows1252 && code >= 0x80 && code < 0xA0) {
        if (kWindows[code - 0x80] == 0)
          return input_error(fmt::format("byte 0x{:02x} is none of windows-1252", code), name_);
        code = kWindows[code - 0x80];
      }
      put_utf8(code, ready_);
    }
    raw_.clear();
    return Done{};
  }

  std::uint32_t unit(std::size_t i) const {
    const std::uint32_t a = static_cast<unsigned char>(raw_[i]);
    const std::uint32_t b = static_cast<unsigned char>(raw_[i + 1]);
    return encoding_ == Encoding::utf16le ? a | (b << 8U) : b | (a << 8U);
  }
  Status refuse(std::size_t i) const {
    return input_error(fmt::format("half a character at byte {}; the file is not UTF-16", seen_ + i + 1), name_);
  }
  Status decode_wide() {
    std::size_t i = 0;
    for (; i + 1 < raw_.size(); i += 2) {
      std::uint32_t code = unit(i);
      if (code >= 0xD800 && code < 0xE000) {
        if (code >= 0xDC00) return refuse(i);
        if (i + 3 >= raw_.size()) break;  // the other half comes with the next block
        const std::uint32_t low = unit(i + 2);
        if (low < 0xDC00 || low >= 0xE000) return refuse(i);
        code = 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00);
        i += 2;
      }
      put_utf8(code, ready_);
    }
    if (ended_ && i != raw_.size()) return refuse(i);
    if (seen_ == 0 && ready_.starts_with("\xEF\xBB\xBF")) ready_.erase(0, 3);  // the mark
    seen_ += i;
    raw_.erase(0, i);
    return Done{};
  }

  std::unique_ptr<ByteStream> inner_;
  Encoding encoding_;
  std::string name_;
  std::string raw_;    // not decoded yet
  std::string ready_;  // from at_ on: decoded and not given yet
  std::size_t at_ = 0;
  std::size_t seen_ = 0;  // bytes before raw_
  bool ended_ = false;
};

}  // namespace

Result<Encoding> encoding_of(const std::string& name, std::string_view start) {
  if (start.starts_with("\xEF\xBB\xBF")) return Encoding::utf8;
  const bool both = start.size() >= 2;
  if (both && start.starts_with("\xFF\xFE") && !start.starts_with(std::string_view("\xFF\xFE\0\0", 4)))
    return Encoding::utf16le;
  if (both && start.starts_with("\xFE\xFF")) return Encoding::utf16be;
  std::string known;
  for (const char c : name)
    if (c != '-' && c != '_' && c != ' ') known += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  const bool big = start.size() >= 4 && start[0] == 0 && start[2] == 0 && start[1] != 0;
  const bool little = start.size() >= 4 && start[1] == 0 && start[3] == 0 && start[0] != 0;
  if (known == "latin1" || known == "iso88591") return Encoding::latin1;
  if (known == "windows1252" || known == "cp1252") return Encoding::windows1252;
  if (known == "utf16be" || (known == "utf16" && big)) return Encoding::utf16be;
  if (known == "utf16le" || known == "utf16") return Encoding::utf16le;
  if (known == "utf8") return Encoding::utf8;
  if (!known.empty()) return option_error("expected utf-8, latin-1, windows-1252 or utf-16", "text_encoding");
  return big ? Encoding::utf16be : little ? Encoding::utf16le : Encoding::utf8;
}

std::string_view words(Encoding encoding) {
  return encoding == Encoding::utf8          ? ""
         : encoding == Encoding::latin1      ? "Latin-1"
         : encoding == Encoding::windows1252 ? "Windows-1252"
                                             : "UTF-16";
}

std::unique_ptr<ByteStream> decoded(std::unique_ptr<ByteStream> stream, Encoding encoding, std::string name) {
  if (encoding == Encoding::utf8) return stream;
  return std::make_unique<DecodedStream>(std::move(stream), encoding, std::move(name));
}

}  // namespace beadwork::table
