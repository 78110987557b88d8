#include <beadwork/evidence.hpp>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::size_t kMostNear = 300;         // about 4 kB each on a page; nobody looks through more
constexpr std::size_t kMostBytes = 4'000'000;  // of each kind: large diagrams and many classes take more

// About what a model takes on a page: its picture, its paths, a matrix of classes for two tables.
std::size_t bytes_of(const Diagram& diagram, std::size_t classes) {
  return 200 * diagram.size() + 8 * static_cast<std::size_t>(diagram.num_paths()) + 5 * classes * classes;
}

// The model of one alternative; training and reading are those of the page's own.
Result<Model> model_of(const Alternatives::One& one, const Binarizer& binarizer, const Dataset& dataset,
                       const Request& request, const Model& own) {
  Diagram diagram = without_implied_tests(one.diagram, one.features, binarizer, request);
  return make_model(binarizer, dataset, one.features, diagram, own.training(), one.claim, own.reading());
}

// On every table of the page; nothing where a table lacks its columns.
std::optional<std::vector<Judged>> judged_on(const Model& model, const std::vector<ReportRows>& tables) {
  std::vector<Judged> out;
  for (const ReportRows& rows : tables) {
    auto judged = judge(model, rows);
    if (!judged) return std::nullopt;
    out.push_back(*std::move(judged));
  }
  return out;
}

}  // namespace

Result<OtherModels> other_models(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                                 const Outcome& outcome, const Model& own, const Control& control) {
  TRY(auto found, alternatives_to(dataset, request, outcome, kMostNear, control));
  OtherModels out{{}, found.near};
  std::size_t bytes_near = 0, bytes_front = 0;
  for (const Alternatives::One& one : found.list) {
    if (control.stopping()) break;
    std::size_t& bytes = one.of_front ? bytes_front : bytes_near;
    bytes += bytes_of(one.diagram, dataset.num_classes());
    if (bytes > kMostBytes) continue;
    TRY(auto model, model_of(one, binarizer, dataset, request, own));
    out.list.push_back({std::move(model), one.of_front, {}});
  }
  return out;
}

void add_alternatives(OtherModels others, const Model& own, ReportFacts& facts, const Control& control) {
  std::size_t near = 1;  // the page's own
  bool lacking = false;
  for (ReportFacts::Alternative& other : others.list) {
    if (control.stopping()) break;
    auto on = judged_on(other.model, facts.rows);
    if (!on && !other.of_front) lacking = true;
    if (!on) continue;
    other.on = *std::move(on);
    near += other.of_front ? 0 : 1;
    facts.alternatives.push_back(std::move(other));
  }
  if (!others.near) return;
  CommitteeClaim& claim = *others.near;
  using Extent = CommitteeClaim::Extent;
  if (near < claim.members) claim.extent = std::max(claim.extent, lacking ? Extent::stopped : Extent::first);
  claim.members = near;
  facts.alternatives_claim = list_words(claim, own.claim());
}

}  // namespace beadwork
