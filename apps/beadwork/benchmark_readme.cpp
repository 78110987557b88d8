#include "benchmark_record.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace beadwork {
namespace {

constexpr std::string_view kWhat = R"(# Optimal binary decision diagrams as MaxSAT

Written by `beadwork benchmarks`. Each instance asks for a binary decision diagram that makes the fewest errors in a
table: the formulas of Hu, Huguet and Siala (Optimizing Binary Decision Diagrams with MaxSAT for Classification, AAAI
2022) on all rows of the table (bdd2), and further models of the same question (bdd3, pair: at most H features; dt:
decision trees).

| file | what it is |
|---|---|
| `NAME.wcnf`, `.gz`, `.zst` | the formula, in the format of the MaxSAT Evaluation since 2022 |
| `NAME.sol` | a model of it, as a solver prints it: `o`, `s` and `v` lines, a 0 or 1 for each variable |
| `NAME.json` | the record: sizes, bounds, the diagram, and the SHA-256 of the other files |
| `NAME.model.json` | the diagram as a model of beadwork |
| `NAME.cert` | a certificate that no diagram on at most H features makes fewer errors |
| `tables/TABLE.txt` | the table as a 0/1 matrix, the class first |

`s OPTIMUM FOUND` in a `.sol` file: an exact search over the diagrams has proven that no model costs less. Else the table
below has the bounds that are proven.

    beadcheck tables/TABLE.txt - NAME.cert

checks the certificate by a program that shares no code with beadwork: no diagram on at most H features makes fewer
errors in this table. The formulas of bdd2 want exactly H features and a root that is a bead, so their optimum is at
least that. Where it is more, the rest of the proof is the search's own: "part" in the table.
)";

constexpr std::string_view kInferred = R"(
## The family of the MaxSAT Evaluation

The MaxSAT Evaluation has instances with the names of the bdd2 instances on the paper's tables, in its family
`optimizing-bdds`. That they are these formulas, of the full table and as the paper defines a diagram, is inferred from
the names and from nine costs that the Evaluation's solvers have proven, which are the optima here. The files themselves
have not been compared.
)";

std::string certificate_word(const BenchmarkRecord& r) {
  return r.model == "dt" || !r.certified ? "none" : r.all_certified() ? "all" : fmt::format("part: {}", *r.certified);
}

}  // namespace

std::string benchmark_readme(const std::vector<BenchmarkRecord>& records) {
  std::string out(kWhat);
  if (std::any_of(records.begin(), records.end(), [](const auto& r) { return r.model == "bdd2"; })) out += kInferred;
  out += "\n## The instances\n\n";
  out +=
      "| instance | H | rows | features | variables | hard | soft | literals | cost | errors beside it | certified | "
      "s |\n|---|---|---|---|---|---|---|---|---|---|---|---|\n";
  for (const BenchmarkRecord& r : records)
    out += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {:.2f} |\n",
                       escaped(printable(r.name, 200), {{'|', "\\|"}, {'`', "'"}}), r.depth, r.rows, r.features,
                       r.size.variables, r.size.hard, r.size.soft, r.size.literals, bounds_words(r), r.base,
                       certificate_word(r), r.seconds);
  const auto proven = std::count_if(records.begin(), records.end(), [](const auto& r) { return r.proven(); });
  out += fmt::format("\n{} instances, the optimum of {} proven. s: seconds of the search, not of the certificate.\n",
                     records.size(), proven);
  return out;
}

}  // namespace beadwork
