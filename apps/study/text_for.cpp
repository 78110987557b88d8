#include "text_for.hpp"

#include <beadwork/base.hpp>

namespace beadwork {
namespace {

std::string shown(std::string_view text) {
  return printable(text, text.size());
}

bool like_a_formula(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first != std::string_view::npos && std::string_view("=+-@").find(text[first]) != std::string_view::npos &&
         !parse_number(text.substr(first));
}

}  // namespace

std::string for_terminal(std::string_view text) {
  return printable(text, 200);
}

std::string for_markdown(std::string_view text) {
  return escaped(shown(text), {{'\\', "\\\\"},
                               {'`', "\\`"},
                               {'*', "\\*"},
                               {'_', "\\_"},
                               {'[', "\\["},
                               {']', "\\]"},
                               {'<', "&lt;"},
                               {'>', "&gt;"},
                               {'#', "\\#"},
                               {'~', "\\~"},
                               {'|', "\\|"}});
}

std::string for_latex(std::string_view text) {
  return escaped(shown(text), {{'\\', "\\textbackslash{}"},
                               {'^', "\\textasciicircum{}"},
                               {'~', "\\textasciitilde{}"},
                               {'&', "\\&"},
                               {'%', "\\%"},
                               {'$', "\\$"},
                               {'#', "\\#"},
                               {'_', "\\_"},
                               {'{', "\\{"},
                               {'}', "\\}"}});
}

std::string for_xml(std::string_view text) {
  return escaped(shown(text), {{'&', "&amp;"}, {'<', "&lt;"}, {'>', "&gt;"}, {'"', "&quot;"}});
}

std::string for_csv(std::string_view text) {
  const std::string field = (like_a_formula(text) ? "'" : "") + shown(text);
  if (field.find_first_of(",\"") == std::string::npos) return field;
  return '"' + escaped(field, {{'"', "\"\""}}) + '"';
}

}  // namespace beadwork
