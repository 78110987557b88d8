#include "commands.hpp"
#include "doctor.hpp"

#include <csignal>
#include <exception>
#include <new>
#include <string_view>
#include <unistd.h>

namespace {

using namespace beadwork;

int run(int argc, char** argv) {
  Program program("beadwork",
                  "Learn provably optimal binary decision diagrams: small classifiers that people can read.",
                  version_text, std::string(console::kExitCodes));
  const Arguments all = program.arguments();
  const console::Command commands[] = {
      add_fit(all),      add_predict(all), add_evaluate(all), add_show(all),      add_export(all), add_binarize(all),
      add_datasets(all), add_engines(all), add_decide(all),   add_min_depth(all), add_encode(all), add_benchmarks(all),
      add_solve(all),    add_beads(all),   add_merge(all),    add_compare(all),   add_study(all),  add_report(all),
      add_doctor(all),   add_state(all),   add_slurm(all),    add_manual(program)};
  auto answer = program.parse(argc, argv);
  if (!answer) return console::fail(answer.error());
  if (answer->text) return console::emit(*answer->text, "");
  const Result<int> code = commands[answer->subcommand]();
  return code ? *code : console::fail(code.error());
}

// One line on stderr, without memory, and the end. Files are written whole or not at all, so there is little to tidy
// up.
[[noreturn]] void end(std::string_view line, int code) {
  console::remove_leftover();
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.data(), line.size());
  _exit(code);
}

// Where memory is short, destructors of others (of JSON values, of the solver) need some, or free what they do not
// have.
void end_without_memory() {
  end("beadwork: out of memory\n", 3);
}

// An exception that nobody can catch.
void end_without_catch() {
  try {
    if (std::current_exception()) std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    end_without_memory();
  } catch (...) {
  }
  end("beadwork: internal error: unexpected exception; please report this\n", 70);
}

}  // namespace

int main(int argc, char** argv) {
  console::open_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows beyond its limit "cannot be written", as on a full disk
  std::set_new_handler(end_without_memory);
  std::set_terminate(end_without_catch);
  try {
    console::keep_command_line({argv + 1, argv + argc});
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return console::fail({ErrorCode::limit, "out of memory", {}});
  } catch (const std::exception& e) {
    return console::fail({ErrorCode::internal, std::string("internal error: ") + e.what(), {}});
  }
}
