#pragma once
// A model held against a table with known classes: what `evaluate` and `fit --test` tell.
#include "input_flags.hpp"

#include <nlohmann/json.hpp>

namespace beadwork {

struct Tested {
  Evaluation evaluation;
  std::size_t num_rows = 0;
  bool weighted = false;  // sums are of weights, not of rows
  UnseenCounts unseen;
};
// Reads the table, with notes about it unless `quiet`, and with warnings about what did not occur in training. The
// target is the model's, whatever the options say.
Result<Tested> test_on(const Predictor& predictor, const std::string& path, ReadOptions options, bool quiet = false);

nlohmann::ordered_json to_json(const Tested& tested, const std::vector<std::string>& class_names);
std::string to_text(const Tested& tested, const std::vector<std::string>& class_names);

}  // namespace beadwork
