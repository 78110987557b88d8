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

#include "files.hpp"
#include "search.hpp"

namespace beadcheck {

inline std::string text_of(const Columns& columns) {
  std::string text;
  for (std::size_t f : columns) text += ' ' + std::to_string(f);
  return text;
}
inline bool holds(const Columns& columns, std::size_t f) {
  return std::find(columns.begin(), columns.end(), f) != columns.end();
}
// The cells of a set of columns: rows that agree on it, by their values, with the weight of each class.
using Cells = std::map<std::string, std::vector<Weight>>;
inline Cells cells_of(const Table& table, std::size_t num_classes, const Columns& columns) {
  Cells cells;
  for (std::size_t i = 0; i < table.bits.size(); ++i) {
    std::string values;
    for (std::size_t f : columns) values += table.bits[i][f];
    auto& cell = cells[values];
    cell.resize(num_classes);
    cell[table.label[i]] += table.weight[i];
  }
  return cells;
}
inline Weight error_of(const Cells& cells) {  // a cell errs by all but its largest class
  Weight error = 0;
  for (const auto& [values, cell] : cells)
    error +=
        std::accumulate(cell.begin(), cell.end(), Weight{0}) - *std::max_element(cell.begin(), cell.end());
  return error;
}

// Refuses unless the diagram tests columns of the certificate's model only and errs by exactly the claim.
inline void check_diagram(std::string_view text, const Table& table, const Certificate& c) {
  const Json model = read_json(text);
  require(model["format"].text == "\"beadwork-model\"", "model: not a beadwork-model");
  require(model["version"].text == "1",
          "model of version " + model["version"].text + ", and this checker reads version 1");
  require(model["classes"].items.size() == c.classes, "model: not as many classes as in the certificate");
  const auto &features = model["features"].items, &nodes = model["diagram"]["nodes"].items;
  struct Test {
    std::size_t column, low, high;  // high = 0: a sink that answers `column`; no edge leads to node 0
  };
  std::vector<Test> tests;
  std::vector<bool> reached(nodes.size());
  require(!nodes.empty(), "model: no nodes");
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json& node = nodes[i];
    const std::string where = "model, node " + std::to_string(i);
    require(i == 0 || reached[i], where + ": reached from no earlier node, so from none or by a cycle");
    require(node.has("class") != node.has("feature"), where + ": needs either a class or a feature");
    if (node.has("class")) {
      const bool open = node["class"].text == "null";  // an answer for no row of the table
      tests.push_back({open ? c.classes : index(node["class"].text, c.classes, where + ", class"), 0, 0});
      continue;
    }
    const Json& feature = features[index(node["feature"].text, features.size(), where + ", feature")];
    const std::size_t column = index(feature["index"].text, c.columns, where + ", index of its feature");
    const std::size_t low = index(node["low"].text, nodes.size(), where + ", low");
    const std::size_t high = index(node["high"].text, nodes.size(), where + ", high");
    require(std::min(low, high) > i, where + ": leads to an earlier node, maybe in a cycle");
    require(holds(c.model, column),
            where + ": tests column " + std::to_string(column) + ", which the certificate's model lacks");
    tests.push_back({column, low, high});
    reached[low] = reached[high] = true;
  }
  Weight error = 0;
  for (std::size_t i = 0; i < table.bits.size(); ++i) {
    std::size_t at = 0;
    while (tests[at].high != 0) at = table.bits[i][tests[at].column] == '1' ? tests[at].high : tests[at].low;
    require(tests[at].column < c.classes, "model: no class for row " + std::to_string(i + 1));
    if (tests[at].column != table.label[i]) error += table.weight[i];
  }
  require(error == c.claim,
          "the model errs by " + std::to_string(error) + ", the claim is " + std::to_string(c.claim));
}

