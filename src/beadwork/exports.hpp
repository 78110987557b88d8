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
// Values of texts, numbers and truth values mean what they mean to predict (dataset/meaning.hpp); a type that a
// language has and the table of meanings has not is an exception there. What a format cannot hold, or only in a size
// far beyond that of the model, is refused.
//
// Numbers are doubles. For small targets and circuits they may be floats, or integers that stand for a multiple of
// them; thresholds become the largest float, or integer, that the model sends the same way, so that every number that
// the type can hold is answered as the model answers it.
//
// Circuits and decision diagrams have one output for two classes, 1 for the second, and one for each class beyond that;
// Verilog and VHDL have the index of the class. A model that tests nothing has one input there, x_unused.

#include <beadwork/base.hpp>
#include <beadwork/model.hpp>

#include <cstdint>
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
  bool circuit = false;   // takes binary features by default, even if it may take raw columns
};
std::span<const ExportFormat> export_formats();

// The type of a number that is handed over.
struct ExportNumbers {
  enum class Kind { usual, float64, float32, integer };  // usual: doubles in code, 32 bits in circuits
  Kind kind = Kind::usual;
  unsigned bits = 32;      // of an integer, in two's complement
  std::int64_t scale = 1;  // the integer q stands for the number q / scale, rounded to a double
  bool integer() const { return kind == Kind::integer; }
  friend bool operator==(const ExportNumbers&, const ExportNumbers&) = default;
};

enum class SqlDialect { standard, mysql, sqlserver, bigquery, snowflake };

struct ExportOptions {
  std::optional<ExportInputs> inputs = {};  // empty: raw columns where the format can carry them
  std::string name = "beadwork";            // of functions and modules: NAME_class, NAME_model
  ExportNumbers numbers = {};               // C takes all; circuits of raw columns take integers alone
  bool enums = false;                       // C: categories and classes as enums instead of texts
  bool probabilities = false;               // also the shares of the classes, as predict gives them
  std::string header = {};                  // C: the file of c-header, which is included instead of repeated
  SqlDialect dialect = SqlDialect::standard;
  friend bool operator==(const ExportOptions&, const ExportOptions&) = default;
};
// Sets one of them by its name, from text: "inputs" raw or binary, "numbers" double, float, int8 ..., "scale" or
// "point" (a power of two) of such integers, "categories" text or enum, "probabilities" yes or no, "dialect", "header",
// "name".
Status set_export_option(ExportOptions& options, std::string_view name, std::string_view text);

// Refuses a format that does not exist, inputs and options that it does not take, and a name that is not an identifier.
// png and pdf run rsvg-convert or Graphviz' dot, and fail if neither is installed.
Result<std::string> export_model(const Model& model, std::string_view format, const ExportOptions& options = {});
// Committees go to code, sql, dbt, onnx and json.
Result<std::string> export_model(const Committee& committee, std::string_view format,
                                 const ExportOptions& options = {});

}  // namespace beadwork
