#include <beadwork/base/sealed.hpp>
#include <beadwork/base/sha256.hpp>

namespace beadwork {

std::string seal(std::string text) {
  const std::string hash = Sha256::of(text);
  return std::move(text) + "sha256 " + hash + "\n";
}

std::string nested(std::string_view text) {
  std::string out;
  for (const std::string_view line : split(text, '\n'))
    if (!line.empty()) out.append("| ").append(line).append("\n");
  return out;
}

std::string as_word(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out = "=";  // so that no word is empty
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > ' ' && byte < 0x7f && c != '%')
      out += c;
    else
      out.append("%").append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
  }
  return out;
}

std::optional<std::string> from_word(std::string_view word) {
  if (!word.starts_with('=')) return {};
  std::string out;
  for (std::size_t i = 1; i < word.size(); ++i) {
    if (word[i] != '%') {
      out += word[i];
      continue;
    }
    unsigned value = 0;
    const std::string_view digits = word.substr(i + 1, 2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 2 || error != std::errc{} || end != digits.data() + 2) return {};
    out += static_cast<char>(value);
    i += 2;
  }
  return out;
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> out;
  for (;;) {
    const std::size_t at = text.find(by);
    out.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return out;
    text.remove_prefix(at + 1);
  }
}

Result<SealedLines> SealedLines::open(std::string_view text, std::string_view kind) {
  const std::size_t end = text.rfind("sha256 ");
  if (end == std::string_view::npos || (end > 0 && text[end - 1] != '\n')) return input_error("no checksum");
  if (text != seal(std::string(text.substr(0, end)))) return input_error("wrong checksum");
  SealedLines out;
  out.lines_ = split(text.substr(0, end), '\n');
  out.lines_.pop_back();  // empty
  if (out.at_end() || out.lines_[out.at_++] != kind) return input_error("unknown version");
  return out;
}

std::optional<std::vector<std::string_view>> SealedLines::next(std::string_view name) {
  if (at_end() || !lines_[at_].starts_with(name)) return {};
  const std::string_view rest = lines_[at_].substr(name.size());
  if (!rest.empty() && rest[0] != ' ') return {};
  ++at_;
  if (rest.empty()) return std::vector<std::string_view>{};
  return split(rest.substr(1), ' ');
}

std::string SealedLines::next_nested() {
  std::string out;
  for (; !at_end() && lines_[at_].starts_with("| "); ++at_) out.append(lines_[at_].substr(2)).append("\n");
  return out;
}

}  // namespace beadwork
