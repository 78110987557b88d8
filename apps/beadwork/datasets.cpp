#include "commands.hpp"
#include <beadwork/samples.hpp>

#include <fmt/format.h>

#include <memory>

namespace beadwork {
namespace {

struct DatasetsFlags {
  std::string name;
  std::string output;
  std::optional<Arguments> make;
};

Result<int> list() {
  std::string out;
  for (const Sample& s : samples()) out += fmt::format("{:<16}{}\n", s.name, s.summary);
  return console::emit(out, "");
}

Result<int> make(const DatasetsFlags& flags) {
  TRY_DONE(console::check_output(flags.output, ""));
  TRY(auto table, make_sample(flags.name));
  return console::emit(write_csv(table), flags.output);
}

}  // namespace

console::Command add_datasets(const Arguments& program) {
  const Arguments command = program.add_subcommand("datasets", "list the built-in data sets, or write one");
  auto flags = std::make_shared<DatasetsFlags>();
  flags->make = command.add_subcommand("make", "write a data set as CSV");
  flags->make->add_option("NAME", flags->name, "name of the data set").required();
  flags->make->add_option("-o,--output", flags->output, "write to this file (default standard output)").word("FILE");
  return [flags] { return flags->make->parsed() ? make(*flags) : list(); };
}

}  // namespace beadwork
