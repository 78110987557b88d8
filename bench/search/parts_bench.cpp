// What dividing a search costs: parts_bench DATA DEPTH PARTS...
// In one process and one thread, so that nothing but the search is compared: the undivided search, then for each number
// of parts the plan and each part, in CPU seconds of the thread and in judged branches, which are the same on every
// machine. A line of JSON for each; the answer of the merged parts is checked before one is printed.
// bench/scale.py draws the curve for many cores from it.
#include <beadwork/search.hpp>
#include <beadwork/table.hpp>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>

namespace {

using namespace beadwork;

double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// A file of the paper: blank-separated, class first.
Dataset load(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::vector<int>> rows;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::vector<int> row;
    for (int x = 0; words >> x;) row.push_back(x);
    if (!row.empty()) rows.push_back(row);
  }
  Dataset::Parts parts;
  parts.class_names = {"0", "1"};
  const std::size_t features = rows.at(0).size() - 1;
  parts.columns.assign(features, BitColumn(words_for(rows.size())));
  for (std::size_t f = 0; f < features; ++f) parts.feature_names.push_back(std::to_string(f));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    parts.labels.emplace_back(static_cast<std::size_t>(rows[r][0]));
    for (std::size_t f = 0; f < features; ++f)
      if (rows[r][f + 1] != 0) set_bit(parts.columns[f], r);
  }
  return Dataset(std::move(parts));
}

// True where the parts give the answer of the whole.
bool measure(const SearchProblem& problem, SearchOptions options, std::size_t n, const SearchOutcome& whole,
             double whole_seconds) {
  const double begin = cpu_seconds();
  const auto plan = plan_search(problem, options, n, {});
  if (!plan) return false;
  const double planned = cpu_seconds() - begin;
  std::vector<PartState> states;
  std::string seconds, work;
  std::uint64_t steps = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double start = cpu_seconds();
    const auto part = search_part(problem, options, *plan, i, {});
    if (!part || !part->complete) return false;
    char text[64];
    std::snprintf(text, sizeof text, "%s%.6f", i == 0 ? "" : ",", cpu_seconds() - start);
    seconds += text;
    std::snprintf(text, sizeof text, "%s%.6g", i == 0 ? "" : ",", plan->work[i]);
    work += text;
    steps += part->stats.steps;
    states.push_back({i, part->state});
  }
  const auto merged = merge_parts(*plan, states);
  if (!merged || !merged->missing.empty()) return false;
  options.resume = &merged->state;
  const auto answer = search(problem, options, {});
  if (!answer || answer->error != whole.error || answer->features != whole.features) return false;
  std::printf(
      "{\"parts\": %zu, \"whole\": %.3f, \"plan\": %.3f, \"whole_steps\": %llu, \"steps\": %llu, \"work\": [%s], "
      "\"seconds\": [%s]}\n",
      n, whole_seconds, planned, static_cast<unsigned long long>(whole.stats.steps),
      static_cast<unsigned long long>(steps), work.c_str(), seconds.c_str());
  std::fflush(stdout);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 4) {
    std::fprintf(stderr, "parts_bench DATA DEPTH PARTS...\n");
    return 2;
  }
  SearchOptions options;
  options.depth = std::strtoul(argv[2], nullptr, 10);
  const auto problem = prepare(load(argv[1]), options, {});
  if (!problem) return 1;
  const double begin = cpu_seconds();
  const auto whole = search(*problem, options, {});
  const double seconds = cpu_seconds() - begin;
  if (!whole || whole->status != SolveStatus::optimal) return 1;
  for (int i = 3; i < argc; ++i)
    if (!measure(*problem, options, std::strtoul(argv[i], nullptr, 10), *whole, seconds)) {
      std::fprintf(stderr, "parts_bench: %s parts do not give the answer of the whole\n", argv[i]);
      return 1;
    }
  return 0;
}
