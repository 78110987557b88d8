#pragma once
// The steps of fit, which a plain fit, one in parts and one in shards take alike.
#include "fit_plan.hpp"
#include "fit_report.hpp"
#include "page_flags.hpp"

#include <map>

namespace beadwork::fit_steps {

struct Flags {
  InputFlags input;
  std::map<std::string, std::optional<std::string>> options;  // as given, by name
  std::map<std::string, bool> switches;
  std::map<std::string, std::vector<std::string>> lists;
  std::vector<std::string> shards;
  std::string output, front_plot, report, test;
  PageFlags page;
  PlanFlags plan;
  bool json = false;
  bool quiet = false;
};

// One flag for each row of the table of options; or for those that a plan keeps.
void add_options(const Arguments& command, Flags& flags, bool all);
Result<Request> read_request(const Flags& flags);
// Checks what the run reads and where it will write, before the work.
Status check_files(const Flags& flags, const Request& request, const std::string& features_from);
// Before hours of search: can the page that is asked for have these classes, and are there features for a plan?
Status check_loaded(const Flags& flags, const LoadedData& data, bool merged);
// What belongs to the model is asked of 'state merge', not of the plan or a part.
Status check_division(const Flags& flags, const Request& request);
// Of the rows, and of the bytes of a plain file that has not changed since the stamp.
Result<DataHashes> hashes_of(const std::string& path, const Result<FileStamp>& before, const Dataset& dataset);
Result<int> divide(const Flags& flags, const LoadedData& data, const Request& request);
// Reads costs and names, once the data are known.
Result<Request> complete(Request request, const Flags& flags, const Dataset& dataset);
// Locks the checkpoint, so that two runs do not write to it.
Result<std::optional<FileLock>> checkpoint_lock(const Request& request, console::Leftover& leftover);
Result<int> report_nothing(const LoadedData& data, const Flags& flags, const Request& request, const Outcome& o);
void note_what_is_open(const Outcome& o, const Request& request);
Result<int> write_files(const Flags& flags, const Fitted& fitted, std::vector<ReportFacts::Moment> bounds,
                        double seconds, const Control& control);
// What is printed: the answer, and how it does on the test rows. By then all files are written.
Result<int> tell(const Flags& flags, const Fitted& fitted);
// The defaults that limit the answer.
void note_defaults(const Flags& flags, const Request& request, const LoadedData& data,
                   const std::optional<double>& limit);
// What was read, the defaults that limit the answer (unless a plan has the options), why it may take long.
void describe_fit(const Flags& flags, const Request& request, const LoadedData& data,
                  const std::optional<double>& limit, const Control& control, bool defaults);
// The exit code after all is said.
int end(const Outcome& o, const Request& request, const std::optional<double>& limit, const Control& control);

}  // namespace beadwork::fit_steps
