#include <beadwork/base.hpp>
#include <beadwork/report/markup.hpp>

#include <array>
#include <cstdint>

namespace beadwork::report {
namespace {

// Advance widths of DejaVu Sans for ' ' to '~', in thousandths of the size. Its kin, with Verdana, is the
// widest face that systems fall back to; Helvetica, Arial and Segoe UI are about a tenth narrower.
constexpr std::array<std::uint16_t, 95> kAdvance{
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361,  318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635,  611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352,  635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592,  525, 636, 337, 636, 838};

// Bytes of the character that starts with `lead`; printable text is well-formed.
std::size_t bytes_of(char lead) {
  const auto c = static_cast<unsigned char>(lead);
  return c < 0x80 ? 1 : c < 0xE0 ? 2 : c < 0xF0 ? 3 : 4;
}

// In ems. Two bytes: the alphabets of Europe and the Near East. Three and four: ideographs, symbols, emoji.
double advance(std::string_view character) {
  const auto c = static_cast<unsigned char>(character[0]);
  if (c >= 0x20 && c < 0x7F) return kAdvance[c - 0x20U] / 1000.0;
  return character.size() == 2 ? 0.9 : 1.3;
}

}  // namespace

std::string xml_text(std::string_view text) {
  return escaped(text, {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}, {'\'', "&#39;"}});
}

std::string dot_text(std::string_view text) {
  return escaped(text, {{'&', "&amp;"}, {'"', "\\\""}, {'\\', "\\\\"}});
}

double text_width(std::string_view text, double size) {
  double ems = 0;
  for (std::size_t i = 0; i < text.size(); i += bytes_of(text[i])) ems += advance(text.substr(i, bytes_of(text[i])));
  return ems * size;
}

std::string fitted(std::string_view name, double width, double size) {
  const std::string whole = printable(name, 1000);
  if (text_width(whole, size) <= width) return whole;
  const double room = width - text_width("\u2026", size);
  double used = 0;
  std::size_t end = 0;
  while (end < whole.size()) {
    const std::string_view character = std::string_view(whole).substr(end, bytes_of(whole[end]));
    used += advance(character) * size;
    if (used > room) break;
    end += character.size();
  }
  return whole.substr(0, end) + "\u2026";
}

}  // namespace beadwork::report
