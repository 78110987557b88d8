#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <sstream>

#include "commands.hpp"

namespace {

using namespace beadwork;

int run(int argc, char** argv) {
  CLI::App program("Learn provably optimal binary decision diagrams as classifiers that people can read.",
                   "beadwork");
  program.set_version_flag("--version", BEADWORK_VERSION);
  program.require_subcommand(1);
  program.footer(
      "Exit codes: 0 done, 1 bad input, 2 usage, 3 limit hit with nothing to show, 70 internal bug.");
  const console::Command commands[] = {add_fit(program),       add_predict(program), add_evaluate(program),
                                       add_show(program),      add_export(program),  add_binarize(program),
                                       add_datasets(program),  add_engines(program), add_decide(program),
                                       add_min_depth(program), add_encode(program),  add_solve(program),
                                       add_compare(program),   add_study(program),   add_report(program)};
  const auto names = program.get_subcommands({});
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help, --version
      std::ostringstream out;
      program.exit(e, out, out);
      return console::emit(out.str(), "");
    }
    const bool chosen = !program.get_subcommands().empty();
    const bool unknown = !chosen && argc > 1 && argv[1][0] != '-';
    return console::fail(
        usage_error(fmt::format("{} (see 'beadwork{} --help')",
                                unknown ? fmt::format("there is no subcommand '{}'", argv[1]) : e.what(),
                                chosen ? " " + program.get_subcommands()[0]->get_name() : "")));
  }
  for (std::size_t i = 0; i < names.size(); ++i)
    if (names[i]->parsed()) return commands[i]();
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  console::keep_command_line({argv + 1, argv + argc});
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    return console::fail({ErrorCode::limit, "out of memory", {}});
  } catch (const std::exception& e) {
    return console::fail({ErrorCode::internal, std::string("internal error: ") + e.what(), {}});
  }
}
