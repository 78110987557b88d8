// True and false claims about the cuts of random tables of numbers, against brute force over all sets of cuts.
//
// cut_claims_test [FALSE-CLAIMS [SEED]]; exit code 1 at the first claim that the checker judges wrongly. The checker's
// source is included, so that this program can also be compiled with a deliberately broken copy of it (mutants.py).
#define BEADCHECK_NO_MAIN
#include BEADCHECK_SOURCE

#include <bitset>
#include <functional>
#include <iostream>
#include <random>

namespace {

using beadcheck::Weight;
std::mt19937_64 random_bits;
std::size_t below(std::size_t n) {
  return random_bits() % n;
}
bool chance(std::size_t one_in) {
  return below(one_in) == 0;
}

constexpr std::size_t kMostRows = 128;
constexpr double kMissing = 1e300;
using Cut = std::pair<std::size_t, std::size_t>;  // column, rank
using Rows = std::bitset<kMostRows>;
struct Column {
  bool test = false;
  std::vector<double> value;  // one a row
};
struct Case {
  std::size_t classes = 2, depth = 2;
  bool weighted = false, named = false;
  std::vector<Column> columns;
  std::vector<std::size_t> label;
  std::vector<Weight> weight;
  std::set<Cut> forbidden, required;
};

// The rows that pass each cut: up to each value but the largest; all that are not missing; the rows of a test.
std::map<Cut, Rows> cuts_of(const Case& c) {
  std::map<Cut, Rows> cuts;
  for (std::size_t f = 0; f < c.columns.size(); ++f) {
    const Column& column = c.columns[f];
    std::set<double> values(column.value.begin(), column.value.end());
    if (column.test) values = {0.5, 0};
    values.erase(std::prev(values.end()));
    std::size_t k = 0;
    for (double most : values) {
      Rows& rows = cuts[{f, k++}];
      for (std::size_t i = 0; i < column.value.size(); ++i)
        rows[i] = column.test ? column.value[i] > most : column.value[i] <= most;
    }
  }
  return cuts;
}

Weight brute_error(const Case& c, const std::vector<Rows>& cuts) {
  std::map<std::size_t, std::vector<Weight>> cells;
  for (std::size_t i = 0; i < c.label.size(); ++i) {
    std::size_t cell = 0;
    for (const Rows& rows : cuts) cell = cell * 2 + rows[i];
    auto& counts = cells[cell];
    counts.resize(c.classes);
    counts[c.label[i]] += c.weight[i];
  }
  Weight error = 0;
  for (const auto& [cell, counts] : cells)
    error += std::accumulate(counts.begin(), counts.end(), Weight{0}) - *std::max_element(counts.begin(), counts.end());
  return error;
}

// A set for each error that the allowed sets have.
std::map<Weight, std::set<Cut>> all_sets(const Case& c) {
  std::map<Weight, std::set<Cut>> sets;
  std::vector<std::pair<Cut, Rows>> free;
  std::vector<Rows> chosen;
  std::set<Cut> names = c.required;
  for (const auto& [cut, rows] : cuts_of(c))
    if (c.required.contains(cut))
      chosen.push_back(rows);
    else if (!c.forbidden.contains(cut))
      free.emplace_back(cut, rows);
  std::function<void(std::size_t)> choose = [&](std::size_t from) {
    sets.emplace(brute_error(c, chosen), names);
    if (names.size() == c.depth) return;
    for (std::size_t i = from; i < free.size(); ++i) {
      chosen.push_back(free[i].second), names.insert(free[i].first);
      choose(i + 1);
      chosen.pop_back(), names.erase(free[i].first);
    }
  };
  choose(0);
  return sets;
}

std::size_t most_sets(const Case& c) {
  std::size_t sets = 1;
  for (std::size_t i = c.required.size(); i < c.depth; ++i) sets *= cuts_of(c).size() + 1;
  return sets;
}

Case random_case() {
  Case c;
  c.classes = 1 + below(4);
  const std::size_t rows = chance(8) ? 30 + below(90) : 1 + below(20), span = 2 + below(chance(3) ? 30 : 6);
  const std::size_t noise = 2 + below(20), missing = 2 + below(8);
  const bool ruled = chance(2);
  c.weighted = chance(3);
  c.named = chance(2);
  const Weight heaviest = chance(4) ? Weight{1} << 50 : 9;
  for (std::size_t f = 1 + below(4); f-- > 0;) {
    Column column{chance(4), {}};
    const bool gaps = !column.test && chance(3), copy = !c.columns.empty() && chance(6);
    for (std::size_t i = 0; i < rows; ++i)
      column.value.push_back(copy                      ? c.columns[0].value[i]
                             : column.test             ? static_cast<double>(below(2))
                             : gaps && chance(missing) ? kMissing
                                                       : (static_cast<double>(below(span)) - 2) / 4);
    if (copy) column.test = c.columns[0].test;
    c.columns.push_back(std::move(column));
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const double x = c.columns.front().value[i], y = c.columns.back().value[i];
    const std::size_t hidden = static_cast<std::size_t>((x > 0.3) + 2 * (y > 0.5) + (x > 1.2)) % c.classes;
    c.label.push_back(ruled && !chance(noise) ? hidden : below(c.classes));
    c.weight.push_back(
        c.weighted ? static_cast<Weight>(below(static_cast<std::size_t>(heaviest / static_cast<Weight>(rows) + 2)))
                   : 1);
  }
  const std::size_t forbid = chance(2) ? 5 : 1000;
  for (const auto& [cut, passing] : cuts_of(c))
    if (chance(forbid))
      c.forbidden.insert(cut);
    else if (chance(20) && c.required.size() < 2)
      c.required.insert(cut);
  c.depth = c.required.size() + below(4);
  while (most_sets(c) > 20000) --c.depth;
  return c;
}

std::string name_of(std::size_t f) {
  return "x " + std::to_string(f);
}
std::string number_text(double value) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr};
}
std::string data_text(const Case& c) {
  std::string text;
  for (std::size_t k = 0; c.named && k < c.classes; ++k)
    text += "# class " + std::to_string(k) + " c" + std::to_string(k) + '\n';
  for (std::size_t f = 0; f < c.columns.size(); ++f)
    text += "# column " + std::to_string(f) + (c.columns[f].test ? " test " : " number ") + name_of(f) + '\n';
  if (c.weighted) text += "# weights\n";
  for (std::size_t i = 0; i < c.label.size(); ++i) {
    text += std::to_string(c.label[i]);
    if (c.weighted) text += ' ' + std::to_string(c.weight[i]);
    for (const Column& column : c.columns)
      text += ' ' + (column.value[i] == kMissing ? "?" : number_text(column.value[i]));
    text += '\n';
  }
  return text;
}
std::string listed(const std::string& key, const std::set<Cut>& cuts, bool joined = false) {
  std::string text;
  std::size_t count = 0;
  for (auto at = cuts.begin(); at != cuts.end();) {
    const auto [f, first] = *at;
    std::size_t last = first;
    while (++at != cuts.end() && joined && *at == Cut{f, last + 1}) ++last;
    text += ' ' + std::to_string(f) + ':' + std::to_string(first) + (last > first ? '-' + std::to_string(last) : "");
    ++count;
  }
  return key + ' ' + std::to_string(count) + text + '\n';
}
// Classes, weights and ranks in bytes, as docs/formats.md has them.
std::string canonical_text(const Case& c) {
  std::string text =
      "beadwork ranks 1\n" + std::to_string(c.label.size()) + ' ' + std::to_string(c.columns.size()) + '\n';
  const auto add = [&](std::uint64_t value, std::size_t bytes) {
    for (; bytes-- > 0; value /= 256) text += static_cast<char>(value % 256);
  };
  for (std::size_t i = 0; i < c.label.size(); ++i) add(c.label[i], 4), add(static_cast<std::uint64_t>(c.weight[i]), 8);
  for (const Column& column : c.columns) {
    const std::set<double> values(column.value.begin(), column.value.end());
    add(values.contains(kMissing) ? 1 : 0, 4);
    for (double value : column.value)
      add(column.test ? (value == 1 ? 0 : 1)
                      : static_cast<std::uint64_t>(std::distance(values.begin(), values.find(value))),
          4);
  }
  return text;
}
std::string certificate_text(const Case& c, Weight claim, const std::set<Cut>& model) {
  const std::string hash = beadcheck::sha256(canonical_text(c));
  const std::string text = "beadwork-certificate 2\ndata-sha256 " + hash + "\nrows " + std::to_string(c.label.size()) +
                           "\ncolumns " + std::to_string(c.columns.size()) + "\nclasses " + std::to_string(c.classes) +
                           "\ndepth " + std::to_string(c.depth) + "\nclaim " + std::to_string(claim) + '\n' +
                           listed("forbidden", c.forbidden, true) + listed("required", c.required) +
                           listed("model", model) + "end\n";
  return text + "sha256 " + beadcheck::sha256(text) + '\n';
}

