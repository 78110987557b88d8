#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <beadwork/study.hpp>
#include <cmath>
#include <numeric>

namespace beadwork {
namespace {

using Keys = std::map<std::string, std::string>;

// Okabe and Ito's colours, which colour-blind people can tell apart.
constexpr std::array<const char*, 7> kColours = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                 "#E69F00", "#56B4E9", "#000000"};
const char* colour(std::size_t i) {
  return kColours[i % kColours.size()];
}

std::string safe(std::string_view text) {
  std::string out;
  for (const char c : text)
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

// A drawing with axes; y grows upwards. Logarithmic where asked.
class Plot {
 public:
  Plot(double width, double height, std::string caption) : width_(width), height_(height) {
    body_ +=
        fmt::format("<text x=\"{:.1f}\" y=\"18\" text-anchor=\"middle\" font-weight=\"bold\">{}</text>\n",
                    width / 2, safe(caption));
  }
  void range(double x0, double x1, double y0, double y1, bool log_y = false) {
    x0_ = x0, x1_ = x1 > x0 ? x1 : x0 + 1;
    log_y_ = log_y;
    y0_ = scaled(y0), y1_ = std::max(scaled(y1), y0_ + 1e-9);
  }
  double x(double value) const { return kLeft + (value - x0_) / (x1_ - x0_) * (width_ - kLeft - kRight); }
  double y(double value) const {
    return height_ - kBottom - (scaled(value) - y0_) / (y1_ - y0_) * (height_ - kTop - kBottom);
  }
  void line(double xa, double ya, double xb, double yb, const std::string& style) {
    body_ += fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" {}/>\n", xa, ya, xb,
                         yb, style);
  }
  void dot(double cx, double cy, const std::string& fill, bool hollow, const std::string& title) {
    mark(cx, cy, hollow ? "white" : fill, fill, 0.75, title);
  }
  // The larger the share, the fuller the mark.
  void part_dot(double cx, double cy, const std::string& fill, double share, const std::string& title) {
    mark(cx, cy, fill, fill, 0.9 * share, title);
  }
  void box(double xa, double ya, double w, double h, const std::string& fill) {
    body_ += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "fill-opacity=\"0.55\" stroke=\"{}\"/>\n",
        xa, ya, w, h, fill, fill);
  }
  void text(double tx, double ty, const std::string& words, const std::string& style = "") {
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" {}>{}</text>\n", tx, ty, style, safe(words));
  }
  void y_axis(const std::string& title) {
    std::vector<double> ticks;
    if (log_y_) {
      for (double t = std::ceil(y0_ - 1e-9); t <= y1_ + 1e-9; ++t) ticks.push_back(std::pow(10, t));
    } else {
      ticks = nice(y0_, y1_);
    }
    for (const double t : ticks) {
      line(kLeft, y(t), width_ - kRight, y(t), "stroke=\"#ddd\"");
      text(kLeft - 6, y(t) + 4, fmt::format("{:g}", t), "text-anchor=\"end\"");
    }
    body_ += fmt::format(
        "<text x=\"14\" y=\"{0:.1f}\" text-anchor=\"middle\" transform=\"rotate(-90 14 "
        "{0:.1f})\">{1}</text>\n",
        (height_ - kBottom + kTop) / 2, safe(title));
  }
  void x_axis(const std::string& title) {
    for (const double t : nice(x0_, x1_)) {
      line(x(t), kTop, x(t), height_ - kBottom, "stroke=\"#ddd\"");
      text(x(t), height_ - kBottom + 16, fmt::format("{:g}", t), "text-anchor=\"middle\"");
    }
    text((width_ + kLeft - kRight) / 2, height_ - 8, title, "text-anchor=\"middle\"");
  }
  void key(std::size_t place, const std::string& words, const std::string& fill) {
    const double at = kLeft + static_cast<double>(place) * 78;
    box(at, 28, 10, 10, fill);
    text(at + 15, 37, words);
  }
  std::string svg() const {
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} "
        "{1:g}\" "
        "font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" "
        "fill=\"white\"/>\n{2}</svg>\n",
        width_, height_, body_);
  }
  double left() const { return kLeft; }
  double right() const { return width_ - kRight; }
  double bottom() const { return height_ - kBottom; }

 private:
  double scaled(double value) const { return log_y_ ? std::log10(std::max(value, 1e-9)) : value; }
  // About six round numbers in a range.
  static std::vector<double> nice(double low, double high) {
    const double raw = (high - low) / 6, power = std::pow(10, std::floor(std::log10(raw)));
    const double step = raw <= power       ? power
                        : raw <= 2 * power ? 2 * power
                        : raw <= 5 * power ? 5 * power
                                           : 10 * power;
    std::vector<double> out;
    for (double t = std::ceil(low / step) * step; t <= high + step * 1e-6; t += step)
      out.push_back(std::abs(t) < step * 1e-6 ? 0 : t);
    return out;
  }
  void mark(double cx, double cy, const std::string& fill, const std::string& stroke, double opacity,
            const std::string& title) {
    body_ += fmt::format(
        "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3.2\" fill=\"{}\" stroke=\"{}\" "
        "fill-opacity=\"{:.2f}\"><title>{}</title></circle>\n",
        cx, cy, fill, stroke, opacity, safe(title));
  }
  static constexpr double kLeft = 60, kRight = 20, kTop = 48, kBottom = 44;
  double width_, height_, x0_ = 0, x1_ = 1, y0_ = 0, y1_ = 1;
  bool log_y_ = false;
  std::string body_;
};

