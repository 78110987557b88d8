#pragma once
// What may be typed after "beadwork": subcommands, options and flags, read by CLI11. Its header takes ten seconds to
// compile, so arguments.cpp alone includes it.
#include <beadwork/base.hpp>

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace beadwork {

// One option, to say more about it: add_option(...).within(1, 20).show_default().
class Argument {
 public:
  explicit Argument(CLI::Option& option) : option_(&option) {}

  const Argument& required() const;
  const Argument& within(std::int64_t least, std::int64_t most) const;
  const Argument& between(double least, double most) const;
  const Argument& may_be_empty() const;  // of a text, which else needs at least a character
  const Argument& non_negative() const;
  const Argument& one_of(std::initializer_list<std::string> words) const;
  const Argument& split_at(char delimiter) const;
  const Argument& one_value_each() const;                       // of a list: the option takes one word each time
  const Argument& values(int count) const;                      // of a list: exactly this many
  const Argument& show_default() const;                         // in --help
  const Argument& show_default(const std::string& text) const;  // what --help says instead
  const Argument& word(const std::string& word) const;          // for the value, in --help
  const Argument& expert(bool expert = true) const;             // only in --help-all

 private:
  CLI::Option* option_;
};

// The arguments of the program or of a subcommand. Values are written to when the command line is read.
class Arguments {
 public:
  explicit Arguments(CLI::App& app, std::string section = "Options") : app_(&app), section_(std::move(section)) {}

  Arguments in(const std::string& section) const { return Arguments(*app_, section); }  // of --help
  Arguments add_subcommand(const std::string& name, const std::string& help) const;
  Argument add_option(const std::string& names, std::string& value, const std::string& help) const;
  Argument add_option(const std::string& names, std::optional<std::string>& value, const std::string& help) const;
  Argument add_option(const std::string& names, std::vector<std::string>& value, const std::string& help) const;
  Argument add_option(const std::string& names, std::int64_t& value, const std::string& help) const;
  Argument add_option(const std::string& names, std::uint64_t& value, const std::string& help) const;
  Argument add_option(const std::string& names, unsigned& value, const std::string& help) const;
  Argument add_option(const std::string& names, double& value, const std::string& help) const;
  Argument add_flag(const std::string& names, bool& value, const std::string& help) const;
  // Repeated for each value. A list that took all words after it would swallow the file's name.
  Argument add_list(const std::string& names, std::vector<std::string>& values, const std::string& help) const;
  void footer(const std::string& text) const;

  bool parsed() const;  // was this subcommand chosen?
  bool given(const std::string& option) const;
  // What was given, by the options' long names without dashes; "true" stands for a flag. What goes by its place is left
  // out.
  std::vector<std::pair<std::string, std::string>> values_given() const;

 private:
  template <class T>
  Argument add(const std::string& names, T& value, const std::string& help) const;

  CLI::App* app_;
  std::string section_;
};

// What --help says, as values.
struct OptionManual {
  std::vector<std::string> names;  // none: it goes by its place
  std::string value;               // the word for what it takes
  std::string help;
  std::string default_value;
  std::string section;
  bool takes_value = false;
  bool expert = false;  // only in --help-all
};
struct CommandManual {
  std::string name;  // with the program's: "beadwork datasets make"
  std::string help;
  std::string footer;
  std::vector<OptionManual> options;
  std::vector<std::pair<std::string, std::string>> subcommands = {};  // names and help
};
// What --help prints, or --help-all: lines of at most 80 characters.
std::string help_text(const CommandManual& command, bool all);

class Program {
 public:
  Program(const std::string& name, const std::string& summary, std::string (*version)(), const std::string& footer);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  Arguments arguments() { return Arguments(*app_); }
  std::vector<CommandManual> manual() const;  // the program first
  struct Answer {
    std::size_t subcommand = 0;       // in the order of add_subcommand
    std::optional<std::string> text;  // --help or --version instead
  };
  // --committee without a number or a percentage behind it means 1%.
  Result<Answer> parse(int argc, const char* const* argv);

 private:
  std::unique_ptr<CLI::App> app_;
};

}  // namespace beadwork
