#pragma once
// report: a model as people and other programs read it.
//
//   text_rules(model)      one rule per path: IF age <= 37.5 AND color = red THEN yes (0.93, 14 of 15 rows)
//   text_diagram(model)    the diagram, indented; a node that occurs again is named, not repeated
//   text_members(committee)     who votes: a line per member, with its errors and features
//   to_dot(model)          Graphviz: one rank per level, names in a column on the left
//   to_svg(model)          our own layered picture: circles, squares, dashed low and solid high edges
//   lay_out(model)         the coordinates behind that picture
//   html_report(model, facts)   one offline page: the picture to walk through, a form, the rows, the evidence
//
//   to_svg(sketch), to_dot(sketch), text_diagram(sketch)   a diagram without rows, labelled by hand, as in a textbook
//
//   front_table(points)    errors against nodes and features, one line per point; front_svg draws them
//
// Names are data: whatever they hold (quotes, markup, line breaks, bidi controls) is shown as text.

#include <beadwork/model.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork {

std::string text_rules(const Model& model);
std::string text_diagram(const Model& model);
std::string text_report(const Model& model);  // both, under one headline
// The members of a committee, a line each, under what is proven; with the optimum's diagram and rules before them.
std::string text_members(const Committee& committee);
std::string text_report(const Committee& committee);
std::string to_dot(const Model& model);
std::string to_svg(const Model& model);

// Positions in pixels, origin at the top left. Levels run from the first feature at the top to the sinks at the bottom;
// where a diagram follows no order (a decision tree), or one of many more features than tests on a path, the level of a
// node is its distance from the root and each node is wide enough to hold its test. No two nodes overlap and no edge
// runs through a node, up to 50,000 bends of edges; beyond that edges lead straight from node to node.
struct Layout {
  struct PlacedNode {
    double x = 0, y = 0;    // the middle
    double rx = 0, ry = 0;  // half the width and height of its circle, rounded box or square
    std::size_t level = 0;  // row of the picture; sinks share the last
    std::string label;      // to be shown: rows in short, the test, or below a sink its class
    std::string note;       // below the class: how many rows
  };
  struct Point {
    double x = 0, y = 0;
  };
  struct PlacedEdge {
    Node from, to;
    bool high = false;
    double share = 0;           // of all training weight, 0..1
    std::vector<Point> points;  // a poly-Bezier: start, then control, control, end for each piece
  };
  struct LevelName {
    std::string text;   // shortened to fit
    std::string whole;  // for a tooltip
    double y = 0;
  };
  double width = 0, height = 0;
  double names_width = 0;         // column of level names at the left
  bool ordered = true;            // levels are features; otherwise nodes name their tests
  std::vector<PlacedNode> nodes;  // by node number
  std::vector<PlacedEdge> edges;
  std::vector<LevelName> levels;
};
Layout lay_out(const Model& model);

// A diagram without rows: the beads of a truth table, say.
struct Sketch {
  std::string title;
  Diagram diagram;
  std::vector<std::string> features;             // names; the diagram tests features 0, 1, ... of them
  std::vector<std::vector<std::string>> labels;  // of each node, at most two lines; none: its feature or class
};
std::string text_diagram(const Sketch& sketch);
std::string to_dot(const Sketch& sketch);
std::string to_svg(const Sketch& sketch);
Layout lay_out(const Sketch& sketch);

// What no diagram beats in features, nodes and errors at once.
struct PlotPoint {
  std::size_t features = 0, nodes = 0;
  double errors = 0;
  double lower_bound = 0;  // of the errors; equal to them if proven
  bool proven = false;
};
// Points by features, then nodes. `unit` is what errors are called: "errors" or "cost".
std::string front_table(const std::vector<PlotPoint>& points, std::string_view unit);
std::string front_svg(const std::vector<PlotPoint>& points, std::string_view unit);

// A colour for each class, safe for colour-blind people (Okabe and Ito 2008; cycled with changing lightness beyond
// eight).
std::string class_colour(std::size_t k);

// Wilson's 95 % interval for a share seen in n trials; 0 to 1 for none.
struct Interval {
  double low = 0, high = 1;
};
Interval wilson_interval(double share, double n);
// Bonett and Price's 95 % interval for how much larger a share of n rows the first of two got right: only_first and
// only_second rows were right by one of them alone. It takes the rows in pairs, so rows that both got right, or wrong,
// do not widen it. -1 to 1 for no rows.
Interval paired_interval(double only_first, double only_second, double n);

