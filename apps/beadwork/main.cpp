#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "commands.hpp"

namespace {

using namespace beadwork;

int run(int argc, char** argv) {
  Program program("beadwork",
                  "Learn provably optimal binary decision diagrams: small classifiers that people can read.",
                  BEADWORK_VERSION, std::string(console::kExitCodes));
  const Arguments all = program.arguments();
  const console::Command commands[] = {
      add_fit(all),      add_predict(all),  add_evaluate(all), add_show(all),   add_export(all),
      add_binarize(all), add_datasets(all), add_engines(all),  add_decide(all), add_min_depth(all),
      add_encode(all),   add_solve(all),    add_compare(all),  add_study(all),  add_report(all)};
  auto answer = program.parse(argc, argv);
  if (!answer) return console::fail(answer.error());
  return answer->text ? console::emit(*answer->text, "") : commands[answer->subcommand]();
}

}  // namespace

int main(int argc, char** argv) {
  console::open_descriptors();
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
