#include "commands.hpp"
#include "data_places.hpp"
#include "file_plan.hpp"
#include "slurm_script.hpp"
#include <study/study.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

namespace beadwork {
namespace {

struct StudyFlags {
  std::string plan, data, record, folder, shard, output;
  std::vector<std::string> records;
  StudyRunOptions run;
  SlurmFlags slurm;
  std::int64_t shards = 16;
  bool quiet = false;
};

std::string record_of(const StudyFlags& flags) {
  return flags.record.empty() ? std::filesystem::path(flags.plan).stem().string() + ".jsonl" : flags.record;
}

std::size_t tables_there(const StudyPlan& plan) {
  std::error_code none;
  return static_cast<std::size_t>(std::count_if(plan.sets.begin(), plan.sets.end(), [&](const StudySet& set) {
    return std::filesystem::exists(set.path, none);
  }));
}

// The study with its tables in --data, or in the first of the places that has most of them; says it in flags.data.
Result<StudyPlan> find_plan(StudyFlags& flags) {
  if (!flags.data.empty()) return read_plan(flags.plan, flags.data);
  std::optional<StudyPlan> best;
  for (const std::string& place : data_places()) {
    auto plan = read_plan(flags.plan, place);
    if (!plan) return plan;
    if (best && tables_there(*plan) <= tables_there(*best)) continue;
    best = *std::move(plan);
    flags.data = place;
  }
  return *std::move(best);
}

// A table of the study that is not where it was looked for: how to get it.
Error with_advice(Error error, const StudyPlan& plan) {
  std::error_code none;
  const bool lacks = std::any_of(plan.sets.begin(), plan.sets.end(), [&](const StudySet& set) {
    return set.path == error.where && !std::filesystem::exists(set.path, none);
  });
  if (lacks) error.message += "; 'make data' gets the paper's tables (docs/data.md), --data names another folder";
  return error;
}

Result<std::pair<std::size_t, std::size_t>> parse_shard(const std::string& text) {
  if (text.empty()) return std::pair<std::size_t, std::size_t>{0, 1};
  std::size_t part = 0, parts = 0;
  int used = 0;
  if (std::sscanf(text.c_str(), "%zu/%zu%n", &part, &parts, &used) != 2 ||
      static_cast<std::size_t>(used) != text.size() || part < 1 || part > parts)
    return usage_error(fmt::format("expected i/n with i from 1 to n, got '{}'", printable(text)), "--shard");
  return std::pair{part - 1, parts};
}

// What a study reads.
FilePlan files_of(const StudyFlags& flags, const StudyPlan& plan) {
  FilePlan files;
  files.reads(flags.plan);
  for (const StudySet& set : plan.sets) files.reads(set.path);
  for (const StudyTable& table : plan.tables) files.reads(table.published);
  for (const StudyFigure& figure : plan.figures) files.reads(figure.published);
  for (const std::string& record : flags.records) files.reads(record);
  return files;
}

Result<int> run_it(StudyFlags flags) {
  const bool looked_up = flags.data.empty();
  TRY(auto plan, find_plan(flags));
  FilePlan files = files_of(flags, plan);
  files.writes(record_of(flags));
  TRY_DONE(files.check());
  TRY(auto shard, parse_shard(flags.shard));
  std::tie(flags.run.shard, flags.run.num_shards) = shard;
  flags.run.record = record_of(flags);
  flags.run.version = BEADWORK_VERSION;
  const bool terminal = console::is_smart_terminal();
  if (!flags.quiet)
    flags.run.progress = [&, last = 0.0](const StudyProgress& p) mutable {
      if (p.done < p.total && p.seconds - last < (terminal ? 0.5 : 30)) return;
      last = p.seconds;
      std::cerr << fmt::format("{}{} of {} runs, {:.0f} s, {:.0f} s left, {}{}", terminal ? "\r\033[K" : "", p.done,
                               p.total, p.seconds, p.seconds_left, for_terminal(p.last), terminal ? "" : "\n")
                << std::flush;
    };
  Control control = console::control(1);
  control.progress = {};
  auto summary = run_study(plan, flags.run, control);
  if (terminal && !flags.quiet) std::cerr << "\r\033[K" << std::flush;
  if (!summary) return looked_up ? with_advice(summary.error(), plan) : summary.error();
  console::note(fmt::format("{}: {} runs planned, {} already recorded, {} run now, {} failed; record {}", plan.name,
                            summary->planned, summary->kept, summary->ran, summary->failed, flags.run.record));
  const std::size_t recorded = summary->kept + summary->ran;
  if (!summary->stopped && recorded == summary->planned) return 0;
  console::warn("stopped; run the same command to continue");
  return recorded == 0 ? console::exit_code({ErrorCode::limit, {}, {}}) : console::kStopped;
}

Result<StudyRecord> read_any(const std::string& path) {
  const console::SignalGuard guard;
  const Control control = console::control(1);
  if (path == "-") {
    TRY(const auto stream, stream_of(STDIN_FILENO, "standard input"));
    return read_record(*stream, "standard input", control);
  }
  if (!std::filesystem::exists(path)) return input_error("no such file", path);
  return read_record(path, control);
}

Result<std::vector<StudyEntry>> read_all(const std::vector<std::string>& paths) {
  std::vector<StudyRecord> records;
  for (const std::string& path : paths) {
    TRY(auto record, read_any(path));
    if (record.torn > 0) console::warn(path + ": its last line is incomplete and was ignored");
    records.push_back(std::move(record));
  }
  return merge_records(records);
}

Result<int> merge(const StudyFlags& flags) {
  FilePlan files = files_of(flags, {});
  files.prints(flags.output);
  TRY_DONE(files.check());
  TRY(auto entries, read_all(flags.records));
  std::string text;
  for (const StudyEntry& e : entries) text += to_line(e);
  return console::emit(text, flags.output);
}

// A shard is a piece of the array, with a record of its own; the last job joins them.
Result<int> write_jobs(StudyFlags flags) {
  TRY(const auto plan, find_plan(flags));
  const std::string record = whole_name(record_of(flags));
  const auto shard_record = [&](const auto& number) { return fmt::format("{}.shard-{}", record, number); };
  FilePlan files = files_of(flags, plan);
  files.leaves(record);
  for (std::int64_t i = 0; i < flags.shards; ++i) files.leaves(shard_record(i));
  files.prints(flags.slurm.output);
  TRY_DONE(files.check());
  SlurmJobs jobs;
  jobs.name = "beadwork-study";
  jobs.folder = std::filesystem::path(record).parent_path().string();
  jobs.num_pieces = static_cast<std::size_t>(flags.shards);
  jobs.piece = {"study",    whole_name(flags.plan),
                "--data",   whole_name(flags.data),
                "--shard",  fmt::format("{}/{}", SlurmJobs::kNext, flags.shards),
                "--record", shard_record(SlurmJobs::kPiece),
                "--jobs",   std::string(SlurmJobs::kThreads),
                "--quiet"};
  if (flags.run.allow_solver) jobs.piece.push_back("--allow-solver");
  if (!flags.run.only.empty()) jobs.piece.insert(jobs.piece.end(), {"--only", flags.run.only});
  jobs.last = {"study", "merge", "-o", record};
  for (std::int64_t i = 0; i < flags.shards; ++i) jobs.last.push_back(shard_record(i));
  TRY(const auto script, slurm_script(flags.slurm, jobs));
  return console::emit(script, flags.slurm.output);
}

// PNG beside the SVG, where librsvg's program is installed.
void convert(const std::string& svg, const std::string& png) {
  const pid_t pid = fork();
  if (pid == 0) {
    if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(127);
    execlp("rsvg-convert", "rsvg-convert", "-z", "2", "-o", png.c_str(), svg.c_str(), nullptr);
    _exit(127);
  }
  int status = 0;
  if (pid > 0) waitpid(pid, &status, 0);
}

Result<int> report(StudyFlags flags) {
  if (flags.folder == "-") return usage_error("names a folder; ./- is one of that name", "--folder");
  TRY(auto plan, find_plan(flags));
  TRY(auto entries, read_all(flags.records));
  std::error_code failed;
  std::filesystem::create_directories(flags.folder, failed);
  if (failed) return input_error("cannot make the folder: " + failed.message(), flags.folder);
  const auto in_folder = [&](const std::string& name) { return flags.folder + "/" + name; };
  FilePlan files = files_of(flags, plan);
  files.writes(in_folder("report.md"));
  for (const StudyTable& table : plan.tables)
    for (const char* ending : {".csv", ".tex"}) files.writes(in_folder(table.name + ending));
  for (const StudyFigure& figure : plan.figures)
    for (const char* ending : {".svg", ".png"}) files.writes(in_folder(figure.name + ending));
  TRY_DONE(files.check());
  int code = 0;  // of the first that cannot be written; all others are
  const auto put = [&](const std::string& name, const std::string& text) {
    const auto written = write_file(in_folder(name), text);
    if (!written) code = console::fail(written.error());
    return static_cast<bool>(written);
  };
  std::string all =
      fmt::format("# {}\n\nOurs (published, difference). Literals in units of 10^4.\n\n", for_markdown(plan.name));
  for (const StudyTable& table : plan.tables) {
    TRY(auto published, read_published(table.published));
    const FilledTable filled = fill(plan, table, published, entries);
    all += to_markdown(filled) + "\n";
    put(table.name + ".csv", to_csv(filled));
    put(table.name + ".tex", to_latex(filled));
  }
  for (const StudyFigure& figure : plan.figures) {
    TRY(auto published, read_published(figure.published));
    if (put(figure.name + ".svg", draw(plan, figure, published, entries)))
      convert(in_folder(figure.name + ".svg"), in_folder(figure.name + ".png"));
    all += fmt::format("![{}]({}.svg)\n\n{}:\n\n{}\n", for_markdown(figure.caption), figure.name,
                       for_markdown(figure.caption), to_markdown(notes_of(plan, figure, entries)));
  }
  put("report.md", all);
  if (code != 0) return code;
  console::note(fmt::format("{} runs, {} tables and {} figures in {}", entries.size(), plan.tables.size(),
                            plan.figures.size(), flags.folder));
  return 0;
}

}  // namespace

console::Command add_study(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("study", "run a grid of experiments, which can be stopped and continued");
  auto flags = std::make_shared<StudyFlags>();
  const auto data = [&](const Arguments& sub) {
    sub.add_option(
        "--data", flags->data,
        "start paths in the study file from this folder (default $BEADWORK_DATA, or what 'make data' fetched)");
  };
  command.add_option("STUDY", flags->plan, "study file (JSON, see docs/studies.md)");
  data(command);
  command.add_option("--record,-o", flags->record, "append to this record (default STUDY.jsonl in this folder)");
  command.add_option("--jobs,-j", flags->run.jobs, "run N at a time, each in its own process")
      .within(1, 1024)
      .show_default();
  command.add_option("--shard", flags->shard, "take every n-th run from the i-th on, as i/n (for job arrays)");
  command.add_option("--only", flags->run.only, "run only what has this text in its name: 'vote/depth 3'");
  command.add_option("--limit", flags->run.limit, "stop after N runs; 0: all").show_default();
  command.add_flag("--allow-solver", flags->run.allow_solver, "run the programs that the study file names as solvers");
  command.add_flag("-q,--quiet", flags->quiet, "do not show progress");
  const Arguments join = command.add_subcommand("merge", "join records of one study");
  join.add_option("RECORD", flags->records, "records, also those that gzip has packed; - is standard input").required();
  join.add_option("--output,-o", flags->output, "write to this file (default standard output)");
  const Arguments render =
      command.add_subcommand("report", "write the tables and figures of a record beside the published ones");
  render.add_option("RECORD", flags->records, "records, also those that gzip has packed; - is standard input")
      .required();
  render.add_option("--study", flags->plan, "study file").required();
  data(render);
  render.add_option("--folder,-o", flags->folder, "write into this folder").required();
  const Arguments queue = command.add_subcommand("slurm", "write the script that runs a study as jobs of Slurm");
  queue.add_option("STUDY", flags->plan, "study file").required();
  data(queue);
  queue.add_option("--shards", flags->shards, "make N pieces of about equally many runs")
      .within(1, 100000)
      .show_default();
  queue.add_option("--record", flags->record, "write this record in the end (default STUDY.jsonl in this folder)");
  queue.add_option("--only", flags->run.only, "run only what has this text in its name");
  queue.add_flag("--allow-solver", flags->run.allow_solver, "run the programs that the study file names as solvers");
  flags->slurm.add(queue);
  return [=]() -> Result<int> {
    if (join.parsed()) return merge(*flags);
    if (queue.parsed()) return write_jobs(*flags);
    if (render.parsed()) return report(*flags);
    if (flags->plan.empty()) return usage_error("a study file is missing (see 'beadwork study --help')");
    return run_it(*flags);
  };
}

}  // namespace beadwork
