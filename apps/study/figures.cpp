#include "plot.hpp"
#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace beadwork {
namespace {

using Keys = std::map<std::string, std::string>;

// Where the values of a series come from.
struct Source {
  const Published& published;
  const std::vector<StudyEntry>& entries;

  // A measure of ours or a published column, as the series has it.
  std::optional<double> value(const StudySeries& s, const Keys& keys, const std::string& of) const {
    return s.published.empty() ? measured(entries, keys, s.learner, of).ours : published.value(keys, of);
  }
  std::optional<double> value(const StudySeries& s, const Keys& keys) const {
    return value(s, keys, s.published.empty() ? s.measure : s.published);
  }
};

std::string words_of(const Keys& keys) {
  std::vector<std::string> words;
  for (const auto& [name, value] : keys) words.push_back(fmt::format("{} {}", name, value));
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string scatter(const StudyPlan& plan, const StudyFigure& f, const Source& source) {
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
      const auto x = source.value(f.series[0], keys);
      const auto y = source.value(f.series[1], keys);
      if (!x || !y) continue;
      points.push_back({*x, *y, d, fmt::format("{}: {:.2f}, {:.2f}", words_of(keys), *x, *y)});
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
    plot.key(d, fmt::format("depth {}", plan.depths[d]), Plot::colour(d));
  for (const Point& p : points) plot.dot(plot.x(p.x), plot.y(p.y), Plot::colour(p.depth), false, p.what);
  return plot.svg();
}

double quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const double rest = at - static_cast<double>(below);
  return below + 1 < sorted.size() ? sorted[below] * (1 - rest) + sorted[below + 1] * rest : sorted[below];
}

struct BoxPlace {
  double left, width;
  const char* fill;
};

void draw_box(Plot& plot, const std::vector<double>& sorted, const BoxPlace& at, const std::string& title) {
  const double top = plot.y(quantile(sorted, 0.75)), bottom = plot.y(quantile(sorted, 0.25));
  const double median = plot.y(quantile(sorted, 0.5));
  const double middle = at.left + at.width / 2;
  plot.line(middle, plot.y(sorted.front()), middle, plot.y(sorted.back()), "stroke=\"#555\"");
  plot.box(at.left, top, at.width, bottom - top, at.fill);
  plot.line(at.left, median, at.left + at.width, median, "stroke=\"black\" stroke-width=\"2\"");
  const double mean = std::accumulate(sorted.begin(), sorted.end(), 0.0) / static_cast<double>(sorted.size());
  plot.dot(middle, plot.y(mean), "black", true, fmt::format("{}: mean {:.2f}", title, mean));
}

// The values of a series at a depth, over the sets.
std::vector<double> sorted_values(const StudyPlan& plan, const StudySeries& series, std::size_t depth,
                                  const Source& source) {
  std::vector<double> all;
  for (const StudySet& set : plan.sets)
    if (const auto v = source.value(series, {{"dataset", set.name}, {"depth", std::to_string(depth)}}))
      all.push_back(*v);
  std::sort(all.begin(), all.end());
  return all;
}

// By depth, a box a series: quartiles over the sets, whiskers to the extremes, a bar at the median, a dot at the mean.
std::string boxes(const StudyPlan& plan, const StudyFigure& f, const Source& source) {
  std::vector<std::vector<std::vector<double>>> values(plan.depths.size());
  double low = 1e300, high = -1e300;
  for (std::size_t d = 0; d < plan.depths.size(); ++d)
    for (const StudySeries& s : f.series) {
      values[d].push_back(sorted_values(plan, s, plan.depths[d], source));
      const auto& all = values[d].back();
      if (!all.empty()) low = std::min(low, all.front()), high = std::max(high, all.back());
    }
  Plot plot(840, 420, f.caption);
  if (low > high) return plot.svg();
  plot.range(0, static_cast<double>(plan.depths.size()), low - 1, high + 1);
  plot.y_axis("%");
  const double group = plot.x(1) - plot.x(0);
  const double wide = group * 0.8 / static_cast<double>(f.series.size());
  for (std::size_t d = 0; d < plan.depths.size(); ++d) {
    plot.text(plot.x(static_cast<double>(d) + 0.5), plot.bottom() + 18, fmt::format("depth {}", plan.depths[d]),
              "text-anchor=\"middle\"");
    for (std::size_t s = 0; s < f.series.size(); ++s) {
      if (values[d][s].empty()) continue;
      const double at = plot.x(static_cast<double>(d)) + group * 0.1 + wide * static_cast<double>(s);
      draw_box(plot, values[d][s], {at, wide * 0.9, Plot::colour(s)},
               fmt::format("{}, depth {}", f.series[s].title, plan.depths[d]));
    }
  }
  for (std::size_t s = 0; s < f.series.size(); ++s) plot.key(s, f.series[s].title, Plot::colour(s));
  return plot.svg();
}

// A place on the horizontal axis of a race: what each series needed there.
struct RaceCell {
  Keys keys;
  std::vector<std::optional<double>> seconds;
  std::vector<bool> limit;
  std::vector<std::optional<double>> share;  // proven, 0 to 1
};

RaceCell race_cell(const Keys& keys, const StudyFigure& f, const Source& source) {
  RaceCell cell{keys, {}, {}, {}};
  for (const StudySeries& s : f.series) {
    auto value = source.value(s, keys);
    const bool timeout = !s.published.empty() && source.published.text(keys, s.published) == "TO";
    if (timeout) value = f.timeout;
    cell.seconds.push_back(value ? std::optional(std::max(*value, 1e-5)) : std::nullopt);
    cell.limit.push_back(timeout);
    const auto percent = s.share.empty() ? std::nullopt : source.value(s, keys, s.share);
    cell.share.push_back(percent ? std::optional(*percent / 100) : std::nullopt);
  }
  return cell;
}

// By the first series; those that no series has are left out.
std::vector<RaceCell> race_cells(const StudyPlan& plan, const StudyFigure& f, const Source& source) {
  std::vector<RaceCell> cells;
  for (const Keys& keys : grid_keys(plan, {"dataset", "depth"})) {
    RaceCell cell = race_cell(keys, f, source);
    if (std::any_of(cell.seconds.begin(), cell.seconds.end(), [](const auto& s) { return s.has_value(); }))
      cells.push_back(std::move(cell));
  }
  std::stable_sort(cells.begin(), cells.end(),
                   [](const RaceCell& a, const RaceCell& b) { return a.seconds[0] < b.seconds[0]; });
  return cells;
}

void draw_runner(Plot& plot, const std::vector<RaceCell>& cells, const StudySeries& series, std::size_t s) {
  double proven = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const RaceCell& cell = cells[i];
    if (!cell.seconds[s]) continue;
    const double x = plot.x(static_cast<double>(i)), y = plot.y(*cell.seconds[s]);
    const std::string what = fmt::format("{}, {}: {:.4g} s", words_of(cell.keys), series.title, *cell.seconds[s]);
    if (cell.share[s]) {
      proven += *cell.share[s];
      plot.part_dot(x, y, Plot::colour(s), *cell.share[s],
                    what + fmt::format(", {:.0f} % proven", 100 * *cell.share[s]));
    } else {
      plot.dot(x, y, Plot::colour(s), cell.limit[s], what);
    }
  }
  const double mean = 100 * proven / static_cast<double>(cells.size());
  plot.key(3 * s, series.title + (series.share.empty() ? "" : fmt::format(", {:.0f} % proven", mean)), Plot::colour(s));
}

