#include "plot.hpp"

#include "text_for.hpp"
#include <beadwork/base.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace beadwork {
namespace {

// About six round numbers in a range.
std::vector<double> round_numbers(double low, double high) {
  const double raw = (high - low) / 6, power = std::pow(10, std::floor(std::log10(raw)));
  const double step = raw <= power ? power : raw <= 2 * power ? 2 * power : raw <= 5 * power ? 5 * power : 10 * power;
  const double first = std::ceil(low / step) * step;
  std::vector<double> out;
  for (int i = 0; i < 20 && first + i * step <= high + step * 1e-6; ++i) {
    const double t = first + i * step;
    out.push_back(std::abs(t) < step * 1e-6 ? 0 : t);
  }
  return out;
}

}  // namespace

// Okabe and Ito's colours, which colour-blind people can tell apart.
const char* Plot::colour(std::size_t i) {
  static constexpr std::array<const char*, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                          "#E69F00", "#56B4E9", "#000000"};
  return kColours[i % kColours.size()];
}

Plot::Plot(double width, double height, const std::string& caption) : width_(width), height_(height) {
  text(width / 2, 18, caption, "text-anchor=\"middle\" font-weight=\"bold\"");
}

void Plot::range(double x0, double x1, double y0, double y1, bool log_y) {
  x0_ = x0, x1_ = x1 > x0 ? x1 : x0 + 1;
  log_y_ = log_y;
  y0_ = scaled(y0), y1_ = std::max(scaled(y1), y0_ + 1e-9);
}

double Plot::scaled(double value) const {
  return log_y_ ? std::log10(std::clamp(value, 1e-9, 1e300)) : value;
}

double Plot::x(double value) const {
  return kLeft + (value - x0_) / (x1_ - x0_) * (width_ - kLeft - kRight);
}

double Plot::y(double value) const {
  return height_ - kBottom - (scaled(value) - y0_) / (y1_ - y0_) * (height_ - kTop - kBottom);
}

void Plot::line(double xa, double ya, double xb, double yb, const std::string& style) {
  body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", xa, ya, xb, yb, style);
}

void Plot::dot(double cx, double cy, const std::string& fill, bool hollow, const std::string& title) {
  mark(cx, cy, hollow ? "white" : fill, fill, 0.75, title);
}

void Plot::part_dot(double cx, double cy, const std::string& fill, double share, const std::string& title) {
  mark(cx, cy, fill, fill, 0.9 * share, title);
}

void Plot::mark(double cx, double cy, const std::string& fill, const std::string& stroke, double opacity,
                const std::string& title) {
  body_ += fmt::format(
      "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\" stroke=\"{}\" "
      "fill-opacity=\"{:.2f}\"><title>{}</title></circle>\n",
      cx, cy, fill, stroke, opacity, for_xml(title));
}

void Plot::box(double xa, double ya, double w, double h, const std::string& fill) {
  body_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
      "fill-opacity=\"0.55\" stroke=\"{}\"/>\n",
      xa, ya, w, h, fill, fill);
}

void Plot::text(double tx, double ty, const std::string& words, const std::string& style) {
  body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", tx, ty, style, for_xml(words));
}

void Plot::y_axis(const std::string& title) {
  std::vector<double> ticks;
  if (log_y_) {
    const auto first = static_cast<int>(std::ceil(y0_ - 1e-9));
    for (int t = first; t <= y1_ + 1e-9; ++t) ticks.push_back(std::pow(10, t));
  } else {
    ticks = round_numbers(y0_, y1_);
  }
  for (const double t : ticks) {
    line(kLeft, y(t), width_ - kRight, y(t), "stroke=\"#ddd\"");
    text(kLeft - 6, y(t) + 4, fmt::format("{:g}", t), "text-anchor=\"end\"");
  }
  const double middle = (height_ - kBottom + kTop) / 2;
  text(14, middle, title, fmt::format("text-anchor=\"middle\" transform=\"rotate(-90 14 {:.1f})\"", middle));
}

void Plot::x_axis(const std::string& title) {
  for (const double t : round_numbers(x0_, x1_)) {
    line(x(t), kTop, x(t), height_ - kBottom, "stroke=\"#ddd\"");
    text(x(t), height_ - kBottom + 16, fmt::format("{:g}", t), "text-anchor=\"middle\"");
  }
  text((width_ + kLeft - kRight) / 2, height_ - 8, title, "text-anchor=\"middle\"");
}

void Plot::key(std::size_t place, const std::string& words, const std::string& fill) {
  const double at = kLeft + static_cast<double>(place) * 78;
  box(at, 28, 10, 10, fill);
  text(at + 15, 37, words);
}

std::string Plot::svg() const {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
      "{1:g}\" "
      "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n{2}</svg>\n",
      width_, height_, body_);
}

}  // namespace beadwork
