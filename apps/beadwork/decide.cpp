#include "commands.hpp"
#include "file_plan.hpp"
#include "fit_limits.hpp"
#include "input_flags.hpp"
#include <beadwork/engine.hpp>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <memory>

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct DecideFlags {
  InputFlags input;
  std::map<std::string, std::optional<std::string>> options{{"encoding", "bdd2"}};  // of the table of options
  bool check_proof = false;

  std::string text(const std::string& option) const {
    const auto at = options.find(option);
    return at == options.end() ? "" : at->second.value_or("");
  }
  std::size_t depth = 7;
  std::size_t floor = 1;
  std::string by = "sat";  // of min-depth
  bool json = false;
};

std::string_view answer(SolveStatus status) {
  return status == SolveStatus::optimal      ? "satisfiable"
         : status == SolveStatus::infeasible ? "unsatisfiable"
                                             : "unknown";
}

Json table_json(const std::optional<TruthTable>& table, const Dataset& dataset) {
  if (!table) return {{"features", nullptr}, {"table", nullptr}, {"size", nullptr}};
  std::vector<std::string> names;
  for (const Feature f : table->order()) names.push_back(dataset.feature_name(f));
  return {{"features", names}, {"table", table->to_string()}, {"size", diagram_of(*table).size()}};
}

// Whose word an answer is: null for what our own solver found.
Json solver_json(const std::string& solver) {
  return solver.empty() ? Json() : Json(solver);
}

std::string word_of(const std::string& solver) {
  constexpr std::size_t kShown = 60;
  return fmt::format("the word of '{}'", printable(solver, kShown));
}

std::string solver_words(const std::string& solver) {
  return solver.empty() ? "" : ", by " + word_of(solver);
}

Json step_json(const Decision& d) {
  return {{"depth", d.depth},
          {"status", answer(d.status)},
          {"solver", solver_json(d.solver)},
          {"variables", d.size.variables},
          {"clauses", d.size.clauses},
          {"literals", d.size.literals},
          {"encode_s", d.encode_seconds},
          {"solve_s", d.solve_seconds}};
}

std::string in_words(const std::optional<TruthTable>& table, const Dataset& dataset) {
  if (!table) return "";
  std::string out = "features:";
  for (const Feature f : table->order()) out += fmt::format(" [{}]", printable(dataset.feature_name(f)));
  return fmt::format("{}\ntruth table: {}\n", out, table->to_string());
}

// Share of the held-out rows that a table gets right.
Json held_out_accuracy(const std::optional<TruthTable>& table, const TrainingRows& rows) {
  if (!table || !rows.held_out || rows.held_out->total_weight() == 0) return nullptr;
  const auto errors = static_cast<double>(training_errors(*rows.held_out, diagram_of(*table)));
  return 1 - errors / static_cast<double>(rows.held_out->total_weight());
}

struct Loaded {
  TrainingRows rows;
  Control control;  // the limits hold from the moment at which the table is read
};

Result<Loaded> load(const DecideFlags& flags, const Request& request) {
  FilePlan plan;
  plan.reads(flags.input.path);
  if (const std::string proof = flags.text("proof"); !proof.empty())
    for (const char* ending : {"", ".cnf"}) plan.writes(proof + ending);
  TRY_DONE(plan.check());
  TRY(auto data, load_within(flags.input, request));
  Control control = limits_of(request, console::control(1));
  control.progress = {};
  control.deadline = data.deadline;
  TRY(auto rows, training_rows(std::move(data), flags.input, true, control));
  return Loaded{std::move(rows), std::move(control)};
}

// What was found out is printed either way; the code tells whether a limit or a signal came first.
int emit(const std::string& text, SolveStatus status) {
  const int code = console::emit(text, "");
  const bool settled = status == SolveStatus::optimal || status == SolveStatus::infeasible;
  return code != 0 || settled ? code : console::kStopped;
}

Result<Request> read_request(const DecideFlags& flags) {
  Request request;
  request.reading.keep_all_zero = true;
  for (const auto& [name, text] : flags.options)
    if (text) TRY_DONE(set_option(request, name, *text));
  if (flags.check_proof) TRY_DONE(set_option(request, "check_proof", "true"));
  return request;
}

Status write_proof(const std::string& path, const DratProof& proof) {
  TRY_DONE(write_file(path + ".cnf", proof.formula));
  return write_file(path, proof.lines);
}

Result<int> run_decide(const DecideFlags& flags) {
  TRY(const auto request, read_request(flags));
  TRY(const auto loaded, load(flags, request));
  const TrainingRows* rows = &loaded.rows;
  TRY(auto d, decide(rows->dataset, flags.depth, request, loaded.control));
  if (d.proof) TRY_DONE(write_proof(flags.text("proof"), *d.proof));
  if (flags.json) {
    Json j{{"status", answer(d.status)}, {"encoding", flags.text("encoding")}, {"rows", rows->dataset.num_rows()}};
    j.update(step_json(d));
    j.update(table_json(d.table, rows->dataset));
    j["held_out_accuracy"] = held_out_accuracy(d.table, *rows);
    return emit(j.dump(1) + "\n", d.status);
  }
  return emit(
      fmt::format("{}: {} diagram on exactly {} that makes no errors{} ({} literals, {:.2f} s)\n{}", answer(d.status),
                  d.status == SolveStatus::optimal      ? "there is a"
                  : d.status == SolveStatus::infeasible ? "there is no"
                                                        : "stopped by a limit: there may be a",
                  console::counted(static_cast<double>(flags.depth), "feature"), solver_words(d.solver),
                  d.size.literals, d.encode_seconds + d.solve_seconds, in_words(d.table, rows->dataset)),
      d.status);
}