// Seconds a cell, on a log scale: cells from left to right by the first series; what ran into its limit is hollow.
std::string race(const StudyPlan& plan, const StudyFigure& f, const Source& source) {
  const std::vector<RaceCell> cells = race_cells(plan, f, source);
  double low = 1e300, high = -1e300;
  for (const RaceCell& c : cells)
    for (const auto& s : c.seconds)
      if (s) low = std::min(low, *s), high = std::max(high, *s);
  Plot plot(840, 420, f.caption);
  if (low > high) return plot.svg();
  plot.range(-1, static_cast<double>(cells.size()), low / 1.5, high * 1.5, true);
  plot.y_axis("seconds");
  plot.text((plot.left() + plot.right()) / 2, plot.bottom() + 26,
            fmt::format("{} cells of set and depth, by the time of {}; {}", cells.size(), f.series[0].title,
                        f.series[0].share.empty() ? "hollow: limit reached"
                                                  : "the fuller a mark, the more of its runs are proven optimal"),
            "text-anchor=\"middle\"");
  for (std::size_t s = 0; s < f.series.size(); ++s) draw_runner(plot, cells, f.series[s], s);
  return plot.svg();
}

}  // namespace

std::string draw(const StudyPlan& plan, const StudyFigure& figure, const Published& published,
                 const std::vector<StudyEntry>& entries) {
  using Kind = StudyFigure::Kind;
  const auto how = figure.kind == Kind::scatter ? scatter : figure.kind == Kind::boxes ? boxes : race;
  return how(plan, figure, {published, entries});
}

}  // namespace beadwork
