#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <iterator>

namespace beadwork {

std::string value_lines(const Assignment& model, std::size_t num_vars) {
  std::string out(1, 'v');
  std::size_t line_start = 0;
  const auto put = [&](int number) {
    if (out.size() - line_start > 66) {
      out.push_back('\n');
      line_start = out.size();
      out.push_back('v');
    }
    fmt::format_to(std::back_inserter(out), " {}", number);
  };
  for (std::size_t v = 0; v < num_vars; ++v) put(Lit(Var(v), model[Var(v)]).dimacs());
  put(0);
  out.push_back('\n');
  return out;
}

}  // namespace beadwork
