#pragma once
// exports: a model as other programs run it: code, queries, circuits, decision diagrams, trees, pictures.
//
//   for (const ExportFormat& f : export_formats()) ...      // names, one line each, the inputs it takes
//   auto text = export_model(model, "c");                   // a C99 function of the raw columns
//   auto logic = export_model(model, "blif");               // a circuit of the binary features
//   auto bits = export_model(model, "python", {ExportInputs::binary});
//
// An export asks for the columns, or features, that the diagram tests, and no others; it says in a comment or in its
// metadata which they are. Raw columns are what the table held: numbers, texts, missing values; the export then holds
// the thresholds and categories. Binary features are the 0/1 answers of the tests, made elsewhere.
//
// Names are data. In quotes, where the format has them (SQL, Python, JavaScript), they stand as they are. Identifiers
// are made of them: letters, digits and single underscores behind x_ (inputs) or y_ (outputs), so that no keyword and
// no macro can be met, cut at 48 characters, unique regardless of case; the name itself stands in a comment, escaped.
//
// Circuits and decision diagrams have one output for two classes, 1 for the second, and one for each class beyond that;
// Verilog has the index of the class. A model that tests nothing has one input there, x_unused.

#include <beadwork/base.hpp>
#include <beadwork/model.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace beadwork {

enum class ExportInputs { raw, binary };

struct ExportFormat {
  std::string_view name;
  std::string_view what;  // one line
  bool raw = false;       // may take raw columns: that is its default then
  bool binary = false;    // may take binary features
  bool text = true;       // false: bytes, not for a terminal
};
std::span<const ExportFormat> export_formats();

struct ExportOptions {
  std::optional<ExportInputs> inputs = {};  // empty: raw columns where the format can carry them
  std::string name = "beadwork";            // of functions and modules: NAME_class, NAME_model
};

// Refuses a format that does not exist, inputs that it does not take, and a name that is not an identifier. png and pdf
// run rsvg-convert or Graphviz' dot, and fail if neither is installed.
Result<std::string> export_model(const Model& model, std::string_view format, const ExportOptions& options = {});
// Committees go to c, sql, onnx and json alone.
Result<std::string> export_model(const Committee& committee, std::string_view format,
                                 const ExportOptions& options = {});

}  // namespace beadwork
