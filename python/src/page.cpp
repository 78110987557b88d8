#include "columns.hpp"
#include "learned.hpp"

namespace beadwork::python {
namespace {

// Rows of a page: columns, class numbers, weights.
using RowsOfPage = std::tuple<const Frame*, Array, std::optional<Array>>;

// Levels in order of first appearance and no others, as in a column that was read from a file.
Column as_read(const Column& column) {
  if (column.type == ColumnType::numeric) return column;
  Column out;
  out.name = column.name;
  out.type = column.type;
  std::vector<std::uint32_t> place(column.levels.size(), Codes::kMissing);
  for (std::size_t r = 0; r < column.num_rows(); ++r) {
    const std::uint32_t code = column.codes[r];
    if (code != Codes::kMissing && place[code] == Codes::kMissing) {
      place[code] = static_cast<std::uint32_t>(out.levels.size());
      out.levels.push_back(column.levels[code]);
    }
    out.codes.push_back(code == Codes::kMissing ? code : place[code]);
  }
  return out;
}

ReportRows rows_of(const Model& model, const RowsOfPage& given, ReportRows::Role role) {
  const auto& [frame, labels, weights] = given;
  std::vector<Column> columns;
  for (const Column& column : frame->columns()) columns.push_back(as_read(column));
  std::optional<std::size_t> weight;
  if (weights) {
    std::string name = "weight";
    while (std::any_of(columns.begin(), columns.end(), [&](const Column& c) { return c.name == name; })) name += '_';
    weight = columns.size();
    columns.push_back(number_column(name, *weights, {}, ColumnType::numeric));
  }
  columns.push_back(as_read(coded_column(model.binarizer().target(), labels, model.class_names())));
  const std::size_t target = columns.size() - 1;
  return {role, "", take(Table::make(std::move(columns), target, weight))};
}

// What the fit itself has found, beside the model: lists, prices, bounds, other models.
Status add_fit(const Model& model, const Binarizer& binarizer, const Dataset& dataset, const Learned& learned,
               ReportFacts& facts, Control control) {
  const Request& request = learned.request;
  const Outcome& outcome = learned.outcome;
  control.deadline = Deadline::in(std::max(5.0, outcome.seconds));  // other models: no longer than the fit
  auto others = other_models(binarizer, dataset, request, outcome, model, control);
  if (!others) return others.error();
  add_alternatives(*std::move(others), model, facts, control);
  add_outcome(dataset, request, outcome, learned.bounds, facts);
  return Done{};
}

std::string page_of(const Model& model, const std::optional<RowsOfPage>& rows, const std::optional<RowsOfPage>& test,
                    const Binarizer* binarizer, const Dataset* dataset, const Learned* learned,
                    const std::string& command, const std::string& title, const std::string& positive,
                    const std::string& date,
                    const std::vector<std::tuple<std::string, std::string, std::string>>& labels) {
  std::vector<ReportRows> shown;
  if (rows) shown.push_back(rows_of(model, *rows, ReportRows::Role::other));
  if (test) shown.push_back(rows_of(model, *test, ReportRows::Role::test));
  std::optional<LearntFrom> learnt;
  if (binarizer != nullptr && dataset != nullptr) learnt = whole_of(model, *binarizer, *dataset);
  GilWait waiting(nb::none(), 1);
  return take(waiting.run([&](const Control& control) -> Result<std::string> {
    auto facts = facts_of(model, std::move(shown), learnt, control);
    if (!facts) return facts.error();
    if (learned != nullptr && learnt)
      if (auto ok = add_fit(model, *binarizer, *dataset, *learned, *facts, control); !ok) return ok.error();
    facts->command = command;
    facts->title = title;
    facts->positive = positive;
    facts->date = date;
    for (const auto& [column, value, text] : labels) facts->labels.push_back({column, value, text});
    return html_report(model, *facts);
  }));
}

}  // namespace

void bind_page(nb::module_& m) {
  m.def("html_report", &page_of, nb::arg("model"), nb::arg("rows").none(), nb::arg("test").none(),
        nb::arg("binarizer").none(), nb::arg("dataset").none(), nb::arg("outcome").none(), nb::arg("command"),
        nb::arg("title"), nb::arg("positive"), nb::arg("date"), nb::arg("labels"),
        "The report page. Rows are (frame, class numbers, weights); binarizer and dataset are those of "
        "the training, if the rows are; outcome is that of the fit, where it is known.");
}

}  // namespace beadwork::python
