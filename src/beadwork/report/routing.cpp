#include <beadwork/report/routing.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <set>
#include <tuple>

namespace beadwork::report {
namespace {

using Point = Layout::Point;

constexpr double kClearance = 5;

// A point of a curve, with its direction there as horizontal over vertical change.
struct Knot {
  Point at;
  double slope = 0;
};

// Hermite pieces: y runs evenly, so the curve never turns upwards.
std::vector<Point> through(const std::vector<Knot>& knots) {
  std::vector<Point> out{knots.front().at};
  for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
    const auto& [a, slope_a] = knots[i];
    const auto& [b, slope_b] = knots[i + 1];
    const double third = (b.y - a.y) / 3;
    out.push_back({a.x + slope_a * third, a.y + third});
    out.push_back({b.x - slope_b * third, b.y - third});
    out.push_back(b);
  }
  return out;
}

Point on_piece(const Point* p, double t) {
  const double s = 1 - t;
  const std::array<double, 4> w{s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
  return {w[0] * p[0].x + w[1] * p[1].x + w[2] * p[2].x + w[3] * p[3].x,
          w[0] * p[0].y + w[1] * p[1].y + w[2] * p[2].y + w[3] * p[3].y};
}

// Monotone in x between bends (Fritsch and Carlson 1980): the harmonic mean of the slopes on both sides, none
// at a turn.
double slope_between(double before, double after) {
  return before * after <= 0 ? 0 : 2 * before * after / (before + after);
}

class Router {
 public:
  Router(const Layers& layers, const std::vector<double>& x, Layout& layout)
      : layers_(layers), x_(x), layout_(layout), start_(layers.routes.size()), end_(layers.routes.size()) {
    rows_.resize(layout.levels.size());
    for (std::size_t n = 0; n < layout.nodes.size(); ++n) rows_[layout.nodes[n].level].push_back(n);
    for (auto& row : rows_)
      std::sort(row.begin(), row.end(), [&](auto a, auto b) { return layout.nodes[a].x < layout.nodes[b].x; });
    choose_ports();
  }

  void run() {
    for (std::size_t r = 0; r < layers_.routes.size(); ++r) {
      const Layers::Route& route = layers_.routes[r];
      layout_.edges.push_back({route.from, route.to, route.high, 0, curve(r)});
    }
  }

 private:
  // Where edges leave and arrive: beside each other, in the order of where they come from, so that they do
  // not cross at the node itself.
  void choose_ports() {
    std::vector<std::vector<std::size_t>> leaving(layers_.num_nodes), arriving(layers_.num_nodes);
    for (std::size_t r = 0; r < layers_.routes.size(); ++r) {
      leaving[layers_.routes[r].from()].push_back(r);
      arriving[layers_.routes[r].to()].push_back(r);
    }
    const auto next = [&](std::size_t r) { return x_[layers_.routes[r].vertices[1]]; };
    const auto previous = [&](std::size_t r) { return x_[*std::prev(layers_.routes[r].vertices.end(), 2)]; };
    for (std::size_t n = 0; n < layers_.num_nodes; ++n) {
      auto& out = leaving[n];
      std::sort(out.begin(), out.end(),
                [&](auto a, auto b) { return std::tuple(next(a), a) < std::tuple(next(b), b); });
      for (std::size_t i = 0; i < out.size(); ++i) start_[out[i]] = port(n, i, out.size(), false);
    }
    for (std::size_t n = 0; n < layers_.num_nodes; ++n) {
      auto& in = arriving[n];
      std::sort(in.begin(), in.end(), [&](auto a, auto b) {
        return std::tuple(previous(a), start_[a].x, a) < std::tuple(previous(b), start_[b].x, b);
      });
      for (std::size_t i = 0; i < in.size(); ++i) end_[in[i]] = port(n, i, in.size(), true);
    }
  }

  Point port(std::size_t n, std::size_t i, std::size_t count, bool top) const {
    const Layout::PlacedNode& node = layout_.nodes[n];
    const bool round = node.rx == node.ry && !layers_.down[n].empty();
    const double spread = count < 2 ? 0
                          : top     ? std::min(4.0 * static_cast<double>(count - 1), (round ? 0.62 : 0.85) * node.rx)
                                    : std::min(0.55 * node.rx, 22.0);
    const double dx = count < 2 ? 0 : spread * (2 * static_cast<double>(i) / static_cast<double>(count - 1) - 1);
    const double dy = round ? std::sqrt(node.ry * node.ry - dx * dx) : node.ry;
    return {node.x + dx, top ? node.y - dy : node.y + dy};
  }

  // Starts with flowing bends; wherever that comes too near a node the bend there is made steeper, at last a
  // vertical stretch as high as the level, beside which the placement has left room. A bend changes the curve at its
  // own level and the two beside it: only these are looked at again.
  std::vector<Point> curve(std::size_t r) const {
    const std::vector<Vertex>& vertices = layers_.routes[r].vertices;
    std::vector<int> stiffness(vertices.size());
    std::vector<Point> points = through(knots(r, stiffness));
    if (!layers_.bent) return points;
    std::vector<std::size_t> look(vertices.size());
    std::iota(look.begin(), look.end(), std::size_t{0});
    for (std::size_t round = 0; round < 3 * vertices.size(); ++round) {
      std::set<std::size_t> again;
      for (const std::size_t i : look) {
        if (stiffness[i] == 3 || clear_of(points, layers_.level[vertices[i]], layers_.routes[r])) continue;
        ++stiffness[i];
        for (std::size_t k = i == 0 ? 0 : i - 1; k <= std::min(i + 1, vertices.size() - 1); ++k) again.insert(k);
      }
      if (again.empty()) break;
      points = through(knots(r, stiffness));
      look.assign(again.begin(), again.end());
    }
    return points;
  }

  std::vector<Knot> knots(std::size_t r, const std::vector<int>& stiffness) const {
    const std::vector<Vertex>& vertices = layers_.routes[r].vertices;
    const std::size_t last = vertices.size() - 1;
    std::vector<Point> at;
    for (std::size_t i = 0; i <= last; ++i)
      at.push_back(i == 0      ? start_[r]
                   : i == last ? end_[r]
                               : Point{x_[vertices[i]], layout_.levels[layers_.level[vertices[i]]].y});
    const auto secant = [&](std::size_t i) { return (at[i + 1].x - at[i].x) / (at[i + 1].y - at[i].y); };
    std::vector<Knot> out;
    for (std::size_t i = 0; i <= last; ++i) {
      double slope = i == 0      ? std::clamp(0.4 * secant(0), -0.8, 0.8)
                     : i == last ? std::clamp(0.4 * secant(last - 1), -0.5, 0.5)
                                 : slope_between(secant(i - 1), secant(i));
      slope *= stiffness[i] == 0 ? 1 : stiffness[i] == 1 ? 0.4 : 0;
      if (stiffness[i] < 3) {
        out.push_back({at[i], slope});
        continue;
      }
      const double band = layout_.nodes[vertices[0]].ry + kClearance;
      const double y = layout_.levels[layers_.level[vertices[i]]].y;
      out.push_back({i == 0 ? at[i] : Point{at[i].x, y - band}, 0});
      out.push_back({i == last ? at[i] : Point{at[i].x, y + band}, 0});
    }
    return out;
  }

  bool clear_of(const std::vector<Point>& points, std::size_t level, const Layers::Route& route) const {
    const double y = layout_.levels[level].y;
    const double reach = layout_.nodes[rows_[level].front()].ry + kClearance;
    constexpr int kSamples = 32;
    std::size_t first = 0, pieces = points.size() / 3;  // halved: pieces stand below each other
    while (pieces > 0) {
      const std::size_t half = pieces / 2;
      const bool above = points[3 * (first + half) + 3].y < y - reach;
      if (above) first += half + 1;
      pieces = above ? pieces - half - 1 : half;
    }
    for (std::size_t p = 3 * first; p + 3 < points.size() && points[p].y <= y + reach; p += 3) {
      for (int s = 0; s <= kSamples; ++s) {
        const Point at = on_piece(&points[p], static_cast<double>(s) / kSamples);
        if (std::abs(at.y - y) <= reach && !clear_at(at, level, route)) return false;
      }
    }
    return true;
  }

  bool clear_at(const Point& at, std::size_t level, const Layers::Route& route) const {
    const auto& row = rows_[level];
    const auto right =
        std::lower_bound(row.begin(), row.end(), at.x, [&](std::size_t n, double x) { return layout_.nodes[n].x < x; });
    const auto near = [&](std::size_t n) {
      if (n == route.from() || n == route.to()) return false;
      const Layout::PlacedNode& node = layout_.nodes[n];
      const double dx = std::abs(at.x - node.x);
      const double dy = std::abs(at.y - node.y);
      if (layout_.ordered && !layers_.down[n].empty()) return std::hypot(dx, dy) < node.rx + kClearance;
      return dx < node.rx + kClearance && dy < node.ry + kClearance;
    };
    return !(right != row.end() && near(*right)) && !(right != row.begin() && near(*std::prev(right)));
  }

  const Layers& layers_;
  const std::vector<double>& x_;
  Layout& layout_;
  std::vector<std::vector<std::size_t>> rows_;  // nodes by level, from left to right
  std::vector<Point> start_, end_;              // by route
};

}  // namespace

void route_edges(const Layers& layers, const std::vector<double>& x, Layout& layout) {
  Router(layers, x, layout).run();
}

}  // namespace beadwork::report
