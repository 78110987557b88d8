#pragma once
// What every format starts from: the model reduced to what its diagram tests, and a description of its inputs.
#include <beadwork/exports.hpp>
#include <beadwork/exports/names.hpp>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwork::exports {

struct Plan {
  const Model& model;
  ExportInputs inputs = ExportInputs::raw;
  std::string name;
  Binarizer binarizer;  // the features that are tested, and their columns
  Diagram diagram;      // its features are those of this binarizer
  ExportOptions options = {};
  std::vector<Meanings> meanings = {};  // of the columns; those of numbers have none

  bool raw() const { return inputs == ExportInputs::raw; }
  const std::vector<InputColumn>& columns() const { return binarizer.inputs(); }
  const std::vector<Test>& tests() const { return binarizer.tests(); }
  const std::vector<std::string>& classes() const { return model.class_names(); }
  Class answer(const DiagramNode& sink) const { return *sink.answer; }
  std::vector<std::string> input_names() const;  // of the columns or the features, as `inputs` says
};
Plan make_plan(const Model& model, ExportInputs inputs, const ExportOptions& options);

// A plan for each member of a committee, over the same inputs: those that some member tests. The optimum's is the
// first. Its answer counts 3, that of each other member 2, and the first class with the largest sum wins: these are the
// votes, and a tie goes to the optimum.
struct Ballot {
  std::vector<Plan> plans;
  const Plan& optimum() const { return plans.front(); }
};
Ballot make_ballot(const Committee& committee, ExportInputs inputs, const ExportOptions& options);

// How a language writes a missing number and a missing text, in words.
struct MissingWords {
  std::string number = "NaN";
  std::string text = "null";
};
// Lines for a comment: what is predicted, from which inputs. `identifiers` may be empty: inputs go by their names.
// Names are printable and cut at `most` characters.
std::vector<std::string> describe(const Plan& plan, const std::vector<std::string>& identifiers,
                                  const MissingWords& missing = {}, std::size_t most = 200);

// The texts of which a test of a column of texts holds.
struct TextTest {
  bool missing = false;  // where there is no value, or one of these texts
  bool rest = false;     // where there is a value, and none of these texts
  std::vector<Spelling> texts = {};
  std::vector<Spelling> but = {};  // which would be among them, but mean no value
};
TextTest text_test(const Plan& plan, const Test& test);
// Which comparisons the tests make. yes and no are made of any_case and number; exact means texts without a NUL.
struct Comparisons {
  bool exact = false, any_case = false, number = false, yes = false, no = false;
};
Comparisons comparisons_of(const Plan& plan);
inline constexpr std::array<std::string_view, 5> kYesWords{"true", "yes", "t", "y", "on"};
inline constexpr std::array<std::string_view, 5> kNoWords{"false", "no", "f", "n", "off"};
// Texts that a tool makes of such values, where a format can only list them.
std::vector<std::string> spelled_out(const Spelling& spelling);
// The first class whose name has a NUL, where the format would end it there.
std::optional<Error> nul_in_classes(const Plan& plan, std::string_view format);

// How a language writes the tests: {} stands for the input and, behind it, for the value.
struct TestSyntax {
  std::vector<std::string> inputs;
  std::string bit, at_most, missing_number, missing_text, equals;
  std::string (*quoted)(std::string_view);
  std::string without_nul = {};  // instead of a level with a NUL, where no text holds one
  std::function<std::string(double)> number = format_number;
  std::string either = " || ";                       // between the words that an ordered column may have
  std::function<std::string(const Test&)> own = {};  // asked first; writes a test in another way, or nothing
  bool bare = false;                                 // no parentheses around what stands alone
  std::string any_case = {}, same_number = {}, yes = {}, no = {};  // as equals; the last two have no text
  std::function<std::string(const std::string& input, const Spelling&)> spelled = {};  // instead of these
  std::string both = " && ", negated = "!({})";
};
std::string condition(const Plan& plan, const TestSyntax& syntax, Feature f);

// The lines behind a mark such as "# ".
std::string comment_lines(const std::vector<std::string>& lines, std::string_view mark);
// The lines in /* */, which nothing in them ends.
std::string comment_block(const std::vector<std::string>& lines);
std::string comment_inline(std::string_view line);

// Identifiers of the inputs of a format that cannot do without one: x_unused where nothing is tested.
std::vector<std::string> input_identifiers(const Plan& plan);

// Outputs of circuits: one for two classes, else one a class. `classes[i]` is the class of output i.
struct Outputs {
  std::vector<Class> classes;
  std::vector<std::string> identifiers;
};
Outputs outputs_of(const Plan& plan);
// More lines for describe: which output is which class.
void describe_outputs(const Plan& plan, const Outputs& outputs, std::vector<std::string>& lines,
                      std::size_t most = 200);

// The edges that lead to each node, by node.
struct InEdge {
  Node from;
  bool high = false;
};
std::vector<std::vector<InEdge>> edges_into(const Diagram& diagram);

}  // namespace beadwork::exports
