#pragma once
// Text for pictures: measured, shortened and escaped.
#include <string>
#include <string_view>

namespace beadwork::report {

// For XML text and attribute values in double quotes. The text must be printable already.
std::string xml_text(std::string_view text);
// For a double-quoted Graphviz string, where backslashes and & would otherwise be read as commands and entities.
std::string dot_text(std::string_view text);

// Width in pixels of printable text in a sans-serif face, on the wide side: no usual face is wider.
inline constexpr double kBold = 1.16;  // how much wider bold text is
double text_width(std::string_view text, double size);
// The name made printable and, where it is wider than `width`, cut and ended with an ellipsis.
std::string fitted(std::string_view name, double width, double size);

}  // namespace beadwork::report
