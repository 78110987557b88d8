#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <charconv>
#include <utility>

namespace beadwork {

Result<std::vector<std::string>> split_command(std::string_view command) {
  std::vector<std::string> words;
  bool inside = false;
  char quote = 0;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const bool blank = c == ' ' || c == '\t' || c == '\n';
    if (quote == 0 && blank) {
      inside = false;
      continue;
    }
    if (!inside) words.emplace_back();
    inside = true;
    if (c == '\\' && quote != '\'' && i + 1 < command.size())
      words.back() += command[++i];
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    else if (c == quote)
      quote = 0;
    else
      words.back() += c;
  }
  if (quote != 0) return usage_error(fmt::format("unclosed {} in the command '{}'", quote, printable(command)));
  if (words.empty()) return usage_error("the command of a solver is empty");
  return words;
}

namespace {

std::string_view next_word(std::string_view& text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::size_t end = std::min(text.find_first_of(" \t\r\n", begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

bool all_bits(std::string_view word) {
  return word.find_first_not_of("01") == std::string_view::npos;
}

}  // namespace

// As minisat writes it to its file, and on the screen without the model.
bool AnswerLines::take_bare(std::string_view line) {
  if (std::exchange(model_follows_, false) && status_.empty() && !has_values_ && !line.empty() &&
      line.find_first_not_of("0123456789- \t") == std::string_view::npos) {
    take_values(line);
    return true;
  }
  const bool yes = line == "SAT" || line == "SATISFIABLE";
  const bool no = line == "UNSAT" || line == "UNSATISFIABLE";
  if (!yes && !no && line != "INDET" && line != "INDETERMINATE") return false;
  bare_status_ = yes ? "SATISFIABLE" : no ? "UNSATISFIABLE" : "INDETERMINATE";
  model_follows_ = yes;
  return true;
}

void AnswerLines::take_values(std::string_view text) {
  has_values_ = true;
  (values_ += text) += '\n';
  const std::string_view word = next_word(text);
  only_bits_ = only_bits_ && all_bits(word) && next_word(text).empty();
  if (only_bits_) bits_ += word;
}

void AnswerLines::take(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (take_bare(line)) return;
  if (line.size() < 2 || (line[1] != ' ' && line[1] != '\t')) return;
  std::string_view rest = line.substr(2);
  if (line[0] == 's') {
    status_ = std::string(rest.substr(0, rest.find_last_not_of(" \t") + 1));
  } else if (line[0] == 'o') {
    const std::string_view word = next_word(rest);
    Weight value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault == std::errc() && end == word.data() + word.size()) last_o_ = value;
  } else if (line[0] == 'v') {
    take_values(rest);
  }
}

Result<Assignment> AnswerLines::model(std::size_t num_vars) const {
  Assignment a(num_vars);
  if (only_bits_ && !bits_.empty() && bits_.size() >= num_vars) {
    for (std::size_t v = 0; v < num_vars; ++v) a.set(Var(v), bits_[v] == '1');
    return a;
  }
  std::vector<bool> seen(num_vars);
  std::string_view rest = values_;
  for (std::string_view word = next_word(rest); !word.empty() && word != "0"; word = next_word(rest)) {
    int value = 0;
    const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (fault != std::errc() || end != word.data() + word.size() || value == 0 || value == INT32_MIN)
      return input_error(fmt::format("its model has '{}' where a literal should be", printable(word, 40)));
    const Lit l = Lit::from_dimacs(value);
    if (l.var()() >= num_vars)
      return input_error(fmt::format("its model has variable {}, the formula has {}", l.var()() + 1, num_vars));
    if (seen[l.var()()] && !a.satisfies(l))
      return input_error(fmt::format("its model has variable {} both true and false", l.var()() + 1));
    seen[l.var()()] = true;
    a.set(l);
  }
  return a;
}

namespace {

Result<SatOutcome> judge(const Cnf& cnf, const AnswerLines& lines, const SolverRun& run) {
  SatOutcome out;
  out.stopped_by = run.stopped_by;
  if (lines.status() == "UNSATISFIABLE") {
    out.answer = Answer::unsatisfiable;
    return out;
  }
  if (lines.status() == "SATISFIABLE") {
    if (!lines.has_values()) return input_error("it says satisfiable but gives no model");
    TRY(auto model, lines.model(cnf.num_vars()));
    if (const auto bad = first_falsified(cnf.clauses(), model))
      return input_error(fmt::format("its model falsifies clause {}", *bad + 1));
    out.answer = Answer::satisfiable;
    out.model = model;
    return out;
  }
  if (run.stopped_by != Stop::none || lines.status() == "UNKNOWN" || lines.status() == "INDETERMINATE") return out;
  if (run.signal != 0) return input_error(fmt::format("it was killed by signal {}", run.signal));
  if (lines.status().empty()) return input_error(fmt::format("it gave no 's' line and exit code {}", run.exit_code));
  return input_error(fmt::format("it answered 's {}'", printable(lines.status(), 40)));
}

}  // namespace

Result<SatOutcome> solve_external(const Cnf& cnf, std::string_view command, const Control& control) {
  AnswerLines lines;
  TRY(const auto run, run_solver(command, to_dimacs(cnf), ".cnf", control, [&](std::string_view l) { lines.take(l); }));
  auto out = judge(cnf, lines, run);
  if (!out) return Error{out.error().code, out.error().message, fmt::format("solver '{}'", printable(command))};
  out->prover = command;
  return out;
}

}  // namespace beadwork
