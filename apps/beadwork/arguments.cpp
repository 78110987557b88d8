#include "arguments.hpp"

#include <beadwork/engine.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <type_traits>

namespace beadwork {

const Argument& Argument::required() const {
  option_->required();
  return *this;
}

const Argument& Argument::within(std::int64_t least, std::int64_t most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

const Argument& Argument::between(double least, double most) const {
  option_->check(CLI::Range(least, most));
  return *this;
}

namespace {

// An empty value is what a shell leaves of a variable that is not set: taken for none, it would be passed over.
CLI::Validator not_empty() {
  return {[](const std::string& value) { return value.empty() ? std::string("needs a value") : std::string(); }, "",
          "not empty"};
}

}  // namespace

const Argument& Argument::may_be_empty() const {
  option_->get_validator("not empty")->active(false);
  return *this;
}

const Argument& Argument::non_negative() const {
  option_->check(CLI::NonNegativeNumber);
  return *this;
}

const Argument& Argument::one_of(std::initializer_list<std::string> words) const {
  option_->check(CLI::IsMember(words));
  return *this;
}

const Argument& Argument::split_at(char delimiter) const {
  option_->delimiter(delimiter);
  return *this;
}

const Argument& Argument::one_value_each() const {
  option_->allow_extra_args(false);
  return *this;
}

const Argument& Argument::values(int count) const {
  option_->expected(count);
  return *this;
}

const Argument& Argument::show_default() const {
  option_->capture_default_str();
  return *this;
}

const Argument& Argument::show_default(const std::string& text) const {
  option_->default_str(text);
  return *this;
}

const Argument& Argument::word(const std::string& word) const {
  option_->type_name(word);
  return *this;
}

namespace {

constexpr std::string_view kExpert = "\t";  // behind the name of the section

}  // namespace

const Argument& Argument::expert(bool expert) const {
  if (expert) option_->group(option_->get_group() + std::string(kExpert));
  return *this;
}

Arguments Arguments::add_subcommand(const std::string& name, const std::string& help) const {
  return Arguments(*app_->add_subcommand(name, help));
}

template <class T>
Argument Arguments::add(const std::string& names, T& value, const std::string& help) const {
  CLI::Option* option = app_->add_option(names, value, help)->group(section_);
  if (!std::is_arithmetic_v<T>) option->check(not_empty());
  return Argument(*option);
}

Argument Arguments::add_option(const std::string& names, std::string& value, const std::string& help) const {
  return add(names, value, help);
}

Argument Arguments::add_option(const std::string& names, std::optional<std::string>& value,
                               const std::string& help) const {
  return add(names, value, help);
}

Argument Arguments::add_option(const std::string& names, std::vector<std::string>& value,
                               const std::string& help) const {
  return add(names, value, help);
}

Argument Arguments::add_option(const std::string& names, std::int64_t& value, const std::string& help) const {
  return add(names, value, help);
}

Argument Arguments::add_option(const std::string& names, std::uint64_t& value, const std::string& help) const {
  return add(names, value, help);
}

Argument Arguments::add_option(const std::string& names, unsigned& value, const std::string& help) const {
  return add(names, value, help);
}

Argument Arguments::add_option(const std::string& names, double& value, const std::string& help) const {
  return add(names, value, help);
}

Argument Arguments::add_flag(const std::string& names, bool& value, const std::string& help) const {
  return Argument(*app_->add_flag(names, value, help)->group(section_));
}

Argument Arguments::add_list(const std::string& names, std::vector<std::string>& values,
                             const std::string& help) const {
  return add_option(names, values, help + "; may be repeated").one_value_each();
}

void Arguments::footer(const std::string& text) const {
  app_->footer(text);
}

bool Arguments::parsed() const {
  return app_->parsed();
}

bool Arguments::given(const std::string& option) const {
  return app_->count(option) > 0;
}

std::vector<std::pair<std::string, std::string>> Arguments::values_given() const {
  std::vector<std::pair<std::string, std::string>> out;
  for (const CLI::Option* option : app_->get_options()) {
    if (option->get_lnames().empty()) continue;
    const std::string& name = option->get_lnames().front();
    if (option->get_items_expected_max() > 0)
      for (const std::string& value : option->results()) out.emplace_back(name, value);
    else if (option->count() > 0 && option->as<bool>())
      out.emplace_back(name, "true");
  }
  return out;
}

namespace {

// Of text, as other programs name them; a formula's are bdd1, bdd2, bdd3, pair and dt.
bool names_text_encoding(std::string_view name) {
  static constexpr std::array<std::string_view, 8> kFamilies{"utf", "latin", "iso",   "windows",
                                                             "cp",  "ansi",  "ascii", "mac"};
  std::string lower;
  for (const char c : name) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return std::any_of(kFamilies.begin(), kFamilies.end(), [&](std::string_view f) { return lower.starts_with(f); });
}

// CLI11 would take the name of the file for the value of an option whose value may be left out. --encoding is that of a
// formula, but what follows it may be that of the text alone.
std::vector<std::string> as_meant(int argc, const char* const* argv) {
  std::vector<std::string> words(argv, argv + argc);
  const auto is_value = [](std::string_view text) {
    if (text.ends_with('%')) text.remove_suffix(1);
    return parse_number(text).has_value() || text == "none";
  };
  constexpr std::string_view kEncoding = "--encoding";
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string& word = words[i];
    if (word == "--committee" && (i + 1 == words.size() || !is_value(words[i + 1]))) word += "=1%";
    const bool alone = word == kEncoding;
    const bool joined = word.starts_with(kEncoding) && word.substr(kEncoding.size()).starts_with('=');
    if ((alone && i + 1 < words.size() && names_text_encoding(words[i + 1])) ||
        (joined && names_text_encoding(std::string_view(word).substr(kEncoding.size() + 1))))
      word.insert(2, "text-");
  }
  return words;
}

}  // namespace

namespace {

OptionManual manual_of(const CLI::Option& option) {
  OptionManual out;
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  out.value = out.names.empty() ? option.get_single_name() : option.get_type_name();
  out.value = out.value.substr(0, out.value.find(':'));  // what is checked follows
  if (out.value == "INT" || out.value == "UINT") out.value = "N";
  if (out.value == "FLOAT") out.value = "X";
  out.help = option.get_description();
  out.section = option.get_group();
  out.expert = out.section.ends_with(kExpert);
  if (out.expert) out.section.resize(out.section.size() - kExpert.size());
  out.takes_value = option.get_items_expected_max() > 0;
  if (out.takes_value) out.default_value = option.get_default_str();
  return out;
}

CommandManual manual_of(const CLI::App& app, const std::string& name) {
  CommandManual out{name, app.get_description(), app.get_footer(), {}};
  if (app.get_parent() != nullptr && app.get_parent()->get_footer() == out.footer) out.footer.clear();  // inherited
  for (const CLI::Option* option : app.get_options())
    if (option != app.get_help_ptr() && option != app.get_help_all_ptr()) out.options.push_back(manual_of(*option));
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; }))
    out.subcommands.emplace_back(inner->get_name(), inner->get_description());
  return out;
}

