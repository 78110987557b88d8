#pragma once
#include <beadwork/base/result.hpp>

#include <utility>

// For our own sources alone: base.hpp shows these to nobody else, because macros know no namespace.
//
//   TRY(const auto table, read_table(path));   // the value, or return the error
//   TRY_DONE(check_files(plan));               // nothing to keep; return the error if there is one
#define BEADWORK_JOIN_WORDS(a, b) a##b
#define BEADWORK_JOIN(a, b) BEADWORK_JOIN_WORDS(a, b)
#define TRY(declaration, ...)                                                                             \
  auto BEADWORK_JOIN(result_in_line_, __LINE__) = (__VA_ARGS__);                                          \
  if (!BEADWORK_JOIN(result_in_line_, __LINE__)) return BEADWORK_JOIN(result_in_line_, __LINE__).error(); \
  declaration = *std::move(BEADWORK_JOIN(result_in_line_, __LINE__))
#define TRY_DONE(...)                                                                        \
  do {                                                                                       \
    if (auto result_of_step = (__VA_ARGS__); !result_of_step) return result_of_step.error(); \
  } while (false)
