#include <beadwork/exports.hpp>
#include <beadwork/exports/formats.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

using namespace exports;

struct Entry {
  ExportFormat format;
  Result<std::string> (*write)(const Plan&);
  std::string (*write_committee)(const Ballot&) = nullptr;
};

constexpr std::array<Entry, 20> kEntries{{
    {{"text", "the diagram and its rules as text", true, false, true}, to_text},
    {{"dot", "Graphviz", true, false, true}, to_graphviz},
    {{"svg", "our picture", true, false, true}, to_picture},
    {{"png", "the same picture as PNG (needs rsvg-convert or Graphviz)", true, false, false}, to_png},
    {{"pdf", "the same picture as PDF (needs rsvg-convert or Graphviz)", true, false, false}, to_pdf},
    {{"c", "a C99 function of nested ifs", true, true, true}, to_c, to_c},
    {{"c-table", "a C99 function that walks a table", true, true, true}, to_c_table},
    {{"c++", "a C++17 header", true, true, true}, to_cpp},
    {{"python", "a Python module", true, true, true}, to_python},
    {{"javascript", "a script for browsers and Node.js", true, true, true}, to_javascript},
    {{"sql", "one CASE expression for SQLite, PostgreSQL, DuckDB", true, true, true}, to_sql, to_sql},
    {{"onnx", "ONNX: TreeEnsembleClassifier, with the steps that make its features", true, true, false},
     to_onnx,
     to_onnx},
    {{"sklearn", "the unrolled tree as scikit-learn's arrays (JSON)", true, true, true}, to_sklearn},
    {{"verilog", "a Verilog module", false, true, true}, to_verilog},
    {{"blif", "a BLIF circuit", false, true, true}, to_blif},
    {{"aiger", "an and-inverter graph (ASCII AIGER)", false, true, true}, to_aiger},
    {{"pla", "one cube per path, for Espresso", false, true, true}, to_pla},
    {{"dd-json", "a BDD for the Python package dd", false, true, true}, to_dd_json},
    {{"dddmp", "a BDD for CUDD (text)", false, true, true}, to_dddmp},
    {{"json", "the model file", true, false, true},
     [](const Plan& plan) -> Result<std::string> { return to_json(plan.model); }},
}};

constexpr auto kFormats = [] {
  std::array<ExportFormat, kEntries.size()> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = kEntries[i].format;
  return out;
}();

std::string names() {
  std::vector<std::string_view> out;
  for (const ExportFormat& f : kFormats) out.push_back(f.name);
  return fmt::format("{}", fmt::join(out, ", "));
}

ExportInputs inputs_of(const Entry& entry, const ExportOptions& options) {
  return options.inputs.value_or(entry.format.raw ? ExportInputs::raw : ExportInputs::binary);
}

bool all_numeric(const Plan& plan) {
  for (const InputColumn& column : plan.columns())
    if (column.text()) return false;
  return true;
}

// The format of that name, if it takes such inputs and names.
Result<const Entry*> find_entry(std::string_view format, const ExportOptions& options) {
  const auto* entry =
      std::find_if(kEntries.begin(), kEntries.end(), [&](const Entry& e) { return e.format.name == format; });
  if (entry == kEntries.end())
    return option_error(fmt::format("expected one of {}, got '{}'", names(), printable(format)), "to");
  if (!is_identifier(options.name))
    return option_error(fmt::format("expected letters, digits and single underscores after a letter, got '{}'",
                                    printable(options.name)),
                        "name");
  if (inputs_of(*entry, options) == ExportInputs::raw ? !entry->format.raw : !entry->format.binary)
    return option_error(fmt::format("{} takes {} only", format, entry->format.raw ? "raw columns" : "binary features"),
                        "inputs");
  return entry;
}

}  // namespace

std::span<const ExportFormat> export_formats() {
  return kFormats;
}

Result<std::string> export_model(const Model& model, std::string_view format, const ExportOptions& options) {
  const auto entry = find_entry(format, options);
  if (!entry) return entry.error();
  Plan plan = make_plan(model, inputs_of(**entry, options), options.name);
  if (format == "sklearn" && !options.inputs && !all_numeric(plan)) plan.inputs = ExportInputs::binary;
  return (*entry)->write(plan);
}

Result<std::string> export_model(const Committee& committee, std::string_view format, const ExportOptions& options) {
  const auto entry = find_entry(format, options);
  if (!entry) return entry.error();
  if (format == "json") return to_json(committee);
  if ((*entry)->write_committee == nullptr)
    return option_error(fmt::format("a committee goes to c, sql, onnx or json, not to {}", format), "to");
  return (*entry)->write_committee(make_ballot(committee, inputs_of(**entry, options), options.name));
}

}  // namespace beadwork
