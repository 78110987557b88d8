#include "doctor.hpp"

#include "commands.hpp"
#include <beadwork/fit.hpp>
#include <beadwork/samples.hpp>
#include <beadwork/sat.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>
#include <vector>

namespace beadwork {
namespace {

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

std::string build() {
#ifdef NDEBUG
  return "release";
#else
  return "with assertions";
#endif
}

// The multiplexer, which has a diagram of six features without errors and none of five.
Result<FittedModel> fit_sample(std::initializer_list<std::pair<const char*, const char*>> options) {
  TRY(const auto table, make_sample("multiplexer-6"));
  FitOptions fit_options;
  fit_options.request.run.depth.most = 6;
  for (const auto& [name, value] : options) TRY_DONE(set_option(fit_options.request, name, value));
  return fit(table, fit_options);
}

std::vector<std::string> kernels_here() {
  std::vector<std::string> out;
  for (const char* kernel : {"avx512", "avx2", "portable"})
    if (fit_sample({{"kernel", kernel}, {"depth", "1"}})) out.emplace_back(kernel);
  return out;
}

// Where this program is.
std::filesystem::path here() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
}

// Beside this program, or in the PATH.
std::string found(const std::string& program) {
  const auto beside = here() / program;
  if (::access(beside.c_str(), X_OK) == 0) return beside;
  const char* given = std::getenv("PATH");
  std::string_view path = given == nullptr ? "" : given;
  while (!path.empty()) {
    const std::size_t end = path.find(':');
    const std::string file = fmt::format("{}/{}", path.substr(0, end), program);
    if (::access(file.c_str(), X_OK) == 0) return file;
    path = end == std::string_view::npos ? std::string_view{} : path.substr(end + 1);
  }
  return {};
}

struct Helper {
  const char* program;
  const char* package;
  const char* what;
};
constexpr std::array kHelpers = {
    Helper{"beadcheck", "", "checks certificates"},
    Helper{"rsvg-convert", "librsvg2-bin", "PNG and PDF pictures"},
    Helper{"dot", "graphviz", "draws the dot export, and PNG and PDF where rsvg-convert is missing"},
    Helper{"clasp", "clasp", "a second solver for WCNF files: solve --solver"},
};

// What make solvers has put beside this program, by name.
std::string other_solvers() {
  std::error_code none;
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::directory_iterator(here() / "solvers", none))
    if (file.is_regular_file(none) && ::access(file.path().c_str(), X_OK) == 0) names.push_back(file.path().filename());
  std::sort(names.begin(), names.end());
  return names.empty() ? "none beside this program (make solvers): Kissat, and MaxSAT solvers for solve --solver"
                       : fmt::format("{}: {}", (here() / "solvers").string(), fmt::join(names, ", "));
}

class SelfTest {
 public:
  void expect(const std::string& what, bool holds) {
    text_ += fmt::format("  {:<7}{}\n", holds ? "ok" : "FAILED", what);
    failed_ = failed_ || !holds;
  }
  const std::string& text() const { return text_; }
  bool failed() const { return failed_; }

 private:
  std::string text_;
  bool failed_ = false;
};

bool is_perfect(const Result<FittedModel>& fitted) {
  return fitted && is_proven(fitted->outcome.claim) && fitted->outcome.claim.upper_bound == 0;
}

void check_engines(SelfTest& test, const std::vector<std::string>& kernels) {
  const auto first = fit_sample({});
  test.expect("search proves the optimum of a known function", is_perfect(first));
  bool same = first && !kernels.empty();
  for (const std::string& kernel : kernels) {
    const auto again = fit_sample({{"kernel", kernel.c_str()}});
    same = same && again && again->model == first->model;
  }
  test.expect("every kernel gives the same model", same);
  test.expect("enumeration agrees", is_perfect(fit_sample({{"engine", "enumerate"}})));
  test.expect("the MaxSAT engine agrees", is_perfect(fit_sample({{"engine", "maxsat"}})));
  const auto fewer = fit_sample({{"depth", "5"}});
  test.expect("five features are proven to be too few",
              fewer && is_proven(fewer->outcome.claim) && fewer->outcome.claim.upper_bound > 0);
  const auto table = make_sample("multiplexer-6");
  const auto read = first ? model_from_json(to_json(first->model)) : Result<Model>(Error{});
  test.expect("a model file reads back", read && *read == first->model);
  const auto answers = read && table ? predict(*read, *table) : Result<Predictions>(Error{});
  test.expect("the model predicts every row", answers && answers->classes.size() == table->num_rows());
}

Result<int> doctor() {
  const Stopwatch clock;
  const std::vector<std::string> kernels = kernels_here();
  std::string out = version_text();
  out += fmt::format("kernels that run here: {}; the first is used\nprocessors: {}\n\n", fmt::join(kernels, ", "),
                     processors_here());
  for (const Helper& h : kHelpers) {
    const std::string path = found(h.program);
    out += fmt::format(
        "{:<14}{}\n", h.program,
        path.empty() ? fmt::format("not found{}: {}",
                                   *h.package == 0 ? "" : fmt::format(" (Debian: apt install {})", h.package), h.what)
                     : fmt::format("{}: {}", path, h.what));
  }
  out += fmt::format("{:<14}{}\n", "solvers", other_solvers());
  SelfTest test;
  check_engines(test, kernels);
  out += fmt::format("\nself-test\n{}  {:.1f} s\n", test.text(), clock.seconds());
  if (const int code = console::emit(out, ""); code != 0) return code;
  if (test.failed()) return Error{ErrorCode::internal, "the self-test failed", {}};
  return 0;
}

}  // namespace

std::string version_text() {
  const std::vector<std::string> kernels = kernels_here();
  return fmt::format("beadwork {}\ncompiled by {}, {}; kernel {}; {}\n", BEADWORK_VERSION, compiler(), build(),
                     kernels.empty() ? "none" : kernels.front(), Solver::name());
}

console::Command add_doctor(const Arguments& program) {
  program.add_subcommand("doctor", "say what is installed and which kernel runs, and test it");
  return doctor;
}

}  // namespace beadwork
