#include <beadwork/report.hpp>
#include <beadwork/report/markup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

namespace beadwork {
namespace {

using namespace report;

constexpr double kLeft = 64, kTop = 52, kPlotWidth = 460, kPlotHeight = 300, kBelow = 52, kKeyWidth = 130;

// Without the yellow, which is hard to see on white.
std::string colour(std::size_t features) {
  return class_colour(features % 7 < 6 ? features % 7 : 7);
}

// 1, 2 or 5 times a power of ten, so that about `parts` steps cover the range.
double tick_step(double range, double parts) {
  const double rough = std::max(range / parts, 1e-9);
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= rough) return factor * power;
  return 10 * power;
}

std::string label(double x, double y, std::string_view anchor, std::string_view text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"11\">{}</text>\n", x, y, anchor,
                     xml_text(text));
}

class Plot {
 public:
  Plot(const std::vector<PlotPoint>& points, std::string_view unit) : points_(points), unit_(unit) {
    for (const PlotPoint& p : points) {
      most_nodes_ = std::max(most_nodes_, static_cast<double>(p.nodes));
      most_errors_ = std::max(most_errors_, p.errors);
    }
    step_ = tick_step(most_errors_, 6);
    most_errors_ = std::max(step_, std::ceil(most_errors_ / step_ - 1e-9) * step_);
  }

  std::string draw() const {
    const double width = kLeft + kPlotWidth + kKeyWidth;
    const double height = kTop + kPlotHeight + kBelow;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\" "
        "fill=\"#20262c\">\n<title>Errors against nodes</title>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        width, height);
    out +=
        fmt::format("<text x=\"12\" y=\"24\" font-size=\"15\" font-weight=\"bold\">Training {} against nodes</text>\n",
                    xml_text(unit_));
    return out + axes() + lines() + key() + "</svg>\n";
  }

 private:
  double x(double nodes) const { return kLeft + kPlotWidth * (nodes - 0.5) / most_nodes_; }
  double y(double errors) const { return kTop + kPlotHeight * (1 - errors / most_errors_); }

  std::string axes() const {
    std::string out;
    for (int i = 0; i <= static_cast<int>(std::lround(most_errors_ / step_)); ++i) {
      const double e = i * step_;
      out +=
          fmt::format("<path d=\"M{0:.1f} {2:.1f}H{1:.1f}\" stroke=\"#dde2e6\"/>\n", kLeft, kLeft + kPlotWidth, y(e));
      out += label(kLeft - 6, y(e) + 4, "end", fmt::format("{:g}", e));
    }
    const int step = std::max(1, static_cast<int>(std::lround(tick_step(most_nodes_, 14))));
    for (int n = step; n <= static_cast<int>(most_nodes_); n += step)
      out += label(x(n), kTop + kPlotHeight + 16, "middle", fmt::format("{}", n));
    out += label(kLeft + kPlotWidth / 2, kTop + kPlotHeight + 38, "middle", "nodes, sinks counted");
    return out + label(12, kTop - 10, "start", unit_);
  }

  // For each number of features the stairs of what is reached with at most that many, the fewest on top; hollow circles
  // are not proven.
  std::string lines() const {
    std::string out;
    std::map<std::size_t, std::vector<const PlotPoint*>, std::greater<>> by_features;
    for (const PlotPoint& p : points_) by_features[p.features];
    for (auto& [features, reached] : by_features) {
      for (const PlotPoint& p : points_)
        if (p.features <= features && !beaten(p, features)) reached.push_back(&p);
      std::sort(reached.begin(), reached.end(),
                [](const PlotPoint* a, const PlotPoint* b) { return a->nodes < b->nodes; });
      std::string path;
      for (const PlotPoint* p : reached) {
        const double px = x(static_cast<double>(p->nodes));
        path += path.empty() ? fmt::format("M{:.1f} {:.1f}", px, y(p->errors))
                             : fmt::format("H{:.1f}V{:.1f}", px, y(p->errors));
      }
      path += fmt::format("H{:.1f}", kLeft + kPlotWidth);
      out += fmt::format("<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\"/>\n", path, colour(features));
    }
    for (const PlotPoint& p : points_)
      out += fmt::format(
          "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\" stroke=\"{}\" stroke-width=\"1.6\">"
          "<title>{} features, {} nodes: {:g} {}{}</title></circle>\n",
          x(static_cast<double>(p.nodes)), y(p.errors), p.proven ? colour(p.features) : "#ffffff", colour(p.features),
          p.features, p.nodes, p.errors, xml_text(unit_),
          p.proven ? "" : fmt::format(", at least {:g}", p.lower_bound));
    return out;
  }

  bool beaten(const PlotPoint& p, std::size_t features) const {
    return std::any_of(points_.begin(), points_.end(), [&](const PlotPoint& q) {
      return q.features <= features && q.nodes <= p.nodes && q.errors <= p.errors &&
             (q.nodes < p.nodes || q.errors < p.errors);
    });
  }

  std::string key() const {
    std::string out = label(kLeft + kPlotWidth + 16, kTop + 6, "start", "max. features");
    std::map<std::size_t, bool> seen;
    for (const PlotPoint& p : points_) seen[p.features] = true;
    double at = kTop + 24;
    for (const auto& [features, unused] : seen) {
      out += fmt::format("<path d=\"M{:.1f} {:.1f}h18\" stroke=\"{}\" stroke-width=\"3\"/>\n", kLeft + kPlotWidth + 16,
                         at - 4, colour(features));
      out += label(kLeft + kPlotWidth + 40, at, "start", fmt::format("{}", features));
      at += 17;
    }
    return out;
  }

  const std::vector<PlotPoint>& points_;
  std::string unit_;
  double most_nodes_ = 1;
  double most_errors_ = 0;
  double step_ = 1;
};

}  // namespace

std::string front_table(const std::vector<PlotPoint>& points, std::string_view unit) {
  std::string out = fmt::format("{:>8} {:>6} {:>12}\n", "features", "nodes", unit);
  for (const PlotPoint& p : points)
    out += fmt::format("{:>8} {:>6} {:>12g}{}\n", p.features, p.nodes, p.errors,
                       p.proven ? "" : fmt::format("  not proven, at least {:g}", p.lower_bound));
  return out;
}

std::string front_svg(const std::vector<PlotPoint>& points, std::string_view unit) {
  return Plot(points, unit).draw();
}

}  // namespace beadwork
