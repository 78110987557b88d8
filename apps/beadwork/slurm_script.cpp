#include "slurm_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace beadwork {
namespace {

constexpr std::size_t kUsualTasks = 1000;  // Slurm's MaxArraySize is 1001 where nobody has changed it

// What runs in a task of the array, after the function `run`.
constexpr std::string_view kLoop = R"(
child= again=
trap 'again=1; kill -TERM $child 2>/dev/null' USR1  # the time limit is near: save, and come again
trap 'kill -TERM $child 2>/dev/null' TERM INT
come_again() {{
  scontrol requeue "$SLURM_JOB_ID"
  exit
}}
for ((piece = SLURM_ARRAY_TASK_ID; piece < {}; piece += {})); do
  [ -z "$again" ] || come_again
  run "$piece" &
  child=$!
  wait "$child"
  code=$?
  while kill -0 "$child" 2>/dev/null; do
    wait "$child"
    code=$?
  done
  [ "$code" = 4 ] && [ -n "$again" ] && come_again
  [ "$code" = 0 ] || exit "$code"
done
)";

std::string program_of(const SlurmFlags& flags) {
  if (flags.program) return *flags.program;
  std::error_code none;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", none);
  return none ? "beadwork" : self.string();
}

// Words for bash; the marks become what the task knows.
std::string bash_words(const std::string& program, const std::vector<std::string>& words) {
  std::string out = console::shell_words({program});
  const std::pair<std::string_view, std::string_view> marks[] = {{SlurmJobs::kPiece, "\"$1\""},
                                                                 {SlurmJobs::kNext, "\"$(($1 + 1))\""},
                                                                 {SlurmJobs::kThreads, "\"$SLURM_CPUS_PER_TASK\""}};
  for (const std::string& word : words) {
    std::string text = console::shell_words({word});
    for (const auto& [mark, value] : marks)
      if (const auto at = text.find(mark); at != std::string::npos) {
        const std::string quote = text.front() == '\'' ? "'" : "";  // out of the quotes and in again
        text.replace(at, mark.size(), fmt::format("{0}{1}{0}", quote, value));
      }
    out += ' ' + text;
  }
  return out;
}

std::string directives(const SlurmFlags& flags, const SlurmJobs& jobs, std::string_view log) {
  std::string out = fmt::format("#!/bin/bash\n#SBATCH --job-name={}\n#SBATCH --output={}/{}\n", jobs.name,
                                console::shell_words({jobs.folder}), log);
  out += fmt::format("#SBATCH --cpus-per-task={}\n#SBATCH --requeue\n#SBATCH --open-mode=append\n", flags.threads);
  if (flags.time) out += fmt::format("#SBATCH --time={}\n", *flags.time);
  for (const std::string& option : flags.options) out += fmt::format("#SBATCH {}\n", option);
  return out;
}

Status check(const SlurmFlags& flags, const SlurmJobs& jobs) {
  const auto two_lines = [](const std::string& text) { return text.find('\n') != std::string::npos; };
  std::vector<std::string> all = jobs.piece;
  all.insert(all.end(), jobs.last.begin(), jobs.last.end());
  all.insert(all.end(), {jobs.folder, flags.program.value_or("")});
  if (std::any_of(all.begin(), all.end(), two_lines))
    return input_error("a script for Slurm cannot hold a name with a line break");
  for (const std::string& option : flags.options)
    if (!option.starts_with("-") || two_lines(option))
      return usage_error(fmt::format("expected an option of sbatch, got '{}'", printable(option)), "--sbatch");
  const auto plain = [](char c) { return (c >= '0' && c <= '9') || c == ':' || c == '-'; };
  if (flags.time && (flags.time->empty() || !std::all_of(flags.time->begin(), flags.time->end(), plain)))
    return usage_error(
        fmt::format("expected minutes, or hours:minutes:seconds, or days-hours, got '{}'", printable(*flags.time)),
        "--time");
  return Done{};
}

}  // namespace

void SlurmFlags::add(const Arguments& command) {
  command.add_option("--threads", threads, "use N processors for each task").within(1, 1024).show_default();
  command.add_option("--tasks", tasks, "make N tasks that take pieces in turn (default one a piece, up to 1000)");
  command.add_option("--time", time, "limit the time of a job, as sbatch takes it; a new one goes on");
  command.add_list("--sbatch", options, "give sbatch this option, as in --sbatch=--partition=long");
  command.add_option("--program", program, "run this beadwork on the cluster (default this program's own name)");
  command.add_option("-o,--output", output, "write the script to this file (default standard output)").word("FILE");
}

std::string whole_name(const std::string& path) {
  return std::filesystem::absolute(path).lexically_normal().string();
}

Result<std::string> slurm_script(const SlurmFlags& flags, const SlurmJobs& jobs) {
  TRY_DONE(check(flags, jobs));
  std::size_t tasks = std::min(jobs.num_pieces, kUsualTasks);
  if (flags.tasks) {
    const auto n = parse_integer<std::size_t>(*flags.tasks);
    if (!n || *n < 1 || *n > jobs.num_pieces)
      return usage_error(
          fmt::format("expected a number from 1 to {}, got '{}'", jobs.num_pieces, printable(*flags.tasks)), "--tasks");
    tasks = *n;
  }
  const std::string program = program_of(flags);
  std::string out = "#!/bin/bash\n# Submits an array of jobs, and one after it that puts their results together.\n";
  out += "set -euo pipefail\narray=$(sbatch --parsable <<'END_OF_JOB'\n";
  out += directives(flags, jobs, "slurm-%A_%a.log");
  out += fmt::format("#SBATCH --array=0-{}\n#SBATCH --signal=B:USR1@120\n", tasks - 1);
  out += fmt::format("run() {{\n  exec {}\n}}", bash_words(program, jobs.piece));
  out += fmt::format(kLoop, jobs.num_pieces, tasks);
  out += "END_OF_JOB\n)\narray=${array%%;*}\n";
  out += "last=$(sbatch --parsable --dependency=\"afterok:$array\" --kill-on-invalid-dep=yes <<'END_OF_JOB'\n";
  out += directives(flags, jobs, "slurm-%j.log");
  out += fmt::format("exec {}\nEND_OF_JOB\n)\n", bash_words(program, jobs.last));
  out += "echo \"array job $array, then job ${last%%;*}\"\n";
  return out;
}

}  // namespace beadwork
