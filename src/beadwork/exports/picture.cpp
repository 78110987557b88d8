#include <beadwork/exports/formats.hpp>
#include <beadwork/report.hpp>

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace beadwork::exports {
namespace {

constexpr std::string_view kInputs = "Inputs: raw columns, as the tests name them.";

// A file without a name, for a program to read from or write to.
class Scratch {
 public:
  explicit Scratch(std::string_view content = {}) : file_(std::tmpfile()) {
    if (file_ == nullptr) return;
    good_ = std::fwrite(content.data(), 1, content.size(), file_) == content.size() && std::fflush(file_) == 0;
    std::rewind(file_);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    if (file_ != nullptr) std::fclose(file_);
  }
  bool good() const { return good_; }
  int descriptor() const { return fileno(file_); }
  std::string content() {
    std::rewind(file_);
    std::string out;
    std::array<char, 1 << 16> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), file_)) > 0;) out.append(part.data(), n);
    return out;
  }

 private:
  std::FILE* file_;
  bool good_ = false;
};

enum class Ran { yes, absent, failed };

Ran run(std::vector<std::string> command, const Scratch& input, const Scratch& output) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output.descriptor(), STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int status = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (status != 0) return Ran::absent;
  int ended = 0;
  while (waitpid(child, &ended, 0) < 0)
    if (errno != EINTR) return Ran::failed;
  if (WIFEXITED(ended) && WEXITSTATUS(ended) == 127) return Ran::absent;
  return WIFEXITED(ended) && WEXITSTATUS(ended) == 0 ? Ran::yes : Ran::failed;
}

// Our own picture where librsvg is, else Graphviz'.
Result<std::string> drawn(const Plan& plan, const std::string& format) {
  const std::array<std::pair<std::vector<std::string>, std::string>, 2> ways{
      {{{"rsvg-convert", "-z", format == "png" ? "2" : "1", "-f", format}, to_svg(plan.model)},
       {{"dot", "-T" + format}, to_dot(plan.model)}}};
  bool failed = false;
  for (const auto& [command, picture] : ways) {
    const Scratch input(picture);
    Scratch output;
    if (!input.good() || !output.good())
      return input_error(fmt::format("cannot write a temporary file: {}", std::strerror(errno)));
    const Ran ran = run(command, input, output);
    if (ran == Ran::yes) return output.content();
    failed = failed || ran == Ran::failed;
  }
  return Error{ErrorCode::input,
               fmt::format("{} needs rsvg-convert (librsvg2-bin) or dot (graphviz); {}", format,
                           failed ? "what is installed could not draw it" : "neither is installed"),
               "to", true};
}

}  // namespace

Result<std::string> to_text(const Plan& plan) {
  return text_report(plan.model) + "\n" + std::string(kInputs) + "\n";
}

Result<std::string> to_graphviz(const Plan& plan) {
  return fmt::format("// {}\n", kInputs) + to_dot(plan.model);
}

Result<std::string> to_picture(const Plan& plan) {
  return to_svg(plan.model) + fmt::format("<!-- {} -->\n", kInputs);
}

Result<std::string> to_png(const Plan& plan) {
  return drawn(plan, "png");
}

Result<std::string> to_pdf(const Plan& plan) {
  return drawn(plan, "pdf");
}

}  // namespace beadwork::exports
