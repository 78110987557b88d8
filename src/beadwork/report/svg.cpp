#include <beadwork/report.hpp>
#include <beadwork/report/colour.hpp>
#include <beadwork/report/markup.hpp>
#include <beadwork/report/shapes.hpp>
#include <beadwork/report/wording.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace beadwork {
namespace {

using namespace report;

constexpr double kHeader = 56;
constexpr double kFooter = 34;
constexpr const char* kFaint = "#b4bcc4";

double edge_width(double share) {
  return 1.2 + 4.3 * share;
}

class Picture {
 public:
  explicit Picture(const Model& model)
      : model_(model), layout_(lay_out(model)), counts_(node_counts(model.diagram(), model.counts())) {}

  std::string draw() {
    const std::string head = "Decision diagram for " + fitted(model_.binarizer().target(), 320, 15);
    const std::string line = sentence();
    const std::string key = legend();
    const double width =
        std::max({layout_.width, 24 + kBold * text_width(head, 15), 24 + text_width(line, 11.5), legend_width_});
    shift_ = (width - layout_.width) / 2;
    const double height = kHeader + layout_.height + kFooter;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\" aria-labelledby=\"title desc\" "
        "width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"{2}\" fill=\"#20262c\">\n",
        std::ceil(width), std::ceil(height), kFaces);
    out +=
        "<title id=\"title\">" + xml_text("Decision diagram for " + shown(model_.binarizer().target())) + "</title>\n";
    out += "<desc id=\"desc\">" + xml_text(description()) + "</desc>\n";
    out += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    out += text_tag(12, 24, 15, head, "font-weight=\"bold\"") + "\n";
    out += text_tag(12, 43, 11.5, line, "fill=\"#56616b\"") + "\n";
    out += fmt::format("<g transform=\"translate(0 {})\">\n", kHeader) + levels() + edges() + nodes() + "</g>\n";
    out += fmt::format("<g transform=\"translate(12 {:.1f})\">{}</g>\n", height - 16, key);
    return out + "</svg>\n";
  }

 private:
  std::string sentence() const {
    const std::size_t size = layout_.nodes.size();
    return summary(model_) + fmt::format(" \u00b7 {} {}", size, size == 1 ? "node" : "nodes");
  }

  std::string description() const {
    std::string out = summary(model_) + ". ";
    if (layout_.levels.size() == 1)
      return out + "Always " + answer_words(model_, model_.diagram()[Node{0}].answer) + ".";
    out += layout_.ordered ? "Tests from the top: " : "Tests: ";
    std::vector<std::string> tests;
    for (const Feature f : model_.diagram().used_features()) tests.push_back(test_words(model_, f));
    return out + fmt::format("{}", fmt::join(tests, "; ")) + ". Solid lines: the test passes; dashed lines: it fails.";
  }

  std::string levels() const {
    std::string out;
    for (std::size_t l = 0; l < layout_.levels.size(); ++l) {
      const Layout::LevelName& name = layout_.levels[l];
      const bool last = l + 1 == layout_.levels.size();
      out += fmt::format(
          "<g class=\"level\"><line x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{2:.1f}\" y2=\"{1:.1f}\" "
          "stroke=\"#e7eaed\"/>",
          layout_.names_width - 12, name.y, layout_.width + 2 * shift_ - 12);
      out += text_tag(12, name.y + 4, 12, name.text,
                      last              ? "font-weight=\"bold\""
                      : layout_.ordered ? ""
                                        : "fill=\"#8a949d\"");
      out += title_tag(name.whole) + "</g>\n";
    }
    return out;
  }

  std::string edges() const {
    // Edges without rows first, the busiest last, so that those are on top.
    std::vector<const Layout::PlacedEdge*> sorted;
    for (const Layout::PlacedEdge& edge : layout_.edges) sorted.push_back(&edge);
    std::stable_sort(sorted.begin(), sorted.end(), [](auto* a, auto* b) { return a->share < b->share; });
    std::string out = fmt::format("<g transform=\"translate({:.1f} 0)\">\n", shift_);
    for (const Layout::PlacedEdge* edge : sorted) {
      const std::int64_t weight = (edge->high ? counts_.high : counts_.low)[edge->from()];
      const Feature f = model_.diagram()[edge->from].feature;
      out += fmt::format("<path class=\"edge\" data-from=\"{}\" data-high=\"{}\" d=\"{}\" {}>{}</path>\n", edge->from(),
                         edge->high ? 1 : 0, curve_data(edge->points),
                         edge_style(edge->high, edge_width(edge->share), weight == 0 ? kFaint : kLine),
                         title_tag(test_words(model_, f, edge->high) + ": " + rows_words(model_, weight)));
    }
    return out + "</g>\n";
  }

  std::string nodes() const {
    std::string out = fmt::format("<g transform=\"translate({:.1f} 0)\" text-anchor=\"middle\">\n", shift_);
    for (std::size_t n = 0; n < layout_.nodes.size(); ++n) {
      const DiagramNode& node = model_.diagram().nodes()[n];
      out += fmt::format("<g class=\"{}\" data-node=\"{}\" transform=\"translate({:.1f} {:.1f})\">",
                         node.sink ? "sink" : "node", n, layout_.nodes[n].x, layout_.nodes[n].y);
      out += node.sink ? sink(n) : layout_.ordered ? circle(n) : box(n);
      out += title_tag(tooltip(Node{n})) + "</g>\n";
    }
    return out + "</g>\n";
  }

