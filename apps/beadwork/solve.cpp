#include "commands.hpp"
#include "file_plan.hpp"
#include <beadwork/maxsat.hpp>
#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <memory>

// Speaks as solvers do in their competitions: c, o, s and v lines, exit codes 10, 20, 30 and 0.
namespace beadwork {
namespace {

struct SolveFlags {
  std::string path = "-";
  std::string format = "auto";
  std::string values = "auto";
  double time_limit = 1e9;
  std::string proof;
  std::string solver;
  bool quiet = false;
};

int say(std::string_view text) {
  return console::emit(text, "");
}

// What is written while a formula is solved.
class Voice {
 public:
  explicit Voice(const SolveFlags& flags) : flags_(flags) {}

  // What solves what.
  void begin(std::string_view formula) const {
    comment(fmt::format("beadwork {}, {}", BEADWORK_VERSION,
                        flags_.solver.empty() ? Solver::name() : printable(flags_.solver)));
    comment(formula);
  }
  void comment(std::string_view text) const {
    if (!flags_.quiet) say(fmt::format("c {}\n", text));
  }
  // For what no model shows; also said where comments are not.
  void whose_word(std::string_view what) const {
    if (!flags_.solver.empty()) say(fmt::format("c {} is the word of '{}'\n", what, printable(flags_.solver)));
  }
  void cost(std::int64_t cost) {
    if (cost_ != cost) say(fmt::format("o {}\n", cost));
    cost_ = cost;
  }
  void lower_bound(std::int64_t bound) {
    if (!lower_ || bound > *lower_) comment(fmt::format("LB {}", bound));
    lower_ = std::max(bound, lower_.value_or(bound));
  }
  // Values as asked, or as readers of this kind of file expect them.
  void values(const Assignment& model, const Variables& variables, std::string_view usual) const {
    const std::string_view how = flags_.values == "auto" ? usual : std::string_view(flags_.values);
    if (how == "names")
      say(value_names(model, variables));
    else
      say(how == "bits" ? value_bits(model, variables.num_vars()) : value_lines(model, variables.num_vars()));
  }

