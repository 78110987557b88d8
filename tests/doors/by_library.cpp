// A fit by the library's one call, from words: by_library TABLE MODEL [WORD...], where a word is NAME=VALUE of an
// option (engine/options.def), or target=, weight= or thresholds=. What `beadwork fit` is given by flags.
#include <beadwork/base/try.hpp>
#include <beadwork/fit.hpp>

#include <cstdio>
#include <string>

using namespace beadwork;

namespace {

int refuse(const Error& error) {
  std::fprintf(stderr, "%s\n", error.to_string().c_str());
  return 2;
}

Status take(FitOptions& options, const std::string& word) {
  const std::size_t sign = word.find('=');
  const std::string name = word.substr(0, sign), value = word.substr(sign + 1);
  if (name == "target") return options.reading.target = value, Done{};
  if (name == "weight") return options.reading.weight = value, Done{};
  if (name != "thresholds") return set_option(options.request, name, value);
  TRY(auto rule, parse_threshold_rule(value));
  options.thresholds = rule;
  return Done{};
}

}  // namespace

int main(int count, char** words) {
  FitOptions options;
  for (int i = 3; i < count; ++i)
    if (auto ok = take(options, words[i]); !ok) return refuse(ok.error());
  const auto fitted = fit_file(words[1], options);
  if (!fitted) return refuse(fitted.error());
  const std::string text = fitted->committee ? to_json(*fitted->committee) : to_json(fitted->model);
  if (auto ok = write_file(words[2], text); !ok) return refuse(ok.error());
  return 0;
}
