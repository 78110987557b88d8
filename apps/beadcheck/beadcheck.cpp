// beadcheck DATA MODEL CERTIFICATE: is the model of least training error among all sets of so many columns?
// Independent of the engine: plain C++20, no code in common with it. Proven is, for the 0/1 table DATA itself,
//   (1) no set of at most `depth` columns with all required and no forbidden ones has a training error below `claim`,
//   (2) the diagram in MODEL tests columns of such a set only and errs by exactly `claim`.
// files.hpp reads, search.hpp proves (1) by searching again with one simple bound; docs/certificates.md tells the rest.
#include <fstream>
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
inline std::string values_of(const std::string& bits, const Columns& columns) {
  std::string values;
  for (std::size_t f : columns) values += bits[f];
  return values;
}

// Refuses unless the diagram tests columns of the certificate's model only and errs by exactly the claim.
inline void check_diagram(std::string_view text, const Table& table, const Certificate& c) {
  const Json model = read_json(text);
  require(member(model, "format").text == "\"beadwork-model\"", "model: not a beadwork-model");
  const std::string version = member(model, "version").text;
  require(version == "1", "model of version ", version, ", and this checker reads version 1");
  const Json &classes = member(model, "classes", true), &features = member(model, "features", true);
  require(classes.size() == c.classes, "model: not as many classes as in the certificate");
  const Json& nodes = member(member(model, "diagram"), "nodes", true);
  require(!nodes.empty(), "model: no nodes");
  // Column, low and high; high = 0 is a sink that answers `column`, as no edge leads to node 0.
  std::vector<std::array<std::size_t, 3>> tests(nodes.size());
  std::set<std::size_t> reached{0};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const Json& node = member(nodes, std::to_string(i));
    const std::string where = "model, node " + std::to_string(i);
    auto index = [&](const Json& json, const std::string& key, std::size_t limit) {
      return number(member(json, key).text, limit, where + ", " + key);
    };
    auto& [column, low, high] = tests[i];
    require(reached.contains(i), where, ": reached from no earlier node, so from none or by a cycle");
    const bool sink = node.contains("\"class\"");
    require(sink != node.contains("\"feature\""), where, ": needs either a class or a feature");
    if (sink) {  // null: an answer for no row of the table
      column = member(node, "class").text == "null" ? c.classes : index(node, "class", c.classes);
      continue;
    }
    const Json& feature = member(features, std::to_string(index(node, "feature", features.size())));
    column = index(feature, "index", c.columns);
    low = index(node, "low", nodes.size()), high = index(node, "high", nodes.size());
    require(std::min(low, high) > i, where, ": leads to an earlier node, maybe in a cycle");
    require(holds(c.model, column), where, ": tests column ", column,
            ", which the certificate's model lacks");
    reached.insert({low, high});
  }
  Weight error = 0;
  for (std::size_t i = 0, at = 0; i < c.rows; ++i, at = 0) {
    while (tests[at][2] != 0) at = tests[at][table.bits[i][tests[at][0]] == '1' ? 2 : 1];
    require(tests[at][0] < c.classes, "model: no class for row ", i + 1);
    if (tests[at][0] != table.label[i]) error += table.weight[i];
  }
  require(error == c.claim, "the model errs by ", error, ", the claim is ", c.claim);
}

// Refuses unless every column that may be chosen is constant, or equal up to complement to a required one or to one of
// the order: then sets of required columns and exactly h of the order speak for all, see docs/certificates.md, Columns.
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
    const bool forbidden = holds(c.forbidden, f);
    require(!forbidden || !used, "column ", f, " is forbidden, and used");
    require(forbidden || known.contains(pattern(f)), "the order does not cover column ", f);
  }
}

// The table as a node, a cell for each combination of required values; candidate 0 is a column of ones, then come those
// of the order. A weight is written in binary, one row a bit.
inline Node table_node(const Table& table, const Certificate& c) {
  Node node;
  for (std::size_t j = 0; j <= c.order.size(); ++j) node.position.push_back(j - 1);
  std::map<std::string, Cell> cells;
  for (std::size_t k = 0; k < c.classes; ++k)
    for (int shift = 0; shift < 63; ++shift)
      for (std::size_t i = 0; i < c.rows; ++i) {
        if (table.label[i] != k || (table.weight[i] >> shift & 1) == 0) continue;
        Block& block = add_row(cells[values_of(table.bits[i], c.required)], k, shift, node.position.size());
        const std::string bits = '1' + values_of(table.bits[i], c.order);
        for (std::size_t j = 0; j < bits.size(); ++j)
          if (bits[j] == '1') block.bits[j] |= block.rows - block.rows / 2;
      }
  for (const auto& [values, cell] : cells) node.cells.push_back(cell);
  return node;
}