// The test of a cut as the model file has it. A threshold is anywhere between the two values.
std::string feature_text(const Case& c, Cut cut) {
  const auto& [f, k] = cut;
  const Column& column = c.columns[f];
  std::set<double> values(column.value.begin(), column.value.end());
  const std::string head =
      "{\"name\":\"" + name_of(f) + "\",\"index\":7,\"column\":" + std::to_string(f) + ",\"test\":";
  if (column.test) return head + "\"equals\",\"level\":\"a\"}";
  const double low = *std::next(values.begin(), static_cast<std::ptrdiff_t>(k));
  const double high = *std::next(values.begin(), static_cast<std::ptrdiff_t>(k) + 1);
  if (high == kMissing && chance(2)) return head + "\"missing\"}";
  const double place = std::array{0.0, 0.25, 0.5, 0.99}[below(4)];
  return head +
         "\"at_most\",\"threshold\":" + number_text(high == kMissing ? low + place : low + place * (high - low)) + "}";
}
// A complete tree over the cuts, with the majority of each cell.
std::string model_text(const Case& c, const std::set<Cut>& model) {
  std::string features, nodes, classes, columns;
  const auto cuts = cuts_of(c);
  std::vector<Rows> passing;
  for (const Cut& cut : model) {
    const std::string feature = feature_text(c, cut);
    features += (features.empty() ? "" : ",") + feature;
    passing.push_back(feature.find("\"missing\"") != feature.npos ? ~cuts.at(cut) : cuts.at(cut));
  }
  for (std::size_t k = 0; k < c.classes; ++k) classes += std::string(k ? "," : "") + "\"c" + std::to_string(k) + '"';
  for (std::size_t f = 0; f < c.columns.size(); ++f)
    columns += std::string(f ? "," : "") + "{\"name\":\"" + name_of(f) + "\",\"type\":\"" +
               (c.columns[f].test ? "nominal" : "numeric") + "\"}";
  for (std::size_t level = 0; level <= model.size(); ++level)
    for (std::size_t i = 0; i < (std::size_t{1} << level); ++i) {
      if (level < model.size()) {
        const std::size_t low = (std::size_t{2} << level) - 1 + 2 * i;
        nodes += "{\"feature\":" + std::to_string(level) + ",\"low\":" + std::to_string(low) +
                 ",\"high\":" + std::to_string(low + 1) + "},";
        continue;
      }
      std::vector<Weight> counts(c.classes);
      for (std::size_t q = 0; q < c.label.size(); ++q) {
        std::size_t cell = 0;
        for (const Rows& rows : passing) cell = cell * 2 + rows[q];
        if (cell == i) counts[c.label[q]] += c.weight[q];
      }
      nodes += "{\"class\":" + std::to_string(std::max_element(counts.begin(), counts.end()) - counts.begin()) + "},";
    }
  nodes.pop_back();
  return "{\"format\":\"beadwork-model\",\"version\":2,\"classes\":[" + classes + "],\"columns\":[" + columns +
         "],\"features\":[" + features + "],\"diagram\":{\"nodes\":[" + nodes + "]}}";
}

