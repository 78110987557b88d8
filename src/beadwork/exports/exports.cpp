#include <beadwork/exports.hpp>
#include <beadwork/exports/formats.hpp>
#include <beadwork/exports/numbers.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace beadwork {
namespace {

using namespace exports;

// What a format can do with the options.
enum Takes : unsigned {
  kShares = 1,  // probabilities, if asked for; other formats that have them always do
  kHasShares = 2,
  kNumbers = 4,  // floats and integers of 8, 16, 32 or 64 bits
  kCircuit = 8,  // raw columns as integers of any width
  kEnums = 16,
  kHeader = 32,
  kDialect = 64,
};

struct Entry {
  ExportFormat format;
  Result<std::string> (*write)(const Plan&);
  Result<std::string> (*write_committee)(const Ballot&) = nullptr;
  unsigned takes = 0;
};

constexpr unsigned kC = kShares | kNumbers | kEnums;

constexpr std::array<Entry, 29> kEntries{{
    {{"text", "the diagram and its rules as text", true, false, true}, to_text},
    {{"dot", "Graphviz", true, false, true}, to_graphviz},
    {{"svg", "our picture", true, false, true}, to_picture},
    {{"png", "the same picture as PNG (needs rsvg-convert or Graphviz)", true, false, false}, to_png},
    {{"pdf", "the same picture as PDF (needs rsvg-convert or Graphviz)", true, false, false}, to_pdf},
    {{"c", "a C99 function of nested ifs", true, true, true}, to_c, to_c, kC | kHeader},
    {{"c-table", "a C99 function that walks a table", true, true, true}, to_c_table, nullptr, kC | kHeader},
    {{"c-header", "the header for either of them", true, true, true}, to_c_header, to_c_header, kC},
    {{"c++", "a C++17 header", true, true, true}, to_cpp, to_cpp, kShares},
    {{"python", "a Python module", true, true, true}, to_python, to_python, kShares},
    {{"javascript", "a script for browsers and Node.js", true, true, true}, to_javascript, to_javascript, kShares},
    {{"rust", "a Rust module", true, true, true}, to_rust, to_rust, kShares},
    {{"java", "a Java class", true, true, true}, to_java, to_java, kShares},
    {{"go", "a Go package", true, true, true}, to_go, to_go, kShares},
    {{"r", "an R script, for data frames", true, true, true}, to_r, to_r, kShares},
    {{"sql", "one CASE expression, in one of several dialects", true, true, true}, to_sql, to_sql, kShares | kDialect},
    {{"dbt", "a model for dbt, in the same dialects", true, true, true}, to_dbt, to_dbt, kShares | kDialect},
    {{"formula", "a formula for Excel and LibreOffice", true, true, true}, to_formula, nullptr, kShares},
    {{"pmml", "PMML 4.4: a TreeModel", true, false, true}, to_pmml, nullptr, kHasShares},
    {{"onnx", "ONNX: TreeEnsembleClassifier, with the steps that make its features", true, true, false},
     to_onnx,
     to_onnx,
     kHasShares},
    {{"sklearn", "the unrolled tree as scikit-learn's arrays (JSON)", true, true, true},
     to_sklearn,
     nullptr,
     kHasShares},
    {{"verilog", "a Verilog module; raw columns as integers", true, true, true, true}, to_verilog, nullptr, kCircuit},
    {{"vhdl", "a VHDL entity; raw columns as integers", true, true, true, true}, to_vhdl, nullptr, kCircuit},
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
  const bool raw = entry.format.raw && !entry.format.circuit;
  return options.inputs.value_or(raw ? ExportInputs::raw : ExportInputs::binary);
}

Status check_numbers(const Entry& entry, const ExportOptions& options) {
  using enum ExportNumbers::Kind;
  const ExportNumbers& numbers = options.numbers;
  if (numbers.kind != usual && inputs_of(entry, options) == ExportInputs::binary)
    return option_error("binary features are 0 or 1", "numbers");
  if (numbers.scale != 1 && !numbers.integer() && (entry.takes & kCircuit) == 0)
    return option_error("only integers have one; name their type, such as int16", "scale");
  if ((entry.takes & kCircuit) != 0 && numbers.kind != usual && !numbers.integer())
    return option_error(fmt::format("{} takes integers only, such as int16", entry.format.name), "numbers");
  if ((entry.takes & (kCircuit | kNumbers)) == 0 && numbers.kind != usual && numbers.kind != float64)
    return option_error(fmt::format("{} takes doubles only", entry.format.name), "numbers");
  const bool machine = numbers.bits == 8 || numbers.bits == 16 || numbers.bits == 32 || numbers.bits == 64;
  if (numbers.integer() && (entry.takes & kNumbers) != 0 && !machine)
    return option_error(fmt::format("{} has int8, int16, int32 and int64", entry.format.name), "numbers");
  return Done{};
}

Status check_options(const Entry& entry, const ExportOptions& options) {
  const auto refuse = [&](std::string_view what, std::string option) {
    return option_error(fmt::format("{} {}", entry.format.name, what), std::move(option));
  };
  if (options.probabilities && (entry.takes & (kShares | kHasShares)) == 0)
    return refuse("has no place for them", "probabilities");
  if (options.enums && (entry.takes & kEnums) == 0) return refuse("has no enums", "categories");
  if (options.enums && inputs_of(entry, options) == ExportInputs::binary)
    return option_error("binary features are 0 or 1", "categories");
  if (!options.header.empty() && (entry.takes & kHeader) == 0) return refuse("includes none", "header");
  if (options.dialect != SqlDialect::standard && (entry.takes & kDialect) == 0) return refuse("has none", "dialect");
  return check_numbers(entry, options);
}

// What is usual for the format, where nobody said.
ExportOptions settled(const Entry& entry, ExportOptions options) {
  using enum ExportNumbers::Kind;
  if (options.numbers.kind == usual) options.numbers.kind = (entry.takes & kCircuit) != 0 ? integer : float64;
  return options;
}

bool all_numeric(const Plan& plan) {
  for (const InputColumn& column : plan.columns())
    if (column.text()) return false;
  return true;
}

// What a type of numbers or texts cannot keep apart is refused.
Status check_plan(const Entry& entry, const Plan& plan) {
  if ((entry.takes & kHeader) != 0 || entry.format.name == "c-header")
    if (auto nul = nul_in_classes(plan, "C")) return *std::move(nul);
  return (entry.takes & (kNumbers | kCircuit)) != 0 ? check_integers(plan) : Done{};
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
  if (const auto fine = check_options(*entry, options); !fine) return fine.error();
  return entry;
}

// A number that means no value is known to the model; what is exported would compare it.
Status check_codes(const Model& model, const Entry& entry, const ExportOptions& options) {
  if (entry.takes == 0 || inputs_of(entry, options) == ExportInputs::binary) return Done{};
  for (const InputColumn& column : model.binarizer().inputs())
    for (const std::string& text : column.reading.missing)
      if (column.type == ColumnType::numeric && parse_number(text))
        return option_error(fmt::format("column '{}': {} means no value to the model, and {} would take it as a number",
                                        printable(column.name, 40), printable(text, 20), entry.format.name),
                            "inputs");
  return Done{};
}

}  // namespace

std::span<const ExportFormat> export_formats() {
  return kFormats;
}

Result<std::string> export_model(const Model& model, std::string_view format, const ExportOptions& options) {
  TRY(const auto entry, find_entry(format, options));
  if (const auto fine = check_codes(model, *entry, options); !fine) return fine.error();
  Plan plan = make_plan(model, inputs_of(*entry, options), settled(*entry, options));
  if (format == "sklearn" && !options.inputs && !all_numeric(plan)) plan.inputs = ExportInputs::binary;
  if (const auto fine = check_plan(*entry, plan); !fine) return fine.error();
  return entry->write(plan);
}

Result<std::string> export_model(const Committee& committee, std::string_view format, const ExportOptions& options) {
  TRY(const auto entry, find_entry(format, options));
  if (const auto fine = check_codes(committee.optimum(), *entry, options); !fine) return fine.error();
  if (format == "json") return to_json(committee);
  if (entry->write_committee == nullptr)
    return option_error(fmt::format("a committee goes to code, sql, dbt, onnx and json, not to {}", format), "to");
  if (options.probabilities && (format == "c" || format == "c-header" || format == "sql" || format == "dbt"))
    return option_error(fmt::format("{} has the votes of a committee instead", format), "probabilities");
  if (options.dialect != SqlDialect::standard)
    return option_error("a committee goes to the standard dialect only", "dialect");
  const Ballot ballot = make_ballot(committee, inputs_of(*entry, options), settled(*entry, options));
  if (const auto fine = check_plan(*entry, ballot.optimum()); !fine) return fine.error();
  return entry->write_committee(ballot);
}

}  // namespace beadwork
