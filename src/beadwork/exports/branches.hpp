#pragma once
// A diagram as nested ifs, for languages with functions. A node that several edges lead to is a function of its own,
// and so is one that would stand too deep; functions come before those that call them.
#include <beadwork/exports/plan.hpp>

#include <functional>
#include <string>

namespace beadwork::exports {

// Braces, unless told otherwise.
struct BranchSyntax {
  TestSyntax tests;
  std::function<std::string(const std::string& name)> open;  // the head of a function, with the line break
  std::string close = "}\n";                                 // its end
  std::string if_open = "if (", then = ") {", or_else_if = "} else if (", or_else = "} else {", end = "}";
  std::string end_of_statement = ";";
  std::string root = "classify";  // name of the function of the root
  std::string others = "node_";   // those of the others are this and a number
  std::size_t indent = 2;         // of the first level inside a function
  std::size_t step = 2;           // of each further level
  char space = ' ';
  std::size_t deepest = 12;  // ifs in a function; compilers bound nesting, readers too
  bool paths = false;        // answer with the number of the path instead of the class
};
std::string branches(const Plan& plan, const BranchSyntax& syntax);

}  // namespace beadwork::exports