std::string verdict(const Case& c, const std::string* model, const std::string& certificate) {
  try {
    return beadcheck::verify(data_text(c), model, certificate);
  } catch (const std::runtime_error& rejected) {
    return std::string("REJECTED: ") + rejected.what();
  }
}
void expect(bool holds, const std::string& what, const Case& c, const std::string& certificate,
            const std::string& said) {
  if (holds) return;
  std::cout << "WRONG: " << what << "\n" << said << "\n" << data_text(c) << certificate;
  std::exit(1);
}
// Returns 1, for a false claim that is rejected for that reason.
std::size_t reject(const Case& c, const std::string* model, const std::string& certificate, const std::string& reason) {
  const std::string said = verdict(c, model, certificate);
  expect(said.starts_with("REJECTED: ") && said.find(reason) != said.npos, "a false claim: " + reason, c, certificate,
         said);
  return 1;
}

std::string replaced(std::string text, const std::string& old, const std::string& fresh) {
  return text.replace(text.find(old), old.size(), fresh);
}
// A model that is right but for a name of a class or column, a threshold, or a listed cut.
std::size_t judge_models(const Case& c, Weight best, const std::set<Cut>& cuts, const std::string& model) {
  const std::string good = certificate_text(c, best, cuts);
  std::size_t count = 0;
  if (c.named && c.classes > 1) {
    const std::string text = replaced(replaced(replaced(model, "\"c0\"", "\"c?\""), "\"c1\"", "\"c0\""), "c?", "c1");
    count += reject(c, &text, good, "class 0 is");
  }
  if (cuts.empty()) return count;
  const auto [f, k] = *cuts.begin();
  const std::string other_name = replaced(model, name_of(f), "x9");
  const std::string renamed = replaced(model, c.columns[f].test ? "\"name\":\"" + name_of(f) + "\",\"index\"" : "]",
                                       c.columns[f].test ? "\"name\":\"x9\",\"index\"" : "]");
  count += reject(c, c.columns[f].test ? &renamed : &other_name, good, "the data have no column");
  std::set<Cut> fewer = cuts;
  fewer.erase(fewer.begin());
  count += reject(c, &model, certificate_text(c, best, fewer),
                  c.required.contains({f, k}) ? "lacks the required cut" : "not of the model");
  if (const std::size_t at = model.find("\"threshold\":"); at != model.npos) {
    const std::string moved = model.substr(0, at) + "\"threshold\":-77" + model.substr(model.find('}', at));
    count += reject(c, &moved, good, "not of the model");
  }
  return count;
}

