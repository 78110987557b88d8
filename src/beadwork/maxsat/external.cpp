#include <beadwork/maxsat.hpp>

#include <fmt/format.h>

namespace beadwork {

namespace {

// Prices the model, if there is one; the program's own figures must not contradict it.
Status price(const Wcnf& wcnf, const AnswerLines& lines, MaxsatOutcome& out) {
  TRY(auto model, lines.model(wcnf.num_vars()));
  const auto hard = first_falsified(wcnf.hard(), model);
  if (hard) return input_error(fmt::format("its model falsifies hard clause {}", *hard + 1));
  out.model = model;
  out.upper = *cost(wcnf, model);
  out.status = MaxsatStatus::feasible;
  if (lines.last_o() && out.upper > *lines.last_o())
    return input_error(fmt::format("it claims cost {}, its model costs {}", *lines.last_o(), out.upper));
  return Done{};
}

Status judge(const Wcnf& wcnf, const AnswerLines& lines, const SolverRun& run, MaxsatOutcome& out) {
  out.stopped_by = run.stopped_by;
  if (lines.has_values())
    if (const auto priced = price(wcnf, lines, out); !priced) return priced.error();
  const std::string& s = lines.status();
  if (s == "OPTIMUM FOUND") {
    if (!lines.has_values()) return input_error("it says optimum found but gives no model");
    out.status = MaxsatStatus::optimal;
    out.lower = out.upper;
  } else if (s == "UNSATISFIABLE") {
    if (lines.has_values()) return input_error("it says unsatisfiable and gives a model");
    out.status = MaxsatStatus::infeasible;
  } else if (s == "SATISFIABLE" || s == "UNKNOWN" || run.stopped_by != Stop::none) {
    if (s == "SATISFIABLE" && !lines.has_values()) return input_error("it says satisfiable but gives no model");
  } else if (run.signal != 0) {
    return input_error(fmt::format("it was killed by signal {}", run.signal));
  } else if (s.empty()) {
    return input_error(fmt::format("it gave no 's' line and exit code {}", run.exit_code));
  } else {
    return input_error(fmt::format("it answered 's {}'", printable(s, 40)));
  }
  return Done{};
}

void report(const Control& control, const AnswerLines& lines, double seconds) {
  if (!lines.last_o() || *lines.last_o() > kMaxWeight) return;
  Progress p;
  p.phase = "external";
  p.upper_bound = static_cast<std::int64_t>(*lines.last_o());
  p.seconds = seconds;
  control.report(p);
}

}  // namespace

Result<MaxsatOutcome> solve_external(const Wcnf& wcnf, std::string_view command, const Control& control,
                                     WcnfForm form) {
  AnswerLines lines;
  const Stopwatch watch;
  const auto take = [&](std::string_view line) {
    lines.take(line);
    if (line.substr(0, 2) == "o ") report(control, lines, watch.seconds());
  };
  TRY(const auto run, run_solver(command, to_dimacs(wcnf, form), ".wcnf", control, take, 3.0));
  MaxsatOutcome out;
  out.prover = command;
  if (const auto fine = judge(wcnf, lines, run, out); !fine)
    return Error{fine.error().code, fine.error().message, fmt::format("solver '{}'", printable(command))};
  return out;
}

}  // namespace beadwork
