#include <beadwork/model/tested.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

// Does the diagram keep to the model's features and classes?
bool fits(const Diagram& diagram, const Model& model) {
  return std::all_of(diagram.nodes().begin(), diagram.nodes().end(), [&](const DiagramNode& node) {
    return node.sink ? node.answer && (*node.answer)() < model.class_names().size()
                     : node.feature() < model.num_features();
  });
}

// Every feature of the binarizer that some member tests, in its order.
std::vector<Feature> tested_features(const Committee& committee) {
  std::vector<Feature> all;
  for (const Committee::Member& m : committee.members())
    for (const Feature f : m.diagram.used_features()) all.push_back(f);
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  return all;
}

}  // namespace

Result<Committee> Committee::make(Model optimum, std::vector<Member> members, CommitteeClaim claim) {
  if (members.empty() || members.front().diagram != optimum.diagram())
    return input_error("the first member is not the optimum's diagram");
  if (claim.members != members.size()) return input_error("the claim is of another number of members");
  if (claim.num_sets != 0 && claim.num_sets < members.size() && claim.extent == CommitteeClaim::Extent::first)
    return input_error("more members than sets");
  const Claim& c = optimum.claim();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (!fits(members[i].diagram, optimum))
      return input_error(fmt::format("member {} tests a feature or answers a class that does not exist", i));
    const std::int64_t over = members[i].cost - c.upper_bound.value_or(0);
    if (over < 0 || over > (i == 0 ? 0 : claim.within))
      return input_error(fmt::format("the cost of member {} is not within the committee's margin", i));
  }
  Committee out;
  out.optimum_ = std::move(optimum);
  out.members_ = std::move(members);
  out.claim_ = claim;
  return out;
}

std::vector<std::string> Committee::features_of(const Member& member) const {
  std::vector<std::string> names;
  for (const Feature f : member.diagram.used_features()) names.push_back(optimum_.feature_name(f));
  return names;
}

std::string to_words(const Model& model, std::size_t parts) {
  Claim claim = model.claim();
  claim.prover.parts = parts;
  return to_words(claim, model.standing()) + (model.sealed() ? "" : fmt::format("; {}", kNoChecksum));
}

std::string to_words(const Committee& committee, std::size_t parts) {
  const Model& optimum = committee.optimum();
  return fmt::format("{}; {}", to_words(committee.claim(), optimum.claim()), to_words(optimum, parts));
}

Class winner(const std::vector<std::size_t>& votes, Class of_optimum) {
  const std::size_t most = *std::max_element(votes.begin(), votes.end());
  if (votes[of_optimum()] == most) return of_optimum;
  return Class{static_cast<std::size_t>(std::find(votes.begin(), votes.end(), most) - votes.begin())};
}

Result<Votes> vote(const Committee& committee, const Table& table) {
  Votes out;
  const std::vector<Feature> used = tested_features(committee);
  TRY(const auto bits, committee.optimum().binarizer().select(used).bits(table, &out.unseen));
  std::vector<std::size_t> place(committee.optimum().num_features());
  for (std::size_t i = 0; i < used.size(); ++i) place[used[i]()] = i;
  out.votes.assign(table.num_rows(), std::vector<std::size_t>(committee.class_names().size()));
  for (std::size_t r = 0; r < table.num_rows(); ++r) {
    const auto passes = [&](Feature f) { return bit(bits[place[f()]], r); };
    for (const Committee::Member& m : committee.members()) ++out.votes[r][m.diagram.classify(passes)()];
    out.classes.push_back(winner(out.votes[r], committee.optimum().diagram().classify(passes)));
  }
  return out;
}

ReadOptions read_options(const Committee& committee, ReadOptions base) {
  const Model& optimum = committee.optimum();
  return model::reading_for(optimum, optimum.binarizer().select(tested_features(committee)), std::move(base));
}

}  // namespace beadwork