void add_manual_of(const CLI::App& app, const std::string& before, std::vector<CommandManual>& out) {
  out.push_back(manual_of(app, before + app.get_name()));
  const std::string name = out.back().name + " ";
  for (const CLI::App* inner : app.get_subcommands([](const CLI::App*) { return true; }))
    add_manual_of(*inner, name, out);
}

struct Help : CLI::Formatter {
  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    return help_text(manual_of(*app, name), mode == CLI::AppFormatMode::All);
  }
};

}  // namespace

Program::Program(const std::string& name, const std::string& summary, std::string (*version)(),
                 const std::string& footer)
    : app_(std::make_unique<CLI::App>(summary, name)) {
  app_->formatter(std::make_shared<Help>());
  app_->set_help_all_flag("--help-all", "show all options");
  app_->set_version_flag("--version", std::function<std::string()>(version),
                         "say what this program is, and how it was built");
  app_->require_subcommand(1);
  app_->footer(footer);
}

Program::~Program() = default;

std::vector<CommandManual> Program::manual() const {
  std::vector<CommandManual> out;
  add_manual_of(*app_, "", out);
  return out;
}

namespace {

// The command that was chosen last: 'study report'.
const CLI::App& innermost(const CLI::App& app) {
  const auto chosen = app.get_subcommands();
  return chosen.empty() ? app : innermost(*chosen.back());
}

// What is wrong, where the words say more than the parser does: an option or a command that is not there.
std::string better_words(const CLI::App& app, const std::string& first) {
  const CLI::App& command = innermost(app);
  std::vector<std::string> known;
  if (&command == &app && !first.empty() && first[0] != '-') {
    for (const auto& [name, _] : manual_of(app, "").subcommands) known.push_back(name);
    return fmt::format("unknown command '{}'{}", first, did_you_mean(first, known));
  }
  for (const std::string& word : app.remaining(true)) {
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || name == "--") continue;
    for (const OptionManual& option : manual_of(command, "").options)
      for (const std::string& other : option.names)
        if (other.starts_with("--")) known.push_back(other.substr(2));  // the dashes are no likeness
    std::string option = name.substr(2);
    std::replace(option.begin(), option.end(), '-', '_');
    if (is_gone(option)) return fmt::format("there is no option '{}' any more", name);
    const std::string meant = nearest_word(name.substr(2), known);
    return fmt::format("unknown option '{}'{}", name, meant.empty() ? "" : "; did you mean '--" + meant + "'?");
  }
  return "";
}

}  // namespace

Result<Program::Answer> Program::parse(int argc, const char* const* argv) {
  const std::vector<std::string> texts = as_meant(argc, argv);
  std::vector<const char*> words;
  bool flags = true;
  for (const std::string& text : texts) {
    flags = flags && text != "--";
    // The parser would take the next word for its value: with `--certificate=$UNSET other.csv` a file to write over.
    if (flags && text.starts_with("--") && text.ends_with("="))
      return usage_error("needs a value", text.substr(0, text.size() - 1));
    words.push_back(text.c_str());
  }
  try {
    app_->parse(argc, words.data());
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) {  // --help, --version
      std::ostringstream out;
      app_->exit(e, out, out);
      return Answer{0, out.str()};
    }
    const std::string better = better_words(*app_, argc > 1 ? argv[1] : "");
    std::string chosen = app_->get_name();
    for (const CLI::App* at = app_.get(); !at->get_subcommands().empty();) {
      at = at->get_subcommands().front();
      chosen += " " + at->get_name();
    }
    return usage_error(fmt::format("{} (see '{} --help')", better.empty() ? e.what() : better, chosen));
  }
  const auto all = app_->get_subcommands({});
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i]->parsed()) return Answer{i, {}};
  return usage_error("a command is missing");
}

}  // namespace beadwork
