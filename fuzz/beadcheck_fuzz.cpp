// Any data, model and certificate, bytes 1 between them: refused in one line, or true by brute force.
//
// HASH in the certificate becomes the hash of the data, and the seal is added, so that changed files get past both. The
// oracle reads the files by itself: streams for data and certificate, another library for the model.
#define BEADCHECK_NO_MAIN
#include "../apps/beadcheck/beadcheck.cpp"

#include <nlohmann/json.hpp>

#include <sstream>

namespace {

using Names = std::map<std::string, std::string>;  // "class 0" -> its name

void insist(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "WRONG: %s\n", what);
  std::abort();
}

struct Row {
  std::size_t label = 0;
  std::uint64_t weight = 1;
  std::uint32_t bits = 0;
};
using Values = std::vector<std::optional<double>>;  // of a row; nothing: missing
struct Data {
  std::vector<Row> rows;
  Names names;
  std::size_t columns = 0;
  std::vector<Values> values;                                       // of version 2, and then `bits` are of cuts
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> cuts;  // column and number -> bit
};
Data read_data(const std::string& text) {
  Data data;
  bool weighted = false;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    std::istringstream words(line);
    std::string sign, key, number;
    if (line.starts_with('#')) {
      weighted = weighted || line == "# weights";
      words.get();
      words >> key >> number;
      if (data.rows.empty() && (key == "class" || key == "feature" || key == "column")) {
        words.get();
        std::getline(words, data.names[key + ' ' + number]);
      }
      continue;
    }
    Row row;
    if (!(words >> row.label)) continue;
    if (weighted) words >> row.weight;
    std::size_t f = 0;
    if (data.names.contains("column 0")) {
      auto& values = data.values.emplace_back();
      for (std::string word; words >> word;)
        values.push_back(word == "?" ? Values::value_type() : std::strtod(word.c_str(), nullptr));
    }
    for (std::uint32_t bit = 0; data.values.empty() && words >> bit; ++f) row.bits |= f < 32 ? bit << f : 0;
    data.columns = f;
    data.rows.push_back(row);
  }
  return data;
}
// Each column's values, or missing last, one after the other: the cut after each passes those up to it.
void add_cuts(Data& data) {
  data.columns = 0;
  for (std::size_t c = 0; c < data.values[0].size(); ++c) {
    const bool test = data.names["column " + std::to_string(c)].starts_with("test ");
    const auto key = [&](const Values& row) {  // missing after all numbers, and 1 before 0 in a test
      return std::pair(!row[c].has_value(), test ? -*row[c] : row[c].value_or(0));
    };
    std::set<std::pair<bool, double>> all;
    if (test) all = {{false, -1.0}, {false, 0.0}};
    for (const Values& row : data.values) all.insert(key(row));
    all.erase(std::prev(all.end()));
    std::size_t k = 0;
    for (const auto& last : all) {
      const std::size_t bit = data.columns++;
      data.cuts[{c, k++}] = bit;
      for (std::size_t i = 0; i < data.rows.size() && bit < 32; ++i)
        data.rows[i].bits |= static_cast<std::uint32_t>(key(data.values[i]) <= last) << bit;
    }
  }
}

struct Claim {
  std::size_t depth = 0, classes = 0;
  std::uint64_t errors = 0;
  std::uint32_t required = 0, forbidden = 0;
};
Claim read_claim(const std::string& text, const Data& data) {
  Claim claim;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key;
    std::size_t value = 0;
    words >> key >> value;
    if (key == "depth") claim.depth = value;
    if (key == "classes") claim.classes = value;
    if (key == "claim") claim.errors = value;
    for (std::string cut; !data.cuts.empty() && (key == "required" || key == "forbidden") && words >> cut;) {
      const std::size_t column = std::stoul(cut), first = std::stoul(cut.substr(cut.find(':') + 1));
      const std::size_t last = cut.find('-') == cut.npos ? first : std::stoul(cut.substr(cut.find('-') + 1));
      for (std::size_t k = first; k <= last; ++k)
        (key == "required" ? claim.required : claim.forbidden) |= 1U << data.cuts.at({column, k});
    }
    if (key == "required" || key == "forbidden")
      for (std::size_t f = 0; words >> f;) (key == "required" ? claim.required : claim.forbidden) |= 1U << f;
  }
  return claim;
}

std::uint64_t errors_of(const Data& data, std::uint32_t mask) {
  std::map<std::uint32_t, std::map<std::size_t, std::uint64_t>> cells;
  for (const Row& row : data.rows) cells[row.bits & mask][row.label] += row.weight;
  std::uint64_t errors = 0;
  for (const auto& [bits, counts] : cells) {
    std::uint64_t total = 0, most = 0;
    for (const auto& [label, weight] : counts) total += weight, most = std::max(most, weight);
    errors += total - most;
  }
  return errors;
}
std::uint64_t least_errors(const Data& data, const Claim& claim) {
  std::uint64_t least = UINT64_MAX;
  for (std::uint32_t mask = 0; mask < 1U << data.columns; ++mask)
    if ((mask & claim.required) == claim.required && (mask & claim.forbidden) == 0 &&
        static_cast<std::size_t>(std::popcount(mask)) <= claim.depth)
      least = std::min(least, errors_of(data, mask));
  return least;
}

