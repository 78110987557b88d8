#pragma once
// Jobs for Slurm: an array that does pieces of some work, and one job after it that puts them together.
#include "arguments.hpp"
#include "console.hpp"

#include <optional>
#include <string>
#include <vector>

namespace beadwork {

// How the jobs are to run, as the user says it.
struct SlurmFlags {
  std::int64_t threads = 1;
  std::optional<std::string> tasks, time, program;
  std::vector<std::string> options;
  std::string output;

  void add(const Arguments& command);
};

struct SlurmJobs {
  std::string name;                // of the jobs
  std::string folder;              // of their logs, absolute
  std::size_t num_pieces = 0;      // done by the tasks of the array in turn
  std::vector<std::string> piece;  // arguments of the program; kPiece and kThreads stand for what the task knows
  std::vector<std::string> last;   // of the job that comes when all pieces are done

  static constexpr std::string_view kPiece = "@PIECE@", kNext = "@NEXT@", kThreads = "@THREADS@";  // kNext: piece + 1
};

// A script for bash that submits both. Near a task's time limit its program is asked to stop (SIGTERM); where it exits
// with code 4, its state saved, the task is put back into the queue.
Result<std::string> slurm_script(const SlurmFlags& flags, const SlurmJobs& jobs);

// The file or folder by its whole name.
std::string whole_name(const std::string& path);

}  // namespace beadwork
