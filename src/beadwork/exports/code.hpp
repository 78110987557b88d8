#pragma once
// A model, or a committee, as the functions of a language: classify, and probabilities where they are asked for.
#include <beadwork/exports/branches.hpp>

#include <functional>
#include <string>
#include <vector>

namespace beadwork::exports {

struct CodeLanguage {
  BranchSyntax syntax;             // of classify
  std::string path = "path";       // names of the functions that number the paths and
  std::string member = "member_";  // of the members of a committee
  // The head of a function of a row with the line break: what it returns, and whether it reads the row.
  enum class Returns { index, path };
  std::function<std::string(const std::string& name, Returns returns, bool reads_row)> open;
  // The table of the shares, a list for each path, and the function probabilities, which reads it.
  std::function<std::string(const std::vector<std::string>& lists)> shares;
  std::string between = ", ";  // the shares of a list
  // The functions votes, classify and probabilities of a committee, from the names of its members' functions.
  std::function<std::string(const std::vector<std::string>& members)> vote;
};

std::string code_of(const Plan& plan, const CodeLanguage& language);
std::string code_of(const Ballot& ballot, const CodeLanguage& language);

// One line for the comment at the head of a committee, if it is one.
std::string words_of_ballot(std::size_t members);

}  // namespace beadwork::exports
