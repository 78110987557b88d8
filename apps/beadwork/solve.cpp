#include "commands.hpp"
#include "file_plan.hpp"
#include <beadwork/maxsat.hpp>
#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <memory>

namespace beadwork {
namespace {

struct SolveFlags {
  std::string path;
  double time_limit = 1e9;
  std::string proof;
  std::string solver;
  bool quiet = false;
};

// Is it a WCNF? By its header, or by the first clause of a file without one.
bool is_weighted(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty() || line[0] == 'c') continue;
    return !line.starts_with("p cnf");
  }
  return false;
}

int say(std::string_view text) {
  return console::emit(text, "");
}

// For what no model shows, in a line that readers of answers pass over.
void say_whose_word(std::string_view what, const std::string& solver) {
  if (!solver.empty()) say(fmt::format("c {} is the word of '{}'\n", what, printable(solver)));
}

Result<int> solve_cnf(const SolveFlags& flags, std::string_view text, const Control& control) {
  TRY(auto cnf, parse_cnf(text, flags.path));
  auto outcome =
      flags.solver.empty() ? solve(cnf, control, {flags.proof, {}}) : solve_external(cnf, flags.solver, control);
  if (!outcome) return outcome.error();
  if (outcome->answer == Answer::unsatisfiable) say_whose_word("that there is no model", flags.solver);
  say(status_line(outcome->answer) + "\n");
  if (outcome->answer == Answer::satisfiable) say(value_lines(outcome->model, cnf.num_vars()));
  return exit_code(outcome->answer);
}

Result<int> solve_wcnf(const SolveFlags& flags, std::string_view text, const Control& control) {
  if (!flags.proof.empty()) return usage_error("there are proofs for CNF files only", "--proof");
  TRY(auto wcnf, parse_wcnf(text, flags.path));
  MaxsatOptions options;
  options.on_model = [](const Assignment&, Weight cost) { say(fmt::format("o {}\n", cost)); };
  TRY(auto outcome, flags.solver.empty() ? solve(wcnf, control, options) : solve_external(wcnf, flags.solver, control));
  const bool has_model = outcome.status == MaxsatStatus::optimal || outcome.status == MaxsatStatus::feasible;
  if (has_model && outcome.lower > 0) say_whose_word("the lower bound", flags.solver);
  if (has_model) say(fmt::format("c bounds {} {}\no {}\n", outcome.lower, outcome.upper, outcome.upper));
  if (outcome.status == MaxsatStatus::infeasible) say_whose_word("that there is no model", flags.solver);
  say(status_line(outcome.status) + "\n");
  if (has_model) say(value_lines(outcome.model, wcnf.num_vars()));
  return exit_code(outcome.status);
}

Result<int> run(const SolveFlags& flags) {
  FilePlan plan;
  plan.reads(flags.path);
  plan.writes(flags.proof);
  TRY_DONE(plan.check());
  Control control = console::control(1);
  control.progress = {};
  TRY(const auto text, read_file(flags.path, control));
  control.deadline = Deadline::in(flags.time_limit);
  return is_weighted(text) ? solve_wcnf(flags, text, control) : solve_cnf(flags, text, control);
}

}  // namespace

console::Command add_solve(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("solve", "solve a DIMACS CNF or WCNF file (c, o, s, v lines; exit 10, 20, 30)");
  auto flags = std::make_shared<SolveFlags>();
  command.add_option("FILE", flags->path, "CNF file, or WCNF file (old or new format)").required();
  command.add_option("--time-limit", flags->time_limit, "stop after S seconds")
      .word("S")
      .non_negative()
      .show_default("none");
  command.add_option("--proof", flags->proof, "if a CNF is unsatisfiable, write a DRAT proof to this file")
      .word("FILE")
      .file();
  command.add_option("--solver", flags->solver, "run this solver instead of ours");
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
