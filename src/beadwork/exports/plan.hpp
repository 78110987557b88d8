#pragma once
// What every format starts from: the model reduced to what its diagram tests, and a description of its inputs.
#include <beadwork/exports.hpp>
#include <beadwork/exports/names.hpp>

#include <functional>
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
