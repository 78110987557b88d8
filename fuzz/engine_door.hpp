#pragma once
// The only place of the harnesses that names the types of layer engine.
#include "fuzz.hpp"
#include <beadwork/engine.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace fuzz {

using Question = beadwork::Request;
using Answer = beadwork::Outcome;

// One option from text, as the command line and studies give it.
inline beadwork::Status set(Question& question, std::string_view name, std::string_view value) {
  return beadwork::set_option(question, name, value);
}

inline beadwork::Status check(const Question& question) {
  return beadwork::check_request(question);
}

inline beadwork::Result<Answer> ask(const beadwork::Dataset& data, const Question& question) {
  return beadwork::learn(data, question, {});
}

inline bool optimal(const Answer& answer) {
  return beadwork::is_proven(answer.claim);
}

inline std::size_t depth_of(const Question& question) {
  return question.depth();
}

// Small enough to be answered at once.
inline bool quick(const Question& question) {
  return question.depth() <= 4 && question.run.threads <= 2;
}

}  // namespace fuzz
