#include <beadwork/evidence.hpp>

#include <algorithm>
#include <set>

namespace beadwork {
namespace {

// Which rows get another answer if one column alone has another value.
class Turner {
 public:
  Turner(const Diagram& diagram, const TestRegions& regions) : diagram_(diagram), regions_(regions) {}

  // `passes(Feature)` answers the tests for rows of this weight. The answer depends on the columns of the path alone.
  template <class Passes>
  void add(const Passes& passes, std::int64_t weight) {
    const Class now = diagram_.classify(passes);
    std::set<std::size_t> asked;
    diagram_.sink_of([&](Feature f) {
      asked.insert(regions_.of.at(f).column);
      return passes(f);
    });
    for (const std::size_t column : asked)
      if (turns(passes, column, now)) weight_[column] += weight;
  }
  std::int64_t turned_by(std::size_t column) const {
    const auto at = weight_.find(column);
    return at == weight_.end() ? 0 : at->second;
  }

 private:
  template <class Passes>
  bool turns(const Passes& passes, std::size_t column, Class now) const {
    for (std::size_t region = 0, count = 1; region < count; ++region) {
      const Class other = diagram_.classify([&](Feature f) {
        const TestRegions::Passes& test = regions_.of.at(f);
        if (test.column != column) return static_cast<bool>(passes(f));
        count = test.region.size();
        return static_cast<bool>(test.region[region]);
      });
      if (other != now) return true;
    }
    return false;
  }

  const Diagram& diagram_;
  const TestRegions& regions_;
  std::map<std::size_t, std::int64_t> weight_;
};

// Rows that agree on the used features go as one, unless these are too many to tell their cells apart. False where
// control says stop: not before a moment's work, which no limit is too short for.
bool add_rows(const Dataset& dataset, const std::vector<Feature>& used, const Control& control, Turner& turner) {
  constexpr std::size_t kFree = 1U << 14, kPoll = 1U << 10;  // rows or cells
  std::size_t added = 0;
  const auto stop = [&] { return ++added > kFree && added % kPoll == 0 && control.stopping(); };
  if (used.size() > kMaxDepth) {
    for (std::size_t r = 0; r < dataset.num_rows(); ++r) {
      if (stop()) return false;
      turner.add([&](Feature f) { return dataset.value(f, Row{r}); }, dataset.weight(Row{r}));
    }
    return true;
  }
  const auto weights = occupied_cells(dataset, used, control);
  if (!weights) return false;
  for (auto w = weights->begin(); w != weights->end();) {
    const std::uint32_t cell = w->cell;
    std::int64_t weight = 0;
    for (; w != weights->end() && w->cell == cell; ++w) weight += w->weight;
    if (stop()) return false;
    const auto passes = [&](Feature f) {
      const auto place = static_cast<std::size_t>(std::find(used.begin(), used.end(), f) - used.begin());
      return (cell >> (used.size() - 1 - place) & 1) != 0;
    };
    turner.add(passes, weight);
  }
  return true;
}

}  // namespace

void weigh_columns(Outcome& outcome, const Binarizer& binarizer, const Dataset& dataset, const Control& control) {
  std::map<std::size_t, std::optional<ColumnWorth::Price>> prices;
  for (const ColumnWorth& c : outcome.columns) prices[c.input] = c.price;
  outcome.columns.clear();
  if (!outcome.diagram) return;
  const std::vector<Feature> used = outcome.diagram->used_features();
  const TestRegions regions = regions_of(binarizer, used);
  Turner turner(*outcome.diagram, regions);
  if (!add_rows(dataset, used, control, turner)) return;
  std::set<std::size_t> inputs;
  for (const Feature f : used) inputs.insert(binarizer.test(f).column);
  for (const std::size_t input : inputs) {
    const std::string& name = binarizer.inputs()[input].name;
    outcome.columns.push_back({input, name, turner.turned_by(input), prices[input]});
  }
}

namespace {

// The number that a column of the diagram has in the dataset, given that in the binarizer of the same features.
std::size_t number_of(std::size_t input, const Diagram& diagram, const Binarizer& binarizer, const Dataset& dataset) {
  const auto used = diagram.used_features();
  const auto of_it = [&](Feature f) { return binarizer.test(f).column == input; };
  return dataset.input_of(*std::find_if(used.begin(), used.end(), of_it));
}

// The least errors alone, without the column and without anything that is listed beside the answer.
Request without(const Request& request, const Scope& scope, std::size_t input, double seconds) {
  Request out = request;
  out.ask<ForSearch>() = {.max_nodes = scope.max_nodes};
  out.run.depth = {scope.depth, {}};
  out.shape.bias = Bias::majority;
  out.run.time_limit.reset();
  if (seconds < 1e9) out.run.time_limit = std::max(0.0, seconds);
  out.without_inputs.push_back(input);
  return out;
}

bool requires_one(const Request& request, const Outcome& outcome, const Binarizer& binarizer, std::size_t input) {
  return std::any_of(outcome.features.begin(), outcome.features.end(), [&](Feature f) {
    const Test test = binarizer.test(f);
    const auto& names = request.pin.require;
    const auto named = [&](const std::string& name) {
      return name == binarizer.feature_name(test) || name == binarizer.inputs()[input].name;
    };
    return test.column == input && std::any_of(names.begin(), names.end(), named);
  });
}

}  // namespace

Status price_columns(Outcome& outcome, const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                     const Control& control) {
  if (!request.only_of<ForSearch>().prices || !outcome.diagram) return Done{};
  const Claim& claim = outcome.claim;
  const Stopwatch clock;
  for (std::size_t i = 0; i < outcome.columns.size(); ++i) {
    ColumnWorth& column = outcome.columns[i];
    ColumnWorth::Price price;
    price.required = requires_one(request, outcome, binarizer, column.input);
    if (!price.required) {
      double left = control.deadline.remaining();
      if (request.run.time_limit) left = std::min(left, *request.run.time_limit - outcome.seconds - clock.seconds());
      const double share = left / static_cast<double>(outcome.columns.size() - i);
      const std::size_t input = number_of(column.input, *outcome.diagram, binarizer, dataset);
      TRY(const auto other, learn(dataset, without(request, claim.scope, input, share), control));
      price.least = std::max<std::int64_t>(0, other.claim.lower_bound - *claim.upper_bound);
      price.most = other.claim.upper_bound.value_or(dataset.total_weight()) - claim.lower_bound;
    }
    column.price = price;
  }
  return Done{};
}

}  // namespace beadwork
