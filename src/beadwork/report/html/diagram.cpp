#include <beadwork/report/colour.hpp>
#include <beadwork/report/html/json.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <cmath>

namespace beadwork::report {

double rounded(double x) {
  return std::round(10 * x) / 10;
}

std::string path_data(const std::vector<Layout::Point>& points) {
  std::string out = fmt::format("M{} {}", rounded(points[0].x), rounded(points[0].y));
  for (std::size_t i = 1; i + 2 < points.size(); i += 3)
    out += fmt::format("C{} {} {} {} {} {}", rounded(points[i].x), rounded(points[i].y), rounded(points[i + 1].x),
                       rounded(points[i + 1].y), rounded(points[i + 2].x), rounded(points[i + 2].y));
  return out;
}

namespace {

Json layout_json(const Layout& layout) {
  Json j{{"width", rounded(layout.width)},
         {"height", rounded(layout.height)},
         {"names_width", rounded(layout.names_width)},
         {"ordered", layout.ordered}};
  for (const char* key : {"levels", "nodes", "edges"}) j[key] = Json::array();
  for (const Layout::LevelName& l : layout.levels)
    j["levels"].push_back({{"text", l.text}, {"whole", l.whole}, {"y", rounded(l.y)}});
  for (const Layout::PlacedNode& n : layout.nodes)
    j["nodes"].push_back({{"x", rounded(n.x)},
                          {"y", rounded(n.y)},
                          {"rx", rounded(n.rx)},
                          {"ry", rounded(n.ry)},
                          {"label", n.label},
                          {"note", n.note}});
  for (const Layout::PlacedEdge& e : layout.edges)
    j["edges"].push_back(
        {{"from", e.from()}, {"to", e.to()}, {"high", e.high}, {"share", e.share}, {"d", path_data(e.points)}});
  return j;
}

}  // namespace

Json diagram_json(const Model& model) {
  Json j{{"layout", layout_json(lay_out(model))}};
  j["tests"] = Json::array();
  for (std::size_t f = 0; f < model.num_features(); ++f)
    j["tests"].push_back({test_words(model, Feature{f}, true), test_words(model, Feature{f}, false)});
  j["colours"] = Json::array();
  for (std::size_t k = 0; k < model.class_names().size(); ++k) {
    const std::string fill = class_colour(k);
    j["colours"].push_back({fill, ink_on(fill)});
  }
  return j;
}

}  // namespace beadwork::report