// Something else about the table or the claim changes, and the hash is set right: brute force says what is true now.
std::size_t judge_changed(Case c, Weight claim) {
  const std::size_t what = below(5), f = below(c.columns.size()), i = below(c.label.size());
  Column& column = c.columns[f];
  if (what == 0) column.value[i] = column.value[below(c.label.size())];
  if (what == 1) c.label[i] = below(c.classes);
  if (what == 2 && !c.forbidden.empty()) c.forbidden.erase(c.forbidden.begin());
  if (what == 3) c.weighted = true, c.weight[i] += 1;
  if (what == 4) ++c.depth;
  const auto cuts = cuts_of(c);
  std::erase_if(c.forbidden, [&](const Cut& cut) { return !cuts.contains(cut); });
  std::erase_if(c.required, [&](const Cut& cut) { return !cuts.contains(cut); });
  if (most_sets(c) > 50000) return 0;
  const Weight best = all_sets(c).begin()->first;
  const std::string certificate = certificate_text(c, claim, {}), said = verdict(c, nullptr, certificate);
  expect(said.starts_with(claim <= best ? "VERIFIED lower bound\n" : "REJECTED: the cuts"), "another table", c,
         certificate, said);
  return claim > best;
}

// Lists of cuts that do not exist, or that contradict each other; another table under the same certificate.
std::size_t judge_lists(const Case& c, Weight best, const std::set<Cut>& cuts) {
  std::size_t count = 0;
  Case wrong = c;
  const Cut beyond{c.columns.size() - 1, c.label.size() - 1};
  if (!cuts_of(c).contains(beyond)) {
    wrong.forbidden.insert(beyond);
    count += reject(c, nullptr, certificate_text(wrong, best, {}), "has no cut");
  }
  wrong = c;
  if (!c.required.empty()) {
    wrong.forbidden.insert(*c.required.begin());
    count += reject(c, nullptr, certificate_text(wrong, best, cuts), "forbidden, and used");
  }
  wrong = c;
  if (chance(2))
    wrong.label[below(c.label.size())] += 1;
  else
    wrong.weighted = true, wrong.weight[below(c.label.size())] += 1;
  return count + reject(wrong, nullptr, certificate_text(c, best, {}), "the data are not those");
}

// One table: the optimum is accepted, with a diagram, without, and as a bound; every claim above it is rejected with a
// counterexample. Returns the number of false claims.
std::size_t judge(const Case& c) {
  const auto sets = all_sets(c);
  const auto& [best, cuts] = *sets.begin();
  const std::string model = model_text(c, cuts);
  std::string certificate = certificate_text(c, best, cuts), said = verdict(c, &model, certificate);
  expect(said.starts_with("VERIFIED\n"), "a true claim with its diagram", c, model + '\n' + certificate, said);
  said = verdict(c, nullptr, certificate);
  expect(said.starts_with("VERIFIED lower bound\n"), "a true claim without a diagram", c, certificate, said);
  certificate = certificate_text(c, static_cast<Weight>(below(static_cast<std::size_t>(best) + 1)), {});
  said = verdict(c, nullptr, certificate);
  expect(said.starts_with("VERIFIED lower bound\n"), "a true bound", c, certificate, said);

  std::size_t count = judge_models(c, best, cuts, model) + judge_lists(c, best, cuts);
  for (int i = 0; i < 4; ++i) count += judge_changed(c, best);
  count += reject(c, nullptr, certificate_text(c, best + 1, {}), "less than the claim");
  count += reject(c, nullptr, certificate_text(c, best + 2 + static_cast<Weight>(below(9)), {}), "less than the claim");
  std::size_t tried = 0;
  for (const auto& [error, worse] : sets) {
    if (error == best || tried++ == 2) continue;
    const std::string worse_model = model_text(c, worse);
    count += reject(c, &worse_model, certificate_text(c, error, worse), "less than the claim");
    count += reject(c, nullptr, certificate_text(c, error, worse), "less than the claim");
    count += reject(c, &worse_model, certificate_text(c, best, worse), "the model errs by");
  }
  return count;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t wanted = argc > 1 ? std::stoul(argv[1]) : 20000;
  random_bits.seed(argc > 2 ? std::stoul(argv[2]) : 1);
  std::size_t tables = 0, false_claims = 0;
  for (; false_claims < wanted; ++tables) false_claims += judge(random_case());
  std::cout << tables << " tables: all true claims accepted, " << false_claims << " false claims rejected\n";
}
