#include <beadwork/fit.hpp>

#include <filesystem>

namespace beadwork {
namespace {

Result<Learnable> with_features(const Table& table, const ThresholdRule& rule, const Control& control) {
  TRY(auto binarizer, Binarizer::fit(table, {rule}, control));
  TRY(auto dataset, binarizer.apply(table, control));
  return Learnable{std::move(binarizer), std::move(dataset)};
}

// Where a limit comes first, what the constant is learnt from; a signal asks for no answer.
Result<Learnable> with_features_or_classes(const Table& table, const ThresholdRule& rule, const Request& request,
                                           const Control& control) {
  auto made = with_features(table, rule, control);
  const bool limit = !made && made.error().code == ErrorCode::limit && !control.interrupted();
  if (!limit || !constant_will_do(request)) return made;
  TRY(auto classes, classes_alone(table, rule));
  return Learnable{std::move(classes.binarizer), std::move(classes.dataset)};
}

Result<Learnable> with_ranks(const Table& table, const Control& control) {
  TRY(auto ranked, rank(table, control));
  const auto data = std::make_shared<const RankedData>(std::move(ranked));
  return Learnable{Binarizer::of(data), ranked_dataset(data)};
}

}  // namespace

Result<Learnable> learnable(const Table& table, const ThresholdRule& rule, const Request& request,
                            const Control& control) {
  Control limited = limits_of(request, control);
  const Deadline deadline = limited.deadline;
  if (!sorts_columns(table, rule, request)) {
    auto out = with_features_or_classes(table, rule, request, limited);
    if (out) out->deadline = deadline;
    return out;
  }
  const bool whole = !request.pin.require.empty() || !request.pin.forbid.empty() || !request.choice.candidate.empty() ||
                     request.only_of<ForSearch>().certificate;  // names and certificates need all columns
  limited.deadline = control.deadline;
  if (!whole && request.run.time_limit)
    limited.deadline = control.deadline.within(shares::kSorting * *request.run.time_limit);
  auto out = with_ranks(table, limited);
  if (out) out->deadline = deadline;
  return out;
}

namespace {

// Certificate and proof can be written: known before the work.
Status check_proofs(const Request& request) {
  for (const std::string& path :
       {request.only_of<ForSearch>().certificate.path, request.only_of<ForMaxsat>().proof.path})
    if (!path.empty() && path != "-") TRY_DONE(can_write(path));
  return Done{};
}

Result<FittedModel> fit_table(const Table& table, const FitOptions& options, const std::string& file_hash,
                              const Control& control) {
  TRY_DONE(check_request(options.request));
  TRY_DONE(check_proofs(options.request));
  TRY(const auto request, read_named_features(settled(options.request, options.thresholds)));
  const ThresholdRule rule = options.thresholds ? *options.thresholds : automatic_thresholds(table, request.depth());
  TRY(auto data, learnable(table, rule, request, control));
  Control limited = control;
  limited.deadline = data.deadline;
  TRY(auto learnt, learn_rows(data.binarizer, data.dataset, request, {limited}));
  if (!learnt.outcome.diagram) return Error{ErrorCode::limit, to_words(learnt.outcome.claim), {}};
  const Origin origin{to_string(rule), {rows_sha256(data.dataset), file_hash}, options.reading};
  TRY(auto models, models_of(data.binarizer, data.dataset, request, learnt.outcome, origin));
  TRY_DONE(write_proofs(request, learnt.outcome));
  return FittedModel{std::move(models.model), std::move(learnt.outcome), std::move(data.binarizer),
                     std::move(data.dataset), std::move(models.committee)};
}

}  // namespace

Result<FittedModel> fit(const Table& table, const FitOptions& options, const Control& control) {
  TRY(const auto counting, table.rows_that_count());
  if (counting.num_rows() == 0 && table.num_rows() != 0)
    return input_error("all weights are 0; at least one row must count");
  return fit_table(counting, options, "", control);
}

Result<FittedModel> fit_file(const std::string& path, const FitOptions& options, const Control& control) {
  const auto stamp = stamp_of(path);
  TRY(const auto file, read_table(path, options.reading));
  const auto hash = file_sha256(path, control);  // none of what is no plain file
  std::error_code failed;
  if (std::filesystem::is_regular_file(path, failed)) {
    if (!stamp) return stamp.error();
    if (!hash && hash.error().code != ErrorCode::limit) return hash.error();
  }
  if (hash && stamp) TRY_DONE(same_file(path, *stamp));
  FitOptions here = options;
  TRY(auto request, without_bans_on(std::move(here.request), file.left_out, file.table));
  here.request = std::move(request);
  if (file.quotes_mean_text) here.reading.quotes_mean_text = file.quotes_mean_text;
  auto out = fit_table(file.table, here, hash && stamp ? *hash : "", control);
  if (out || !out.error().where.empty()) return out;
  Error error = out.error();
  error.where = path;
  return error;
}

}  // namespace beadwork
