// beadwork-mpi: one fit over the ranks of an MPI job.
#include "division.hpp"

#include <fmt/format.h>

#include <csignal>
#include <exception>

namespace beadwork {
namespace {

constexpr std::string_view kHelp =
    "usage: mpirun -n RANKS beadwork-mpi fit FILE --plan-dir DIR [--plan N] [-o MODEL] [--certificate FILE]\n"
    "         [--report FILE] [--json] [options of 'beadwork fit']\n\n"
    "Divides the search of one fit among the ranks of an MPI job. Rank 0 keeps its state in DIR: the same command "
    "goes\n"
    "on from there after a limit, a signal or the death of a rank. Each rank reads FILE and uses --threads threads.\n\n"
    "  --plan-dir DIR  folder of the plan, which rank 0 makes and writes to\n"
    "  --plan N        number of parts of a new plan (default: 256)\n\n";

struct Flags {
  std::vector<std::string> words;  // what describes the fit
  std::string folder, parts, output, certificate, report;
  bool json = false;
};

// Takes what belongs to the job and to the model out of the words.
Result<Flags> read_flags(const std::vector<std::string>& typed) {
  Flags flags;
  const std::pair<std::string_view, std::string*> values[] = {
      {"--plan-dir", &flags.folder}, {"--plan", &flags.parts},    {"-o", &flags.output},
      {"--output", &flags.output},   {"--report", &flags.report}, {"--certificate", &flags.certificate}};
  for (std::size_t i = 0; i < typed.size(); ++i) {
    const std::string& word = typed[i];
    bool mine = word == "--json";
    flags.json = flags.json || mine;
    for (const auto& [name, value] : values) {
      if (word == name) {
        if (i + 1 == typed.size()) return usage_error("needs a value", std::string(name));
        *value = typed[++i];
        mine = true;
        break;
      }
      if (word.starts_with(std::string(name) + "=")) {
        *value = word.substr(name.size() + 1);
        mine = true;
      }
    }
    if (!mine) flags.words.push_back(word);
  }
  if (flags.folder.empty()) return usage_error("needs --plan-dir: the state of the search is kept there", "fit");
  return flags;
}

// `spare`: seconds to read the state into, where a limit or a signal has stopped the search.
Result<int> merge(const Flags& flags, std::optional<double> spare) {
  TRY(const auto folder, PlanFolder::open(flags.folder));
  TRY(const auto parts, folder.read_parts());
  TRY(const auto merged, merge_parts(folder.plan(), parts));
  MergedFit with{folder.plan(), merged, "", flags.output, flags.certificate, flags.report, {}, {}, flags.json, true};
  if (spare) with.time_limit = fmt::format("{:.3f}", *spare);
  return fit_merged(with);
}

Result<int> run_fit(const Ranks& ranks, const std::vector<std::string>& typed) {
  TRY(const auto flags, read_flags(typed));
  std::optional<std::size_t> parts;
  if (!flags.parts.empty()) {
    parts = parse_integer<std::size_t>(flags.parts);
    if (!parts || *parts < 1 || *parts > 1000000)
      return usage_error(fmt::format("expected a number from 1 to 1000000, got '{}'", printable(flags.parts)),
                         "--plan");
  }
  for (const std::string& output : {flags.output, flags.certificate, flags.report})
    TRY_DONE(PlanFolder::check_output(output, flags.folder));
  std::vector<std::string> words{"fit"};
  words.insert(words.end(), flags.words.begin(), flags.words.end());
  console::keep_command_line(words);
  const Stopwatch clock;
  bool read = false;
  const Division division{ranks, flags.folder, parts};
  TRY(const int code,
      fit_for_host(flags.words, [&](const LoadedData& data, const Request& request, Kept kept, const Control& control) {
        read = true;
        return search_over_ranks(division, data, request, std::move(kept), control);
      }));
  if (!read || ranks.rank() != 0) return code;
  const bool stopped = code == console::kStopped;
  if (code != 0 && !stopped) return code;
  // What it merged may be a proof even so: where the last part ended just in time, or ties alone were left.
  return merge(flags, stopped ? std::optional(1 + clock.seconds() / 10) : std::nullopt);
}

int run(int argc, char** argv) {
  const Ranks ranks(argc, argv);
  const std::vector<std::string> typed(argv + 1, argv + argc);
  if (typed.empty() || typed[0] == "--help" || typed[0] == "-h")
    return ranks.rank() == 0 ? console::emit(std::string(kHelp) + std::string(console::kExitCodes) + "\n", "") : 0;
  if (typed[0] == "--version") return ranks.rank() == 0 ? console::emit("beadwork-mpi " BEADWORK_VERSION "\n", "") : 0;
  const Result<int> done = typed[0] == "fit" ? run_fit(ranks, {typed.begin() + 1, typed.end()})
                                             : usage_error("expected 'fit' (see 'beadwork-mpi --help')");
  const int code = done ? *done : console::fail(done.error());
  if (code != 0 && code != console::kStopped) Ranks::abort(code);  // the others may wait for this one
  return code;
}

}  // namespace
}  // namespace beadwork

int main(int argc, char** argv) {
  using namespace beadwork;
  console::open_descriptors();
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::exception& e) {
    Ranks::abort(console::fail({ErrorCode::internal, std::string("internal error: ") + e.what(), {}}));
  }
}