std::optional<double> value_of(const StudySeries& s, const Keys& keys, const Published& published,
                               const std::vector<StudyEntry>& entries) {
  if (!s.published.empty()) return published.value(keys, s.published);
  return measured(entries, keys, s.learner, s.measure).ours;
}

// In %.
std::optional<double> share_of(const StudySeries& s, const Keys& keys, const Published& published,
                               const std::vector<StudyEntry>& entries) {
  if (s.share.empty()) return std::nullopt;
  if (!s.published.empty()) return published.value(keys, s.share);
  return measured(entries, keys, s.learner, s.share).ours;
}

std::string describe(const Keys& keys) {
  std::string text;
  for (const auto& [name, value] : keys) text += (text.empty() ? "" : ", ") + name + " " + value;
  return text;
}

std::string scatter(const StudyPlan& plan, const StudyFigure& f, const Published& published,
                    const std::vector<StudyEntry>& entries) {
  struct Point {
    double x, y;
    std::size_t depth;
    std::string what;
  };
  std::vector<Point> points;
  double low = 1e300, high = -1e300;
  for (std::size_t d = 0; d < plan.depths.size(); ++d)
    for (const StudySet& set : plan.sets) {
      const Keys keys{{"dataset", set.name}, {"depth", std::to_string(plan.depths[d])}};
      const auto x = value_of(f.series[0], keys, published, entries);
      const auto y = value_of(f.series[1], keys, published, entries);
      if (!x || !y) continue;
      points.push_back({*x, *y, d, fmt::format("{}: {:.2f}, {:.2f}", describe(keys), *x, *y)});
      low = std::min({low, *x, *y});
      high = std::max({high, *x, *y});
    }
  Plot plot(480, 480, f.caption);
  if (points.empty()) return plot.svg();
  const double margin = std::max(0.02 * (high - low), 1e-6);
  plot.range(low - margin, high + margin, low - margin, high + margin);
  plot.x_axis(f.series[0].title);
  plot.y_axis(f.series[1].title);
  plot.line(plot.x(low), plot.y(low), plot.x(high), plot.y(high), "stroke=\"#555\" stroke-dasharray=\"4 3\"");
  for (std::size_t d = 0; d < plan.depths.size(); ++d)
    plot.key(d, fmt::format("depth {}", plan.depths[d]), colour(d));
  for (const Point& p : points) plot.dot(plot.x(p.x), plot.y(p.y), colour(p.depth), false, p.what);
  return plot.svg();
}

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double rest = at - static_cast<double>(below);
  return below + 1 < sorted.size() ? sorted[below] * (1 - rest) + sorted[below + 1] * rest : sorted[below];
}

// By depth, a box a series: quartiles over the sets, whiskers to the extremes, a bar at the median, a dot at the mean.
std::string boxes(const StudyPlan& plan, const StudyFigure& f, const Published& published,
                  const std::vector<StudyEntry>& entries) {
  std::vector<std::vector<std::vector<double>>> values(plan.depths.size());
  double low = 1e300, high = -1e300;
  for (std::size_t d = 0; d < plan.depths.size(); ++d)
    for (const StudySeries& s : f.series) {
      std::vector<double> all;
      for (const StudySet& set : plan.sets)
        if (const auto v = value_of(s, {{"dataset", set.name}, {"depth", std::to_string(plan.depths[d])}},
                                    published, entries))
          all.push_back(*v);
      std::sort(all.begin(), all.end());
      if (!all.empty()) low = std::min(low, all.front()), high = std::max(high, all.back());
      values[d].push_back(std::move(all));
    }
  Plot plot(840, 420, f.caption);
  if (low > high) return plot.svg();
  plot.range(0, static_cast<double>(plan.depths.size()), low - 1, high + 1);
  plot.y_axis("%");
  const double group = plot.x(1) - plot.x(0);
  const double wide = group * 0.8 / static_cast<double>(f.series.size());
  for (std::size_t d = 0; d < plan.depths.size(); ++d) {
    plot.text(plot.x(static_cast<double>(d) + 0.5), plot.bottom() + 18,
              fmt::format("depth {}", plan.depths[d]), "text-anchor=\"middle\"");
    for (std::size_t s = 0; s < f.series.size(); ++s) {
      const auto& all = values[d][s];
      if (all.empty()) continue;
      const double at = plot.x(static_cast<double>(d)) + group * 0.1 + wide * static_cast<double>(s);
      const double top = plot.y(quantile(all, 0.75)), bottom = plot.y(quantile(all, 0.25));
      const double middle = at + wide * 0.45;
      plot.line(middle, plot.y(all.front()), middle, plot.y(all.back()), "stroke=\"#555\"");
      plot.box(at, top, wide * 0.9, bottom - top, colour(s));
      plot.line(at, plot.y(quantile(all, 0.5)), at + wide * 0.9, plot.y(quantile(all, 0.5)),
                "stroke=\"black\" stroke-width=\"2\"");
      const double mean = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
      plot.dot(middle, plot.y(mean), "black", true,
               fmt::format("{}, depth {}: mean {:.2f}", f.series[s].title, plan.depths[d], mean));
    }
  }
  for (std::size_t s = 0; s < f.series.size(); ++s) plot.key(s, f.series[s].title, colour(s));
  return plot.svg();
}

