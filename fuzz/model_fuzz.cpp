// Any bytes as a model: refused in one line, or a model or a committee that its own JSON gives back, that every export
// and every picture takes (of a committee: those that take one), and that predicts.
#include "fuzz.hpp"
#include "json_mutator.hpp"
#include <beadwork/exports.hpp>
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>

#include <cmath>
#include <limits>
#include <numeric>

namespace {

using namespace beadwork;
using fuzz::insist;

template <class M>
void check_round_trip(const M& model) {
  const auto again = predictor_from_json(to_json(model));
  insist(static_cast<bool>(again), "our own JSON is accepted");
  insist(std::get<M>(*again) == model, "our own JSON gives the model back");
}

template <class M>
void check_exports(const M& model) {
  for (const ExportFormat& format : export_formats()) {
    if (format.name == "png" || format.name == "pdf") continue;  // other programs draw these
    for (const ExportInputs inputs : {ExportInputs::raw, ExportInputs::binary}) {
      if (!(inputs == ExportInputs::raw ? format.raw : format.binary)) continue;
      const auto text = export_model(model, format.name, {inputs});
      if (!text) fuzz::insist_one_line(text.error());
    }
  }
}

// Names are data: whatever they hold, the page has as many script elements as it has for plain names.
void check_page(const Model& model) {
  const auto page = html_report(model);
  insist(static_cast<bool>(page), "a model alone makes a page");
  std::size_t opened = 0;
  for (std::size_t at = page->find("<script"); at != std::string::npos; at = page->find("<script", at + 1)) ++opened;
  static const std::size_t expected = opened;
  insist(opened == expected, "no name opens a script element");
}

// A column for each input, one row of ordinary values, one of strange ones and one of missing values.
Table rows_for(const Model& model) {
  std::vector<Column> columns;
  for (const InputColumn& input : model.binarizer().inputs()) {
    Column column{.name = input.name, .type = input.type, .numbers = {}, .codes = {}, .levels = {}};
    if (input.type == ColumnType::numeric) {
      column.numbers = {0, 1e308, std::numeric_limits<double>::quiet_NaN()};
    } else {
      column.levels = {input.levels.empty() ? "x" : input.levels.front(), "never seen"};
      for (const std::uint32_t code : {0U, 1U, Codes::kMissing}) column.codes.push_back(code);
    }
    columns.push_back(std::move(column));
  }
  auto table = Table::make(std::move(columns));
  return table ? *std::move(table) : Table{};
}

void check_predictions(const Model& model) {
  const Table table = rows_for(model);
  if (table.num_columns() == 0) return;
  const auto predictions = predict(model, table);
  if (!predictions) return fuzz::insist_one_line(predictions.error());
  for (const std::uint64_t path : predictions->paths) {
    const auto shares = probabilities(model, path);
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    insist(std::abs(sum - 1) < 1e-6, "shares of the classes add up to 1");
  }
}

void check_votes(const Committee& committee) {
  const Table table = rows_for(committee.optimum());
  if (table.num_columns() == 0) return;
  const auto votes = vote(committee, table);
  if (!votes) return fuzz::insist_one_line(votes.error());
  for (const auto& row : votes->votes)
    insist(std::accumulate(row.begin(), row.end(), std::size_t{0}) == committee.members().size(), "every member votes");
}

int check(const Committee& committee) {
  check_round_trip(committee);
  check_exports(committee);
  text_report(committee);
  check_votes(committee);
  return 0;
}

}  // namespace

BEADWORK_MUTATES_JSON(0)

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const auto read = predictor_from_json(fuzz::text_of(data, size));
  if (!read) return fuzz::insist_one_line(read.error()), 0;
  if (const auto* committee = std::get_if<Committee>(&*read)) return check(*committee);
  const Model* model = std::get_if<Model>(&*read);
  check_round_trip(*model);
  check_exports(*model);
  text_report(*model);
  to_dot(*model);
  to_svg(*model);
  check_page(*model);
  check_predictions(*model);
  return 0;
}
