#pragma once
#include <beadwork/sat/answer.hpp>

#include <functional>
#include <string_view>
#include <vector>

namespace beadwork {

// Splits a command line as a shell would: blanks separate, '...' and "..." keep them, a backslash keeps the
// next character (not inside '...'). Nothing is expanded and no shell is run.
Result<std::vector<std::string>> split_command(std::string_view command);

struct SolverRun {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  Stop stopped_by = Stop::none;
};

// Writes `text` to a temporary file with that suffix, runs the command with its name (in place of an argument
// {}, or else as the last one), hands over each line of its output, and waits. An argument {out} becomes the name of
// another temporary file, whose lines follow when the program has ended; minisat, which answers in such a file, gets
// one without being told. At the deadline or on interrupt the whole process group is asked to end (SIGTERM; good
// solvers then print what they have) and killed after `grace` seconds.
Result<SolverRun> run_solver(std::string_view command, std::string_view text, std::string_view suffix,
                             const Control& control, const std::function<void(std::string_view)>& on_line,
                             double grace = 1.0);

// The text of a formula's file, or of standard input ("-"): plain, or packed by gzip, zstd or xz, for which the program
// xz is run.
Result<std::string> read_formula(const std::string& path, const Control& control = {});

// Collects `s`, `o` and `v` lines; where there is no `s` line, the SAT, UNSAT and INDET of minisat, and its model.
class AnswerLines {
 public:
  void take(std::string_view line);
  const std::string& status() const { return status_.empty() ? bare_status_ : status_; }
  const std::optional<Weight>& last_o() const { return last_o_; }
  bool has_values() const { return has_values_; }
  // Literals closed by 0 or not, or one string of bits. Literals out of range, contradictions and junk are errors.
  Result<Assignment> model(std::size_t num_vars) const;

 private:
  bool take_bare(std::string_view line);
  void take_values(std::string_view text);
  std::string status_, bare_status_, values_, bits_;
  bool has_values_ = false, only_bits_ = true, model_follows_ = false;
  std::optional<Weight> last_o_;
};

// An answer that makes no sense (no `s` line, a model that falsifies a clause, a crash) is an error.
// That "unsatisfiable" is true is the program's word only.
Result<SatOutcome> solve_external(const Cnf& cnf, std::string_view command, const Control& control = {});

}  // namespace beadwork
