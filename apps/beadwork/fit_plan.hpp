#pragma once
// A fit in parts: fit --plan, fit --part, and what 'state merge' needs to finish it.
#include "input_flags.hpp"
#include "plan_folder.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace beadwork {

// What a plan keeps of a fit: its table, and options with what was given for them. None of them names a file to write
// or a program to run: those are named by whoever merges.
using Kept = std::vector<std::pair<std::string, std::string>>;

// Divides a fit among other processes. Called once the data are read, with what describes the fit.
using PartsHost = std::function<int(const LoadedData& data, const Request& request, Kept kept, const Control& control)>;

struct PlanFlags {
  std::optional<std::string> parts, part;
  std::string folder;
  PartsHost host;
  Kept given;  // all options of the fit

  void add(const Arguments& command);
  bool asked() const { return parts || part || host; }
  Status check() const;
};

// May a plan keep this option of a request?
bool is_kept(const OptionInfo& option);
// Of what was given, that which a plan keeps; files by their whole names.
Kept kept_of(const Kept& given, const std::string& table);
// The words of a fit with these options. An Error where there is something that no plan keeps: the folder may come from
// anywhere.
Result<std::vector<std::string>> words_of(const Plan& plan);

Result<int> write_plan(const PlanFlags& flags, const LoadedData& data, const Request& request, Kept kept,
                       const Control& control);
Result<int> run_part(const PlanFlags& flags, const LoadedData& data, const Request& request, const Control& control);

// The fit that a plan describes, with the parts' state in place of a search.
struct MergedFit {
  const Plan& plan;
  const Merged& merged;
  std::string data;  // in place of the file that the plan was made from; empty: that one
  std::string output, certificate, report;
  std::optional<std::string> time_limit, threads;
  bool json = false, quiet = false;
};
Result<int> fit_merged(const MergedFit& with);
// The options of fit that a plan may keep; does one take a value?
std::map<std::string, bool> options_kept();
// The fit that these words describe, up to where its data are read; then it is the host's.
Result<int> fit_for_host(const std::vector<std::string>& words, PartsHost host);

}  // namespace beadwork