  std::string tooltip(Node n) const {
    const DiagramNode& node = model_.diagram()[n];
    std::string out = node.sink ? answer_words(model_, node.answer) : test_words(model_, node.feature);
    out += ": " + rows_words(model_, counts_.total(n));
    for (std::size_t k = 0; k < counts_.at[n()].size(); ++k)
      if (counts_.at[n()][k] != 0)
        out += "; " + answer_words(model_, Class{k}) + " " + weight_words(model_, counts_.at[n()][k]);
    return out;
  }

  // A ring of the classes of the rows that come here, around their number.
  std::string circle(std::size_t n) const {
    const Layout::PlacedNode& node = layout_.nodes[n];
    const double total = static_cast<double>(counts_.total(Node{n}));
    const double radius = node.rx - 3;
    std::string out =
        fmt::format("<circle r=\"{:.1f}\" fill=\"#ffffff\" stroke=\"{}\"/>", node.rx - 0.5, total > 0 ? kLine : kFaint);
    double turn = 0;
    for (std::size_t k = 0; k < counts_.at[n].size(); ++k) {
      if (counts_.at[n][k] == 0) continue;
      const double part = static_cast<double>(counts_.at[n][k]) / total;
      if (part >= 1) {
        out += fmt::format("<circle r=\"{:.1f}\" fill=\"none\" stroke=\"{}\" stroke-width=\"4\"/>", radius,
                           class_colour(k));
        continue;
      }
      const auto at = [&](double t) {
        const double angle = 2 * std::numbers::pi * t;
        return fmt::format("{:.2f} {:.2f}", radius * std::sin(angle), -radius * std::cos(angle));
      };
      out += fmt::format("<path d=\"M{}A{:.1f} {:.1f} 0 {} 1 {}\" fill=\"none\" stroke=\"{}\" stroke-width=\"4\"/>",
                         at(turn), radius, radius, part > 0.5 ? 1 : 0, at(turn + part), class_colour(k));
      turn += part;
    }
    return out + text_tag(0, 3.5, node.label.size() > 3 ? 9 : 10, node.label, total > 0 ? "" : "fill=\"#8a949d\"");
  }

  // The test, with a bar of the classes below it.
  std::string box(std::size_t n) const {
    const Layout::PlacedNode& node = layout_.nodes[n];
    const double total = static_cast<double>(counts_.total(Node{n}));
    std::string out = fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:.1f}\" fill=\"#ffffff\" "
        "stroke=\"{}\"/>",
        -node.rx + 0.5, -node.ry + 0.5, 2 * node.rx - 1, 2 * node.ry - 1, node.ry - 0.5, total > 0 ? kLine : kFaint);
    const double room = 2 * (node.rx - 14);
    double x = -room / 2;
    for (std::size_t k = 0; k < counts_.at[n].size(); ++k) {
      if (counts_.at[n][k] == 0) continue;
      const double part = room * static_cast<double>(counts_.at[n][k]) / total;
      out += fmt::format("<rect x=\"{:.2f}\" y=\"7\" width=\"{:.2f}\" height=\"4\" fill=\"{}\"/>", x, part,
                         class_colour(k));
      x += part;
    }
    return out + text_tag(0, 1.5, 12, node.label);
  }

  std::string sink(std::size_t n) const {
    const Layout::PlacedNode& node = layout_.nodes[n];
    const std::optional<Class>& answer = model_.diagram().nodes()[n].answer;
    const std::int64_t total = counts_.total(Node{n});
    const std::string fill = answer ? class_colour((*answer)()) : "#ffffff";
    std::string out = fmt::format(
        "<rect x=\"{0:.1f}\" y=\"{0:.1f}\" width=\"{1:.1f}\" height=\"{1:.1f}\" fill=\"{2}\" "
        "stroke=\"{3}\"/>",
        -node.rx + 0.5, 2 * node.rx - 1, fill, kLine);
    if (total > 0)
      out += text_tag(0, 4, 10.5, percent_words(right_weight(counts_.at[n], answer), total),
                      fmt::format("fill=\"{}\"", ink_on(fill)));
    out += text_tag(0, node.ry + 16, 12, node.label, "font-weight=\"bold\"");
    return out + text_tag(0, node.ry + 30, 10.5, node.note, "fill=\"#56616b\"");
  }

  // What the lines mean, and the colours of classes that occur and that no sink answers.
  std::string legend() {
    std::string out;
    double x = 0;
    const auto words = [&](std::string_view text) {
      out += text_tag(x, 0, 10.5, text, "fill=\"#56616b\"");
      x += text_width(text, 10.5) + 18;
    };
    if (layout_.levels.size() > 1) {
      for (const bool high : {true, false}) {
        out += fmt::format("<path d=\"M{:.1f} -3.5h30\" {}/>", x, edge_style(high, 1.6, kLine));
        x += 36;
        words(high ? "test passes" : "test fails");
      }
      words("width: share of rows");
    }
    std::vector<bool> answered(counts_.at[0].size());
    for (const DiagramNode& node : model_.diagram().nodes())
      if (node.answer) answered[(*node.answer)()] = true;
    for (std::size_t k = 0; k < answered.size(); ++k) {
      if (answered[k] || counts_.at[0][k] == 0) continue;
      out += fmt::format("<rect x=\"{:.1f}\" y=\"-9\" width=\"10\" height=\"10\" fill=\"{}\"/>", x, class_colour(k));
      x += 15;
      words(fitted(model_.class_names()[k], 90, 10.5) + " (never predicted)");
    }
    legend_width_ = x + 12;
    return out;
  }

  const Model& model_;
  Layout layout_;
  NodeCounts counts_;
  double shift_ = 0;  // of the diagram to the right, where the header is wider
  double legend_width_ = 0;
};

}  // namespace

std::string to_svg(const Model& model) {
  return Picture(model).draw();
}

}  // namespace beadwork
