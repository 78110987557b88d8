#pragma once
// Between a run and the states that it saves and goes on from.

#include <beadwork/ordered/shared.hpp>
#include <beadwork/ordered/state.hpp>

namespace beadwork::ordered {

class Session {
 public:
  // The Error says why the state to resume from does not belong to the problem. Its incumbent is evaluated again; that
  // what it calls done is done, and its lower bound, are its word.
  static Result<Session> open(const RankedData& data, const OrderedOptions& options, const Problem& problem);

  const std::vector<std::vector<Cut>>& start() const { return start_; }  // the incumbent, as cuts of work columns
  // Once the incumbent is known to `shared`: what is done and proven. True if there is a bound.
  bool resume(Shared& shared) const;
  // The incumbent of the state, as it is.
  void offer(Shared& shared) const {
    for (const auto& set : start_) shared.offer(set, error_ - problem_->base);
  }
  OrderedState state_of(Shared& shared) const;
  // From now on polling saves states, and shares incumbents.
  void begin(Shared& shared);
  void save(Shared& shared);

 private:
  Session(const RankedData& data, const OrderedOptions& options, const Problem& problem)
      : data_(&data), options_(&options), problem_(&problem) {}
  Status restore(const OrderedState& state);
  bool add_level(const OrderedLevel& level);
  void share(Shared& shared) const;

  const RankedData* data_;
  const OrderedOptions* options_;
  const Problem* problem_;
  std::string hash_;
  std::vector<std::vector<Cut>> start_;
  std::map<Ledger::Place, Ledger::Level> levels_;
  std::int64_t lower_ = 0, error_ = 0;
};

}  // namespace beadwork::ordered
