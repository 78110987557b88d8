#include <beadwork/engine/faithful.hpp>
#include <beadwork/engine/registry.hpp>

#include <algorithm>
#include <limits>
#include <numeric>

// Plain enumeration of feature sets, in lexicographic order of the increasing lists of features, so that of
// several optimal sets the least is returned. It is the yardstick of the other engines: short, with no bound
// but the floor of unavoidable errors, nothing to get wrong. Cells are bit sets of rows; each step of the
// recursion splits every impure cell by one more feature, and the last feature is only counted. A row of
// weight w stands once for each one in w's binary form, in a segment of rows of equal class and equal power
// of two.

namespace beadwork {
namespace {

struct Segment {
  std::size_t cls;
  std::int64_t weight;
  std::size_t first_word;
  std::size_t num_words;
};

struct Lanes {
  std::vector<Segment> segments;
  std::vector<BitColumn> columns;  // of each candidate feature
  BitColumn everything;
};

// Rows as they are (faithful) or merged: the caller gives the columns and the weight of each row and class. Nothing if
// a limit came first.
std::optional<Lanes> make_lanes(const std::vector<const BitColumn*>& columns, std::size_t rows, std::size_t classes,
                                std::span<const std::int64_t> class_weights, const Control& control) {
  if (control.no_room_for((columns.size() + 1) * words_for(rows) * 8)) return std::nullopt;
  Lanes lanes;
  lanes.columns.resize(columns.size());
  for (std::size_t k = 0; k < classes; ++k) {
    for (int plane = 0; plane < 63; ++plane) {
      std::vector<std::size_t> members;
      for (std::size_t r = 0; r < rows; ++r)
        if (class_weights[r * classes + k] >> plane & 1) members.push_back(r);
      if (members.empty()) continue;
      const std::size_t words = words_for(members.size());
      lanes.segments.push_back({k, std::int64_t{1} << plane, lanes.everything.size(), words});
      BitColumn ones(words, ~std::uint64_t{0});
      if (members.size() % 64 != 0) ones.back() = (std::uint64_t{1} << members.size() % 64) - 1;
      lanes.everything.insert(lanes.everything.end(), ones.begin(), ones.end());
      for (std::size_t f = 0; f < columns.size(); ++f) {
        if (control.stopping()) return std::nullopt;
        BitColumn part(words);
        for (std::size_t i = 0; i < members.size(); ++i)
          if (bit(*columns[f], members[i])) set_bit(part, i);
        lanes.columns[f].insert(lanes.columns[f].end(), part.begin(), part.end());
      }
    }
  }
  return lanes;
}

struct Cell {
  BitColumn rows;
  std::vector<std::int64_t> counts;  // by class
};

std::int64_t errors_of(std::span<const std::int64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0}) -
         *std::max_element(counts.begin(), counts.end());
}

class Enumeration {
 public:
  Enumeration(Lanes lanes, std::size_t classes, std::size_t depth, std::int64_t floor, bool faithful,
              const Control& control)
      : lanes_(std::move(lanes)),
        classes_(classes),
        depth_(depth),
        floor_(floor),
        faithful_(faithful),
        control_(control) {
    total_ = 1;
    for (std::size_t i = 0; i < depth; ++i)
      total_ = total_ * static_cast<double>(lanes_.columns.size() - i) / static_cast<double>(i + 1);
  }

  void run() {
    std::vector<Cell> root{{lanes_.everything, std::vector<std::int64_t>(classes_)}};
    count(lanes_.everything, lanes_.everything, root[0].counts);
    if (depth_ == 0)
      offer(errors_of(root[0].counts));
    else
      descend(root, 0);
    finished_ = !stopped_;
  }

  bool finished() const { return finished_; }
  bool nothing_found() const { return done_ == 0; }  // a limit came before the first set
  bool out_of_memory() const { return out_of_memory_; }
  std::int64_t best_errors() const { return best_errors_; }
  const std::vector<std::size_t>& best() const { return best_; }

