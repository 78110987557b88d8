#pragma once
#include <string>
#include <string_view>

// Texts of study files and records, which need not be trusted, for where they go: one function for each kind of output.
// Control characters, line breaks and what hides or turns text become \u{..} everywhere.
namespace beadwork {

std::string for_terminal(std::string_view text);
std::string for_markdown(std::string_view text);  // no HTML, links, pictures, headings, cells or code
std::string for_latex(std::string_view text);     // no commands
std::string for_xml(std::string_view text);
// A field, quoted where it must be; with a ' in front where a spreadsheet would take it for a formula.
std::string for_csv(std::string_view text);

}  // namespace beadwork