 private:
  const SolveFlags& flags_;
  std::optional<std::int64_t> cost_, lower_;
};

std::string size_words(const char* kind, const FormulaSize& size) {
  return fmt::format("{}: {}, {}, {}", kind, console::counted(size.variables, "variable"),
                     console::counted(size.clauses, "clause"), console::counted(size.literals, "literal"));
}

Result<int> solve_cnf(const SolveFlags& flags, const Cnf& cnf, const Variables& shown, std::string_view usual,
                      const Control& control) {
  const Voice voice(flags);
  const Stopwatch clock;
  auto outcome =
      flags.solver.empty() ? solve(cnf, control, {flags.proof, {}}) : solve_external(cnf, flags.solver, control);
  if (!outcome) return outcome.error();
  voice.comment(fmt::format("{:.2f} s", clock.seconds()));
  if (outcome->answer == Answer::unsatisfiable) voice.whose_word("that there is no model");
  say(status_line(outcome->answer) + "\n");
  if (outcome->answer == Answer::satisfiable) voice.values(outcome->model, shown, usual);
  return exit_code(outcome->answer);
}

// The bounds of progress, in the units of the objective.
std::function<bool(const Progress&)> bounds_to(Voice& voice, std::int64_t base) {
  return [&voice, base](const Progress& p) {
    if (p.lower_bound > 0) voice.lower_bound(p.lower_bound + base);
    return true;
  };
}

void tell_statistics(const Voice& voice, const MaxsatOutcome& outcome, double seconds) {
  const MaxsatStats& s = outcome.stats;
  if (outcome.prover.empty())
    voice.comment(
        fmt::format("{} soft literals, {} cores of {} literals, {} better models, {} conflicts, {} solver calls",
                    s.softs, s.cores, s.core_literals, s.improvements, s.solver.conflicts, s.solver.solves));
  voice.comment(fmt::format("{:.2f} s", seconds));
}

// `base` is what a model costs beside its soft clauses, `shown` the variables that the file has.
Result<int> solve_wcnf(const SolveFlags& flags, const Wcnf& wcnf, std::int64_t base, const Variables& shown,
                       std::string_view usual, Control control) {
  Voice voice(flags);
  const Stopwatch clock;
  MaxsatOptions options;
  options.on_model = [&](const Assignment&, Weight cost) { voice.cost(static_cast<std::int64_t>(cost) + base); };
  control.progress = bounds_to(voice, base);
  TRY(auto outcome, flags.solver.empty() ? solve(wcnf, control, options) : solve_external(wcnf, flags.solver, control));
  const bool has_model = outcome.status == MaxsatStatus::optimal || outcome.status == MaxsatStatus::feasible;
  const auto lower = static_cast<std::int64_t>(outcome.lower) + base,
             upper = static_cast<std::int64_t>(outcome.upper) + base;
  if (has_model && outcome.lower > 0) voice.whose_word("the lower bound");
  if (outcome.lower > 0) voice.lower_bound(lower);
  if (has_model) voice.cost(upper);
  if (has_model) voice.comment(fmt::format("bounds {} {}", lower, upper));
  tell_statistics(voice, outcome, clock.seconds());
  if (outcome.status == MaxsatStatus::infeasible) voice.whose_word("that there is no model");
  say(status_line(outcome.status) + "\n");
  if (has_model) voice.values(outcome.model, shown, usual);
  return exit_code(outcome.status);
}

Result<int> solve_opb(const SolveFlags& flags, std::string_view text, const Control& control) {
  TRY(const auto problem, parse_opb(text, flags.path));
  if (!flags.proof.empty()) return usage_error("there are proofs for CNF files only", "--proof");
  const Voice voice(flags);
  voice.begin(fmt::format("OPB: {}, {}, {} in the objective", console::counted(problem.num_vars(), "variable"),
                          console::counted(problem.constraints.size(), "constraint"),
                          console::counted(problem.objective.size(), "term")));
  if (!problem.minimises) return solve_cnf(flags, to_cnf(problem), problem, "names", control);
  return solve_wcnf(flags, to_wcnf(problem), problem.base, problem, "names", control);
}

Result<int> solve_text(const SolveFlags& flags, std::string_view text, FormulaKind kind, const Control& control) {
  const Voice voice(flags);
  if (kind == FormulaKind::opb) return solve_opb(flags, text, control);
  if (kind == FormulaKind::wcnf) {
    if (!flags.proof.empty()) return usage_error("there are proofs for CNF files only", "--proof");
    TRY(const auto wcnf, parse_wcnf(text, flags.path));
    voice.begin(size_words("WCNF", size_of(wcnf)) +
                fmt::format("; {} soft, of weight {}", wcnf.soft().size(), wcnf.total_weight()));
    return solve_wcnf(flags, wcnf, 0, wcnf, "bits", control);
  }
  TRY(const auto cnf, kind == FormulaKind::cnf ? parse_cnf(text, flags.path) : parse_headerless_cnf(text, flags.path));
  voice.begin(size_words("CNF", size_of(cnf)));
  return solve_cnf(flags, cnf, cnf, "literals", control);
}

FormulaKind kind_asked(const SolveFlags& flags, std::string_view text) {
  const FormulaKind found = kind_of(text, flags.path);
  if (flags.format == "cnf") return found == FormulaKind::cnf ? found : FormulaKind::headerless_cnf;
  return flags.format == "wcnf" ? FormulaKind::wcnf : flags.format == "opb" ? FormulaKind::opb : found;
}

Result<int> run(SolveFlags flags) {
  FilePlan plan;
  plan.reads(flags.path);
  plan.writes(flags.proof);
  TRY_DONE(plan.check());
  Control control = console::control(1);
  control.progress = {};
  const auto text = read_formula(flags.path, control);
  if (flags.path == "-") flags.path = "standard input";
  if (!text && control.interrupted()) return say("s UNKNOWN\n");
  if (!text) return text.error();
  control.deadline = Deadline::in(flags.time_limit);
  return solve_text(flags, *text, kind_asked(flags, *text), control);
}

}  // namespace

console::Command add_solve(const Arguments& program) {
  const Arguments command = program.add_subcommand(
      "solve", "solve a CNF, WCNF or OPB file (c, o, s, v lines; exit 10, 20, 30; docs/solver.md)");
  auto flags = std::make_shared<SolveFlags>();
  command.add_option("FILE", flags->path,
                     "CNF, WCNF (old or new format) or OPB, also .gz, .xz; - or none: standard input");
  command.add_option("--format", flags->format, "take it for cnf, wcnf or opb, where auto would not")
      .one_of({"auto", "cnf", "wcnf", "opb"})
      .show_default();
  command
      .add_option("--values", flags->values, "write v lines as literals, bits (MaxSAT Evaluation 2022) or names (OPB)")
      .one_of({"auto", "literals", "bits", "names"})
      .show_default();
  command.add_option("--time-limit", flags->time_limit, "stop after S seconds")
      .word("S")
      .non_negative()
      .show_default("none");
  command.add_option("--proof", flags->proof, "if a CNF is unsatisfiable, write a DRAT proof to this file")
      .word("FILE");
  command.add_option("--solver", flags->solver, "run this solver instead of ours");
  command.add_flag("-q,--quiet", flags->quiet, "write no c lines");
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