Result<int> run_min_depth(const DecideFlags& flags) {
  TRY(const auto request, read_request(flags));
  TRY(const auto loaded, load(flags, request));
  const TrainingRows* rows = &loaded.rows;
  const Stopwatch clock;
  const bool searching = flags.by == "search";
  TRY(auto least, searching ? min_depth_by_search(rows->dataset, request, loaded.control)
                            : min_depth(rows->dataset, flags.depth, request, loaded.control, flags.floor));
  if (flags.json) {
    Json j{{"status", to_string(least.status)},
           {"depth", least.depth ? Json(*least.depth) : Json()},
           {"lower_bound", least.lower_bound},
           {"upper_bound", least.depth ? Json(*least.depth) : Json()},
           {"floor", least.floor},
           {"solver", solver_json(least.solver)},
           {"engine", flags.by},
           {"encoding", searching ? Json() : Json(flags.text("encoding"))},
           {"rows", rows->dataset.num_rows()}};
    j.update(table_json(least.table, rows->dataset));
    j["held_out_accuracy"] = held_out_accuracy(least.table, *rows);
    j["steps"] = Json::array();
    for (const Decision& d : least.steps) j["steps"].push_back(step_json(d));
    j["time_s"] = clock.seconds();
    return emit(j.dump(1) + "\n", least.status);
  }
  std::string out;
  for (const Decision& d : least.steps)
    out += fmt::format("depth {}: {}{} ({} literals, {:.2f} s)\n", d.depth, answer(d.status), solver_words(d.solver),
                       d.size.literals, d.encode_seconds + d.solve_seconds);
  const std::string whose = least.solver.empty() ? "" : "; that no less will do is " + word_of(least.solver);
  if (least.status == SolveStatus::optimal && least.floor > 1)
    out +=
        fmt::format("least depth from {} on: {} (smaller ones were not tried){}\n", least.floor, *least.depth, whose);
  else if (least.status == SolveStatus::optimal)
    out += fmt::format("least depth {}{}\n", *least.depth, whose);
  else if (least.status == SolveStatus::infeasible)
    out += "infeasible: rows with equal features have different classes\n";
  else
    out += fmt::format("not decided: the least depth is at least {}{}{}\n", least.lower_bound,
                       solver_words(least.solver), least.depth ? fmt::format(", at most {}", *least.depth) : "");
  return emit(out + in_words(least.table, rows->dataset), least.status);
}

std::shared_ptr<DecideFlags> add_flags(const Arguments& command) {
  auto flags = std::make_shared<DecideFlags>();
  DecideFlags& o = *flags;
  command.add_option("FILE", flags->input.path, "CSV, ARFF, 0/1 matrix, Parquet or Arrow, also .gz, .zst").required();
  command.add_option("--encoding", o.options["encoding"], "use this formula: bdd1 or bdd2").show_default("bdd2");
  command.add_option("--time-limit", o.options["time_limit"], "stop after S seconds").word("S").show_default("none");
  command.add_option("--encode-limit", o.options["encode_limit"], "stop writing a formula after S seconds")
      .word("S")
      .show_default("none");
  command.add_option("--solve-limit", o.options["solve_limit"], "stop solving it after S seconds")
      .word("S")
      .show_default("none");
  command.add_option("--memory-limit", o.options["memory_limit"], "use at most this much memory (MiB)")
      .word("MIB")
      .show_default("none");
  command.add_option("--solver", o.options["solver"], "run this SAT solver instead of ours, for example 'kissat -q'");
  command.add_flag("--json", flags->json, "print the result as JSON");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  flags->input.add_splitting(command);
  return flags;
}

}  // namespace

console::Command add_decide(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("decide", "decide whether a diagram on exactly H features makes no errors (SAT)");
  auto flags = add_flags(command);
  command.add_option("--depth,-d", flags->depth, "use exactly H features").word("H").required();
  command.add_option("--proof", flags->options["proof"], "if there is none, write a DRAT proof to this file")
      .word("FILE");
  command.add_flag("--check-proof", flags->check_proof, "check the proof with our own checker");
  return [flags] { return run_decide(*flags); };
}

console::Command add_min_depth(const Arguments& program) {
  const Arguments command = program.add_subcommand("min-depth", "find the least H for which a diagram makes no errors");
  auto flags = add_flags(command);
  command.add_option("--engine", flags->by, "decide by sat, or by search over feature sets")
      .one_of({"sat", "search"})
      .show_default();
  command.add_option("--start", flags->depth, "try this depth first").within(1, 20).show_default();
  command.add_option("--floor", flags->floor, "try no depth below this, and say nothing of those")
      .within(1, 20)
      .show_default();
  return [flags, command]() -> Result<int> {
    for (const char* flag : {"--encoding", "--encode-limit", "--solve-limit", "--solver", "--start", "--floor"})
      if (flags->by == "search" && command.given(flag))
        return usage_error("engine search does not have this option", flag);
    return run_min_depth(*flags);
  };
}

}  // namespace beadwork
