#include "arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>

// What --help prints: the options in groups, a line each.
namespace beadwork {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kNames = 22;  // where the help begins

std::string as_sentence(std::string text) {
  if (text.empty()) return text;
  text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text.ends_with('.') || text.ends_with('?') || text.ends_with(')') ? text : text + ".";
}

// `text` from column `at` on, in lines of at most 80 characters that all begin `indent` further in.
std::string wrapped(std::string_view text, std::size_t at, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' ', 1), text.size());
    if (at + end > kWidth && at != indent) {
      while (text.starts_with(' ')) text.remove_prefix(1);
      out += "\n" + std::string(indent, ' ');
      at = indent;
      continue;
    }
    out += text.substr(0, end);
    at += end;
    text.remove_prefix(end);
  }
  return out + "\n";
}

std::string line_of(const std::string& names, const std::string& help, std::size_t indent) {
  std::string out = "  " + names;
  out += out.size() + 2 > indent ? "\n" + std::string(indent, ' ') : std::string(indent - out.size(), ' ');
  return out + wrapped(help, indent, indent);
}

bool says_nothing(const std::string& default_value) {
  static constexpr std::array<std::string_view, 4> kNothing{"", "none", "false", "[]"};
  return std::find(kNothing.begin(), kNothing.end(), default_value) != kNothing.end();
}

std::string line_of(const OptionManual& option) {
  const std::string names = option.names.empty() ? option.value
                                                 : fmt::format("{}", fmt::join(option.names, ", ")) +
                                                       (option.takes_value ? " " + option.value : "");
  const bool says = says_nothing(option.default_value) || option.help.find("(default") != std::string::npos;
  return line_of(names, option.help + (says ? "" : fmt::format(" (default {})", option.default_value)), kNames);
}

std::string footer_lines(std::string_view text) {
  constexpr std::size_t kColumns = 27;  // of a list of formats
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    out += wrapped(line, 0, line.starts_with(' ') ? kColumns : 0);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Those of a fit in the order in which people ask; then as they come.
std::vector<std::string> sections_of(const std::vector<OptionManual>& options) {
  std::vector<std::string> out{"Table", "Size", "Requirements", "Limits", "Search", "Output"};
  for (const OptionManual& option : options)
    if (std::find(out.begin(), out.end(), option.section) == out.end())
      out.insert(option.section == "Options" ? out.begin() : out.end(), option.section);
  return out;
}

std::string usage(const CommandManual& command) {
  std::string places;
  bool options = false;
  for (const OptionManual& option : command.options)
    if (option.names.empty())
      places += " " + option.value;
    else
      options = true;
  std::string out;
  if (!places.empty() || command.subcommands.empty())
    out = fmt::format("Usage: {}{}{}\n", command.name, places, options ? " [options]" : "");
  if (!command.subcommands.empty())
    out += fmt::format("{} {} COMMAND [options]\n", out.empty() ? "Usage:" : "   or:", command.name);
  return out;
}

}  // namespace

std::string help_text(const CommandManual& command, bool all) {
  std::string out = wrapped(as_sentence(command.help), 0, 0) + "\n" + usage(command);
  if (!command.subcommands.empty()) out += "\nCommands\n";
  for (const auto& [name, help] : command.subcommands) out += line_of(name, help, 14);
  bool hidden = false;
  for (const std::string& section : sections_of(command.options)) {
    std::string lines;
    for (const OptionManual& option : command.options) {
      if (option.section != section) continue;
      if (option.expert && !all)
        hidden = true;
      else
        lines += line_of(option);
    }
    if (!lines.empty()) out += fmt::format("\n{}\n{}", section, lines);
  }
  if (!command.footer.empty()) out += "\n" + footer_lines(command.footer);
  if (hidden) out += fmt::format("\n'{} --help-all' shows all options.\n", command.name);
  return out;
}

}  // namespace beadwork
