#pragma once
// A fit in parts: fit --plan, fit --part, and what 'state merge' needs to finish it.
#include "input_flags.hpp"
#include "plan_folder.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace beadwork {

// Who divides a fit among other processes: called once the data are read, with the words that describe the fit.
using PartsHost = std::function<int(const LoadedData& data, const Request& request, std::vector<std::string> words,
                                    const Control& control)>;

struct PlanFlags {
  std::optional<std::string> parts, part;
  std::string folder;
  PartsHost host;

  void add(const Arguments& command);
  bool asked() const { return parts || part || host; }
  Status check() const;
};

// What was typed after "fit", without the plan itself and with these files by their whole names: enough to read the
// data again.
std::vector<std::string> words_of_fit(const std::vector<std::string>& files);

int write_plan(const PlanFlags& flags, const LoadedData& data, const Request& request, std::vector<std::string> words,
               const Control& control);
int run_part(const PlanFlags& flags, const LoadedData& data, const Request& request, const Control& control);

// The fit that a plan's words describe, with the parts' state in place of a search.
struct MergedFit {
  const Plan& plan;
  const Merged& merged;
  std::string data;  // in place of the file that the plan was made from; empty: that one
  std::string output, certificate, report;
  std::optional<std::string> time_limit, threads;
  bool json = false, quiet = false;
};
int fit_merged(const MergedFit& with);
// The fit that these words describe, up to where its data are read; then it is the host's.
int fit_for_host(const std::vector<std::string>& words, PartsHost host);

}  // namespace beadwork
