// True and false claims about random tables, by the hundred thousand, against brute force.
//
// claims_test [FALSE-CLAIMS [SEED]]; exit code 1 at the first claim that the checker judges wrongly. The checker's
// source is included, so that this program can also be compiled with a deliberately broken copy of it (mutants.py).
#define BEADCHECK_NO_MAIN
#include BEADCHECK_SOURCE

#include <iostream>
#include <random>

namespace {

using beadcheck::Columns;
using beadcheck::Weight;
std::mt19937_64 random_bits;
std::size_t below(std::size_t n) {
  return random_bits() % n;
}
bool chance(std::size_t one_in) {
  return below(one_in) == 0;
}

using Ranges = std::vector<std::pair<Columns, Columns>>;
struct Case {
  std::size_t columns = 0, classes = 1, depth = 0;
  bool weighted = false, named = false;
  std::vector<std::uint32_t> rows;  // bit f: column f
  std::vector<std::size_t> label;
  std::vector<Weight> weight;
  Columns forbidden, required, order;
};

std::uint32_t mask_of(const Columns& columns) {
  std::uint32_t mask = 0;
  for (std::size_t f : columns) mask |= 1u << f;
  return mask;
}
Columns columns_of(std::uint32_t mask) {
  Columns columns;
  for (std::size_t f = 0; f < 32; ++f)
    if (mask >> f & 1) columns.push_back(f);
  return columns;
}
Weight brute_error(const Case& c, std::uint32_t mask) {
  static std::vector<Weight> counts;
  counts.assign((std::size_t{1} << c.columns) * c.classes, 0);
  for (std::size_t i = 0; i < c.rows.size(); ++i) counts[(c.rows[i] & mask) * c.classes + c.label[i]] += c.weight[i];
  Weight error = 0;
  for (std::size_t cell = 0; cell < counts.size(); cell += c.classes) {
    Weight total = 0, most = 0;
    for (std::size_t k = 0; k < c.classes; ++k) total += counts[cell + k], most = std::max(most, counts[cell + k]);
    error += total - most;
  }
  return error;
}

// A set for each error that sets of at most `depth` columns have.
std::map<Weight, std::uint32_t> all_sets(const Case& c) {
  std::map<Weight, std::uint32_t> sets;
  const std::uint32_t must = mask_of(c.required), may = ~mask_of(c.forbidden);
  for (std::uint32_t mask = 0; mask < 1u << c.columns; ++mask)
    if ((mask & must) == must && (mask & ~may) == 0 && static_cast<std::size_t>(std::popcount(mask)) <= c.depth)
      sets.emplace(brute_error(c, mask), mask);
  return sets;
}

// Few rows or several words of them; labels at random or from a hidden rule with noise; copies, complements, constants.
Case random_case() {
  Case c;
  c.columns = 1 + below(8);
  c.classes = 1 + below(4);
  const std::size_t rows = chance(8) ? 60 + below(150) : 1 + below(24);
  const std::size_t skew = 1 + below(4), noise = 2 + below(20);
  const std::uint32_t rule = static_cast<std::uint32_t>(random_bits());
  const bool ruled = chance(2);
  c.weighted = chance(3);
  c.named = chance(2);
  const Weight heaviest = chance(4) ? Weight{1} << 50 : 9;
  std::vector<std::pair<std::size_t, std::size_t>>
      copies;  // column, what it is: below 8 a copy, below 16 its complement
  for (std::size_t f = 0; f < c.columns; ++f) copies.emplace_back(f, chance(4) ? below(18) : f);
  for (std::size_t i = 0; i < rows; ++i) {
    std::uint32_t row = 0, full = 0;
    for (std::size_t f = 0; f < c.columns; ++f) row |= static_cast<std::uint32_t>(chance(1 + skew)) << f;
    for (auto [f, g] : copies)
      full |= (g < 8    ? row >> (g % c.columns) & 1
               : g < 16 ? ~row >> (g % c.columns) & 1
                        : static_cast<std::uint32_t>(g % 2))
              << f;
    c.rows.push_back(full);
    const std::size_t hidden =
        static_cast<std::size_t>(std::popcount(row & rule) + ((row & rule & 3) == 3)) % c.classes;
    c.label.push_back(ruled && !chance(noise) ? hidden : below(c.classes));
    c.weight.push_back(
        c.weighted ? static_cast<Weight>(below(static_cast<std::size_t>(heaviest / static_cast<Weight>(rows) + 2)))
                   : 1);
  }
  for (std::size_t f = 0; f < c.columns; ++f)
    if (chance(6)) (chance(2) ? c.forbidden : c.required).push_back(f);
  c.depth = c.required.size() + below(6);
  // An order that covers the columns: one of each kind, at random, sometimes with copies, constants or required ones.
  std::vector<std::size_t> shuffled(c.columns);
  std::iota(shuffled.begin(), shuffled.end(), std::size_t{0});
  std::shuffle(shuffled.begin(), shuffled.end(), random_bits);
  const bool generous = chance(4);
  auto same = [&](std::size_t f, std::size_t g) {
    return std::all_of(c.rows.begin(), c.rows.end(), [&](std::uint32_t x) {
      return ((x >> f ^ x >> g) & 1) == ((c.rows[0] >> f ^ c.rows[0] >> g) & 1);
    });
  };
  for (std::size_t f : shuffled) {
    if (beadcheck::Certificate::holds(c.forbidden, f)) continue;
    bool needless = std::all_of(c.rows.begin(), c.rows.end(),
                                [&](std::uint32_t x) { return (x >> f & 1) == (c.rows[0] >> f & 1); });
    for (std::size_t g : c.order) needless = needless || same(f, g);
    for (std::size_t g : c.required) needless = needless || same(f, g);
    if (!needless || generous) c.order.push_back(f);
  }
  return c;
}

std::string listed(const std::string& key, const Columns& columns) {
  return key + ' ' + std::to_string(columns.size()) + beadcheck::text_of(columns) + '\n';
}
std::string data_text(const Case& c, bool canonical) {
  std::string text;
  if (c.named && !canonical)
    for (std::size_t k = 0; k < c.classes; ++k)
      text += "# class " + std::to_string(k) + " c" + std::to_string(k) + '\n';
  if (c.named && !canonical)
    for (std::size_t f = 0; f < c.columns; ++f)
      text += "# feature " + std::to_string(f) + " f = " + std::to_string(f) + '\n';
  if (c.weighted && !canonical) text += "# weights\n";
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    text += std::to_string(c.label[i]);
    if (c.weighted || canonical) text += ' ' + std::to_string(c.weight[i]);
    if (canonical) text += ' ';
    for (std::size_t f = 0; f < c.columns; ++f) text += std::string(canonical ? "" : " ") + "01"[c.rows[i] >> f & 1];
    text += '\n';
  }
  return text;
}
std::string end_text(const Columns& end) {
  std::string text;
  for (std::size_t p : end) text.append(text.empty() ? "" : ",").append(std::to_string(p));
  return end.empty() ? "-" : text;
}
std::string certificate_text(const Case& c, Weight claim, const Columns& model, const Ranges& ranges = {{}}) {
  std::string text = "beadwork-certificate 1\ndata-sha256 " + beadcheck::sha256(data_text(c, true)) + "\nrows " +
                     std::to_string(c.rows.size()) + "\ncolumns " + std::to_string(c.columns) + "\nclasses " +
                     std::to_string(c.classes) + "\ndepth " + std::to_string(c.depth) + "\nclaim " +
                     std::to_string(claim) + '\n' + listed("forbidden", c.forbidden);
  if (!c.required.empty() || chance(2)) text += listed("required", c.required);
  text += listed("model", model) + listed("order", c.order);
  text += "ranges " + std::to_string(ranges.size()) + '\n';
  for (const auto& [from, to] : ranges) text += "done " + end_text(from) + ' ' + end_text(to) + '\n';
  text += "end\n";
  return text + "sha256 " + beadcheck::sha256(text) + '\n';
}
// A complete tree over the model's columns with the majority of each cell.
std::string model_text(const Case& c, const Columns& model) {
  std::string features, nodes, classes;
  for (std::size_t f : model)
    features += std::string(features.empty() ? "" : ",") + "{\"name\":\"f = " + std::to_string(f) +
                "\",\"index\":" + std::to_string(f) + "}";
  for (std::size_t k = 0; k < c.classes; ++k) classes += std::string(k ? "," : "") + "\"c" + std::to_string(k) + '"';
  for (std::size_t level = 0; level <= model.size(); ++level)
    for (std::size_t i = 0; i < (std::size_t{1} << level); ++i) {
      if (level < model.size()) {
        const std::size_t low = (std::size_t{2} << level) - 1 + 2 * i;
        nodes += "{\"feature\":" + std::to_string(level) + ",\"low\":" + std::to_string(low) +
                 ",\"high\":" + std::to_string(low + 1) + "},";
        continue;
      }
      std::vector<Weight> counts(c.classes);
      for (std::size_t q = 0; q < c.rows.size(); ++q) {
        std::size_t cell = 0;
        for (std::size_t f : model) cell = cell * 2 + (c.rows[q] >> f & 1);
        if (cell == i) counts[c.label[q]] += c.weight[q];
      }
      nodes += "{\"class\":" + std::to_string(std::max_element(counts.begin(), counts.end()) - counts.begin()) + "},";
    }
  nodes.pop_back();
  return "{\"format\":\"beadwork-model\",\"version\":2,\"claim\":{\"errors\":0},\"classes\":[" + classes +
         "],\"features\":[" + features + "],\"diagram\":{\"nodes\":[" + nodes + "]}}";
}

