#pragma once
// fit: from a table to a model that predicts, in one call.
//
//   FitOptions options;
//   options.request.run.depth.most = 3;                     // all of engine.hpp's requests
//   auto fitted = fit_file("loans.csv", options);           // or fit(table, options)
//   if (!fitted) return fail(fitted.error().to_string());
//   to_words(fitted->outcome.claim)                         // what is proven
//   auto answers = predict(fitted->model, table);           // model.hpp
//   write_file("model.json", to_json(fitted->model));
//
// It does what `beadwork fit` does with the same options, and gives the same model. The steps one by one
// are in dataset.hpp (Binarizer), engine.hpp (learn) and evidence.hpp (model_of).

#include <beadwork/evidence.hpp>

#include <functional>
#include <memory>

namespace beadwork {

struct FitOptions {
  Request request = {};
  ReadOptions reading = {};                      // of the file: the target, types of columns, ...
  std::optional<ThresholdRule> thresholds = {};  // nothing: by depth and number of rows (automatic_thresholds)
};

struct FittedModel {
  Model model;
  Outcome outcome;  // its features are those of the dataset
  Binarizer binarizer;
  Dataset dataset;
  std::optional<Committee> committee = {};  // where one was asked for
};

// A run that a limit or a signal stops gives the best model so far, and its claim says so. An error: no model. Files
// that the request names are read and written: features, a checkpoint, the state to go on from, certificate and proof.
// Rows of weight 0 are left out.
Result<FittedModel> fit(const Table& table, const FitOptions& options = {}, const Control& control = {});
Result<FittedModel> fit_file(const std::string& path, const FitOptions& options = {}, const Control& control = {});

// A table in parts, of which one at a time is in memory: files, or partitions of a frame. `read` gives part i with its
// target; where `types` is given, as it says (columns may have any type that it reads, as for prediction); else with
// the texts of the columns `as_found` as they stand. A part is read once in each pass. `quotes_mean_text`: as
// TableFile's, of all parts; known after the first pass.
struct ShardTables {
  std::size_t count = 0;
  std::function<Result<Table>(std::size_t part, const Binarizer* types, const std::vector<std::string>& as_found)> read;
  std::function<std::string(std::size_t part)> name;
  std::shared_ptr<std::optional<bool>> quotes_mean_text = nullptr;
};
// What quotes in the files mean, where the reading does not say it, is decided by the values of all of them.
ShardTables parts_of_files(const std::vector<std::string>& files, const ReadOptions& reading, const Control& control,
                           std::function<void(const TableFile&)> first = {});

// The first pass, or two of them (TableSurvey): the binarizer of the whole, and what makes a dataset of each part.
struct SurveyedParts {
  Binarizer binarizer;
  ReadOptions reading;  // as asked, and what the parts made of it
  WeightScale scale;
  ThresholdRule thresholds;
  std::vector<std::size_t> rows;  // of each part
  std::size_t num_rows = 0;
  Dataset frame;      // features and classes, no rows
  Findings findings;  // of the whole
  Shards shards(const ShardTables& parts) const;
};
// Of the options request.depth, reading and thresholds count. Thresholds must not be `all`.
Result<SurveyedParts> survey(const ShardTables& parts, const FitOptions& options, const Control& control = {});

// What `fit` gives for all parts as one table, exactly (docs/search.md, shards), except that the claim names the
// shards; engine.hpp, learn_from_shards, says which requests can be had so. The dataset holds the rows added up that
// agree on the model's features.
Result<FittedModel> fit_parts(const ShardTables& parts, const FitOptions& options = {}, const Control& control = {});

// The table as the request's engine takes it: features, or sorted columns where all thresholds count.
struct Learnable {
  Binarizer binarizer;
  Dataset dataset;
  Deadline deadline = {};  // of learning: making features and sorting columns is part of it
};
// A limit of the request that comes before the features are made leaves the rows without them
// (Dataset::lacks_features), where the constant will do for an answer.
Result<Learnable> learnable(const Table& table, const ThresholdRule& rule, const Request& request,
                            const Control& control = {});

// The one way from rows to a model, which the calls above, the command line and Python share. First what nobody said:
// among how many features a size is chosen goes by the rule for thresholds, if somebody named one.
Request settled(Request request, const std::optional<ThresholdRule>& rule);

// Who runs a fit, and how: what is no part of what is asked.
struct Host {
  Control control = {};
  // Asked once the work begins: the states that the request's files hold, or merged parts in place of a search.
  std::function<Result<Exchange>(const Request&, const Control&)> exchange = open_exchange;
};

// The search and all that follows it: known answers are not asked again, columns are weighed and priced. Without a
// diagram, because a limit came first or none is possible, the outcome says so.
struct Learnt {
  Outcome outcome;
  std::vector<ReportFacts::Moment> bounds;  // how they moved
};
Result<Learnt> learn_rows(const Binarizer& binarizer, const Dataset& dataset, const Request& request, const Host& host);
// The same from rows in shards; `frame` has their features and classes, and no rows. Nobody's exchange is asked.
struct LearntFromShards {
  ShardsLearnt found;
  std::vector<ReportFacts::Moment> bounds;
};
Result<LearntFromShards> learn_shards(const Binarizer& binarizer, const Shards& shards, const Dataset& frame,
                                      const Request& request, bool hash, const Host& host);
// For hosts that must have a model, where a limit came before any diagram: the class that costs least for every row.
Status fall_back(Outcome& outcome, const Dataset& dataset, const Request& request);
// No path of less weight, in the dataset's units. The bound still holds; the proof of optimality may not.
Status leave_out_light(Outcome& outcome, const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                       std::int64_t least);
// Certificate and proof, into the files that the request names.
Status write_proofs(const Request& request, const Outcome& outcome);

// What a model keeps of where its rows came from.
struct Origin {
  std::string thresholds;  // the rule, as text
  DataHashes hashes = {};
  ReadOptions reading = {};
};
struct Models {
  Model model;
  std::optional<Committee> committee;  // where the outcome has one
};
// Of an outcome that has a diagram.
Result<Models> models_of(const Binarizer& binarizer, const Dataset& dataset, const Request& request,
                         const Outcome& outcome, const Origin& origin);

}  // namespace beadwork