// Seconds a cell, on a log scale: cells from left to right by the first series; what ran into its limit is hollow.
std::string race(const StudyPlan& plan, const StudyFigure& f, const Published& published,
                 const std::vector<StudyEntry>& entries) {
  struct Cell {
    Keys keys;
    std::vector<std::optional<double>> seconds;
    std::vector<bool> limit;
    std::vector<std::optional<double>> share;  // proven, 0 to 1
  };
  std::vector<Cell> cells;
  for (const Keys& keys : grid_keys(plan, {"dataset", "depth"})) {
    Cell cell{keys, {}, {}, {}};
    for (const StudySeries& s : f.series) {
      auto value = value_of(s, keys, published, entries);
      const bool timeout = !s.published.empty() && published.text(keys, s.published) == "TO";
      if (timeout) value = f.timeout;
      cell.seconds.push_back(value ? std::optional(std::max(*value, 1e-5)) : std::nullopt);
      cell.limit.push_back(timeout);
      const auto share = share_of(s, keys, published, entries);
      cell.share.push_back(share ? std::optional(*share / 100) : std::nullopt);
    }
    if (std::any_of(cell.seconds.begin(), cell.seconds.end(), [](const auto& s) { return s.has_value(); }))
      cells.push_back(std::move(cell));
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const Cell& a, const Cell& b) { return a.seconds[0] < b.seconds[0]; });
  double low = 1e300, high = -1e300;
  for (const Cell& c : cells)
    for (const auto& s : c.seconds)
      if (s) low = std::min(low, *s), high = std::max(high, *s);
  Plot plot(840, 420, f.caption);
  if (low > high) return plot.svg();
  plot.range(-1, static_cast<double>(cells.size()), low / 1.5, high * 1.5, true);
  plot.y_axis("seconds");
  plot.text(
      (plot.left() + plot.right()) / 2, plot.bottom() + 26,
      fmt::format("{} cells of set and depth, by the time of {}; {}", cells.size(), f.series[0].title,
                  f.series[0].share.empty() ? "hollow: limit reached"
                                            : "the fuller a mark, the more of its runs are proven optimal"),
      "text-anchor=\"middle\"");
  for (std::size_t s = 0; s < f.series.size(); ++s) {
    double proven = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const Cell& cell = cells[i];
      if (!cell.seconds[s]) continue;
      const double x = plot.x(static_cast<double>(i)), y = plot.y(*cell.seconds[s]);
      std::string what =
          fmt::format("{}, {}: {:.4g} s", describe(cell.keys), f.series[s].title, *cell.seconds[s]);
      if (cell.share[s]) {
        proven += *cell.share[s];
        plot.part_dot(x, y, colour(s), *cell.share[s],
                      what + fmt::format(", {:.0f} % proven", 100 * *cell.share[s]));
      } else {
        plot.dot(x, y, colour(s), cell.limit[s], what);
      }
    }
    const double mean = 100 * proven / static_cast<double>(cells.size());
    plot.key(3 * s,
             f.series[s].title + (f.series[s].share.empty() ? "" : fmt::format(", {:.0f} % proven", mean)),
             colour(s));
  }
  return plot.svg();
}

}  // namespace

std::string draw(const StudyPlan& plan, const StudyFigure& figure, const Published& published,
                 const std::vector<StudyEntry>& entries) {
  switch (figure.kind) {
    case StudyFigure::Kind::scatter:
      return scatter(plan, figure, published, entries);
    case StudyFigure::Kind::boxes:
      return boxes(plan, figure, published, entries);
    case StudyFigure::Kind::race:
      return race(plan, figure, published, entries);
  }
  return {};
}

}  // namespace beadwork