std::string verdict(const Case& c, const std::string* model, const std::string& certificate) {
  try {
    return beadcheck::verify(data_text(c, false), model, certificate);
  } catch (const std::runtime_error& rejected) {
    return std::string("REJECTED: ") + rejected.what();
  }
}
void expect(bool holds, const std::string& what, const Case& c, const std::string& certificate,
            const std::string& said) {
  if (holds) return;
  std::cout << "WRONG: " << what << "\n" << said << "\n" << data_text(c, false) << certificate;
  std::exit(1);
}

std::string swapped(std::string text, const std::string& one, const std::string& other) {
  const std::size_t i = text.find(one), j = text.find(other);
  text.replace(std::max(i, j), i < j ? other.size() : one.size(), i < j ? one : other);
  return text.replace(std::min(i, j), i < j ? one.size() : other.size(), i < j ? other : one);
}
// A model that is right but for two names, or for the columns of two features.
std::size_t judge_names(const Case& c, const Columns& model, const std::string& diagram,
                        const std::string& certificate) {
  if (!c.named) return 0;
  auto reject = [&](const std::string& text, const std::string& reason) {
    const std::string said = verdict(c, &text, certificate);
    expect(said.starts_with("REJECTED: ") && said.find(reason) != said.npos, "wrong names", c, certificate, said);
    return std::size_t{1};
  };
  std::size_t count = reject(std::string(diagram).replace(diagram.find("\"c0\""), 4, "\"C0\""), "class 0 is");
  if (c.classes > 1) count += reject(swapped(diagram, "\"c0\"", "\"c1\""), "class 0 is");
  if (model.size() < 2) return count;
  const std::string one = std::to_string(model[0]), other = std::to_string(model[1]);
  count += reject(swapped(diagram, "\"f = " + one, "\"f = " + other), "feature " + one + " is");
  return count + reject(swapped(diagram, "\"index\":" + one, "\"index\":" + other), "feature " + other + " is");
}
// Ranges that tile, in any order; then one left out, one twice, one with another end.
std::size_t judge_ranges(const Case& c, Weight best) {
  const std::size_t h = std::min(c.depth - c.required.size(), c.order.size());
  if (h == 0) return 0;
  std::set<Columns> cuts;
  for (std::size_t i = below(5); i-- > 0;) {
    std::set<std::size_t> positions;
    for (std::size_t j = 1 + below(h); j-- > 0;) positions.insert(below(c.order.size()));
    cuts.emplace(positions.begin(), positions.end());
  }
  Ranges ranges{{{}, {}}};
  for (const Columns& cut : cuts) ranges.back().second = cut, ranges.push_back({cut, {}});
  std::shuffle(ranges.begin(), ranges.end(), random_bits);
  auto judged = [&](const Ranges& those, const std::string& begins) {
    const std::string certificate = certificate_text(c, best, {}, those), said = verdict(c, nullptr, certificate);
    expect(said.starts_with(begins), "ranges", c, certificate, said);
  };
  judged(ranges, "VERIFIED lower bound\n");
  const std::size_t any = below(ranges.size());
  Ranges wrong = ranges;
  wrong.erase(wrong.begin() + static_cast<std::ptrdiff_t>(any));
  judged(wrong, "REJECTED: certificate: the ranges do not ");
  wrong = ranges, wrong.push_back(ranges[any]);
  judged(wrong, "REJECTED: certificate: the ranges do not ");
  wrong = ranges, wrong[any].second = {below(c.order.size())};
  if (wrong == ranges) return 2;
  judged(wrong, "REJECTED: certificate: the ranges do not ");
  return 3;
}
// Another table under an old claim, with the hash set right: columns in another order, or other weights.
std::size_t judge_changed(Case c, Weight claim) {
  if (c.weighted && chance(2)) {
    c.weight[below(c.weight.size())] += 1;
  } else {
    const std::size_t f = below(c.columns), g = below(c.columns);
    for (std::uint32_t& row : c.rows) {
      const std::uint32_t differ = (row >> f ^ row >> g) & 1;
      row ^= differ << f, row ^= differ << g;
    }
    c.order.clear();
    for (std::size_t i = 0; i < c.columns; ++i)
      if (!beadcheck::Certificate::holds(c.forbidden, i)) c.order.push_back(i);
  }
  Weight best = INT64_MAX;
  for (const auto& [error, mask] : all_sets(c)) best = std::min(best, error);
  const std::string certificate = certificate_text(c, claim, {}), said = verdict(c, nullptr, certificate);
  expect(said.starts_with(claim <= best ? "VERIFIED lower bound\n" : "REJECTED: the columns"), "another table", c,
         certificate, said);
  return claim > best;
}

