#include <beadwork/ordered.hpp>
#include <beadwork/table.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
using namespace beadwork;
int main(int argc, char** argv) {
  auto file = read_table(argv[1], {});
  if (!file) { std::puts(file.error().to_string().c_str()); return 1; }
  OrderedOptions o;
  o.depth = static_cast<std::size_t>(std::atoi(argv[2]));
  if (std::getenv("NO_NESTED")) o.bounds.nested_cap = false;
  if (std::getenv("NO_HULLS")) o.bounds.hulls = false;
  if (std::getenv("NO_CAP")) o.bounds.linear_cap = false;
  if (argc > 3) o.threads = static_cast<unsigned>(std::atoi(argv[3]));
  const clock_t c0 = clock();
  auto data = rank(file->table);
  auto out = search_ordered(*data, o, {});
  std::printf("%s H=%zu error %lld lower %lld status %d first %d user %.3f local %.3f boxes %llu nodes %llu steps %.3g", argv[1], o.depth, (long long)out->error,
              (long long)out->lower_bound, (int)out->status, out->first, double(clock() - c0) / CLOCKS_PER_SEC, out->stats.local_seconds, (unsigned long long)out->stats.boxes,
              (unsigned long long)out->stats.nodes, (double)out->stats.row_steps);
  for (auto c : out->cuts) std::printf(" %u:%u", c.column, c.rank);
  std::puts("");
}
