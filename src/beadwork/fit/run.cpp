#include <beadwork/fit.hpp>

namespace beadwork {
namespace {

Status follow_up(const Binarizer& binarizer, const Dataset& dataset, const Request& request, Outcome& outcome,
                 const Control& control) {
  if (!outcome.diagram) return Done{};
  remove_implied_tests(outcome, binarizer, request);
  weigh_columns(outcome, binarizer, dataset, control);
  return price_columns(outcome, binarizer, dataset, request, control);
}

}  // namespace

Request settled(Request request, const std::optional<ThresholdRule>& rule) {
  DepthRange& depth = request.run.depth;
  const bool sized = request.only_of<ForSearch>().size != SizeRule::as_asked;
  const bool open = !depth.asked && depth == DepthRange{};
  if (sized && open && !(rule && rule->kind == ThresholdRule::Kind::all)) depth.most = kFeaturesOfSizes;
  return request;
}

Result<Learnt> learn_rows(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                          const Host& host) {
  BoundsRecorder recorder(static_cast<double>(dataset.weight_scale()));
  const Control listening = recorder.listen(host.control);
  TRY(const auto exchange, host.exchange(request, listening));
  TRY(auto outcome, learn(dataset, request, listening, exchange));
  TRY_DONE(follow_up(binarizer, dataset, request, outcome, host.control));
  return Learnt{std::move(outcome), recorder.moments()};
}

Result<LearntFromShards> learn_shards(const Binarizer& binarizer, const Shards& shards, const Dataset& frame,
                                      const Request& request, bool hash, const Host& host) {
  BoundsRecorder recorder(static_cast<double>(frame.weight_scale()));
  TRY(auto found, learn_from_shards(shards, frame, request, hash, recorder.listen(host.control)));
  TRY_DONE(follow_up(binarizer, found.dataset, request, found.outcome, host.control));
  return LearntFromShards{std::move(found), recorder.moments()};
}

Status write_proofs(const Request& request, const Outcome& outcome) {
  for (const auto& [path, text] : files_of(request, outcome)) TRY_DONE(write_file(path, text));
  return Done{};
}

Result<Models> models_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                         const Outcome& outcome, const Origin& origin) {
  TRY(auto model, model_of(binarizer, dataset, request, outcome, origin.thresholds, origin.hashes, origin.reading));
  Models out{std::move(model), {}};
  if (!outcome.committee) return out;
  TRY(auto committee, committee_of(binarizer, dataset, request, outcome, out.model));
  out.committee = std::move(committee);
  return out;
}

}  // namespace beadwork
