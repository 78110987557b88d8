// search_bench FOLDER [name=value ...]: the exact search on files of blank-separated 0/1 columns, class
// first.
//   sets=a,b,c  depths=2-6  kernel=auto|avx512|avx2|portable  threads=1  limit=seconds
// or on made tables: rows=1000000 features=100 noise=0.2 seed=1.

#include <beadwork/search.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>

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

int main(int argc, char** argv) {
  std::map<std::string, std::string> o{{"sets", ""},        {"depths", "2-6"}, {"kernel", "auto"},
                                       {"threads", "1"},    {"limit", "600"},  {"rows", "0"},
                                       {"features", "100"}, {"noise", "0.2"},  {"seed", "1"},
                                       {"restarts", "30"},  {"ties", "20000"}};
  for (int i = 2; i < argc; ++i) {
    const std::string a = argv[i];
    o[a.substr(0, a.find('='))] = a.substr(a.find('=') + 1);
  }
  const std::string folder = argc > 1 ? argv[1] : "";
  std::vector<std::string> sets;
  std::istringstream names(o["sets"]);
  for (std::string s; std::getline(names, s, ',');) sets.push_back(s);
  if (o["rows"] != "0") sets = {"made"};
  if (sets.empty())
    sets = {"anneal",    "audiology",   "australian",  "cancer", "car",
            "cleveland", "hypothyroid", "kr-vs-kp",    "lymph",  "mushroom",
            "soybean",   "splice-1",    "tic-tac-toe", "tumor",  "vote"};
  const std::map<std::string, Kernel> kernels{{"auto", Kernel::automatic},
                                              {"avx512", Kernel::avx512},
                                              {"avx2", Kernel::avx2},
                                              {"portable", Kernel::portable}};
  int from = 2, to = 6;
  if (std::sscanf(o["depths"].c_str(), "%d-%d", &from, &to) == 1) to = from;
  double total = 0;
  for (const std::string& name : sets) {
    const Dataset d = o["rows"] != "0" ? made(std::stoul(o["rows"]), std::stoul(o["features"]),
                                              std::stod(o["noise"]), std::stoul(o["seed"]))
                                       : load(folder + "/" + name + ".txt");
    const Condensed c = condense(d);
    for (int depth = from; depth <= to; ++depth) {
      SearchOptions options;
      options.depth = static_cast<std::size_t>(depth);
      options.kernel = kernels.at(o["kernel"]);
      options.threads = static_cast<unsigned>(std::stoul(o["threads"]));
      options.restarts = std::stoul(o["restarts"]);
      options.max_ties = std::stoull(o["ties"]);
      Control control;
      control.deadline = Deadline::in(std::stod(o["limit"]));
      const auto r = search(c, options, control);
      if (!r) {
        std::printf("%s\n", r.error().to_string().c_str());
        return 1;
      }
      total += r->stats.seconds;
      std::printf("%s K=%zu H=%d err=%lld lb=%lld %s %.3f s nodes=%llu steps=%llu sets=%llu {", name.c_str(),
                  c.features.size(), depth, static_cast<long long>(r->error),
                  static_cast<long long>(r->lower_bound), r->status == SearchStatus::optimal ? "OPT" : "---",
                  r->stats.seconds, static_cast<unsigned long long>(r->stats.nodes),
                  static_cast<unsigned long long>(r->stats.steps),
                  static_cast<unsigned long long>(r->stats.evaluated));
      for (const Feature f : r->features) std::printf(" %zu", f());
      std::printf(" } %.1f MiB\n", static_cast<double>(peak_memory()) / 1048576);
      std::fflush(stdout);
    }
  }
  std::printf("total %.3f s\n", total);
}