 private:
  void count(const BitColumn& cell, const BitColumn& feature, std::vector<std::int64_t>& counts) const {
    std::fill(counts.begin(), counts.end(), 0);
    for (const Segment& s : lanes_.segments)
      counts[s.cls] += s.weight * static_cast<std::int64_t>(count_ones_of_and(
                                      cell.data() + s.first_word, feature.data() + s.first_word, s.num_words));
  }

  // All ways to complete `chosen_` with features from `first` on.
  void descend(const std::vector<Cell>& cells, std::size_t first) {
    const std::size_t missing = depth_ - chosen_.size();
    for (std::size_t f = first; f + missing <= lanes_.columns.size() && !stopped_; ++f) {
      chosen_.push_back(f);
      if (missing == 1)
        count_last(cells, f);
      else
        split(cells, f);
      chosen_.pop_back();
    }
  }

  void split(const std::vector<Cell>& cells, std::size_t f) {
    const BitColumn& column = lanes_.columns[f];
    std::vector<Cell> halves;
    for (const Cell& cell : cells) {
      look_up_after(2 * column.size());
      if (stopped_) return;
      Cell high{cell.rows, std::vector<std::int64_t>(classes_)};
      Cell low{cell.rows, cell.counts};
      for (std::size_t w = 0; w < column.size(); ++w) {
        high.rows[w] &= column[w];
        low.rows[w] &= ~column[w];
      }
      count(high.rows, lanes_.everything, high.counts);
      for (std::size_t k = 0; k < classes_; ++k) low.counts[k] -= high.counts[k];
      for (Cell* half : {&low, &high})
        if (faithful_ || errors_of(half->counts) != 0) halves.push_back(std::move(*half));  // a pure cell stays pure
    }
    descend(halves, f + 1);
  }

  void count_last(const std::vector<Cell>& cells, std::size_t f) {
    std::int64_t errors = 0;
    std::vector<std::int64_t> high(classes_);
    std::vector<std::int64_t> low(classes_);
    std::vector<std::int64_t> all;
    for (const Cell& cell : cells) {
      look_up_after(lanes_.everything.size());
      if (stopped_) return;
      count(cell.rows, lanes_.columns[f], high);
      for (std::size_t k = 0; k < classes_; ++k) low[k] = cell.counts[k] - high[k];
      errors += errors_of(low) + errors_of(high);
      if (faithful_) {
        all.insert(all.end(), low.begin(), low.end());
        all.insert(all.end(), high.begin(), high.end());
      }
    }
    if (faithful_) errors += bead_cost(all, classes_);
    offer(errors);
  }

  void offer(std::int64_t errors) {
    ++done_;
    if (errors < best_errors_) {
      best_errors_ = errors;
      best_ = chosen_;
    }
    if (done_ == 1 || (done_ & 0xFF) == 0) look_up();  // after the first set: a limit that has passed leaves no proof
  }

  void look_up_after(std::size_t words) {
    work_ += words;
    if (work_ >= kMostWork) look_up();
  }

  void look_up() {
    work_ = 0;
    out_of_memory_ = out_of_memory_ || control_.no_room_for(0);
    if (out_of_memory_ || control_.stopping()) stopped_ = true;
    if (clock_.seconds() < next_report_) return;
    next_report_ = clock_.seconds() + 0.1;
    if (!control_.report({"enumerate", static_cast<double>(done_) / total_, floor_, best_errors_, clock_.seconds()}))
      stopped_ = true;
  }

  static constexpr std::size_t kMostWork = 1 << 20;  // words between two looks at the clock: a few milliseconds

  Lanes lanes_;
  std::size_t classes_;
  std::size_t depth_;
  std::int64_t floor_;
  bool faithful_;
  const Control& control_;
  Stopwatch clock_;
  double next_report_ = 0.2;
  double total_ = 1;
  std::uint64_t done_ = 0;
  std::size_t work_ = 0;
  bool stopped_ = false;
  bool out_of_memory_ = false;
  bool finished_ = false;
  std::vector<std::size_t> chosen_;
  std::vector<std::size_t> best_;
  std::int64_t best_errors_ = std::numeric_limits<std::int64_t>::max();
};

