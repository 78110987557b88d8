#pragma once
// Requests as tests write them: through the door that users go through.
#include <beadwork/engine.hpp>

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace beadwork::testing_support {

// Sets an option, to the value that its text stands for.
template <class T>
void ask(Request& request, std::string_view name, const T& value) {
  std::string text;
  if constexpr (std::is_same_v<T, bool>)
    text = value ? "true" : "false";
  else if constexpr (std::is_floating_point_v<T>)
    text = format_number(value);
  else if constexpr (std::is_arithmetic_v<T>)
    text = std::to_string(value);
  else
    text = value;
  const auto ok = set_option(request, name, text);
  ASSERT_TRUE(ok) << ok.error().to_string();
}

}  // namespace beadwork::testing_support
