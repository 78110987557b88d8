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
  for (const Feature f : features) columns[binarizer.tests()[f()].column].add(binarizer.tests()[f()]);
  TestRegions out;
  for (const Feature f : features) {
    const Test& test = binarizer.tests()[f()];
    out.of[f] = {test.column, columns[test.column].passes(test)};
  }
  return out;
}

Diagram without_known_answers(const Diagram& diagram, const Binarizer& binarizer, const Request& request) {
  if (request.reading.faithful) return diagram;
  return without_implied_tests(diagram, regions_of(binarizer, diagram.used_features()));
}

void drop_implied_tests(Outcome& outcome, const Binarizer& binarizer, const Request& request) {
  if (!outcome.diagram) return;
  Diagram simpler = without_known_answers(*outcome.diagram, told_of(outcome, binarizer), request);
  if (simpler.size() < outcome.diagram->size()) outcome.size.reset();  // it was about diagrams that keep such tests
  outcome.diagram = std::move(simpler);
}

}  // namespace beadwork