EngineAnswer conclude(const Enumeration& e, std::int64_t floor, TruthTable table) {
  EngineAnswer found;
  found.status = e.finished() ? SolveStatus::optimal : SolveStatus::feasible;
  found.upper_bound = e.best_errors();
  found.lower_bound = e.finished() ? e.best_errors() : floor;
  found.out_of_memory = e.out_of_memory();
  found.table = std::move(table);
  return found;
}

std::vector<Feature> pick(const std::vector<Feature>& features, const std::vector<std::size_t>& chosen) {
  std::vector<Feature> out;
  for (const std::size_t i : chosen) out.push_back(features[i]);
  return out;
}

Result<EngineAnswer> learn_faithfully(const Task& task, const Control& control) {
  const Dataset& dataset = task.dataset;
  const std::size_t depth = task.depth();
  const auto dropped = task.request.reading.keep_all_zero ? std::vector<Feature>{} : all_zero_features(dataset);
  std::vector<Feature> features;
  std::vector<const BitColumn*> columns;
  for (std::size_t f = 0; f < dataset.num_features(); ++f) {
    if (std::binary_search(dropped.begin(), dropped.end(), Feature{f})) continue;
    features.emplace_back(f);
    columns.push_back(&dataset.column(Feature{f}));
  }
  EngineAnswer infeasible;
  infeasible.status = SolveStatus::infeasible;
  infeasible.exactly = true;
  if (features.size() < depth || (depth > 0 && dataset.num_classes() < 2)) return infeasible;
  const std::size_t classes = dataset.num_classes();
  std::vector<std::int64_t> weights(dataset.num_rows() * classes);
  for (std::size_t r = 0; r < dataset.num_rows(); ++r)
    weights[r * classes + dataset.label(Row{r})()] = dataset.weight(Row{r});
  auto lanes = make_lanes(columns, dataset.num_rows(), classes, weights, control);
  EngineAnswer unknown;
  unknown.exactly = true;
  if (!lanes) return unknown;
  Enumeration e(*std::move(lanes), classes, depth, 0, depth > 0, control);
  e.run();
  if (e.nothing_found()) return unknown;
  std::vector<Feature> best = pick(features, e.best());
  if (depth > 0) {
    TruthTable table = bead_table(dataset, std::move(best));
    EngineAnswer found = conclude(e, 0, table);
    answer_faithfully(found, dataset, std::move(table));
    return found;
  }
  EngineAnswer found = conclude(e, 0, TruthTable::from_counts({}, classes, count_cells(dataset, {})));
  found.exactly = true;
  return found;
}

}  // namespace

Result<EngineAnswer> learn_by_enumeration(const Task& task, const Control& control) {
  if (task.restricted()) return learn_among_allowed(task, control, learn_by_enumeration);
  if (task.request.reading.faithful) return learn_faithfully(task, control);
  const auto condensed = condense(task.dataset, control);
  if (!condensed) return constant_answer(task, control);
  const Condensed& c = *condensed;
  std::vector<const BitColumn*> columns;
  for (const BitColumn& column : c.columns) columns.push_back(&column);
  auto lanes = make_lanes(columns, c.num_rows, c.num_classes, c.class_weights, control);
  if (!lanes) return constant_answer(task, control);
  Enumeration e(*std::move(lanes), c.num_classes, std::min(task.depth(), c.features.size()), c.unavoidable_errors,
                false, control);
  e.run();
  if (e.nothing_found()) return constant_answer(task, control);
  const std::vector<Feature> best = pick(c.features, e.best());
  return conclude(e, c.unavoidable_errors, *open_table(task.dataset, best, {}));
}

}  // namespace beadwork
