#pragma once
// What every subcommand shares: exit codes, messages, signals, the progress line.
#include <beadwork/base.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace beadwork::console {

// 0 done, 1 bad input, 2 usage, 3 limit hit with nothing to show, 70 our own bug.
int exit_code(const Error& error);

// "beadwork: where: message" on stderr, an option as its flag; returns the exit code.
int fail(const Error& error);
void note(std::string_view text);
void warn(std::string_view text);

// The product, to stdout or, all or nothing, to a file. Returns an exit code.
int emit(std::string_view text, const std::string& path);

// Refuses an output that cannot be written, or that would overwrite an input. Asked before the work.
Status check_output(const std::string& output, const std::string& input);

// Sets an interrupt flag on SIGINT and SIGTERM (a second SIGINT kills), and a progress line where stderr is a
// terminal. `scale` divides bounds into the user's units.
Control control(double scale);
void end_progress_line();

// An integer where the scale is 1, else a decimal.
double in_units(std::int64_t value, std::int64_t scale);
// "1 error", "2 errors", "0.5 errors".
std::string counted(double count, std::string_view noun);

// What was typed, quoted for a shell, with the files named without their folders: "beadwork fit 'my file.csv' --depth 4".
void keep_command_line(std::vector<std::string> words);
std::string command_line(const std::vector<std::string>& files);
std::string shell_words(const std::vector<std::string>& words);

// Each subcommand adds itself; the function returns the exit code once its subcommand was chosen.
using Command = std::function<int()>;

}  // namespace beadwork::console
