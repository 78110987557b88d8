#pragma once
// The flags about reading a table and binarizing it, for every subcommand that does.
#include "arguments.hpp"
#include "console.hpp"
#include <beadwork/dataset.hpp>
#include <beadwork/model.hpp>
#include <beadwork/table.hpp>

#include <string>
#include <vector>

namespace beadwork {

struct InputFlags {
  std::string path;
  std::string format = "auto";
  std::string delimiter;
  bool no_header = false;
  std::vector<std::string> missing;
  std::string target;
  std::string weight;
  std::vector<std::string> numeric;
  std::vector<std::string> nominal;
  std::vector<std::string> ignore;
  std::string thresholds = to_string(ThresholdRule{});
  double train_share = 1;
  bool stratified = false;
  std::uint64_t split_seed = 0;

  void add_reading(const Arguments& command, bool typed);  // typed: the columns' types and roles may be given
  void add_binarizing(const Arguments& command);
  void add_splitting(const Arguments& command);
  Result<ReadOptions> read_options() const;
};

// A table, its binarizer and the matrix, with notes on stderr about what was detected, dropped and merged.
struct LoadedData {
  TableFile file;
  ThresholdRule thresholds;
  Binarizer binarizer;
  Dataset dataset;
};
Result<LoadedData> load_data(const InputFlags& flags);
// The rows to learn from: all, or the share that --train-share asks for; for the paper's reading without the columns
// that are all-zero in the whole file.
struct TrainingRows {
  Dataset dataset;
  std::optional<Dataset> held_out;
};
Result<TrainingRows> training_rows(const LoadedData& data, const InputFlags& flags, bool faithful);
void describe(const LoadedData& data, const Control& control = {});

// Which of two paths is the model? Whichever starts with '{'; the first if neither does.
void model_first(std::string& model, std::string& data);
Result<Model> load_model(const std::string& path);
// A table read with the model's types; what was detected is noted on stderr.
Result<TableFile> read_for_model(const Model& model, const std::string& path, ReadOptions options);
void warn_of_unseen(const UnseenCounts& unseen);

}  // namespace beadwork
