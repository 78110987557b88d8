#include "console.hpp"

#include "file_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <climits>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <mutex>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace beadwork::console {
namespace {

std::atomic<bool> interrupted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "set from a signal handler");
bool line_open = false;

char leftover[PATH_MAX] = "";
struct stat leftover_file {};  // as it was: what has its name by then may be another's

void kill_by(int number) {
  remove_leftover();
  std::signal(number, SIG_DFL);
  std::raise(number);
}

void on_signal(int number) {
  interrupted = true;
  if (number == SIGINT) std::signal(SIGINT, kill_by);  // the second one kills
}

bool watching = false;

void watch_signals() {
  if (std::exchange(watching, true)) return;  // to watch again would give SIGINT a third life
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  if (std::signal(SIGHUP, on_signal) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup
}

// Everything to a descriptor, or false. It never blocks for good: after a signal, a reader that takes nothing for a
// second is given up.
bool put(int descriptor, std::string_view text) {
  constexpr std::size_t kChunk = 4096;  // what a pipe that is ready takes at once
  constexpr int kTick = 50;             // ms
  int ticks_left = 20;
  while (!text.empty()) {
    pollfd p{descriptor, POLLOUT, 0};
    const int ready = ::poll(&p, 1, kTick);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) {
      if (!interrupted || --ticks_left > 0) continue;
      errno = EINTR;
      return false;
    }
    const ssize_t n = ::write(descriptor, text.data(), std::min(text.size(), kChunk));
    if (n < 0 && errno != EINTR && errno != EAGAIN) return false;
    if (n > 0) text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

// Messages are worth no failure: what nobody can read is lost.
void say_raw(std::string_view text) {
  (void)put(STDERR_FILENO, text);
}

std::string clock_text(double seconds) {
  const auto s = static_cast<long>(seconds);
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

std::atomic<double> last_share = -1;  // of the work; less than 0: nothing was reported
std::atomic<double> last_seconds = 0;

void keep_progress(const Progress& p) {
  last_share.store(p.share, std::memory_order_relaxed);
  last_seconds.store(p.seconds, std::memory_order_relaxed);
}

// Nothing in the first two seconds; no guess at the time left before it is worth something; and a plain word where it
// would be too long to wait for.
bool show_progress(const Progress& p, double scale) {
  constexpr double kQuiet = 2;
  constexpr double kEnough = 0.05;
  constexpr double kPatience = 20;  // seconds
  if (p.seconds < kQuiet) return true;
  std::string line = fmt::format("{}: ", p.phase);
  if (p.upper_bound) line += fmt::format("best {}, ", static_cast<double>(*p.upper_bound) / scale);
  line += fmt::format("bound {}, {:.1f} % done", static_cast<double>(p.lower_bound) / scale, 100 * p.share);
  if (p.share > kEnough)
    line += fmt::format(", {} left", clock_text(p.seconds * (1 - p.share) / p.share));
  else if (p.seconds >= kPatience)
    line += fmt::format(", {}; a smaller --depth helps", left_words(p.share, p.seconds));
  say_raw("\r\x1b[K" + line);
  line_open = true;
  return true;
}

// Colours only where they are seen and not refused.
bool wants_colours() {
  const char* no = std::getenv("NO_COLOR");
  return is_smart_terminal() && (no == nullptr || *no == 0);
}

constexpr std::string_view kRed = "\x1b[31m", kYellow = "\x1b[33m";

void say(std::string_view colour, std::string_view kind, std::string_view text) {
  end_progress_line();
  constexpr std::size_t kMost = 4000;  // names of files and columns may hold anything
  const bool coloured = wants_colours();
  say_raw(fmt::format("{}beadwork: {}{}{}\n", coloured ? colour : "", kind, printable(text, kMost),
                      coloured && !colour.empty() ? "\x1b[0m" : ""));
}

}  // namespace

bool is_smart_terminal() {
  const char* terminal = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

int exit_code(const Error& error) {
  switch (error.code) {
    case ErrorCode::input:
      return 1;
    case ErrorCode::usage:
      return 2;
    case ErrorCode::limit:
      return 3;
    case ErrorCode::internal:
      break;
  }
  return 70;
}

int fail(const Error& error) {
  Error shown = error;
  if (error.names_option) {
    std::replace(shown.where.begin(), shown.where.end(), '_', '-');
    shown.where.insert(0, "--");
  }
  std::string text = shown.to_string();
  if (error.remedy) {
    std::string flag = "--" + error.remedy->option;
    std::replace(flag.begin(), flag.end(), '_', '-');
    const std::string& value = error.remedy->value;
    text += text.ends_with('?') ? " Try " : "; try ";
    text += shell_words(value.empty() ? std::vector{flag} : std::vector{flag, printable(value)});
  }
  say(kRed, "", text);
  return exit_code(error);
}

void note(std::string_view text) {
  say("", "", text);
}
void warn(std::string_view text) {
  say(kYellow, "warning: ", text);
}

void open_descriptors() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)  // the lowest that is free is this one
      (void)::open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

int emit(std::string_view text, const std::string& path) {
  int code = 0;
  if (!path.empty() && path != "-") {
    const auto written = write_file(path, text, control(1));
    if (written) return 0;
    code = fail(written.error());
    if (::isatty(STDOUT_FILENO) != 0 && text.find('\0') != std::string_view::npos) return code;
    note("the output goes to standard output instead");
  }
  if (put(STDOUT_FILENO, text) || errno == EPIPE) return code;  // a reader that left has seen enough
  return fail(input_error(fmt::format("cannot write: {}", std::strerror(errno)), "standard output"));
}

Status check_output(const std::string& output, const std::string& input) {
  FilePlan plan;
  plan.reads(input);
  plan.prints(output);
  return plan.check();
}

void Leftover::track(const std::string& path) {
  if (path.size() >= sizeof leftover || ::stat(path.c_str(), &leftover_file) != 0) return;
  path.copy(leftover, path.size());  // zeros follow
}

Leftover::~Leftover() {
  std::fill(std::begin(leftover), std::end(leftover), '\0');
}

void remove_leftover() {
  struct stat now {};
  if (leftover[0] == '\0' || ::stat(leftover, &now) != 0) return;
  if (now.st_dev == leftover_file.st_dev && now.st_ino == leftover_file.st_ino) ::unlink(leftover);
}

SignalGuard::SignalGuard() : mine_(!watching) {
  watch_signals();
}

SignalGuard::~SignalGuard() {
  if (!mine_) return;
  watching = false;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
  if (std::signal(SIGHUP, SIG_DFL) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);
}

Control control(double scale) {
  watch_signals();
  Control c;
  c.interrupt = &interrupted;
  c.log = [](LogLevel level, std::string_view text) {
    if (level == LogLevel::note) return note(text);
    static std::mutex one_at_a_time;
    static std::string last;  // a warning of many searches, one after the other, is said once
    const std::lock_guard lock(one_at_a_time);
    if (text != last) warn(text);
    last = text;
  };
  c.progress = [scale, shown = is_smart_terminal()](const Progress& p) {
    keep_progress(p);
    return !shown || show_progress(p, scale);
  };
  return c;
}

std::function<void(LogLevel, std::string_view)> warnings_alone(std::function<void(LogLevel, std::string_view)> log) {
  return [log = std::move(log)](LogLevel level, std::string_view text) {
    if (level == LogLevel::warning && log) log(level, text);
  };
}

std::optional<std::string> how_far() {
  const double share = last_share.load(std::memory_order_relaxed);
  if (share < 0 || share >= 1) return {};
  return fmt::format("{:.1f} % done, {}", 100 * share, left_words(share, last_seconds.load(std::memory_order_relaxed)));
}

void end_progress_line() {
  if (!line_open) return;
  say_raw("\r\x1b[K");
  line_open = false;
}

double in_units(std::int64_t value, std::int64_t scale) {
  return static_cast<double>(value) / static_cast<double>(scale);
}

std::string counted(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string counted(double count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

namespace {
std::vector<std::string> typed;
}

void keep_command_line(std::vector<std::string> words) {
  words.insert(words.begin(), "beadwork");
  typed = std::move(words);
}

std::string command_line(const std::vector<std::string>& files) {
  std::vector<std::string> words = typed;
  for (std::string& word : words)
    for (const std::string& file : files)
      if (!file.empty() && (word == file || word.ends_with("=" + file))) {
        const std::string name = std::filesystem::path(file).filename().string();
        const bool like_flag = name.starts_with('-') && name != file;  // also "-", which is standard input
        word.replace(word.size() - file.size(), file.size(), like_flag ? "./" + name : name);
      }
  return shell_words(words);
}

std::string shell_words(const std::vector<std::string>& words) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_-./:=,+@%").find(c) != std::string_view::npos;
  };
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) {
      out += word;
      continue;
    }
    out += '\'';
    for (const char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    out += '\'';
  }
  return out;
}

}  // namespace beadwork::console
