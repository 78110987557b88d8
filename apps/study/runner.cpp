#include "runner.hpp"

#include <beadwork/sat.hpp>
#include <beadwork/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <map>
#include <new>
#include <poll.h>
#include <set>
#include <sstream>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace beadwork {
namespace {

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd = -1) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  int operator()() const { return fd_; }

 private:
  int fd_;
};

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// The record, opened for appending and locked, so that no two studies write to it; what a killed one left half written
// is cut off. A study that was killed leaves children that die with it, but not at the same instant: hence the
// patience.
Result<Descriptor> open_record(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (file() < 0) return input_error(fmt::format("cannot write: {}", std::strerror(errno)), path);
  const Deadline patience = Deadline::in(2);
  while (flock(file(), LOCK_EX | LOCK_NB) != 0) {
    if (patience.remaining() <= 0) return input_error("another run is writing to this file", path);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return file;
}

struct LoadedSet {
  Dataset dataset;
  std::string sha256;
};

// Signals are looked at in between: a set may take long.
Result<LoadedSet> load(const StudySet& set, const Control& control) {
  auto file = read_table(set.path, {}, control);
  if (!file) return Error(file.error()).without_remedy();
  TRY(auto binarizer, Binarizer::fit(file->table, {}, control));
  TRY(auto dataset, binarizer.apply(file->table, control));
  TRY(auto hash, sha256(dataset, control));
  TRY(auto kept, without_zero_columns(dataset, control));
  return LoadedSet{std::move(kept), std::move(hash)};
}

// Two ends, which programs that a child starts do not inherit.
struct Pipe {
  Descriptor reading, writing;
};
Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe(ends) != 0) return input_error(fmt::format("no pipe: {}", std::strerror(errno)));
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return Pipe{Descriptor(ends[0]), Descriptor(ends[1])};
}

// Exit codes of a child: it could not tell its answer and is to be repeated; or it has a bug.
constexpr int kCutOff = 3;
constexpr int kBug = 70;

struct Child {
  pid_t pid = 0;
  Descriptor pipe;
  std::string text;
  StudyRun run;
  Deadline hard;
  bool late = false;
};

class Pool {
 public:
  Pool(const StudyPlan& plan, const StudyRunOptions& options, const Control& control, int record,
       std::map<std::string, std::string> tables)
      : plan_(plan), options_(options), control_(control), record_(record), tables_(std::move(tables)) {}
  ~Pool() {
    for (Child& child : children_) {
      kill(child.pid, SIGKILL);
      waitpid(child.pid, nullptr, 0);
    }
  }

  Result<StudySummary> go(const std::vector<StudyRun>& runs, StudySummary summary) {
    TRY(auto lifeline, make_pipe());
    lifeline_ = std::move(lifeline);
    std::size_t next = 0;
    while ((next < runs.size() || !children_.empty()) && !control_.stopping()) {
      while (children_.size() < options_.jobs && next < runs.size()) {
        auto ok = start(runs[next]);
        if (!ok && control_.stopping()) break;
        if (!ok) return ok.error();
        ++next;
      }
      TRY_DONE(attend(summary, runs.size()));
    }
    summary.stopped = summary.stopped || next < runs.size() || !children_.empty();
    return summary;
  }

 private:
  // The child's whole life. A thread of its own waits for the end of the lifeline, whose other end the parent alone
  // holds: whatever ends the parent, SIGKILL too, ends the child.
  [[noreturn]] void work(const StudyRun& run, const LoadedSet& set, int answer) {
    close(record_);  // and its lock with it
    lifeline_.writing = Descriptor();
    signal(SIGINT, SIG_IGN);  // the parent is asked to stop, and ends its children
    std::thread([end = lifeline_.reading()] {
      char nothing = 0;
      while (read(end, &nothing, 1) < 0 && errno == EINTR) {
      }
      _exit(1);
    }).detach();
    _exit(tell(run, set, answer));
  }

  // The child's exit code. No exception may leave it: above are the functions of the parent.
  int tell(const StudyRun& run, const LoadedSet& set, int answer) try {
    StudyEntry entry = run_one(plan_, run, set.dataset);
    entry.data_sha256 = set.sha256;
    entry.version = options_.version;
    return write_all(answer, to_line(entry)) ? 0 : kCutOff;
  } catch (const std::bad_alloc&) {
    return kCutOff;
  } catch (...) {
    return kBug;
  }

