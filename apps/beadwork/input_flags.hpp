#pragma once
// The flags about reading a table and binarizing it, for every subcommand that does.
#include "arguments.hpp"
#include "console.hpp"
#include <beadwork/dataset.hpp>
#include <beadwork/engine.hpp>
#include <beadwork/model.hpp>
#include <beadwork/table.hpp>

#include <limits>
#include <string>
#include <vector>

namespace beadwork {

struct InputFlags {
  std::string path;
  std::string format = "auto";
  std::string delimiter;
  bool no_header = false;
  std::vector<std::string> missing;
  std::vector<std::string> missing_also;
  std::string encoding;
  bool drop_unlabelled = false;
  std::string target;
  std::string weight;
  std::vector<std::string> numeric;
  std::vector<std::string> nominal;
  std::vector<std::string> ordered;
  std::vector<std::string> ignore;
  std::string decimal;
  std::string thousands;
  std::string dates;
  std::vector<std::string> keep_column;
  std::size_t max_categories = ReadOptions{}.max_categories;
  std::size_t target_bins = 0;
  std::string thresholds = "auto";
  bool in_passes = false;  // read the table more than once instead of holding its rows
  double train_share = 1;
  bool stratified = false;
  std::uint64_t split_seed = 0;
  std::optional<ReadOptions> like;  // how to read where no flag says anything

  void add_reading(const Arguments& command, bool typed);  // typed: the columns' types and roles may be given
  void add_binarizing(const Arguments& command);
  void add_passes(const Arguments& command);
  void add_splitting(const Arguments& command);
  Result<ReadOptions> read_options() const;

 private:
  Status read_spellings(ReadOptions& o) const;
  void add_missing(ReadOptions& o) const;
};

// A table, its binarizer and the matrix, with notes on stderr about what was detected, dropped and merged.
struct LoadedData {
  TableFile file;
  ReadOptions reading;
  ThresholdRule thresholds;
  Binarizer binarizer;
  Dataset dataset;
  Deadline deadline = {};  // of learning: sorting columns is part of it
};
// `depth` is for thresholds that nobody chose.
Result<LoadedData> load_data(const InputFlags& flags, std::size_t depth = Request{}.depth());
// Within the limits of the request, which hold from the moment at which the table is read: then an Error of code limit.
Result<LoadedData> load_within(const InputFlags& flags, const Request& request, std::size_t depth = Request{}.depth());
// With sorted columns in place of features.
Result<LoadedData> load_sorted(const InputFlags& flags);
// For learning as asked: with all thresholds the columns are sorted, where the request allows it. A long table is read
// in passes, its equal rows merged, where the request allows that and nothing else needs the rows.
Result<LoadedData> load_data(const InputFlags& flags, const Request& request, bool needs_rows);
// The rows to learn from: all, or the share that --train-share asks for; for the paper's reading without the columns
// that are all-zero in the whole file.
struct TrainingRows {
  Dataset dataset;
  std::optional<Dataset> held_out;
};
Result<TrainingRows> training_rows(LoadedData data, const InputFlags& flags, bool faithful, const Control& control);
void show_findings(const TableFile& file);  // what was detected, on stderr
void describe(const LoadedData& data, const Control& control = {});

// Which of two paths is the model? Whichever starts with '{'; the first if neither does.
void model_first(std::string& model, std::string& data);
Result<Model> load_model(const std::string& path);  // refuses a committee
Result<Predictor> load_predictor(const std::string& path);
const Model& optimum_of(const Predictor& predictor);  // the model itself, or the first member of a committee
// The text of a file, or of standard input where the path is -.
Result<std::string> input_text(const std::string& path);
// A table from a file, or from standard input where the path is -.
inline constexpr double kNoEnd = std::numeric_limits<double>::infinity();
Result<TableFile> read_input(const std::string& path, const ReadOptions& options, double patience = kNoEnd);
// A table read with the model's types; what was detected is noted on stderr, unless that is to be quiet.
Result<TableFile> read_for_model(const Predictor& model, const std::string& path, ReadOptions options,
                                 bool quiet = false);
Result<TableFile> parse_for_model(const Model& model, const std::string& path, const std::string& text,
                                  ReadOptions options);
inline void show_notes(const std::vector<std::string>& notes) {
  for (const std::string& text : notes) console::note(text);
}
void warn_of_unseen(const UnseenCounts& unseen);

}  // namespace beadwork
