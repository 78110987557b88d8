#include "division.hpp"

#include "searcher.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <map>

namespace beadwork {
namespace {

constexpr std::size_t kUsualParts = 256;
constexpr std::chrono::milliseconds kNap{5};
constexpr double kSecondsBetweenNotes = 30;

using Kind = Ranks::Kind;

[[noreturn]] void end_all(const Error& error) {
  Ranks::abort(console::fail(error));
}

Result<PlanFolder> open_or_create(const Division& division, const LoadedData& data, const Request& request, Kept kept,
                                  const Control& control) {
  if (std::filesystem::exists(division.folder + "/plan")) {
    auto folder = PlanFolder::open(division.folder);
    if (!folder) return folder;
    if (auto ok = check_plan(folder->plan(), data.dataset, request); !ok)
      return usage_error(ok.error().message, division.folder);
    if (division.num_parts && *division.num_parts != folder->plan().num_parts())
      return usage_error(fmt::format("the folder has a plan of {} parts", folder->plan().num_parts()), "--plan");
    return folder;
  }
  TRY(auto plan, plan_search(data.dataset, request, division.num_parts.value_or(kUsualParts), control));
  plan.kept = std::move(kept);
  return PlanFolder::create(division.folder, std::move(plan));
}

bool over(const Control& control) {
  return control.interrupted() || control.deadline.passed();
}

// Rank 0: what is to be done, who does it, and what has come back.
class Coordinator {
 public:
  Coordinator(const Division& division, const PlanFolder& folder, Searcher& searcher, const Control& control)
      : division_(division),
        folder_(folder),
        searcher_(searcher),
        control_(control),
        open_(division.ranks.size() - 1) {}

  Status read_what_is_done();
  bool all_done() const { return waiting_.empty() && running_.empty(); }
  bool serving() const { return open_ > 0 || searcher_.busy() || (!waiting_.empty() && !over(control_)); }
  void turn();

 private:
  std::optional<std::size_t> next(int rank);
  void take(const Ranks::Letter& letter);
  void keep(int from, const Part& part);
  void tell(const PlanBest& best, int but);
  void work_here();

