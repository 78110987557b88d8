#pragma once
#include <beadwork/formula.hpp>

#include <optional>
#include <string>

namespace beadwork {

enum class Answer { satisfiable, unsatisfiable, unknown };

enum class Stop { none, conflicts, deadline, interrupt, memory };

// The `s` line of a solver, and its exit code: 10, 20, 0.
inline std::string status_line(Answer a) {
  return a == Answer::satisfiable ? "s SATISFIABLE" : a == Answer::unsatisfiable ? "s UNSATISFIABLE" : "s UNKNOWN";
}
inline int exit_code(Answer a) {
  return a == Answer::satisfiable ? 10 : a == Answer::unsatisfiable ? 20 : 0;
}

// The `v` lines: literals, broken below 78 characters, closed by 0.
std::string value_lines(const Assignment& model, std::size_t num_vars);
// The one `v` line of the MaxSAT Evaluation since 2022: a 0 or 1 for each variable.
std::string value_bits(const Assignment& model, std::size_t num_vars);
// The `v` lines of the pseudo-Boolean competitions: names, false ones with a minus.
std::string value_names(const Assignment& model, const Variables& variables);

struct SatOutcome {
  Answer answer = Answer::unknown;
  Stop stopped_by = Stop::none;
  Assignment model;    // if satisfiable; it satisfies the formula
  std::string prover;  // whose word "unsatisfiable" is: the other solver's command; empty: our own solver's
};

}  // namespace beadwork
