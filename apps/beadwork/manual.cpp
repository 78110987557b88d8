#include "commands.hpp"

#include <fmt/format.h>

#include <cctype>
#include <memory>

// Completion for shells, pages for man and a page for docs/, all made of what --help is made of.
namespace beadwork {
namespace {

std::vector<std::string> words_of(const CommandManual& command) {
  std::vector<std::string> out{"--help"};
  for (const OptionManual& o : command.options) out.insert(out.end(), o.names.begin(), o.names.end());
  return out;
}

// The name behind the program's: "datasets make".
std::string rest(const CommandManual& command) {
  const std::size_t blank = command.name.find(' ');
  return blank == std::string::npos ? "" : command.name.substr(blank + 1);
}

std::string bash(const std::vector<CommandManual>& manual) {
  std::string inner;
  std::string outer;
  std::string names;
  for (const CommandManual& c : manual) {
    if (rest(c).empty()) continue;
    const bool nested = rest(c).find(' ') != std::string::npos;
    if (!nested) names += (names.empty() ? "" : " ") + rest(c);
    (nested ? inner : outer) +=
        fmt::format("    '{}{}*) words='{}' ;;\n", rest(c), nested ? "'" : " '", fmt::join(words_of(c), " "));
  }
  return fmt::format(
      "# Completion of beadwork for bash: source it, or put it into /usr/share/bash-completion/completions/beadwork.\n"
      "_beadwork() {{\n"
      "  local words='{} --help --version' word=${{COMP_WORDS[COMP_CWORD]}}\n"
      "  COMPREPLY=()\n"
      "  if [ \"$COMP_CWORD\" -gt 1 ]; then case \"${{COMP_WORDS[1]}} ${{COMP_WORDS[2]}}\" in\n{}{}"
      "  esac; fi\n"
      "  [[ $COMP_CWORD -eq 1 || $word == -* ]] && mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
      "}}\n"
      "complete -o default -F _beadwork beadwork\n",
      names, inner, outer);
}

std::string fish_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return out + "'";
}

std::string fish(const std::vector<CommandManual>& manual) {
  std::string out = "# Completion of beadwork for fish: put it into ~/.config/fish/completions/beadwork.fish.\n";
  for (const CommandManual& c : manual) {
    if (rest(c).empty() || rest(c).find(' ') != std::string::npos) continue;
    out += fmt::format("complete -c beadwork -n __fish_use_subcommand -a {} -d {}\n", rest(c), fish_quoted(c.help));
    for (const OptionManual& o : c.options) {
      if (o.names.empty()) continue;
      out += fmt::format("complete -c beadwork -n '__fish_seen_subcommand_from {}'", rest(c));
      for (const std::string& n : o.names) out += n.starts_with("--") ? " -l " + n.substr(2) : " -s " + n.substr(1);
      out += fmt::format("{} -d {}\n", o.takes_value ? " -r" : "", fish_quoted(o.help));
    }
  }
  return out;
}

std::string zsh(const std::vector<CommandManual>& manual) {
  return "#compdef beadwork\n# Completion of beadwork for zsh: put it into a folder of $fpath as _beadwork.\n"
         "autoload -U +X bashcompinit && bashcompinit\n" +
         bash(manual);
}

std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '\\' ? std::string("\\e") : c == '-' ? std::string("\\-") : std::string(1, c);
  if (out.starts_with('.') || out.starts_with('\'')) out = "\\&" + out;
  return out;
}

std::string man(const std::vector<CommandManual>& manual) {
  std::string out = fmt::format(".TH BEADWORK 1 \"\" \"beadwork {}\" \"User commands\"\n", BEADWORK_VERSION);
  out +=
      ".SH NAME\nbeadwork \\- learn provably optimal binary decision diagrams\n.SH SYNOPSIS\n.B beadwork\n"
      ".I COMMAND\n[options]\n.SH DESCRIPTION\n" +
      roff(manual.front().help) + "\n";
  for (const CommandManual& c : manual) {
    out += fmt::format(".SH {}\n", rest(c).empty() ? std::string("OPTIONS") : roff(c.name));
    if (!rest(c).empty()) out += roff(c.help) + "\n";
    for (const OptionManual& o : c.options) {
      out += fmt::format(
          ".TP\n.B {}\n{}\n",
          roff(o.names.empty() ? o.value
                               : fmt::format("{}{}", fmt::join(o.names, ", "), o.takes_value ? " " + o.value : "")),
          roff(o.help + (o.default_value.empty() ? "" : " (default: " + o.default_value + ")")));
    }
    std::string_view lines = c.footer;
    while (!lines.empty()) {
      const std::size_t end = lines.find('\n');
      out += (c.footer.size() == lines.size() ? ".PP\n.nf\n" : "") + roff(lines.substr(0, end)) + "\n";
      lines = end == std::string_view::npos ? std::string_view{} : lines.substr(end + 1);
      if (lines.empty()) out += ".fi\n";
    }
  }
  return out;
}

std::string in_table(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : c == '<' ? std::string("&lt;") : std::string(1, c);
  return out;
}

std::string markdown(const std::vector<CommandManual>& manual) {
  std::string out = "# Every command and option\n\nMade by `beadwork manual markdown` from what `--help` shows.\n";
  for (const CommandManual& c : manual) {
    std::string help = c.help;
    if (!help.empty()) help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
    out += fmt::format("\n## `{}`\n\n{}{}\n", c.name, help, help.ends_with('.') ? "" : ".");
    if (!c.options.empty()) out += "\n| option | what it does | default |\n|---|---|---|\n";
    for (const OptionManual& o : c.options)
      out += fmt::format(
          "| `{}` | {} | {} |\n",
          o.names.empty() ? o.value : fmt::format("{}{}", fmt::join(o.names, ", "), o.takes_value ? " " + o.value : ""),
          in_table(o.help), o.default_value.empty() ? "" : "`" + o.default_value + "`");
    const bool lines = c.footer.find('\n') != std::string::npos;
    if (!c.footer.empty()) out += fmt::format("\n{0}{1}{2}\n", lines ? "```\n" : "", c.footer, lines ? "\n```" : "");
  }
  return out;
}

}  // namespace

console::Command add_manual(Program& program) {
  const Arguments command =
      program.arguments().add_subcommand("manual", "print completion for a shell, a page for man, or all options");
  auto format = std::make_shared<std::string>();
  command.add_option("FORMAT", *format, "bash, zsh, fish, man or markdown")
      .required()
      .one_of({"bash", "zsh", "fish", "man", "markdown"});
  return [format, &program] {
    const std::vector<CommandManual> manual = program.manual();
    const std::string text = *format == "bash"   ? bash(manual)
                             : *format == "zsh"  ? zsh(manual)
                             : *format == "fish" ? fish(manual)
                             : *format == "man"  ? man(manual)
                                                 : markdown(manual);
    return console::emit(text, "");
  };
}

}  // namespace beadwork
