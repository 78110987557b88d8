#pragma once
// What every subcommand shares: exit codes, messages, signals, the progress line.
#include <beadwork/base.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork::console {

// 0 done, 1 bad input, 2 usage, 3 stopped without a result, 4 stopped with one, 5 proven that
// there is no diagram as asked for, 70 an internal error.
inline constexpr std::string_view kExitCodes =
    "Exit codes: 0 done; 1 bad input, or an output that cannot be written; 2 usage; 3 stopped by a limit or "
    "a signal without a result; 4 stopped by a limit that you set or by a signal, with the best answer so far, "
    "or with a part of the runs of 'compare' or 'study'; 5 proven: no diagram meets the options; 70 internal error.";
int exit_code(const Error& error);
// The exit code of a run that a limit of the user's, or a signal, stopped after it had a result. A run that a default
// limit stopped returns 0, with a warning.
inline constexpr int kStopped = 4;
// That of a fit whose answer is a proof that no diagram meets its options: there is nothing to write.
inline constexpr int kInfeasible = 5;

// Is stderr a terminal that moves its cursor? There errors are red and warnings yellow, unless NO_COLOR is set.
bool is_smart_terminal();

// "beadwork: where: message" on stderr, an option as its flag; returns the exit code.
int fail(const Error& error);
void note(std::string_view text);
void warn(std::string_view text);

// Descriptors 0 to 2 are open from here on, so that no file of ours gets one of them. What is written to a closed
// stdout fails; what is said on a closed stderr is lost. Neither throws.
void open_descriptors();

// The product, to stdout (no path, or "-") or, all or nothing, to a file. Returns an exit code. Where the file cannot
// be written, the product goes to stdout, so that hours of work are not lost; the code is 1 all the same.
int emit(std::string_view text, const std::string& path);

// For a command that prints this output where no file is named: refuses one that cannot be written, or that would
// overwrite an input. Asked before the work. For commands with more files: file_plan.hpp.
Status check_output(const std::string& output, const std::string& input);

// Sets an interrupt flag on SIGINT, SIGTERM and SIGHUP (a second SIGINT kills; nohup is respected), and a progress line
// where stderr is a terminal. `scale` divides bounds into the user's units.
Control control(double scale);
// The same for a part of the work alone, as reading: what follows and asks no Control is ended by signals as usual.
class SignalGuard {
 public:
  SignalGuard();
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;
  ~SignalGuard();

 private:
  bool mine_;
};
// A log without notes, for those who want none.
std::function<void(LogLevel, std::string_view)> warnings_alone(std::function<void(LogLevel, std::string_view)> log);
// A file that goes with the run: removed also where the run ends without its destructors, by a second SIGINT or for
// want of memory. Only SIGKILL leaves it.
class Leftover {
 public:
  Leftover() = default;
  Leftover(const Leftover&) = delete;
  Leftover& operator=(const Leftover&) = delete;
  ~Leftover();
  void track(const std::string& path);  // one at a time
};
void remove_leftover();  // may be called from a signal handler
void end_progress_line();
// How far the last search came, in the words of its progress line: "12.5 % done, about 3 hours left". Nothing where no
// search has said.
std::optional<std::string> how_far();

// An integer where the scale is 1, else a decimal.
double in_units(std::int64_t value, std::int64_t scale);
// "1 error", "2 errors", "0.5 errors".
std::string counted(double count, std::string_view noun);
std::string counted(std::size_t count, std::string_view noun);

// What was typed, quoted for a shell, with the files named without their folders: "beadwork fit 'my file.csv' --depth
// 4".
void keep_command_line(std::vector<std::string> words);
std::string command_line(const std::vector<std::string>& files);
std::string shell_words(const std::vector<std::string>& words);

// Each subcommand adds itself; the function returns the exit code once its subcommand was chosen.
using Command = std::function<Result<int>()>;

}  // namespace beadwork::console
