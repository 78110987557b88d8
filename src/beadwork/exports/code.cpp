#include <beadwork/exports/code.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

using Returns = CodeLanguage::Returns;

std::string functions_of(const Plan& plan, const CodeLanguage& language, const std::string& root, Returns returns) {
  BranchSyntax syntax = language.syntax;
  syntax.paths = returns == Returns::path;
  if (root != syntax.root) syntax.others = root + "_node_";
  syntax.root = root;
  syntax.open = [&](const std::string& name) { return language.open(name, returns, plan.diagram.inner_nodes() != 0); };
  return branches(plan, syntax);
}

}  // namespace

std::string code_of(const Plan& plan, const CodeLanguage& language) {
  std::string out = functions_of(plan, language, language.syntax.root, Returns::index);
  if (!plan.options.probabilities) return out;
  std::vector<std::string> lists;
  for (const std::vector<double>& shares : shares_of_paths(plan)) {
    std::vector<std::string> words;
    for (const double p : shares) words.push_back(real_literal(p));
    lists.push_back(fmt::format("{}", fmt::join(words, language.between)));
  }
  return out + "\n" + functions_of(plan, language, language.path, Returns::path) + "\n" + language.shares(lists);
}

std::string code_of(const Ballot& ballot, const CodeLanguage& language) {
  std::string out;
  std::vector<std::string> members;
  for (std::size_t i = 0; i < ballot.plans.size(); ++i) {
    members.push_back(fmt::format("{}{}", language.member, i));
    out += functions_of(ballot.plans[i], language, members.back(), Returns::index) + "\n";
  }
  return out + language.vote(members);
}

std::string words_of_ballot(std::size_t members) {
  return fmt::format(
      "A vote of {} diagrams; a tie goes to the first one's answer, or else to the first of the tied classes.",
      members);
}

}  // namespace beadwork::exports
