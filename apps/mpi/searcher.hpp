#pragma once
// One part at a time in a thread of its own, while the main thread passes on what it finds and what others find.
#include <beadwork/engine.hpp>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace beadwork {

class Searcher {
 public:
  Searcher(const Dataset& dataset, const Request& request, const Plan& plan, const Control& control);
  ~Searcher();

  bool busy() const { return thread_.joinable(); }
  void begin(std::size_t part, std::optional<Part> resume);
  // The end of what was begun, once it is there; an Error ends the job.
  std::optional<Result<Part>> finished();
  std::vector<Part> states();         // of the part that runs, to be kept
  std::optional<PlanBest> found();    // here, and not yet told
  bool hear(const PlanBest& theirs);  // whether it is better than all that is known

 private:
  std::optional<PlanBest> share(const PlanBest& mine);

  const Dataset& dataset_;
  const Request& request_;
  const Plan& plan_;
  const Control& control_;
  std::thread thread_;
  std::atomic<bool> done_ = false;
  std::optional<Result<Part>> result_;
  std::mutex mutex_;
  PlanBest best_{INT64_MAX, {}, {}};
  bool news_ = false;
  std::vector<Part> states_;
};

}  // namespace beadwork
