// ordered_bench FILE.csv [name=value ...]: the exact search over every cut point.
//   depth=3  threads=1  limit=seconds  first=ROW STEPS for the first optimal set
//   expect=N   the optimum: another answer, or none, ends the run with status 1 before a time is printed
//   curve=1    both bounds as they change
//   off=cap|hulls   without that bound

#include <beadwork/ordered.hpp>
#include <beadwork/table.hpp>

#include <cstdio>
#include <ctime>
#include <map>

using namespace beadwork;

static void print_curve(const Progress& p) {
  static std::int64_t lower = -1, upper = -1;
  if (lower == p.lower_bound && upper == p.upper_bound) return;
  lower = p.lower_bound;
  upper = p.upper_bound.value_or(-1);
  std::printf("  %7.2f s  %lld .. %lld\n", p.seconds, static_cast<long long>(lower), static_cast<long long>(upper));
}

int main(int argc, char** argv) {
  std::map<std::string, std::string> o{{"depth", "3"}, {"threads", "1"}, {"limit", "600"}, {"expect", "-1"},
                                       {"curve", "0"}, {"off", ""},      {"first", ""}};
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    o[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  const auto file = read_table(argc > 1 ? argv[1] : "", {});
  if (!file) {
    std::printf("%s\n", file.error().to_string().c_str());
    return 1;
  }
  OrderedOptions options;
  options.depth = std::stoul(o["depth"]);
  options.threads = static_cast<unsigned>(std::stoul(o["threads"]));
  if (!o["first"].empty()) options.effort.first_budget = std::stoull(o["first"]);
  if (o["off"] == "cap") options.effort.linear_cap = false;
  if (o["off"] == "hulls") options.effort.hulls = false;
  Control control;
  control.deadline = Deadline::in(std::stod(o["limit"]));
  if (o["curve"] == "1")
    control.progress = [](const Progress& p) {
      print_curve(p);
      return true;
    };
  const Stopwatch wall;
  const std::clock_t start = std::clock();
  const auto data = rank(file->table, control);
  const auto outcome = search_ordered(*data, options, control);
  const double user = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  const long long expected = std::stoll(o["expect"]), error = outcome->error;
  const bool proven = outcome->status == OrderedStatus::optimal;
  if (*cuts_error(*data, options, outcome->cuts) != error || (expected >= 0 && (!proven || error != expected))) {
    std::printf("WRONG: %lld (%s), expected %lld\n", error, proven ? "proven" : "not proven", expected);
    return 1;
  }
  const OrderedStats& s = outcome->stats;
  std::printf("%lld .. %lld%s  cpu %.3f  wall %.3f  local %.3f  first %.3f  boxes %llu  steps %.3g  passes %llu\n",
              static_cast<long long>(outcome->lower_bound), error, outcome->first ? " first" : "", user, wall.seconds(),
              s.local_seconds, s.first_seconds, static_cast<unsigned long long>(s.boxes),
              static_cast<double>(s.row_steps), static_cast<unsigned long long>(s.passes));
  return 0;
}
