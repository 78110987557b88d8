#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <beadwork/study.hpp>
#include <beadwork/table.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <set>
#include <thread>

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

// The record, opened for appending and locked, so that no two studies write to it; what a killed one left half written is
// cut off. A study that was killed leaves children that die with it, but not at the same instant: hence the patience.
Result<Descriptor> open_record(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
  if (file() < 0) return input_error(fmt::format("cannot write: {}", std::strerror(errno)), path);
  const Deadline patience = Deadline::in(2);
  while (flock(file(), LOCK_EX | LOCK_NB) != 0) {
    if (patience.remaining() <= 0) return input_error("another study is writing to it", path);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return file;
}

struct LoadedSet {
  Dataset dataset;
  std::string sha256;
};

Result<LoadedSet> load(const StudySet& set) {
  auto file = read_table(set.path, {});
  if (!file) return file.error();
  auto binarizer = Binarizer::fit(file->table, {});
  if (!binarizer) return binarizer.error();
  auto dataset = binarizer->apply(file->table);
  if (!dataset) return dataset.error();
  LoadedSet loaded;
  loaded.sha256 = sha256(*dataset);
  const auto zero = all_zero_features(*dataset);
  std::vector<Feature> kept;
  for (std::size_t f = 0; f < dataset->num_features(); ++f)
    if (!std::binary_search(zero.begin(), zero.end(), Feature{f})) kept.emplace_back(f);
  loaded.dataset = dataset->select(kept);
  return loaded;
}

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
  Pool(const StudyPlan& plan, const StudyRunOptions& options, const Control& control, int record)
      : plan_(plan), options_(options), control_(control), record_(record) {}
  ~Pool() {
    for (Child& child : children_) {
      kill(child.pid, SIGKILL);
      waitpid(child.pid, nullptr, 0);
    }
  }

  Result<StudySummary> go(const std::vector<StudyRun>& runs, StudySummary summary) {
    std::size_t next = 0;
    while ((next < runs.size() || !children_.empty()) && !control_.stopping()) {
      while (children_.size() < options_.jobs && next < runs.size()) {
        if (auto ok = start(runs[next++]); !ok) return ok.error();
      }
      if (auto ok = attend(summary, runs.size()); !ok) return ok.error();
    }
    summary.stopped = next < runs.size() || !children_.empty();
    return summary;
  }

 private:
  Status start(const StudyRun& run) {
    if (!sets_.contains(run.set)) {
      sets_.clear();  // runs come set by set
      auto loaded = load(plan_.sets[run.set]);
      if (!loaded) return loaded.error();
      sets_.emplace(run.set, *std::move(loaded));
    }
    const LoadedSet& set = sets_.at(run.set);
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return input_error(fmt::format("no pipe: {}", std::strerror(errno)));
    Descriptor reading(ends[0]), writing(ends[1]);
    const pid_t parent = getpid();
    const pid_t pid = fork();
    if (pid < 0) return input_error(fmt::format("cannot start a process: {}", std::strerror(errno)));
    if (pid == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent) _exit(1);  // it died in between
      close(record_);                     // and its lock with it
      signal(SIGINT, SIG_IGN);            // the parent is asked to stop, and ends its children
      StudyEntry entry = run_one(plan_, run, set.dataset);
      entry.data_sha256 = set.sha256;
      entry.version = options_.version;
      write_all(writing(), to_line(entry));
      _exit(0);
    }
    Child child;
    child.pid = pid;
    child.pipe = std::move(reading);
    child.run = run;
    const double limit = plan_.learners[run.learner].options.time_limit;
    child.hard = Deadline::in(limit < 1e9 ? 1.5 * limit + 30 : 1e9);
    children_.push_back(std::move(child));
    return Done{};
  }

  // Waits a moment for news of the children and records those that ended.
  Status attend(StudySummary& summary, std::size_t total) {
    std::vector<pollfd> waiting;
    for (const Child& child : children_) waiting.push_back({child.pipe(), POLLIN, 0});
    poll(waiting.data(), waiting.size(), 100);
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
      if (auto ok = finish(child, summary, total); !ok) return ok;
      children_.erase(children_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return Done{};
  }

  Status finish(Child& child, StudySummary& summary, std::size_t total) {
    int status = 0;
    rusage usage{};
    while (wait4(child.pid, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    StudyEntry entry;
    auto told = parse_line(child.text.substr(0, child.text.find('\n')), "child");
    if (told && WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      entry = *std::move(told);
    } else {
      const StudyLearner& learner = plan_.learners[child.run.learner];
      entry.set = plan_.sets[child.run.set].name;
      entry.part = child.run.part;
      entry.seed = child.run.seed;
      entry.depth = child.run.depth;
      entry.learner = learner.name;
      entry.engine = learner.options.engine;
      entry.settings = learner.settings;
      entry.data_sha256 = sets_.contains(child.run.set) ? sets_.at(child.run.set).sha256 : "";
      entry.version = options_.version;
      entry.status = child.late ? "unknown" : "failed";
      entry.note = child.late            ? "ended by force, long after its limit"
                   : WIFSIGNALED(status) ? fmt::format("died of signal {}", WTERMSIG(status))
                                         : fmt::format("ended with exit code {}", WEXITSTATUS(status));
    }
    entry.measures["peak_mib"] = static_cast<double>(usage.ru_maxrss) / 1024;
    if (!write_all(record_, to_line(entry)))
      return input_error(fmt::format("cannot write: {}", std::strerror(errno)), options_.record);
    ++summary.ran;
    summary.failed += entry.status == "failed" ? 1 : 0;
    if (options_.progress) {
      const double seconds = clock_.seconds();
      const std::string key = entry.key();
      options_.progress(
          {summary.ran, total, seconds,
           seconds / static_cast<double>(summary.ran) * static_cast<double>(total - summary.ran), key});
    }
    return Done{};
  }

  const StudyPlan& plan_;
  const StudyRunOptions& options_;
  const Control& control_;
  int record_;
  Stopwatch clock_;
  std::map<std::size_t, LoadedSet> sets_;
  std::vector<Child> children_;
};

// A run that the record has must be the run that the plan means.
Status check_same(const StudyPlan& plan, const StudyRun& run, const StudyEntry& entry,
                  const std::string& record) {
  if (entry.settings == plan.learners[run.learner].settings) return Done{};
  return input_error(fmt::format("{} was recorded with other options: take another record", entry.key()),
                     record);
}

}  // namespace

Result<StudySummary> run_study(const StudyPlan& plan, const StudyRunOptions& options,
                               const Control& control) {
  auto file = open_record(options.record);
  if (!file) return file.error();
  auto record = read_record(options.record);
  if (!record) return record.error();
  if (record->torn > 0) {
    const off_t size = lseek((*file)(), 0, SEEK_END);
    if (ftruncate((*file)(), size - static_cast<off_t>(record->torn)) != 0)
      return input_error(fmt::format("cannot write: {}", std::strerror(errno)), options.record);
  }
  std::map<std::string, const StudyEntry*> known;
  for (const StudyEntry& entry : record->entries) known.emplace(entry.key(), &entry);
  StudySummary summary;
  std::vector<StudyRun> missing;
  const std::vector<StudyRun> all = runs_of(plan);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string key = key_of(plan, all[i]);
    if (i % options.num_shards != options.shard || key.find(options.only) == std::string::npos) continue;
    ++summary.planned;
    if (const auto found = known.find(key); found != known.end()) {
      if (auto ok = check_same(plan, all[i], *found->second, options.record); !ok) return ok.error();
      ++summary.kept;
    } else if (options.limit == 0 || missing.size() < options.limit) {
      missing.push_back(all[i]);
    }
  }
  Pool pool(plan, options, control, (*file)());
  return pool.go(missing, summary);
}

}  // namespace beadwork
