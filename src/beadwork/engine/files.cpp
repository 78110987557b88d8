#include <beadwork/engine.hpp>

#include <fmt/format.h>

#include <cstdio>
#include <memory>

// The files that a request names, for callers who keep to them: `learn` itself touches none.

namespace beadwork {
namespace {

constexpr std::string_view kSearchState = "search-state ", kOrderedState = "ordered-state ";

template <class T>
Result<State> located(Result<T> state, const std::string& path) {
  if (!state) return input_error(state.error().message, path);
  return State(*std::move(state));
}

Result<State> read_state(const std::string& path) {
  TRY(const auto text, read_file(path));
  return text.starts_with(kOrderedState) ? located(parse_ordered_state(text), path) : located(parse_state(text), path);
}

// The state in that file or, with a warning, in the one before where it is missing or damaged.
Result<State> read_checkpoint(const std::string& path, const Control& control) {
  auto state = read_state(path);
  if (state) return state;
  auto older = read_state(path + ".old");
  if (!older) return state.error();
  control.warn(fmt::format("{}; continuing from {}.old", state.error().to_string(), path));
  return older;
}

// What would be written over is empty, or a search state, whole or damaged.
Status check_place(const std::string& path) {
  if (stamp_of(path) && !special_file(path)) {
    TRY(const auto file, FileText::open(path));
    constexpr std::size_t kEnough = 32;
    const std::string_view start = file.text().substr(0, kEnough);
    TRY_DONE(file.load(0, start.size()));
    if (!start.empty() && !start.starts_with(kSearchState) && !start.starts_with(kOrderedState))
      return input_error("is there and is no search state: a checkpoint would take its place", path);
  }
  return Done{};
}

// A whole file that is there becomes `path`.old first, so that at any moment one of the two is whole.
std::function<void(const State&)> checkpoint_to(const std::string& path, const Control& control) {
  const auto whole = std::make_shared<bool>(static_cast<bool>(read_state(path)));
  return [path, whole, log = control](const State& state) {
    if (*whole) std::rename(path.c_str(), (path + ".old").c_str());
    const auto written = write_file(path, std::visit([](const auto& s) { return to_text(s); }, state));
    *whole = static_cast<bool>(written);
    if (!written) log.warn(fmt::format("could not write the checkpoint: {}", written.error().to_string()));
  };
}

}  // namespace

Status check_checkpoint(const std::string& path) {
  for (const char* ending : {"", ".old"}) TRY_DONE(check_place(path + ending));
  return Done{};
}

Result<Exchange> open_exchange(const Request& request, const Control& control) {
  const auto& search = request.only_of<ForSearch>();
  Exchange exchange;
  if (search.resume) {
    TRY(auto state, read_checkpoint(search.resume.path, control));
    exchange.resume = std::move(state);
  }
  if (search.checkpoint) TRY_DONE(check_checkpoint(search.checkpoint.path));
  if (search.checkpoint) exchange.checkpoint = checkpoint_to(search.checkpoint.path, control);
  return exchange;
}

std::vector<std::pair<std::string, std::string>> files_of(const Request& request, const Outcome& outcome) {
  const std::string& certificate = request.only_of<ForSearch>().certificate.path;
  const std::string& proof = request.only_of<ForMaxsat>().proof.path;
  std::vector<std::pair<std::string, std::string>> out;
  if (!certificate.empty() && certificate != "-" && !outcome.certificate.empty())
    out.emplace_back(certificate, outcome.certificate);
  if (!outcome.proof || proof == "-") return out;
  out.emplace_back(proof + ".cnf", outcome.proof->formula);
  out.emplace_back(proof, outcome.proof->lines);
  return out;
}

}  // namespace beadwork