  const Division& division_;
  const PlanFolder& folder_;
  Searcher& searcher_;
  const Control& control_;
  int open_;                            // ranks that have not been sent home
  std::deque<std::size_t> waiting_;     // the largest first
  std::map<int, std::size_t> running_;  // by rank
  std::map<std::size_t, Part> begun_;   // states to go on from
  std::size_t num_done_ = 0;
  Stopwatch clock_;
  double noted_ = 0;
};

Status Coordinator::read_what_is_done() {
  const Plan& plan = folder_.plan();
  for (std::size_t i = 0; i < plan.num_parts(); ++i) {
    if (plan.is_empty(i)) continue;
    TRY(auto part, folder_.read_part(i));
    if (part && part->complete)
      ++num_done_;
    else
      waiting_.push_back(i);
    if (part && !part->complete) begun_.emplace(i, *std::move(part));
  }
  std::stable_sort(waiting_.begin(), waiting_.end(),
                   [&](std::size_t a, std::size_t b) { return plan.work(a) > plan.work(b); });
  return Done{};
}

std::optional<std::size_t> Coordinator::next(int rank) {
  if (waiting_.empty() || over(control_)) return {};
  const std::size_t part = waiting_.front();
  waiting_.pop_front();
  running_[rank] = part;
  return part;
}

void Coordinator::keep(int from, const Part& part) {
  if (auto ok = folder_.write_part(part); !ok) end_all(ok.error());
  if (const auto at = running_.find(from); part.complete && at != running_.end()) {
    running_.erase(at);
    ++num_done_;
  }
  if (!part.complete) begun_.insert_or_assign(part.number, part);
  if (division_.quiet || clock_.seconds() - noted_ < kSecondsBetweenNotes) return;
  noted_ = clock_.seconds();
  console::note(fmt::format("{} of {} parts done", num_done_, num_done_ + waiting_.size() + running_.size()));
}

void Coordinator::tell(const PlanBest& best, int but) {
  (void)folder_.share(best);
  for (int rank = 1; rank < division_.ranks.size(); ++rank)
    if (rank != but) division_.ranks.send(rank, Kind::best, to_text(folder_.plan(), best));
}

void Coordinator::take(const Ranks::Letter& letter) {
  if (letter.kind == Kind::best) {
    const auto best = parse_best(folder_.plan(), letter.text);
    if (!best) end_all(best.error());
    if (searcher_.hear(*best)) tell(*best, letter.from);
  }
  if (letter.kind == Kind::state) {
    const auto part = parse_part(letter.text);
    if (!part) end_all(part.error());
    keep(letter.from, *part);
  }
  if (letter.kind != Kind::ready && letter.kind != Kind::leave) return;
  if (const auto at = running_.find(letter.from); at != running_.end()) {  // stopped before its end
    waiting_.push_front(at->second);
    running_.erase(at);
  }
  const auto part = letter.kind == Kind::ready ? next(letter.from) : std::nullopt;
  if (!part) {
    --open_;
    return division_.ranks.send(letter.from, Kind::stop, "");
  }
  const auto before = begun_.find(*part);
  division_.ranks.send(letter.from, Kind::part,
                       std::to_string(*part) + '\n' + (before == begun_.end() ? "" : to_text(before->second)));
}

void Coordinator::work_here() {
  for (const Part& part : searcher_.states()) keep(0, part);
  if (const auto best = searcher_.found()) tell(*best, 0);
  if (auto end = searcher_.finished()) {
    if (!*end) end_all(end->error());
    keep(0, **end);
    if (!(*end)->complete) {
      waiting_.push_front(running_.at(0));
      running_.erase(0);
    }
  }
  if (searcher_.busy()) return;
  const auto part = next(0);
  if (!part) return;
  const auto before = begun_.find(*part);
  searcher_.begin(*part, before == begun_.end() ? std::nullopt : std::optional(before->second));
}

void Coordinator::turn() {
  while (const auto letter = division_.ranks.receive()) take(*letter);
  work_here();
  std::this_thread::sleep_for(kNap);
}

// Rank 0. A part that a rank was at when it left goes to another.
int coordinate(const Division& division, const LoadedData& data, const Request& request, const PlanFolder& folder,
               const Control& control) {
  Searcher searcher(data.dataset, request, folder.plan(), control);
  Coordinator desk(division, folder, searcher, control);
  if (auto ok = desk.read_what_is_done(); !ok) end_all(ok.error());
  while (desk.serving()) desk.turn();
  return desk.all_done() ? 0 : console::kStopped;
}

// What rank 0 says to another; whether it may go.
bool handle(const Ranks::Letter& letter, const Plan& plan, Searcher& searcher) {
  if (letter.kind == Kind::best) {
    const auto best = parse_best(plan, letter.text);
    if (!best) end_all(best.error());
    searcher.hear(*best);
  }
  if (letter.kind == Kind::part) {
    const std::size_t line = letter.text.find('\n');
    const auto number = parse_integer<std::size_t>(std::string_view(letter.text).substr(0, line));
    std::optional<Part> before;
    if (const std::string state = letter.text.substr(line + 1); !state.empty()) {
      auto part = parse_part(state);
      if (!part) end_all(part.error());
      before = *std::move(part);
    }
    searcher.begin(number.value(), std::move(before));
  }
  return letter.kind == Kind::stop;
}

int work(const Division& division, const LoadedData& data, const Request& request, const Plan& plan,
         const Control& control) {
  Searcher searcher(data.dataset, request, plan, control);
  division.ranks.send(0, Kind::ready, "");
  for (bool home = false; !home;) {
    while (const auto letter = division.ranks.receive()) home = handle(*letter, plan, searcher) || home;
    for (const Part& part : searcher.states()) division.ranks.send(0, Kind::state, to_text(part));
    if (const auto best = searcher.found()) division.ranks.send(0, Kind::best, to_text(plan, *best));
    if (auto end = searcher.finished()) {
      if (!*end) end_all(end->error());
      division.ranks.send(0, Kind::state, to_text(**end));
      division.ranks.send(0, (*end)->complete && !over(control) ? Kind::ready : Kind::leave, "");
    }
    std::this_thread::sleep_for(kNap);
  }
  return 0;
}

}  // namespace

int search_over_ranks(const Division& division, const LoadedData& data, const Request& request, Kept kept,
                      const Control& control) {
  std::string text;
  std::optional<PlanFolder> folder;
  if (division.ranks.rank() == 0) {
    auto made = open_or_create(division, data, request, std::move(kept), control);
    if (!made) end_all(made.error());
    folder = *std::move(made);
    text = to_text(folder->plan());
  }
  division.ranks.broadcast(text);
  if (folder) return coordinate(division, data, request, *folder, control);
  const auto plan = parse_plan(text);
  if (!plan) end_all(plan.error());
  if (auto ok = check_plan(*plan, data.dataset, request); !ok) end_all(ok.error());
  return work(division, data, request, *plan, control);
}

}  // namespace beadwork
