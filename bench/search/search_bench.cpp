// search_bench FOLDER [name=value ...]: the exact search on files of blank-separated 0/1 columns, class
// first.
//   sets=a,b,c  depths=2-6  kernel=auto|avx512|avx2|portable  threads=1  limit=seconds
//   reference=FILE  csv with the columns dataset and err_h2, err_h3, ...: an answer that differs ends the run
//   curve=1         both bounds as they change
// or on made tables: rows=1000000 features=100 noise=0.2 seed=1
// or as cross-validation does, on the training part of every fold: folds=5 seeds=5 jobs=2.

#include <beadwork/search.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <thread>

using namespace beadwork;

static Dataset finish(std::vector<BitColumn> columns, std::vector<Class> labels) {
  Dataset::Parts parts;
  parts.class_names = {"0", "1"};
  for (std::size_t f = 0; f < columns.size(); ++f) parts.feature_names.push_back(std::to_string(f));
  parts.columns = std::move(columns);
  parts.labels = std::move(labels);
  return Dataset(std::move(parts));
}

static Dataset load(const std::string& path) {
  std::ifstream in(path);
  std::vector<std::vector<char>> rows;
  for (std::string line; std::getline(in, line);) {
    rows.emplace_back();
    for (const char c : line)
      if (c == '0' || c == '1') rows.back().push_back(c == '1');
    if (rows.back().empty()) rows.pop_back();
  }
  std::vector<BitColumn> columns(rows.at(0).size() - 1, BitColumn(words_for(rows.size())));
  std::vector<Class> labels;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    labels.emplace_back(static_cast<std::size_t>(rows[r][0]));
    for (std::size_t f = 0; f < columns.size(); ++f)
      if (rows[r][f + 1] != 0) set_bit(columns[f], r);
  }
  return finish(std::move(columns), std::move(labels));
}

// A label that is a function of four features, with noise; features of many densities.
static Dataset made(std::size_t num_rows, std::size_t num_features, double noise, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<BitColumn> columns(num_features, BitColumn(words_for(num_rows)));
  for (std::size_t f = 0; f < num_features; ++f) {
    const double density = 0.05 + 0.45 * rng.unit();
    for (std::size_t r = 0; r < num_rows; ++r)
      if (rng.unit() < density) set_bit(columns[f], r);
  }
  std::vector<Class> labels;
  for (std::size_t r = 0; r < num_rows; ++r) {
    const bool truth = (bit(columns[3], r) && bit(columns[7 % num_features], r)) ||
                       (bit(columns[11 % num_features], r) != bit(columns[19 % num_features], r));
    labels.emplace_back(static_cast<std::size_t>(rng.unit() < noise ? rng.below(2) : truth));
  }
  return finish(std::move(columns), std::move(labels));
}

using Options = std::map<std::string, std::string>;

static Result<SearchOutcome> best_set(const Dataset& data, const SearchOptions& options, const Control& control = {}) {
  const auto problem = prepare(data, options, control);
  if (!problem) return problem.error();
  return search(*problem, options, control);
}

static SearchOptions search_options(Options& o, std::size_t depth) {
  const std::map<std::string, Kernel> kernels{
      {"auto", Kernel::automatic}, {"avx512", Kernel::avx512}, {"avx2", Kernel::avx2}, {"portable", Kernel::portable}};
  SearchOptions options;
  options.depth = depth;
  options.kernel = kernels.at(o["kernel"]);
  options.threads = static_cast<unsigned>(std::stoul(o["threads"]));
  options.effort.restarts = std::stoul(o["restarts"]);
  options.effort.max_ties = std::stoull(o["ties"]);
  return options;
}

// The published optimum of a set and depth, or -1.
static std::int64_t published(const std::string& path, const std::string& name, std::size_t depth) {
  std::ifstream in(path);
  std::string line, word;
  std::getline(in, line);
  std::istringstream head(line);
  std::size_t column = 0, wanted = 0;
  for (; std::getline(head, word, ','); ++column)
    if (word == "err_h" + std::to_string(depth)) wanted = column;
  while (wanted > 0 && std::getline(in, line)) {
    std::istringstream words(line);
    std::vector<std::string> row;
    while (std::getline(words, word, ',')) row.push_back(word);
    if (row.at(0) == name) return std::stoll(row.at(wanted));
  }
  return -1;
}

