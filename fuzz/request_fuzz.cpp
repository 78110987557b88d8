// Options as text. Lines `name value` as the command line gives them, or (first byte odd) `engine:option=value:...` as
// studies do: refused in one line, or a request that a small table can be learnt with, within its limits.
#include "engine_door.hpp"
#include <beadwork/dataset.hpp>
#include <study/study.hpp>

namespace {

using namespace beadwork;
using fuzz::insist;

Dataset tiny() {
  Dataset::Parts parts;
  parts.columns = {{0b00001111}, {0b00110011}, {0b01010101}};
  parts.feature_names = {"a", "b", "c"};
  parts.class_names = {"no", "yes"};
  for (const unsigned label : {0U, 1U, 1U, 0U, 1U, 0U, 0U, 1U}) parts.labels.emplace_back(label);
  return Dataset(std::move(parts));
}

// Files are not read or written here, and no program is run.
bool touches_files(std::string_view name) {
  for (const std::string_view f :
       {"solver", "proof", "certificate", "checkpoint", "resume", "features_from", "features-from"})
    if (name == f) return true;
  return false;
}

void learn_with(const fuzz::Question& question) {
  if (!fuzz::quick(question)) return;
  static const Dataset data = tiny();
  const auto answer = fuzz::ask(data, question);
  if (!answer) return fuzz::insist_one_line(answer.error());
  if (answer->claim.upper_bound) insist(answer->claim.lower_bound <= *answer->claim.upper_bound, "bounds are in order");
}

void try_lines(std::string_view text) {
  fuzz::Question question;
  while (!text.empty()) {
    std::string_view line = fuzz::cut(text, '\n');
    const std::string_view name = fuzz::cut(line, ' ');
    if (touches_files(name)) return;
    if (const auto ok = fuzz::set(question, name, line); !ok) return fuzz::insist_one_line(ok.error());
  }
  const auto ok = fuzz::check(question);
  ok ? learn_with(question) : fuzz::insist_one_line(ok.error());
}

void try_learner(std::string_view text) {
  for (const char* word : {"solver", "proof", "certificate", "checkpoint", "resume", "features"})
    if (text.find(word) != std::string_view::npos) return;
  const auto learner = parse_learner(text, {});
  learner ? learn_with(learner->request) : fuzz::insist_one_line(learner.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  (data[0] & 1U) != 0 ? try_learner(text) : try_lines(text);
  return 0;
}
