#include <beadwork/exports/branches.hpp>
#include <beadwork/exports/c_writer.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

namespace beadwork::exports {
namespace {

BranchSyntax c_branches(const CWriter& c, const Plan& plan, const std::string& root) {
  BranchSyntax syntax;
  syntax.tests = c.tests();
  syntax.open = [&](const std::string& name) { return c.opening(name, plan.diagram.inner_nodes() != 0); };
  syntax.root = root;
  syntax.others = root + "_node_";
  return syntax;
}

}  // namespace

Result<std::string> to_c(const Plan& plan) {
  const CWriter c(plan);
  BranchSyntax syntax = c_branches(c, plan, plan.name + "_class");
  syntax.others = plan.name + "_node_";
  std::string out = c.head("branches") + branches(plan, syntax);
  if (!plan.options.probabilities) return out;
  syntax = c_branches(c, plan, plan.name + "_path");
  syntax.paths = true;
  return out + "\n" + branches(plan, syntax) + c.shares();
}

Result<std::string> to_c_header(const Plan& plan) {
  return CWriter(plan).header();
}

Result<std::string> to_c_header(const Ballot& ballot) {
  return CWriter(ballot.optimum(), true).header();
}

Result<std::string> to_c(const Ballot& ballot) {
  const Plan& plan = ballot.optimum();
  const CWriter c(plan, true);
  const std::string& name = plan.name;
  std::string out = c.head("a function of branches for each member of a committee");
  std::string calls;
  for (std::size_t i = 0; i < ballot.plans.size(); ++i) {
    const std::string member = fmt::format("{}_member_{}", name, i);
    out += branches(ballot.plans[i], c_branches(c, ballot.plans[i], member)) + "\n";
    calls += fmt::format("  ++votes[{}(row)];\n", member);
  }
  const std::size_t classes = plan.classes().size();
  out += fmt::format(
      "{}\nvoid {}_votes(const struct {}_row *row, int votes[{}]) {{\n"
      "  int k;\n  for (k = 0; k < {}; ++k) votes[k] = 0;\n{}}}\n\n",
      comment_inline(fmt::format("How many of the {} members answer each class.", ballot.plans.size())), name, name,
      classes, classes, calls);
  out += fmt::format(
      "{0}\n"
      "int {1}_class(const struct {1}_row *row) {{\n"
      "  int votes[{2}], k, best = {1}_member_0(row);\n"
      "  {1}_votes(row, votes);\n"
      "  for (k = 0; k < {2}; ++k)\n"
      "    if (votes[k] > votes[best]) best = k;\n"
      "  return best;\n}}\n",
      comment_inline("A tie goes to the answer of member 0, or else to the first of the tied classes."), name, classes);
  return out;
}

}  // namespace beadwork::exports
