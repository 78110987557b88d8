#include "verify.hpp"

#include "console.hpp"
#include <beadwork/sat.hpp>

#include <fmt/format.h>

#include <filesystem>

namespace beadwork {
namespace {

namespace fs = std::filesystem;

// Beside this program, or wherever the shell would find it.
std::string checker() {
  std::error_code ignored;
  const fs::path beside = fs::read_symlink("/proc/self/exe", ignored).parent_path() / "beadcheck";
  return !ignored && fs::exists(beside, ignored) ? beside.string() : "beadcheck";
}

// The rows as the certificate's version speaks of them, or why they cannot be written down.
Result<std::string> rows_for(const Dataset& dataset, const std::string& certificate) {
  TRY(const auto text, read_file(certificate));
  if (over_values(text) && dataset.ranks()) return values_text(*dataset.ranks());
  if (dataset.is_sorted())
    return Error{ErrorCode::limit, "there are too many thresholds to write down as features", {}};
  return matrix_text(dataset);
}

}  // namespace

bool over_values(const std::string& certificate) {
  return certificate.starts_with("beadwork-certificate 2\n");
}

Verdict verify(const Dataset& dataset, const std::string& model, const std::string& certificate, double limit,
               const Control& control) {
  std::error_code ignored;
  const std::string command = console::shell_words({checker(), "--limit", format_number(limit), "{}",
                                                    model == kNoModel ? model : fs::absolute(model, ignored).string(),
                                                    fs::absolute(certificate, ignored).string()});
  const auto rows = rows_for(dataset, certificate);
  if (!rows) return {false, fmt::format("not checked: {}", rows.error().message)};
  std::string first;
  const auto run = run_solver(command, *rows, ".txt", control, [&](std::string_view line) {
    if (first.empty()) first = line;
  });
  if (!run) return {false, fmt::format("not checked: {}", run.error().message)};
  if (first.empty()) return {false, "not checked: beadcheck gave no result"};
  return {run->exit_code == 0 && first == (model == kNoModel ? "VERIFIED lower bound" : "VERIFIED"), first};
}

}  // namespace beadwork