// One table: the optimum is accepted, with a diagram, without, and as a bound; every claim above it is rejected with a
// counterexample. Returns the number of false claims.
std::size_t judge(const Case& c) {
  const std::map<Weight, std::uint32_t> sets = all_sets(c);
  const Weight best = sets.begin()->first;
  const Columns model = columns_of(sets.begin()->second);
  const std::string diagram = model_text(c, model);
  std::string certificate = certificate_text(c, best, model);
  std::string said = verdict(c, &diagram, certificate);
  expect(said.starts_with("VERIFIED\n"), "a true claim with its diagram", c, certificate, said);
  said = verdict(c, nullptr, certificate);
  expect(said.starts_with("VERIFIED lower bound\n"), "a true claim without a diagram", c, certificate, said);
  certificate = certificate_text(c, static_cast<Weight>(below(static_cast<std::size_t>(best) + 1)), {});
  said = verdict(c, nullptr, certificate);
  expect(said.starts_with("VERIFIED lower bound\n"), "a true bound", c, certificate, said);

  std::size_t count = judge_names(c, model, diagram, certificate_text(c, best, model));
  count += judge_ranges(c, best) + judge_changed(c, best);
  auto reject = [&](Weight claim, const Columns& columns, const std::string* text, const std::string& reason) {
    certificate = certificate_text(c, claim, columns);
    said = verdict(c, text, certificate);
    expect(said.starts_with("REJECTED: ") && said.find(reason) != said.npos, "a false claim: " + reason, c, certificate,
           said);
    ++count;
  };
  reject(best + 1, {}, nullptr, "less than the claim");
  reject(best + 2 + static_cast<Weight>(below(9)), {}, nullptr, "less than the claim");
  std::size_t tried = 0;
  // "None has fewer errors than this model", which really has so many.
  for (const auto& [error, mask] : sets) {
    if (error == best || mask == 0) continue;
    const Columns worse = columns_of(mask);
    const std::string worse_diagram = model_text(c, worse);
    reject(error, worse, &worse_diagram, "less than the claim");
    reject(error, worse, nullptr, "less than the claim");
    reject(best, worse, &worse_diagram, "the model errs by");
    if (++tried == 2) break;
  }

  if (!c.order.empty()) {
    Case gap = c;
    gap.order.pop_back();
    bool covered = false;  // a generous order may hold the column twice over
    for (std::size_t i = 0; i + 1 < c.order.size() + c.required.size(); ++i) {
      const std::size_t f = c.order.back(), g = i < c.required.size() ? c.required[i] : c.order[i - c.required.size()];
      covered = covered || f == g || std::all_of(c.rows.begin(), c.rows.end(), [&](std::uint32_t x) {
                  return ((x >> f ^ x >> g) & 1) == ((c.rows[0] >> f ^ c.rows[0] >> g) & 1);
                });
    }
    covered = covered || std::all_of(c.rows.begin(), c.rows.end(), [&](std::uint32_t x) {
                return (x >> c.order.back() & 1) == (c.rows[0] >> c.order.back() & 1);
              });
    certificate = certificate_text(gap, best, {});
    said = verdict(gap, nullptr, certificate);
    expect(said.starts_with(covered ? "VERIFIED" : "REJECTED: the order does not cover"), "an order with a gap", gap,
           certificate, said);
    count += !covered;
  }
  Case other = c;  // other data under the same certificate
  if (chance(2))
    other.label[below(other.label.size())] += 1;
  else
    other.weighted = true, other.weight[below(other.weight.size())] += 1;
  certificate = certificate_text(c, best, {});
  said = verdict(other, nullptr, certificate);
  expect(said.starts_with("REJECTED: the data are not those"), "other data", other, certificate, said);
  return count + 1;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t wanted = argc > 1 ? std::stoul(argv[1]) : 100000;
  random_bits.seed(argc > 2 ? std::stoul(argv[2]) : 1);
  std::size_t tables = 0, false_claims = 0;
  for (; false_claims < wanted; ++tables) false_claims += judge(random_case());
  std::cout << tables << " tables: all true claims accepted, " << false_claims << " false claims rejected\n";
}
