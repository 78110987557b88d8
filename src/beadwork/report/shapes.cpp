#include <beadwork/report/markup.hpp>
#include <beadwork/report/shapes.hpp>

#include <fmt/format.h>

namespace beadwork::report {

std::string title_tag(std::string_view text) {
  return "<title>" + xml_text(text) + "</title>";
}

std::string text_tag(double x, double y, double size, std::string_view text, std::string_view more) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" font-size=\"{}\"{}{}>{}</text>", x, y, size,
                     more.empty() ? "" : " ", more, xml_text(text));
}

std::string curve_data(const std::vector<Layout::Point>& points) {
  std::string out = fmt::format("M{:.1f} {:.1f}", points[0].x, points[0].y);
  for (std::size_t i = 1; i + 2 < points.size(); i += 3)
    out += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", points[i].x, points[i].y, points[i + 1].x,
                       points[i + 1].y, points[i + 2].x, points[i + 2].y);
  return out;
}

std::string edge_style(bool high, double width, const char* colour) {
  std::string out = fmt::format("fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2f}\"", colour, width);
  if (!high) out += fmt::format(" stroke-dasharray=\"{:.1f} {:.1f}\"", 3.5 + width, 2.5 + 0.8 * width);
  return out;
}

}  // namespace beadwork::report
