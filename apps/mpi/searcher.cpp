#include "searcher.hpp"

#include <utility>

namespace beadwork {

Searcher::Searcher(const Dataset& dataset, const Request& request, const Plan& plan, const Control& control)
    : dataset_(dataset), request_(request), plan_(plan), control_(control) {
  if (auto first = best_of(plan)) best_ = *std::move(first);
}

Searcher::~Searcher() {
  if (thread_.joinable()) thread_.join();
}

void Searcher::begin(std::size_t part, std::optional<Part> resume) {
  done_ = false;
  thread_ = std::thread([this, part, before = std::move(resume)] {
    PartExchange exchange;
    exchange.resume = before;
    exchange.checkpoint_seconds = request_.only_of<ForSearch>().checkpoint_every;
    exchange.checkpoint = [this](const Part& state) {
      const std::lock_guard lock(mutex_);
      states_.assign(1, state);
    };
    exchange.share = [this](const PlanBest& mine) { return share(mine); };
    try {
      result_ = search_part(dataset_, request_, plan_, part, control_, exchange);
    } catch (const std::exception& e) {
      result_ = Error{ErrorCode::internal, e.what(), {}};
    }
    done_ = true;
  });
}

std::optional<Result<Part>> Searcher::finished() {
  if (!thread_.joinable() || !done_) return {};
  thread_.join();
  states_.clear();
  return std::exchange(result_, std::nullopt);
}

std::vector<Part> Searcher::states() {
  const std::lock_guard lock(mutex_);
  return std::exchange(states_, {});
}

std::optional<PlanBest> Searcher::share(const PlanBest& mine) {
  const std::lock_guard lock(mutex_);
  if (best_.error < mine.error) return best_;
  if (mine.error < best_.error) {
    best_ = mine;
    news_ = true;
  }
  return {};
}

std::optional<PlanBest> Searcher::found() {
  const std::lock_guard lock(mutex_);
  if (!std::exchange(news_, false)) return {};
  return best_;
}

bool Searcher::hear(const PlanBest& theirs) {
  const std::lock_guard lock(mutex_);
  if (theirs.error >= best_.error) return false;
  best_ = theirs;
  return true;
}

}  // namespace beadwork
