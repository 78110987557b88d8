// beadcheck DATA MODEL CERTIFICATE: is the model of least training error among all sets of so many columns?
//
// Independent of the engine: plain C++20, no code in common with it. Proven is, for the 0/1 table DATA itself,
//   (1) no set of at most `depth` columns with all required and no forbidden ones has a training error below `claim`,
//   (2) the diagram in MODEL tests columns of such a set only and errs by exactly `claim`.
// The training error of a set of columns is that of the best function of them: rows that agree on the set get one class.
// files.hpp reads, search.hpp proves (1) by searching again with one simple bound; docs/certificates.md tells the rest.
#include <fstream>
#include <future>
#include <iostream>
#include <iterator>

#include "files.hpp"
#include "search.hpp"

namespace beadcheck {

using Columns = std::vector<std::size_t>;
inline std::string text_of(const Columns& columns) {
  std::string text;
  for (std::size_t f : columns) text += ' ' + std::to_string(f);
  return text;
}
inline bool holds(const Columns& columns, std::size_t f) { return std::find(columns.begin(), columns.end(), f) != columns.end(); }

// The values of a row in some columns; rows that agree share a cell, and a cell errs by all but its largest class.
inline std::string values(const std::string& bits, const Columns& columns) {
  std::string text;
  for (std::size_t f : columns) text += bits[f];
  return text;
}
inline Weight error_of(const Table& table, std::size_t num_classes, const Columns& columns) {
  std::map<std::string, std::vector<Weight>> cells;
  for (std::size_t i = 0; i < table.bits.size(); ++i) {
    auto& cell = cells[values(table.bits[i], columns)];
    cell.resize(num_classes);
    cell[table.label[i]] += table.weight[i];
  }
  Weight error = 0;
  for (const auto& [key, cell] : cells)
    error += std::accumulate(cell.begin(), cell.end(), Weight{0}) - *std::max_element(cell.begin(), cell.end());
  return error;
}

// Refuses unless the diagram tests columns of the certificate's model only and errs by exactly the claim.
inline void check_diagram(std::string_view text, const Table& table, const Certificate& c) {
  const Json model = read_json(text);
  require(model["format"].text == "beadwork-model", "model: not a beadwork-model");
  require(model["version"].text == "1", "model version " + model["version"].text + "; this checker reads version 1");
  require(model["classes"].items.size() == c.classes, "model: not as many classes as in the certificate");
  const auto &features = model["features"].items, &nodes = model["diagram"]["nodes"].items;
  struct Test {
    std::size_t column, low, high;  // low = 0: a sink that answers `column`; node 0 is nobody's child
  };
  std::vector<Test> tests;
  std::vector<bool> reached(nodes.size());
  require(!nodes.empty(), "model: no nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string where = "node " + std::to_string(i);
    require(i == 0 || reached[i], "model: " + where + " is reached from no earlier one: unreachable, or in a cycle");
    if (nodes[i].members.contains("class")) {
      require(!nodes[i].members.contains("feature"), "model: " + where + " has both a class and a feature");
      tests.push_back({nodes[i]["class"].text == "null" ? c.classes : nodes[i]["class"].index(c.classes, where + ", class"), 0, 0});
      continue;
    }
    const Json& feature = features.at(nodes[i]["feature"].index(features.size(), where + ", feature"));
    tests.push_back({feature["index"].index(c.columns, where + ", index"), nodes[i]["low"].index(nodes.size(), where + ", low"), nodes[i]["high"].index(nodes.size(), where + ", high")});
    require(std::min(tests[i].low, tests[i].high) > i, "model: " + where + " leads to an earlier node: a cycle");
    require(holds(c.model, tests[i].column), "model: tests column " + std::to_string(tests[i].column) + ", which the certificate does not name");
    reached[tests[i].low] = reached[tests[i].high] = true;
  }
  Weight error = 0;
  for (std::size_t i = 0; i < table.bits.size(); ++i) {
    std::size_t at = 0;
    while (tests[at].low != 0) at = table.bits[i][tests[at].column] == '1' ? tests[at].high : tests[at].low;
    require(tests[at].column < c.classes, "model: row " + std::to_string(i + 1) + " ends in a sink without a class");
    if (tests[at].column != table.label[i]) error += table.weight[i];
  }
  require(error == c.claim, "the model errs by " + std::to_string(error) + ", the claim is " + std::to_string(c.claim));
}

// Refuses unless every column that may be chosen is constant, or equal up to complement to a required column or to one
// of the order. Then the order suffices: replacing a column by an equal one, leaving out a constant or repeated one, and
// adding columns up to the depth never raise the error.
inline void check_order(const Table& table, const Certificate& c) {
  for (std::size_t f : c.forbidden)
    require(!holds(c.required, f) && !holds(c.model, f) && !holds(c.order, f), "column " + std::to_string(f) + " is forbidden, and used");
  std::set<std::string> known;
  auto pattern = [&](std::size_t f) {
    std::string text;
    for (const std::string& bits : table.bits) text += bits[f] == table.bits[0][f] ? '0' : '1';
    return text;
  };
  known.insert(std::string(table.bits.size(), '0'));
  for (std::size_t f : c.required) known.insert(pattern(f));
  for (std::size_t f : c.order) known.insert(pattern(f));
  for (std::size_t f = 0; f < c.columns; ++f)
    require(holds(c.forbidden, f) || known.contains(pattern(f)), "the order does not cover column " + std::to_string(f));
}

// The table as a node: rows that agree on required and ordered columns are merged, and what all classes have in common
// is cancelled. Exact: such rows share every cell, and taking d from each of K classes lowers what a cell errs by d (K - 1).
inline Node table_node(const Table& table, const Certificate& c, Weight& cancelled) {
  std::map<std::pair<std::string, std::string>, std::vector<Weight>> merged;
  for (std::size_t i = 0; i < table.bits.size(); ++i) {
    auto& weight = merged[{values(table.bits[i], c.required), values(table.bits[i], c.order)}];
    weight.resize(c.classes);
    weight[table.label[i]] += table.weight[i];
  }
  Node node;
  for (int p = -1; p < static_cast<int>(c.order.size()); ++p) node.position.push_back(p);
  const std::size_t n = node.size();
  for (auto it = merged.begin(); it != merged.end();) {  // one cell for each combination of required values
    const auto begin = it;
    for (; it != merged.end() && it->first.first == begin->first.first; ++it) {
      const Weight least = *std::min_element(it->second.begin(), it->second.end());
      cancelled += least * static_cast<Weight>(c.classes - 1);
      for (Weight& w : it->second) w -= least;
    }
    for (std::size_t k = 0; k < c.classes; ++k) {
      node.first_run.push_back(node.runs.size());
      node.ones.resize(node.ones.size() + n);
      for (int shift = 0; shift < 62; ++shift) {
        std::size_t rows = 0;
        const std::size_t first = node.valid.size();
        for (auto row = begin; row != it; ++row) {
          if ((row->second[k] >> shift & 1) == 0) continue;
          const Word bit = Word{1} << (rows % 64);
          if (rows++ % 64 == 0) node.valid.push_back(0), node.bits.resize(node.bits.size() + n);
          node.valid.back() |= bit;
          for (std::size_t j = 0; j < n; ++j)
            if (j == 0 || row->first.second[j - 1] == '1') {
              node.bits[node.bits.size() - n + j] |= bit;
              node.ones[node.ones.size() - n + j] += Weight{1} << shift;
            }
        }
        if (rows > 0) node.runs.push_back({shift, first, node.valid.size()});
      }
      node.weight.push_back(node.ones[node.ones.size() - n]);
    }
    const Weight* weight = &node.weight[node.weight.size() - c.classes];
    const Weight error = std::accumulate(weight, weight + c.classes, Weight{0}) - *std::max_element(weight, weight + c.classes);
    node.cells.push_back({error, 0, true});
    node.error += error;
  }
  node.first_run.push_back(node.runs.size());
  node.bits.resize(node.bits.size() + kLanes);
  node.ones.resize(node.ones.size() + kLanes);
  return node;
}

struct Options {
  std::string from = "-", to = "-";
  bool range = false;
  std::size_t threads = 1;
};
// What has been verified; throws Rejected. `model` is the text of the model file, or null.
inline std::string verify(const std::string& data, const std::string* model, const std::string& certificate, const Options& options) {
  const Certificate c = read_certificate(certificate);
  const Table table = read_table(data);
  require(table.bits.size() == c.rows && table.columns() == c.columns, "the data are not of the size that the certificate names");
  require(hash(table) == c.data_sha256, "the data are not those of the certificate: their sha256 differs");
  // Sums in the search add at most depth + 1 weights, none above the total: they must fit in 63 bits.
  Weight left = INT64_MAX / static_cast<Weight>(c.depth + 3);
  for (Weight w : table.weight) require((left -= std::min(w, left + 1)) >= 0, "the weights are too large to be added");
  for (std::size_t k : table.label) require(k < c.classes, "data: class " + std::to_string(k) + " of " + std::to_string(c.classes));
  check_order(table, c);
  for (std::size_t f : c.required) require(c.model.empty() || holds(c.model, f), "the model misses required column " + std::to_string(f));
  if (model) check_diagram(*model, table, c);
  if (!model && !c.model.empty()) {
    const Weight error = error_of(table, c.classes, c.model);
    require(error == c.claim, "the model's columns err by " + std::to_string(error) + ", the claim is " + std::to_string(c.claim));
  }

  Weight cancelled = 0;
  const Node node = table_node(table, c, cancelled);
  const Weight target = c.claim - cancelled;
  const Positions from = read_end(options.from, c), to = read_end(options.to, c);
  const std::size_t h = c.choices();
  std::vector<std::atomic<bool>> claimed(c.order.size());
  std::vector<std::future<std::optional<Positions>>> searches;
  for (std::size_t i = 0; i < options.threads && h > 0 && target > 0; ++i)
    searches.push_back(std::async(options.threads > 1 ? std::launch::async : std::launch::deferred, [&] { return Search(node, c.classes, target, from, to, claimed).run(h); }));
  std::optional<Positions> better;
  if (h == 0 && node.error < target) better = Positions{};
  for (auto& search : searches)
    if (auto found = search.get()) better = found;
  if (better) {
    Columns columns = c.required;
    for (int p : *better) columns.push_back(c.order[static_cast<std::size_t>(p)]);
    throw Rejected("the columns" + text_of(columns) + " err by " + std::to_string(error_of(table, c.classes, columns)) + ", less than the claim " + std::to_string(c.claim));
  }
  if (options.range) return "VERIFIED range " + options.from + " " + options.to + " of certificate " + c.sha256;
  const bool reached = model || !c.model.empty();
  std::ostringstream out;
  out << (reached ? "VERIFIED\n" : "VERIFIED lower bound\n") << "data: " << c.rows << " rows, " << c.columns << " columns, "
      << c.classes << " classes, sha256 " << c.data_sha256 << "\nno set of at most " << c.depth << " columns";
  if (!c.forbidden.empty()) out << ", none of" << text_of(c.forbidden) << ",";
  if (!c.required.empty()) out << ", with all of" << text_of(c.required) << ",";
  out << " has training error below " << c.claim << '\n';
  if (model) out << "the model tests columns of {" << text_of(c.model) << " } only and errs by exactly that: optimal";
  else if (reached) out << "the columns" << text_of(c.model) << " reach exactly that: optimal";
  else out << "no model: nothing is said about whether that is reached";
  return out.str();
}

inline std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  require(in.good() || in.eof(), "cannot read " + name);
  return text;
}

