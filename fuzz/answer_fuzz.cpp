// What another solver prints, and the command line that runs it: never a crash, and a model has a value for each
// variable.
#include "fuzz.hpp"
#include <beadwork/formula.hpp>
#include <beadwork/sat.hpp>

namespace {

using namespace beadwork;
using fuzz::insist;

constexpr std::size_t kVariables = 7;

// What our own `v` lines say of a model is that model.
void check_model(const AnswerLines& lines) {
  const auto model = lines.model(kVariables);
  if (!model) return fuzz::insist_one_line(model.error());
  const std::string shown = value_lines(*model, kVariables);
  AnswerLines again;
  std::string_view rest = shown;
  while (!rest.empty()) again.take(fuzz::cut(rest, '\n'));
  const auto same = again.model(kVariables);
  insist(static_cast<bool>(same), "our own v lines are accepted");
  for (std::size_t v = 0; v < kVariables; ++v)
    insist((*same)[Var(v)] == (*model)[Var(v)], "our own v lines give the model back");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string_view text = fuzz::text_of(data, size);
  if (const auto words = split_command(text); !words) fuzz::insist_one_line(words.error());
  AnswerLines lines;
  while (!text.empty()) lines.take(fuzz::cut(text, '\n'));
  check_model(lines);
  return 0;
}
