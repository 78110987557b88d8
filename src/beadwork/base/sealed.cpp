#include <beadwork/base/sealed.hpp>
#include <beadwork/base/sha256.hpp>

namespace beadwork {

std::string seal(std::string text) {
  const std::string hash = Sha256::of(text);
  return std::move(text) + "sha256 " + hash + "\n";
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

}  // namespace beadwork
