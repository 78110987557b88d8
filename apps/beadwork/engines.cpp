#include "commands.hpp"
#include <beadwork/engine.hpp>

#include <fmt/format.h>

namespace beadwork {

console::Command add_engines(const Arguments& program) {
  program.add_subcommand("engines", "list the engines");
  return [] {
    std::string out;
    for (const Engine& e : engines()) out += fmt::format("{:<12}{}\n", e.name, e.summary);
    return console::emit(out, "");
  };
}

}  // namespace beadwork