  Status start(const StudyRun& run) {
    if (!sets_.contains(run.set)) {
      sets_.clear();  // runs come set by set
      TRY(auto loaded, load(plan_.sets[run.set], control_));
      const StudySet& set = plan_.sets[run.set];
      if (tables_.try_emplace(set.name, loaded.sha256).first->second != loaded.sha256)
        return input_error(fmt::format("has changed: {} has runs on another table of '{}'; use another record file",
                                       printable(options_.record), printable(set.name)),
                           set.path);
      sets_.emplace(run.set, std::move(loaded));
    }
    const LoadedSet& set = sets_.at(run.set);
    TRY(auto pipe, make_pipe());
    const pid_t pid = fork();
    if (pid < 0) return input_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (pid == 0) work(run, set, pipe.writing());
    Child child;
    child.pid = pid;
    child.pipe = std::move(pipe.reading);
    child.run = run;
    child.hard = Deadline::in(1.5 * seconds_of(plan_.learners[run.learner]) + 30);
    children_.push_back(std::move(child));
    return Done{};
  }

  // Waits a moment for news of the children and records those that ended.
  Status attend(StudySummary& summary, std::size_t total) {
    std::vector<pollfd> waiting;
    for (const Child& child : children_) waiting.push_back({child.pipe(), POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), 100) < 0 && errno != EINTR)
      return input_error(fmt::format("cannot wait for the runs: {}", std::strerror(errno)));
    for (std::size_t i = children_.size(); i-- > 0;) {
      Child& child = children_[i];
      if (child.hard.passed() && !child.late) {
        kill(child.pid, SIGKILL);
        child.late = true;
      }
      if ((waiting[i].revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
      char buffer[65536];
      const ssize_t n = read(child.pipe(), buffer, sizeof buffer);
      if (n > 0) child.text.append(buffer, static_cast<std::size_t>(n));
      if (n > 0 || (n < 0 && errno == EINTR)) continue;
      if (n < 0) return input_error(fmt::format("cannot read the answer of a run: {}", std::strerror(errno)));
      TRY_DONE(finish(child, summary, total));
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return Done{};
  }

  // The entry of a run that left none.
  StudyEntry obituary(const Child& child, int status) const {
    StudyEntry entry = entry_of(plan_, child.run);
    entry.data_sha256 = sets_.contains(child.run.set) ? sets_.at(child.run.set).sha256 : "";
    entry.version = options_.version;
    entry.status = child.late ? to_string(SolveStatus::unknown) : "failed";
    entry.note = child.late            ? "killed long after its limit"
                 : WIFSIGNALED(status) ? fmt::format("killed by signal {}", WTERMSIG(status))
                                       : fmt::format("ended with exit code {}", WEXITSTATUS(status));
    return entry;
  }

  Status finish(Child& child, StudySummary& summary, std::size_t total) {
    int status = 0;
    rusage usage{};
    while (wait4(child.pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == kCutOff) {
      summary.stopped = true;
      return Done{};
    }
    auto told = parse_line(child.text.substr(0, child.text.find('\n')), "child");
    const bool good = told && WIFEXITED(status) && WEXITSTATUS(status) == 0;
    StudyEntry entry = good ? *std::move(told) : obituary(child, status);
    entry.measures["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
    if (!write_all(record_, to_line(entry)))
      return input_error(fmt::format("cannot write: {}", std::strerror(errno)), options_.record);
    ++summary.ran;
    summary.failed += entry.status == "failed" ? 1 : 0;
    if (options_.progress) {
      const double seconds = clock_.seconds();
      const std::string key = entry.key();
      options_.progress({summary.ran, total, seconds,
                         seconds / static_cast<double>(summary.ran) * static_cast<double>(total - summary.ran), key});
    }
    return Done{};
  }

  const StudyPlan& plan_;
  const StudyRunOptions& options_;
  const Control& control_;
  int record_;
  Stopwatch clock_;
  Pipe lifeline_;
  std::map<std::string, std::string> tables_;  // SHA-256 by set, of those that the record has runs on
  std::map<std::size_t, LoadedSet> sets_;
  std::vector<Child> children_;
};

// A run that the record has must be the run that the plan means.
Status check_same(const StudyEntry& planned, const StudyEntry& recorded, const std::string& record) {
  if (recorded.settings == planned.settings) return Done{};
  return input_error(fmt::format("{} was recorded with other options: use another record file", planned.key()), record);
}

// A study file may name a program without its reader knowing.
Status check_programs(const StudyPlan& plan, bool allowed) {
  for (const StudyLearner& learner : plan.learners)
    if (!allowed && !program_of(learner).empty())
      return input_error(fmt::format("learner '{}' runs the program '{}', which needs --allow-solver",
                                     printable(learner.name), printable(program_of(learner))),
                         printable(plan.name));
  return Done{};
}

// By its path, or in one of the folders of PATH.
bool can_run(const std::string& program) {
  if (program.find('/') != std::string::npos) return access(program.c_str(), X_OK) == 0;
  const char* given = std::getenv("PATH");
  std::istringstream folders(given == nullptr ? "" : given);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (access(folder.append("/").append(program).c_str(), X_OK) == 0) return true;
  return false;
}

// A solver that is not there would fail in each of its runs, and the record would keep that.
Status check_there(const StudyPlan& plan, const std::vector<StudyRun>& runs) {
  std::set<std::size_t> learners;
  for (const StudyRun& run : runs) learners.insert(run.learner);
  for (const std::size_t i : learners) {
    const StudyLearner& learner = plan.learners[i];
    if (program_of(learner).empty()) continue;
    TRY(const auto words, split_command(program_of(learner)));
    if (!can_run(words[0]))
      return input_error(fmt::format("learner '{}' runs the program '{}', which is not there", printable(learner.name),
                                     printable(words[0])),
                         printable(plan.name));
  }
  return Done{};
}

Error in_record(Error error, const std::string& record) {
  error.where = fmt::format("{}: {}", record, error.where);
  return error;
}

// What of the plan is to be run and is not in the record.
Result<std::vector<StudyRun>> missing_from(const StudyRecord& record, const StudyPlan& plan,
                                           const StudyRunOptions& options, StudySummary& summary) {
  std::map<std::string, const StudyEntry*> known;
  for (const StudyEntry& entry : record.entries) known.emplace(entry.key(), &entry);
  std::vector<StudyRun> missing;
  const std::vector<StudyRun> all = runs_of(plan);
  for (std::size_t i = options.shard; i < all.size(); i += options.num_shards) {
    const StudyEntry planned = entry_of(plan, all[i]);
    const std::string key = planned.key();
    if (key.find(options.only) == std::string::npos) continue;
    ++summary.planned;
    if (const auto found = known.find(key); found != known.end()) {
      TRY_DONE(check_same(planned, *found->second, options.record));
      ++summary.kept;
    } else if (options.limit == 0 || missing.size() < options.limit) {
      missing.push_back(all[i]);
    }
  }
  return missing;
}

}  // namespace

Result<StudySummary> run_study(const StudyPlan& plan, const StudyRunOptions& options, const Control& control) {
  TRY_DONE(check_programs(plan, options.allow_solver));
  TRY(auto file, open_record(options.record));
  const auto text = read_file(options.record);  // as it is: one that is packed cannot be added to
  if (!text) return text.error();
  TRY(auto record, parse_record(*text, options.record));
  if (record.torn > 0) {
    const off_t size = lseek(file(), 0, SEEK_END);
    if (ftruncate(file(), size - static_cast<off_t>(record.torn)) != 0)
      return input_error(fmt::format("cannot write: {}", std::strerror(errno)), options.record);
  }
  StudySummary summary;
  TRY(const auto missing, missing_from(record, plan, options, summary));
  TRY_DONE(check_there(plan, missing));
  auto tables = tables_of(record.entries);
  if (!tables) return in_record(tables.error(), options.record);
  Pool pool(plan, options, control, file(), *std::move(tables));
  return pool.go(missing, summary);
}

}  // namespace beadwork
