// Good files altered at random, judged by the fuzz target's brute force: mutation_test FOLDER [RUNS [SEED]]
//
// FOLDER has the seeds, fuzz/corpus/beadcheck. Exit code 1, or an abort, at the first wrong verdict.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

int run_beadcheck(const std::string& text);

namespace {

std::mt19937_64 random_bits;
std::size_t below(std::size_t n) {
  return random_bits() % n;
}

const std::vector<std::string> kPieces = {"0",
                                          "1",
                                          "2",
                                          "-1",
                                          "1000000000",
                                          "9223372036854775807",
                                          "9223372036854775808",
                                          "18446744073709551616",
                                          "NaN",
                                          "null",
                                          "1e9",
                                          "-",
                                          ",",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          "\"",
                                          "\\",
                                          "\\u0041",
                                          "\r\n",
                                          "\n",
                                          " ",
                                          "\t",
                                          ":",
                                          "HASH",
                                          "#",
                                          "# weights\n",
                                          "# class 0 ",
                                          "# feature 0 ",
                                          "# column 0 number ",
                                          "?",
                                          "0:1-2",
                                          "\xff",
                                          std::string(1, '\0')};

// A stretch of the text: a few bytes, a number, a line, or anything.
std::pair<std::size_t, std::size_t> stretch(const std::string& text) {
  const std::size_t at = below(text.size());
  const std::string ends = std::vector<std::string>{"\n", " \n,:]}\"", ""}[below(3)];
  if (ends.empty()) return {at, std::min(text.size() - at, 1 + below(below(4) == 0 ? 200 : 4))};
  const std::size_t start = at == 0 ? 0 : text.find_last_of(ends, at - 1) + 1, end = text.find_first_of(ends, at);
  return {start, (end == text.npos ? text.size() : end + (ends == "\n" ? 1 : 0)) - start};
}

void change(std::string& text, const std::vector<std::string>& seeds) {
  if (text.empty()) return;
  const auto [at, size] = stretch(text);
  const std::string piece = text.substr(at, size);
  const auto [there, length] = stretch(text);
  const std::string& other = seeds[below(seeds.size())];
  const auto [from, taken] = stretch(other);
  switch (below(9)) {
    case 0:
      text[at] = static_cast<char>(random_bits());
      break;
    case 1:
      text.erase(at, size);
      break;
    case 2:
      text.insert(there, piece);
      break;
    case 3:
      text.replace(there, length, piece);
      break;
    case 4:
      text.replace(at, size, kPieces[below(kPieces.size())]);
      break;
    case 5:
      text.insert(at, kPieces[below(kPieces.size())]);
      break;
    case 6:
      text.replace(at, size, other.substr(from, taken));
      break;
    case 7:
      text[at] = text[at] == '0' ? '1' : text[at] == '1' ? '0' : text[at] == '3' ? '2' : text[at];
      break;
    case 8:
      text.resize(at);
      break;
  }
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> seeds;
  for (const auto& file : std::filesystem::directory_iterator(argc > 1 ? argv[1] : ".")) {
    std::ifstream in(file.path(), std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  std::sort(seeds.begin(), seeds.end());  // the folder may list them in any order
  const std::size_t runs = argc > 2 ? std::stoul(argv[2]) : 100000;
  random_bits.seed(argc > 3 ? std::stoul(argv[3]) : 1);
  for (const std::string& seed : seeds)
    if (run_beadcheck(seed) != 1) return std::cout << "a seed is not accepted:\n" << seed << '\n', 1;
  std::size_t verified = 0;
  for (std::size_t i = 0; i < runs && !seeds.empty(); ++i) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t changes = 1 + below(3); changes-- > 0;) change(text, seeds);
    verified += static_cast<std::size_t>(run_beadcheck(text));
  }
  std::cout << runs << " altered inputs, " << verified << " verified, and true by brute force\n";
  return verified > runs / 100 && verified < runs ? 0 : 1;
}