// Every fold's training part, `jobs` at a time. No part may err by more than the whole does, nor be left unproven.
static int cross_validate(const std::vector<Dataset>& sets, Options& o, std::size_t from, std::size_t to) {
  struct Task {
    const Dataset* data;
    std::size_t depth, whole;
    const std::vector<Row>* rows;
  };
  std::vector<std::vector<Split>> splits;
  std::vector<Task> tasks;
  for (const Dataset& d : sets) {
    std::vector<Split> all;
    for (std::uint64_t seed = 1; seed <= std::stoull(o["seeds"]); ++seed) {
      auto folds = k_folds(d.num_rows(), std::stoul(o["folds"]), seed);
      if (!folds) {
        std::printf("%s\n", folds.error().to_string().c_str());
        return 1;
      }
      for (Split& split : *folds) all.push_back(std::move(split));
    }
    splits.push_back(std::move(all));
  }
  std::vector<std::int64_t> whole;
  for (std::size_t s = 0; s < sets.size(); ++s)
    for (std::size_t depth = from; depth <= to; ++depth) {
      whole.push_back(best_set(sets[s], search_options(o, depth))->error);
      for (const Split& split : splits[s]) tasks.push_back({&sets[s], depth, whole.size() - 1, &split.train});
    }
  std::atomic<std::size_t> next = 0, wrong = 0;
  const auto start = std::chrono::steady_clock::now();
  std::vector<std::jthread> workers;
  for (unsigned job = 0; job < std::stoul(o["jobs"]); ++job)
    workers.emplace_back([&] {
      for (std::size_t i = next++; i < tasks.size(); i = next++) {
        const auto r = best_set(tasks[i].data->subset(*tasks[i].rows), search_options(o, tasks[i].depth));
        wrong += !r || r->status != SolveStatus::optimal || r->error > whole[tasks[i].whole];
      }
    });
  workers.clear();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%zu fits, %zu wrong, %.1f s\n", tasks.size(), wrong.load(), seconds.count());
  return wrong > 0;
}

int main(int argc, char** argv) {
  if (argc < 2) {
    std::printf("search_bench FOLDER [name=value ...], see the head of its source\n");
    return 2;
  }
  Options o{{"sets", ""},     {"depths", "2-6"},  {"kernel", "auto"},  {"threads", "1"},
            {"limit", "600"}, {"rows", "0"},      {"features", "100"}, {"noise", "0.2"},
            {"seed", "1"},    {"restarts", "30"}, {"ties", "20000"},   {"reference", ""},
            {"curve", "0"},   {"folds", "0"},     {"seeds", "5"},      {"jobs", "2"}};
  for (int i = 2; i < argc; ++i) {
    const std::string a = argv[i];
    o[a.substr(0, a.find('='))] = a.substr(a.find('=') + 1);
  }
  const std::string folder = argv[1];
  std::vector<std::string> sets;
  std::istringstream names(o["sets"]);
  for (std::string s; std::getline(names, s, ',');) sets.push_back(s);
  if (o["rows"] != "0") sets = {"made"};
  if (sets.empty())
    sets = {"anneal", "audiology", "australian", "cancer",   "car",         "cleveland", "hypothyroid", "kr-vs-kp",
            "lymph",  "mushroom",  "soybean",    "splice-1", "tic-tac-toe", "tumor",     "vote"};
  int from = 2, to = 6;
  if (std::sscanf(o["depths"].c_str(), "%d-%d", &from, &to) == 1) to = from;
  if (o["folds"] != "0") {
    std::vector<Dataset> data;
    for (const std::string& name : sets) data.push_back(load(folder + "/" + name + ".txt"));
    return cross_validate(data, o, static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  }
  double total = 0;
  for (const std::string& name : sets) {
    const Dataset d = o["rows"] != "0" ? made(std::stoul(o["rows"]), std::stoul(o["features"]), std::stod(o["noise"]),
                                              std::stoul(o["seed"]))
                                       : load(folder + "/" + name + ".txt");
    const Condensed c = condense(d);
    for (int depth = from; depth <= to; ++depth) {
      const SearchOptions options = search_options(o, static_cast<std::size_t>(depth));
      Control control;
      control.deadline = Deadline::in(std::stod(o["limit"]));
      std::int64_t low = -1, high = -1;
      if (o["curve"] != "0")
        control.progress = [&](const Progress& p) {
          const std::int64_t upper = p.upper_bound.value_or(-1);
          if (p.lower_bound != low || upper != high)
            std::printf("  %.2f s: %lld to %lld\n", p.seconds, static_cast<long long>(p.lower_bound),
                        static_cast<long long>(upper));
          low = p.lower_bound, high = upper;
          return true;
        };
      const auto r = best_set(d, options, control);
      if (!r) {
        std::printf("%s\n", r.error().to_string().c_str());
        return 1;
      }
      const std::int64_t known = published(o["reference"], name, static_cast<std::size_t>(depth));
      if (known >= 0 && r->error != known) {
        std::printf("%s H=%d err=%lld, published is %lld\n", name.c_str(), depth, static_cast<long long>(r->error),
                    static_cast<long long>(known));
        return 1;
      }
      total += r->stats.seconds;
      std::printf("%s K=%zu H=%d err=%lld lb=%lld %s %.3f s nodes=%llu steps=%llu sets=%llu {", name.c_str(),
                  c.features.size(), depth, static_cast<long long>(r->error), static_cast<long long>(r->lower_bound),
                  r->status == SolveStatus::optimal ? "OPT" : "---", r->stats.seconds,
                  static_cast<unsigned long long>(r->stats.nodes), static_cast<unsigned long long>(r->stats.steps),
                  static_cast<unsigned long long>(r->stats.evaluated));
      for (const Feature f : r->features) std::printf(" %zu", f());
      std::printf(" } %.1f MiB\n", static_cast<double>(peak_memory()) / 1048576);
      std::fflush(stdout);
    }
  }
  std::printf("total %.3f s\n", total);
}
