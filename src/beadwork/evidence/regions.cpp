#include <beadwork/evidence.hpp>

#include <algorithm>
#include <set>

namespace beadwork {
namespace {

// The regions of one column: a numeric one up to each threshold, above them, missing; a nominal one at each level, at
// any other, missing.
class ColumnRegions {
 public:
  void add(const Test& test) {
    if (test.kind == TestKind::at_most) thresholds_.insert(test.threshold);
    if (test.kind == TestKind::equals) levels_.insert(test.level);
  }

  std::vector<bool> passes(const Test& test) const {
    const std::size_t named = thresholds_.size() + levels_.size();
    std::vector<bool> out(named + 2);
    if (test.kind == TestKind::missing) out[named + 1] = true;
    if (test.kind == TestKind::equals) out[place(levels_, test.level)] = true;
    if (test.kind == TestKind::at_most) std::fill_n(out.begin(), place(thresholds_, test.threshold) + 1, true);
    return out;
  }

 private:
  template <class T>
  static std::size_t place(const std::set<T>& set, const T& value) {
    return static_cast<std::size_t>(std::distance(set.begin(), set.find(value)));
  }

  std::set<double> thresholds_;
  std::set<std::string> levels_;
};

}  // namespace

TestRegions regions_of(const Binarizer& binarizer, const std::vector<Feature>& features) {
  std::vector<ColumnRegions> columns(binarizer.inputs().size());
  for (const Feature f : features) {
    const Test test = binarizer.test(f);
    columns[test.column].add(test);
  }
  TestRegions out;
  for (const Feature f : features) {
    const Test test = binarizer.test(f);
    out.of[f] = {test.column, columns[test.column].passes(test)};
  }
  return out;
}

namespace {

// The answers to a column's tests that some value of it gives; answers are bits, in the order of `places`.
struct Possible {
  std::vector<std::size_t> places;  // in the order of features
  std::set<std::vector<bool>> answers;
};

std::vector<Possible> possible_answers(const TestRegions& regions, const std::vector<Feature>& order) {
  std::map<std::size_t, Possible> by_column;
  for (std::size_t i = 0; i < order.size(); ++i) by_column[regions.of.at(order[i]).column].places.push_back(i);
  std::vector<Possible> out;
  for (auto& [_, column] : by_column) {
    const std::size_t count = regions.of.at(order[column.places[0]]).region.size();
    for (std::size_t r = 0; r < count; ++r) {
      std::vector<bool> answers;
      for (const std::size_t i : column.places) answers.push_back(regions.of.at(order[i]).region[r]);
      column.answers.insert(std::move(answers));
    }
    out.push_back(std::move(column));
  }
  return out;
}

// The diagram's answers where a row can be; free elsewhere.
TruthTable with_free_cells(const Diagram& diagram, const TestRegions& regions, const std::vector<Feature>& order,
                           std::size_t num_classes) {
  const TruthTable answers = truth_of(diagram, order, num_classes);
  const auto columns = possible_answers(regions, order);
  TruthTable out(order, num_classes);
  for (std::size_t cell = 0; cell < out.num_cells(); ++cell) {
    const bool possible = std::all_of(columns.begin(), columns.end(), [&](const Possible& column) {
      std::vector<bool> bits;
      for (const std::size_t i : column.places) bits.push_back((cell >> (order.size() - 1 - i) & 1) != 0);
      return column.answers.contains(bits);
    });
    if (possible) out.decide(cell, answers.first_allowed(cell));
  }
  return out;
}

// Smaller where cells in which no row can be may answer anything, in the same order of features.
Diagram without_impossible_cells(const Diagram& diagram, const TestRegions& regions,
                                 const std::vector<Feature>& features, std::size_t num_classes) {
  constexpr std::size_t kMostFeatures = 12;  // more cells would take time
  const auto used = diagram.used_features();
  std::vector<Feature> order;
  for (const Feature f : features)
    if (std::find(used.begin(), used.end(), f) != used.end()) order.push_back(f);
  if (order.size() != used.size() || order.size() > kMostFeatures) return diagram;
  const Diagram merged = diagram_of(merge_compatible(with_free_cells(diagram, regions, order, num_classes)));
  Diagram simpler = without_implied_tests(merged, regions);
  return simpler.size() < diagram.size() ? simpler : diagram;
}

}  // namespace

Diagram without_implied_tests(const Diagram& diagram, const std::vector<Feature>& order, const Binarizer& binarizer,
                              const Request& request) {
  if (request.reading.faithful) return diagram;
  const TestRegions regions = regions_of(binarizer, diagram.used_features());
  const Diagram simpler = without_implied_tests(diagram, regions);
  return order.empty() ? simpler : without_impossible_cells(simpler, regions, order, binarizer.class_names().size());
}

void remove_implied_tests(Outcome& outcome, const Binarizer& binarizer, const Request& request) {
  if (!outcome.diagram) return;
  const auto order = outcome.table ? outcome.table->order() : std::vector<Feature>{};
  Diagram simpler = without_implied_tests(*outcome.diagram, order, binarizer, request);
  if (simpler.size() < outcome.diagram->size()) outcome.size.reset();  // it was about diagrams that keep such tests
  outcome.diagram = std::move(simpler);
}

}  // namespace beadwork
