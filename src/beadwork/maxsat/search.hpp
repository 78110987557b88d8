#pragma once
#include "beadwork/maxsat/objective.hpp"
#include <beadwork/maxsat.hpp>

#include <vector>

namespace beadwork {

// A phase ends with the optimum proven (or the hard clauses refuted), or because it was stopped.
enum class PhaseEnd { closed, stopped };

// What the phases share: the solver with all clauses, the bounds and the best model.
class Search {
 public:
  Search(const Wcnf& wcnf, const Control& control, const MaxsatOptions& options, Solver solver);

  // The first model; stopped means unknown, closed that there is none.
  PhaseEnd first_model();

  void raise_lower(Weight lower, std::string_view phase);
  // Prices the solver's model on the formula; true if it is better.
  bool take_model(std::string_view phase);
  bool take(const Assignment& model, std::string_view phase);

  bool has_model() const { return upper_.has_value(); }
  bool closed() const { return upper_ && lower_ >= *upper_; }
  bool stopping() const { return stopped_ || control.stopping(); }
  Weight lower() const { return lower_; }
  Weight upper() const { return *upper_; }
  // Nothing better than the best model exists.
  void close() { lower_ = upper_ ? *upper_ : lower_; }
  MaxsatOutcome outcome() const;

  const Wcnf& wcnf;
  const Control& control;
  const MaxsatOptions& options;
  Solver solver;
  SoftObjective objective;
  MaxsatStats stats;

 private:
  void report(std::string_view phase);

  Stopwatch watch_;
  Weight lower_ = 0;
  std::optional<Weight> upper_;
  Assignment best_;
  bool stopped_ = false, infeasible_ = false;
};

}  // namespace beadwork
