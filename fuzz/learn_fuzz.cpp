// The whole way: a table from any bytes is made binary, learnt, saved, loaded and predicted. What is called optimal is
// no worse than the best set of features by trying all of them; the model predicts the errors that it was learnt with.
#include "engine_door.hpp"
#include <beadwork/evidence.hpp>
#include <beadwork/model.hpp>
#include <beadwork/table.hpp>

#include <map>

namespace {

using namespace beadwork;
using fuzz::insist;

constexpr std::size_t kMostRows = 64, kMostFeatures = 14;

std::int64_t errors_of_set(const Dataset& data, unsigned set) {
  std::map<unsigned, std::map<std::size_t, std::int64_t>> cells;
  for (std::size_t row = 0; row < data.num_rows(); ++row) {
    unsigned cell = 0;
    for (std::size_t f = 0; f < data.num_features(); ++f)
      if ((set >> f & 1U) != 0 && data.value(Feature{f}, Row{row})) cell |= 1U << f;
    cells[cell][data.label(Row{row})()] += data.weight(Row{row});
  }
  std::int64_t right = 0;
  for (const auto& [cell, weights] : cells) {
    std::int64_t most = 0;
    for (const auto& [label, weight] : weights) most = std::max(most, weight);
    right += most;
  }
  return data.total_weight() - right;
}

std::int64_t least_errors(const Dataset& data, std::size_t depth) {
  std::int64_t least = data.total_weight();
  for (unsigned set = 0; set < 1U << data.num_features(); ++set)
    if (static_cast<std::size_t>(__builtin_popcount(set)) <= depth) least = std::min(least, errors_of_set(data, set));
  return least;
}

fuzz::Question chosen(unsigned byte) {
  fuzz::Question question;
  constexpr const char* kEngines[] = {"search", "search", "enumerate", "local"};
  constexpr const char* kBiases[] = {"N", "P", "C", "S"};
  insist(static_cast<bool>(fuzz::set(question, "depth", std::to_string(byte & 3U))), "depth");
  insist(static_cast<bool>(fuzz::set(question, "engine", kEngines[byte >> 2 & 3U])), "engine");
  insist(static_cast<bool>(fuzz::set(question, "bias", kBiases[byte >> 4 & 3U])), "bias");
  return question;
}

std::int64_t errors_of(const Dataset& data, const std::vector<Class>& predicted) {
  std::int64_t errors = 0;
  for (std::size_t row = 0; row < data.num_rows(); ++row)
    if (predicted[row] != data.label(Row{row})) errors += data.weight(Row{row});
  return errors;
}

void check_model(const Table& table, const Binarizer& binarizer, const Dataset& data, const fuzz::Question& question,
                 const fuzz::Answer& answer) {
  const auto model = model_of(binarizer, data, question, answer, "quantiles:8");
  insist(static_cast<bool>(model), "an answer makes a model");
  const auto loaded = model_from_json(to_json(*model));
  insist(loaded && *loaded == *model, "JSON gives the model back");
  const auto predictions = predict(*loaded, table);
  insist(static_cast<bool>(predictions), "the training table can be predicted");
  insist(errors_of(data, predictions->classes) == *answer.claim.upper_bound, "predictions err as training did");
}

void learn_table(const Table& table, const fuzz::Question& question) {
  const auto binarizer = Binarizer::fit(table, {});
  if (!binarizer) return fuzz::insist_one_line(binarizer.error());
  const auto data = binarizer->apply(table);
  if (!data) return fuzz::insist_one_line(data.error());
  if (data->num_features() > kMostFeatures) return;
  const auto answer = fuzz::ask(*data, question);
  if (!answer) return fuzz::insist_one_line(answer.error());
  insist(answer->diagram.has_value(), "without a limit there is an answer");
  const std::int64_t least = least_errors(*data, fuzz::depth_of(question));
  insist(answer->claim.lower_bound <= least && least <= *answer->claim.upper_bound,
         "the least errors are in the bounds");
  if (fuzz::optimal(*answer)) insist(*answer->claim.upper_bound == least, "optimal is optimal");
  check_model(table, *binarizer, *data, question, *answer);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size < 2) return 0;
  ReadOptions reading;
  if ((data[0] & 1U) != 0) reading.weight = "1";
  const auto file = parse_table(fuzz::text_of(data + 2, size - 2), "fuzz", reading);
  if (!file) return fuzz::insist_one_line(file.error()), 0;
  if (file->table.num_rows() <= kMostRows && file->table.num_columns() <= kMostFeatures)
    learn_table(file->table, chosen(data[1]));
  return 0;
}
