#pragma once
#include <string>
#include <vector>

namespace beadwork {

// A drawing with axes, as SVG; y grows upwards. Logarithmic where asked.
class Plot {
 public:
  Plot(double width, double height, const std::string& caption);
  void range(double x0, double x1, double y0, double y1, bool log_y = false);
  double x(double value) const;
  double y(double value) const;
  void line(double xa, double ya, double xb, double yb, const std::string& style);
  void dot(double cx, double cy, const std::string& fill, bool hollow, const std::string& title);
  // The larger the share, the fuller the mark.
  void part_dot(double cx, double cy, const std::string& fill, double share, const std::string& title);
  void box(double xa, double ya, double w, double h, const std::string& fill);
  void text(double tx, double ty, const std::string& words, const std::string& style = "");
  void y_axis(const std::string& title);
  void x_axis(const std::string& title);
  void key(std::size_t place, const std::string& words, const std::string& fill);
  std::string svg() const;

  double left() const { return kLeft; }
  double right() const { return width_ - kRight; }
  double bottom() const { return height_ - kBottom; }
  static const char* colour(std::size_t i);

 private:
  double scaled(double value) const;
  void mark(double cx, double cy, const std::string& fill, const std::string& stroke, double opacity,
            const std::string& title);
  static constexpr double kLeft = 60, kRight = 20, kTop = 48, kBottom = 44;
  double width_, height_, x0_ = 0, x1_ = 1, y0_ = 0, y1_ = 1;
  bool log_y_ = false;
  std::string body_;
};

}  // namespace beadwork