// How much larger a share of the weight the first of two lists of answers gets right; with costs (as in `evaluate`) how
// much less a row costs. n: how many rows of weight 1 would say as much.
struct Lift {
  double points = 0;
  Interval interval{-1, 1};
  bool cost = false;
};
Lift lift_over(std::span<const Class> truth, std::span<const Class> first, std::span<const Class> second,
               std::span<const double> weights, double n, std::span<const double> costs = {});
// The one answer for all rows that does best on rows of these weights by class.
Class best_constant(std::span<const double> class_weights, std::span<const double> costs);
// The kinds of errors by name, the weightiest first: "70 healthy as sick, 14 sick as healthy"; of many the first ones.
// Empty: there are none.
std::string kinds_of_errors(const std::vector<std::vector<double>>& confusion,
                            const std::vector<std::string>& class_names);
// Kish's number of rows of weight 1 that say as much as these; 1965.
double effective_rows(std::span<const double> weights, std::size_t num_rows);

// Rows that a page shows and is judged on; the table has a column named as the target.
struct ReportRows {
  enum class Role { training, test, other };
  Role role = Role::training;
  std::string name;  // of the file
  Table table;
};

// How a model does on all rows of a table, and what it gains there on always giving the same answer: the one that does
// best on the training rows. An Error where the table does not fit the model.
struct Judged {
  Evaluation evaluation;
  Lift lift;
  UnseenCounts unseen;
  double rows = 0;  // effective_rows
};
Result<Judged> judge(const Model& model, const ReportRows& rows);

// What a page may say beyond the model: all of it is optional. Errors and bounds are in the user's units.
struct ReportFacts {
  struct Rival {  // another classifier on the same rows
    std::string name, note;
    std::vector<Evaluation> on;  // one for each of `rows`
  };
  struct Moment {
    double seconds = 0, lower_bound = 0;
    std::optional<double> upper_bound;
  };
  struct Certificate {
    std::string name, sha256;  // of the file
    std::string verdict;       // what the checker said of it, in one line; empty: it was not asked
    bool over_values = false;  // it is about the table's numbers, not about a matrix
  };
  struct Validation {  // rows answered by models that were learnt without them
    std::size_t folds = 0;
    double accuracy = 0;
    double baseline = 0;  // always the same answer, the best one on the rows that a fold learns from
    Lift lift;
    std::optional<double> cost = {}, baseline_cost = {};  // of a row of weight 1
    double seconds = 0;
  };

  struct Label {                      // a readable name, for the page alone
    std::string column, value, text;  // value: a category; of the target, a class; empty: the column itself
  };

  struct Alternative {  // another model that a reader may choose, with a claim of its own
    Model model;
    bool of_front = false;   // else it is near the optimum
    std::vector<Judged> on;  // one for each of `rows`
  };

  std::string title;          // of the page; empty: what the model predicts
  std::string positive;       // the class whose sensitivity and specificity come first
  std::string date;           // when the page was made, 2026-03-01; empty: it does not say
  std::vector<Label> labels;  // unknown names, and two things under one name, are an Error
  std::vector<ReportRows> rows;
  Standing standing = Standing::proven;  // of the model's claim
  std::string size_claim;                // what is proven of its size; empty: nothing
  std::optional<Binarizer> binarizer;    // all features that were learnt from, not the selected ones alone
  std::optional<Certificate> certificate;
  std::optional<Validation> validation;
  std::vector<Rival> rivals;
  std::vector<Alternative> alternatives;
  std::string alternatives_claim;  // what is proven of those near the optimum as a list; empty: nothing
  std::vector<Moment> bounds;
  std::string outcome;                                       // JSON of the fit, with its lists (layer evidence)
  std::vector<std::pair<std::string, std::string>> options;  // name and value
  std::string command;                                       // that makes the model again
};

// An Error where a page would have to show too many classes: it has a matrix of them, of every set of rows. Asked
// before hours of search.
inline constexpr std::size_t kMostClassesOnPage = 2000;
Status check_page(std::size_t num_classes, const std::string& where = {});

// An Error that lists the classes where `name` is none of them.
Status check_class(const std::string& name, const std::vector<std::string>& classes, const std::string& where);

// The Error of `labels` that a page of these columns would give, asked before hours of search. More rows may bring more
// values, but no more columns.
Status check_labels(const std::vector<ReportFacts::Label>& labels, const Binarizer& binarizer, const Table& rows,
                    bool more_rows);

// A whole HTML file, about 180 kB and the rows: no more than 10,000 of each table, drawn at random where there are more
// (the figures are of all), and no more columns than make 4 MB, those that its models test first; the page says so. It
// asks for nothing from a network and its Content-Security-Policy forbids it. An Error where a table does not fit the
// model.
Result<std::string> html_report(const Model& model, const ReportFacts& facts = {});

}  // namespace beadwork
