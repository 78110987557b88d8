#include <beadwork/report.hpp>
#include <beadwork/report/colour.hpp>

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace beadwork {
namespace {

using Rgb = std::array<double, 3>;

// Okabe and Ito's eight, those that differ most first: blue and orange for two classes.
constexpr std::array<Rgb, 8> kPalette{{{0, 114, 178},
                                       {230, 159, 0},
                                       {0, 158, 115},
                                       {204, 121, 167},
                                       {86, 180, 233},
                                       {213, 94, 0},
                                       {240, 228, 66},
                                       {0, 0, 0}}};

// How far the second, third, ... round of eight moves towards white (positive) or black.
constexpr std::array<double, 7> kShift{0, 0.5, -0.4, 0.72, -0.62, 0.28, -0.2};

double towards(double channel, double shift) {
  return shift >= 0 ? channel + (255 - channel) * shift : channel * (1 + shift);
}

}  // namespace

std::string class_colour(std::size_t k) {
  Rgb c = kPalette[k % kPalette.size()];
  double shift = kShift[k / kPalette.size() % kShift.size()];
  if (k % kPalette.size() == 7) shift = std::abs(shift);  // black gets no darker
  for (double& channel : c) channel = std::round(towards(channel, shift));
  return fmt::format("#{:02x}{:02x}{:02x}", static_cast<int>(c[0]), static_cast<int>(c[1]), static_cast<int>(c[2]));
}

namespace report {

// Relative luminance and contrast as in WCAG 2.
std::string ink_on(std::string_view fill) {
  const auto channel = [&](std::size_t i) {
    const double c = static_cast<double>(std::stoul(std::string(fill.substr(1 + 2 * i, 2)), nullptr, 16)) / 255;
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
  };
  const double luminance = 0.2126 * channel(0) + 0.7152 * channel(1) + 0.0722 * channel(2);
  return 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 ? "#ffffff" : "#000000";
}

}  // namespace report
}  // namespace beadwork