inline int main(const std::vector<std::string>& arguments) try {
  Options options;
  std::vector<std::string> files;
  bool usage = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == "--range" && i + 2 < arguments.size()) {
      options.range = true;
      options.from = arguments[++i];
      options.to = arguments[++i];
    } else if (arguments[i] == "--threads" && i + 1 < arguments.size()) {
      options.threads = static_cast<std::size_t>(number(arguments[++i], 1024, "--threads"));
    } else {
      usage |= arguments[i].starts_with("--");
      files.push_back(arguments[i]);
    }
  }
  if (usage || files.size() != 3 || options.threads == 0) {
    std::cerr << "beadcheck DATA MODEL CERTIFICATE [--range FROM TO] [--threads N]     MODEL may be - to check the bound alone\n";
    return 2;
  }
  const std::string model = files[1] == "-" ? "" : read_file(files[1]);
  std::cout << verify(read_file(files[0]), files[1] == "-" ? nullptr : &model, read_file(files[2]), options) << std::endl;
  return std::cout.good() ? 0 : 1;
} catch (const std::exception& error) {
  std::cout << "REJECTED: " << error.what() << std::endl;
  return 1;
}

}  // namespace beadcheck

#ifndef BEADCHECK_NO_MAIN  // defined by tests that call verify()
int main(int argc, char** argv) { return beadcheck::main({argv + 1, argv + argc}); }
#endif