// What has been verified; throws Rejected. `model` is the text of the model file, or null to check the bound alone.
inline std::string verify(const std::string& data, const std::string* model, const std::string& certificate) {
  const Certificate c = read_certificate(certificate);
  const Table table = read_table(data);
  const std::string& hash = table.sha256;
  require(hash == c.data_sha256, "the data are not those of the certificate, their sha256 is ", hash);
  const bool same_size = table.bits.size() == c.rows && table.bits[0].size() == c.columns;
  require(same_size, "the data are not of the size certified");
  // The search adds up at most depth + 2 weights or errors, none above the total weight.
  const Weight limit = INT64_MAX / static_cast<Weight>(c.depth + 3);
  Weight total = 0;
  for (std::size_t i = 0; i < c.rows; total += table.weight[i++]) {
    require(table.label[i] < c.classes, "data: class ", table.label[i], " is not among those certified");
    require(table.weight[i] <= limit - total, "data: the weights are too large to be added");
  }
  check_order(table, c);
  const bool any = !c.model.empty();
  for (std::size_t f : c.required)
    require(!any || holds(c.model, f), "the model lacks the required column ", f);
  auto error = [&](const Columns& columns) {  // rows with equal values err by all but their largest class
    std::map<std::string, std::map<std::size_t, Weight>> cells;
    std::map<std::string, Weight> most;
    for (std::size_t i = 0; i < c.rows; ++i) {
      const std::string values = values_of(table.bits[i], columns);
      most[values] = std::max(most[values], cells[values][table.label[i]] += table.weight[i]);
    }
    return std::accumulate(most.begin(), most.end(), total, [](Weight e, auto& n) { return e - n.second; });
  };
  if (model) check_diagram(*model, table, c);
  const Weight reached = model || !any ? c.claim : error(c.model);
  require(reached == c.claim, "the model's columns err by ", reached, ", the claim is ", c.claim);

  const Node node = table_node(table, c);
  Search search{c.classes, std::min(c.claim, total + 1)};  // nothing errs by more than the total
  if (c.choices() > 0 && search.target > 0) search.descend(node, 0, node.position.size(), c.choices());
  if (c.choices() == 0 && error(c.required) < c.claim) search.found.emplace();
  Columns better = c.required;
  for (std::size_t p : search.found.value_or(Columns{})) better.push_back(c.order[p]);
  require(!search.found, "the columns", text_of(better), " err by ", error(better), ", less than the claim ",
          c.claim);

  std::ostringstream out;
  out << "VERIFIED" << (model || any ? "" : " lower bound") << "\ndata: " << c.rows << " rows, " << c.columns
      << " columns, " << c.classes << " classes, sha256 " << hash << "\nno set of at most " << c.depth
      << " columns" << (c.forbidden.empty() ? "" : " without" + text_of(c.forbidden))
      << (c.required.empty() ? "" : " with" + text_of(c.required)) << " has training error below " << c.claim
      << (model ? "\nthe model errs by exactly that and tests no columns but" + text_of(c.model)
          : any ? "\nthe columns" + text_of(c.model) + " err by exactly that"
                : "\nno model is given: whether that is reached is not said");
  return out.str();
}

inline std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::ostringstream text;
  require(in && text << in.rdbuf(), "cannot read ", name, ", or it is empty");
  return text.str();
}

}  // namespace beadcheck

#ifndef BEADCHECK_NO_MAIN  // defined by the tests, which call verify()
int main(int argc, char** argv) try {
  if (argc != 4) {
    std::cerr << "beadcheck DATA MODEL CERTIFICATE    MODEL may be -: check the bound alone\n";
    return 2;
  }
  const bool alone = argv[2] == std::string("-");
  const std::string model = alone ? "" : beadcheck::read_file(argv[2]), data = beadcheck::read_file(argv[1]);
  std::cout << beadcheck::verify(data, alone ? nullptr : &model, beadcheck::read_file(argv[3])) << std::endl;
  return std::cout ? 0 : 1;
} catch (const std::exception& error) {
  std::string reason = error.what();  // may quote a hostile file
  for (char& c : reason) c = c < 0x20 || c > 0x7e ? '?' : c;
  std::cout << "REJECTED: " << reason << std::endl;
  return 1;
}
#endif