bool plain(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](char c) { return c >= 0x20 && c <= 0x7E; });
}
void check_name(const Data& data, const std::string& what, const std::string& name) {
  const auto given = data.names.find(what);
  if (given != data.names.end() && plain(name)) insist(given->second == name, "a name is not that of the data");
}
// The bit of a feature of version 2, and whether the feature fails where the bit is set.
std::pair<std::size_t, bool> bit_of(const Data& data, const nlohmann::json& model, const nlohmann::json& feature) {
  const auto& column = model["columns"][feature["column"].get<std::size_t>()];
  const bool numeric = column["type"] == "numeric", missing = numeric && feature["test"] == "missing";
  const std::string name =
      numeric ? "number " + column["name"].get<std::string>() : "test " + feature["name"].get<std::string>();
  for (const auto& [at, bit] : data.cuts) {
    const std::string& given = data.names.at("column " + std::to_string(at.first));
    if (plain(name) && given != name) continue;
    bool same = true;
    for (std::size_t i = 0; i < data.rows.size(); ++i) {
      const auto value = data.values[i][at.first];
      const bool passes = !numeric  ? value == 1.0
                          : missing ? value.has_value()
                                    : value && *value <= feature["threshold"];
      same = same && passes == ((data.rows[i].bits >> bit & 1U) != 0);
    }
    if (same) return {bit, missing};
  }
  insist(!plain(name), "the model tests what is no cut");
  return {0, false};
}
void check_model(const Data& data, const Claim& claim, const nlohmann::json& model) {
  for (std::size_t k = 0; k < claim.classes && !data.names.empty(); ++k)
    if (model["classes"][k].is_string())
      check_name(data, "class " + std::to_string(k), model["classes"][k].get<std::string>());
  const auto& nodes = model["diagram"]["nodes"];
  std::uint32_t tested = 0;
  std::uint64_t errors = 0;
  for (const Row& row : data.rows) {
    std::size_t at = 0;
    while (!nodes[at].contains("class")) {
      const auto& feature = model["features"][nodes[at]["feature"].get<std::size_t>()];
      const auto [f, inverted] =
          data.cuts.empty() ? std::pair(feature["index"].get<std::size_t>(), false) : bit_of(data, model, feature);
      if (data.cuts.empty() && feature.contains("name") && feature["name"].is_string())
        check_name(data, "feature " + std::to_string(f), feature["name"].get<std::string>());
      tested |= 1U << f;
      at = nodes[at][((row.bits >> f & 1U) != 0) != inverted ? "high" : "low"].get<std::size_t>();
    }
    errors += nodes[at]["class"].get<std::size_t>() == row.label ? 0 : row.weight;
  }
  insist((tested & claim.forbidden) == 0, "the model tests a forbidden column");
  const auto all = static_cast<std::size_t>(std::popcount(tested | claim.required));
  insist(all <= claim.depth, "the model tests too many columns");
  insist(errors == claim.errors, "the model does not have the errors claimed");
}

void check_verdict(const std::string& text, const std::string* model, const std::string& certificate) {
  Data data = read_data(text);
  if (!data.values.empty()) add_cuts(data);
  if (data.columns > 10) return;  // too many sets for brute force
  const Claim claim = read_claim(certificate, data);
  const std::uint64_t least = least_errors(data, claim);
  insist(claim.errors <= least, "a false lower bound");
  if (model == nullptr) return;
  insist(claim.errors == least, "the model is not optimal");
  const auto json = nlohmann::json::parse(*model, nullptr, false);
  if (!json.is_discarded()) check_model(data, claim, json);
}

std::string hash_of(const std::string& data, beadcheck::Progress& progress) {
  const beadcheck::Table table = beadcheck::read_table(data, progress);
  return table.columns.empty() ? table.sha256 : beadcheck::rank_columns(table, progress).sha256;
}

}  // namespace

// 1: verified, 0: refused, for the mutation test; libFuzzer takes 0 alone.
int run_beadcheck(const std::string& text) {
  const std::size_t one = text.find('\x01'), two = text.find('\x01', one == text.npos ? one : one + 1);
  if (two == text.npos) return 0;
  const std::string data = text.substr(0, one), model = text.substr(one + 1, two - one - 1);
  std::string certificate = text.substr(two + 1);
  const std::string* const given = model == "-" ? nullptr : &model;
  try {
    beadcheck::Progress progress{.limit = 2};
    if (const std::size_t at = certificate.find("HASH"); at != certificate.npos)
      certificate.replace(at, 4, hash_of(data, progress));
    certificate += "sha256 " + beadcheck::sha256(certificate) + "\n";
    const std::string said = beadcheck::verify(data, given, certificate, progress);
    insist(said.starts_with("VERIFIED"), "neither verified nor refused");
  } catch (const std::runtime_error& refused) {
    const std::string line = beadcheck::one_line(refused.what());
    insist(!line.empty() && line.size() < 1000, "a reason that is no line");
    return 0;
  }
  check_verdict(data, given, certificate);
  return 1;
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* bytes, std::size_t size) {
  run_beadcheck(std::string(reinterpret_cast<const char*>(bytes), size));
  return 0;
}
