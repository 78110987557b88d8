#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <string>
#include <utility>

namespace beadwork {

namespace {

// Words in `v` lines of at most 78 characters.
class ValueLines {
 public:
  template <class Word>
  void put(const Word& word) {
    const std::string text = fmt::format(" {}", word);
    if (out_.size() - line_start_ + text.size() > 78 && out_.size() > line_start_ + 1) {
      out_ += "\nv";
      line_start_ = out_.size() - 1;
    }
    out_ += text;
  }
  std::string take() && {
    out_ += '\n';
    return std::move(out_);
  }

 private:
  std::string out_ = "v";
  std::size_t line_start_ = 0;
};

}  // namespace

std::string value_lines(const Assignment& model, std::size_t num_vars) {
  ValueLines lines;
  for (std::size_t v = 0; v < num_vars; ++v) lines.put(Lit(Var(v), model[Var(v)]).dimacs());
  lines.put(0);
  return std::move(lines).take();
}

std::string value_bits(const Assignment& model, std::size_t num_vars) {
  std::string out = "v ";
  for (std::size_t v = 0; v < num_vars; ++v) out += model[Var(v)] ? '1' : '0';
  return out + "\n";
}

std::string value_names(const Assignment& model, const Variables& variables) {
  ValueLines lines;
  for (const auto& [v, name] : variables.names()) lines.put((model[v] ? "" : "-") + name);
  return std::move(lines).take();
}

}  // namespace beadwork