// Refuses unless every column that may be chosen is constant, or equal up to complement to a required one or to one of
// the order. Then sets of required columns and exactly h of the order speak for all: to leave out a constant or repeated
// column, or to replace one by an equal one, changes no cell, and to add columns splits cells, which never adds errors.
inline void check_order(const Table& table, const Certificate& c) {
  auto pattern = [&](std::size_t f) {
    std::string text;
    for (const std::string& bits : table.bits) text += bits[f] == table.bits[0][f] ? '0' : '1';
    return text;
  };
  std::set<std::string> known{std::string(table.bits.size(), '0')};
  for (std::size_t f : c.required) known.insert(pattern(f));
  for (std::size_t f : c.order) known.insert(pattern(f));
  for (std::size_t f = 0; f < c.columns; ++f) {
    const bool used = holds(c.required, f) || holds(c.model, f) || holds(c.order, f);
    if (holds(c.forbidden, f))
      require(!used, "column " + std::to_string(f) + " is forbidden, and used");
    else
      require(known.contains(pattern(f)), "the order does not cover column " + std::to_string(f));
  }
}

// The table as a node, a cell for each combination of required values. Rows that agree on all columns in question are
// merged, and what all classes have in common is cancelled: exact, as such rows share every cell, and taking d from each
// of K classes lowers what a cell errs by d (K - 1). A weight is written in binary, one row a bit.
inline Node table_node(const Table& table, const Certificate& c, Weight& cancelled) {
  Columns columns = c.required;
  columns.insert(columns.end(), c.order.begin(), c.order.end());
  Cells rows = cells_of(table, c.classes, columns);
  Node node;
  for (std::size_t p = 0; p <= c.order.size(); ++p)
    node.position.push_back(p - 1);  // of the column of ones: none
  const std::size_t n = node.size(), skip = c.required.size();
  for (auto end = rows.begin(); end != rows.end();) {
    const auto begin = end;
    for (; end != rows.end() && end->first.substr(0, skip) == begin->first.substr(0, skip); ++end) {
      const Weight least = *std::min_element(end->second.begin(), end->second.end());
      cancelled += least * static_cast<Weight>(c.classes - 1);
      for (Weight& w : end->second) w -= least;
    }
    for (std::size_t k = 0; k < c.classes; ++k) {
      node.first_run.push_back(node.runs.size());
      node.ones.resize(node.ones.size() + n);
      for (int shift = 0; shift < 63; ++shift) {
        Run run{shift, node.valid.size(), node.valid.size()};
        for (auto row = begin; row != end; ++row) {
          if ((row->second[k] >> shift & 1) == 0) continue;
          if (run.first == run.last || node.valid.back() == ~Word{0}) {
            node.valid.push_back(0);
            node.bits.resize(node.bits.size() + n);
            ++run.last;
          }
          const Word bit = node.valid.back() + 1;  // the lowest that is free
          node.valid.back() |= bit;
          for (std::size_t j = 0; j < n; ++j) {
            if (j > 0 && row->first[skip + j - 1] == '0') continue;
            node.bits[node.bits.size() - n + j] |= bit;
            node.ones[node.ones.size() - n + j] += Weight{1} << shift;
          }
        }
        if (run.first != run.last) node.runs.push_back(run);
      }
      node.weight.push_back(node.ones[node.ones.size() - n]);
    }
    node.cells.push_back({});
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
// What has been verified; throws Rejected. `model` is the text of the model file, or null to check the bound alone.
inline std::string verify(const std::string& data, const std::string* model, const std::string& certificate,
                          const Options& options) {
  const Certificate c = read_certificate(certificate);
  const Table table = read_table(data);
  require(table.sha256 == c.data_sha256,
          "the data are not those of the certificate, their sha256 is " + table.sha256);
  require(table.bits.size() == c.rows && table.bits[0].size() == c.columns,
          "the data are not of the size certified");
  for (std::size_t k : table.label)
    require(k < c.classes, "data: class " + std::to_string(k) + " is not among those certified");
  // The search adds up at most depth + 2 weights or errors, none above the total weight.
  const Weight limit = INT64_MAX / static_cast<Weight>(c.depth + 3);
  Weight total = 0;
  for (Weight w : table.weight) {
    require(w <= limit - total, "data: the weights are too large to be added");
    total += w;
  }
  check_order(table, c);
  for (std::size_t f : c.required)
    require(c.model.empty() || holds(c.model, f), "the model lacks the required column " + std::to_string(f));
  auto error = [&](const Columns& columns) { return error_of(cells_of(table, c.classes, columns)); };
  const std::string claim = std::to_string(c.claim);
  if (model)
    check_diagram(*model, table, c);
  else if (!c.model.empty())
    require(error(c.model) == c.claim,
            "the model's columns err by " + std::to_string(error(c.model)) + ", the claim is " + claim);

  Weight cancelled = 0;
  const Node node = table_node(table, c, cancelled);
  const Weight target = std::min(c.claim, total + 1) - cancelled;  // nothing errs by more than the total
  const Positions from = read_end(options.from, c), to = read_end(options.to, c);
  std::vector<std::atomic<bool>> claimed(c.order.size());
  std::vector<std::future<std::optional<Positions>>> searches;
  for (std::size_t i = 0; i < options.threads && c.choices() > 0 && target > 0; ++i)
    searches.push_back(std::async(options.threads > 1 ? std::launch::async : std::launch::deferred, [&] {
      return Search(node, c.classes, target, from, to, claimed).run(c.choices());
    }));
  std::optional<Positions> better;
  if (c.choices() == 0 && error(c.required) < c.claim) better.emplace();
  for (auto& search : searches)
    if (auto found = search.get()) better = found;
  if (better) {
    Columns columns = c.required;
    for (std::size_t p : *better) columns.push_back(c.order[p]);
    const std::string errors = std::to_string(error(columns));
    throw Rejected("the columns" + text_of(columns) + " err by " + errors + ", less than the claim " + claim);
  }

  if (options.range)
    return "VERIFIED range " + options.from + " " + options.to + " of certificate " + c.sha256;
  std::ostringstream out;
  out << "VERIFIED" << (model || !c.model.empty() ? "" : " lower bound") << "\ndata: " << c.rows << " rows, "
      << c.columns << " columns, " << c.classes << " classes, sha256 " << c.data_sha256
      << "\nno set of at most " << c.depth << " columns";
  if (!c.forbidden.empty()) out << " without" << text_of(c.forbidden);
  if (!c.required.empty()) out << " with" << text_of(c.required);
  out << " has training error below " << claim << '\n';
  if (model)
    out << "the model errs by exactly that and tests no columns but" << text_of(c.model);
  else if (!c.model.empty())
    out << "the columns" << text_of(c.model) << " err by exactly that";
  else
    out << "no model is given: whether that is reached is not said";
  return out.str();
}

inline std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::ostringstream text;
  require(in && text << in.rdbuf(), "cannot read " + name + ", or it is empty");
  return text.str();
}

inline int main(const std::vector<std::string>& arguments) try {
  Options options;
  std::vector<std::string> files;
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (arguments[i] == "--range" && i + 2 < arguments.size()) {
      options.range = true;
      options.from = arguments[++i];
      options.to = arguments[++i];
    } else if (arguments[i] == "--threads" && i + 1 < arguments.size()) {
      options.threads = static_cast<std::size_t>(std::clamp(std::atoi(arguments[++i].c_str()), 0, 1024));
    } else {
      files.push_back(arguments[i]);
      if (arguments[i].starts_with("--")) options.threads = 0;
    }
  if (files.size() != 3 || options.threads == 0) {
    std::cerr << "beadcheck DATA MODEL CERTIFICATE [--range FROM TO] [--threads N]    MODEL may be -: check "
                 "the bound alone\n";
    return 2;
  }
  const std::string model = files[1] == "-" ? "" : read_file(files[1]);
  std::cout << verify(read_file(files[0]), files[1] == "-" ? nullptr : &model, read_file(files[2]), options)
            << std::endl;
  return std::cout ? 0 : 1;
} catch (const std::exception& error) {
  std::string reason = error.what();  // may quote a hostile file
  std::replace_if(
      reason.begin(), reason.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  std::cout << "REJECTED: " << reason << std::endl;
  return 1;
}

}  // namespace beadcheck

#ifndef BEADCHECK_NO_MAIN  // defined by the tests, which call verify()
int main(int argc, char** argv) {
  return beadcheck::main({argv + 1, argv + argc});
}
#endif
