#include "commands.hpp"
#include "fit_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace beadwork {
namespace {

struct StateFlags {
  std::string folder, data, output, certificate, report;
  std::optional<std::string> time_limit, threads;
  bool finish = false, json = false, quiet = false;
};

// What is missing, in one line, and the bounds so far.
Error missing_parts(const PlanFolder& folder, const Merged& merged, const std::string& path) {
  const auto bounds = std::visit(
      [](const auto& s) { return std::pair<std::int64_t, std::optional<std::int64_t>>(s.lower_bound, s.error); },
      merged.state);
  const std::size_t count = merged.missing.size();
  const auto& options = folder.plan().options;
  const bool with_costs =
      std::any_of(options.begin(), options.end(), [](const auto& option) { return option.first == "costs"; });
  constexpr std::size_t kShown = 4;
  std::string ranges;
  for (std::size_t i = 0; i < std::min(kShown, merged.left.size()); ++i)
    ranges += (i == 0 ? " (ranges " : ", ") + merged.left[i];
  if (merged.left.size() > kShown) ranges += fmt::format(" and {} more", merged.left.size() - kShown);
  return {ErrorCode::input,
          fmt::format("{} {} of {} {} not done{}); the least {} lies between {} and {} in the plan's units; run the "
                      "missing parts, or merge with --finish",
                      count == 1 ? "part" : "parts", numbers_text(merged.missing), folder.plan().num_parts(),
                      count == 1 ? "is" : "are", ranges, with_costs ? "cost" : "error", bounds.first,
                      bounds.second ? std::to_string(*bounds.second) : "?"),
          path};
}

Result<int> merge(const StateFlags& flags) {
  TRY(const auto folder, PlanFolder::open(flags.folder));
  for (const std::string& output : {flags.output, flags.certificate, flags.report})
    TRY_DONE(PlanFolder::check_output(output, flags.folder));
  TRY(const auto parts, folder.read_parts());
  const auto merged = merge_parts(folder.plan(), parts);
  if (!merged) return input_error(merged.error().message, flags.folder);
  if (!merged->missing.empty() && !flags.finish) return missing_parts(folder, *merged, flags.folder);
  return fit_merged({folder.plan(), *merged, flags.data, flags.output, flags.certificate, flags.report,
                     flags.time_limit, flags.threads, flags.json, flags.quiet});
}

}  // namespace

console::Command add_state(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("state", "put together a fit that was done in parts ('state merge')");
  auto flags = std::make_shared<StateFlags>();
  const Arguments join =
      command.add_subcommand("merge", "make the model of a plan once its parts are done (docs/scale.md)");
  join.add_option("FOLDER", flags->folder, "folder that 'fit --plan' made").required();
  join.add_option("-o,--output", flags->output, "write the model to this file (JSON)").word("FILE");
  join.add_option("--certificate", flags->certificate, "write a certificate of optimality for beadcheck").word("FILE");
  join.add_option("--report", flags->report, "write a report page to this file (HTML)").word("FILE");
  join.add_option("--data", flags->data, "read this table in place of the one that the plan names").word("FILE");
  join.add_flag("--finish", flags->finish, "finish the missing parts now");
  join.add_option("--time-limit", flags->time_limit, "stop after S seconds and keep the best diagram found").word("S");
  join.add_option("--threads", flags->threads, "use N threads for what is still to do");
  join.add_flag("--json", flags->json, "print the result as JSON");
  join.add_flag("-q,--quiet", flags->quiet, "do not print notes about the data");
  return [=]() -> Result<int> {
    if (join.parsed()) return merge(*flags);
    return usage_error("a subcommand is missing (see 'beadwork state --help')");
  };
}

}  // namespace beadwork
