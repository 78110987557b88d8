#pragma once
// Pieces of SVG that pictures share.
#include <beadwork/report.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace beadwork::report {

inline constexpr const char* kFaces = "Helvetica, Arial, 'Segoe UI', 'DejaVu Sans', sans-serif";
inline constexpr const char* kLine = "#4a5560";

std::string title_tag(std::string_view text);
std::string text_tag(double x, double y, double size, std::string_view text, std::string_view more = "");
// The "d" of a path through a poly-Bezier.
std::string curve_data(const std::vector<Layout::Point>& points);
// Solid where the test passes, dashed where it fails.
std::string edge_style(bool high, double width, const char* colour);

}  // namespace beadwork::report
