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
struct Data {
  std::vector<Row> rows;
  Names names;
  std::size_t columns = 0;
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
      if (data.rows.empty() && (key == "class" || key == "feature")) {
        words.get();
        std::getline(words, data.names[key + ' ' + number]);
      }
      continue;
    }
    Row row;
    if (!(words >> row.label)) continue;
    if (weighted) words >> row.weight;
    std::size_t f = 0;
    for (std::uint32_t bit = 0; words >> bit; ++f) row.bits |= f < 32 ? bit << f : 0;
    data.columns = f;
    data.rows.push_back(row);
  }
  return data;
}

struct Claim {
  std::size_t depth = 0, classes = 0;
  std::uint64_t errors = 0;
  std::uint32_t required = 0, forbidden = 0;
};
Claim read_claim(const std::string& text) {
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
      const auto f = feature["index"].get<std::size_t>();
      if (feature.contains("name") && feature["name"].is_string())
        check_name(data, "feature " + std::to_string(f), feature["name"].get<std::string>());
      tested |= 1U << f;
      at = nodes[at][(row.bits >> f & 1U) != 0 ? "high" : "low"].get<std::size_t>();
    }
    errors += nodes[at]["class"].get<std::size_t>() == row.label ? 0 : row.weight;
  }
  insist((tested & claim.forbidden) == 0, "the model tests a forbidden column");
  const auto all = static_cast<std::size_t>(std::popcount(tested | claim.required));
  insist(all <= claim.depth, "the model tests too many columns");
  insist(errors == claim.errors, "the model does not have the errors claimed");
}

void check_verdict(const std::string& text, const std::string* model, const std::string& certificate) {
  const Data data = read_data(text);
  const Claim claim = read_claim(certificate);
  if (data.columns > 10) return;  // too many sets for brute force
  const std::uint64_t least = least_errors(data, claim);
  insist(claim.errors <= least, "a false lower bound");
  if (model == nullptr) return;
  insist(claim.errors == least, "the model is not optimal");
  const auto json = nlohmann::json::parse(*model, nullptr, false);
  if (!json.is_discarded()) check_model(data, claim, json);
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
    beadcheck::Watch watch{.limit = 2};
    if (const std::size_t at = certificate.find("HASH"); at != certificate.npos)
      certificate.replace(at, 4, beadcheck::read_table(data, watch).sha256);
    certificate += "sha256 " + beadcheck::sha256(certificate) + "\n";
    const std::string said = beadcheck::verify(data, given, certificate, watch);
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
