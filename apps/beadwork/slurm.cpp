#include "commands.hpp"
#include "file_plan.hpp"
#include "fit_plan.hpp"
#include "slurm_script.hpp"

#include <fmt/format.h>

#include <memory>

namespace beadwork {
namespace {

struct PlanJobFlags {
  std::string folder, model, certificate, report;
  SlurmFlags slurm;
};

// The plan's words without what the jobs say themselves.
Result<std::vector<std::string>> words_for_jobs(Plan plan) {
  std::erase_if(plan.kept, [](const auto& option) { return option.first == "threads"; });
  return words_of(plan);
}

Result<int> write_script(const PlanJobFlags& flags) {
  TRY(const auto folder, PlanFolder::open(flags.folder));
  FilePlan files;
  for (const std::string& output : {flags.slurm.output, flags.model, flags.certificate, flags.report})
    TRY_DONE(PlanFolder::check_output(output, flags.folder));
  for (const std::string& later : {flags.model, flags.certificate, flags.report}) files.leaves(later);
  for (const auto& [name, text] : folder.plan().kept) files.leaves(name == "table" ? text : "");
  files.prints(flags.slurm.output);
  TRY_DONE(files.check());
  const Plan& plan = folder.plan();
  auto words = words_for_jobs(plan);
  if (!words) return input_error(words.error().message, flags.folder);
  const std::string path = whole_name(flags.folder);
  SlurmJobs jobs;
  jobs.name = "beadwork";
  jobs.folder = path;
  jobs.num_pieces = plan.num_parts();
  while (jobs.num_pieces > 1 && plan.is_empty(jobs.num_pieces - 1)) --jobs.num_pieces;
  jobs.piece = {"fit"};
  for (std::string& word : *words) jobs.piece.push_back(std::move(word));
  const std::initializer_list<std::string> ending = {"--part",    std::string(SlurmJobs::kPiece),  "--plan-dir", path,
                                                     "--threads", std::string(SlurmJobs::kThreads)};
  jobs.piece.insert(jobs.piece.end(), ending);
  jobs.last = {"state", "merge", path, "-o", flags.model.empty() ? path + "/model.json" : whole_name(flags.model)};
  if (!flags.certificate.empty()) jobs.last.insert(jobs.last.end(), {"--certificate", whole_name(flags.certificate)});
  if (!flags.report.empty()) jobs.last.insert(jobs.last.end(), {"--report", whole_name(flags.report)});
  TRY(const auto script, slurm_script(flags.slurm, jobs));
  return console::emit(script, flags.slurm.output);
}

}  // namespace

console::Command add_slurm(const Arguments& program) {
  const Arguments command =
      program.add_subcommand("slurm", "write the script that runs a plan as jobs of Slurm (docs/clusters.md)");
  auto flags = std::make_shared<PlanJobFlags>();
  command.add_option("FOLDER", flags->folder, "folder that 'fit --plan' made, on a disk that all machines share")
      .required();
  command.add_option("--model", flags->model, "write the model here in the end (default model.json in FOLDER)")
      .word("FILE");
  command.add_option("--certificate", flags->certificate, "write a certificate of optimality here, too").word("FILE");
  command.add_option("--report", flags->report, "write a report page here, too").word("FILE");
  flags->slurm.add(command);
  return [=] { return write_script(*flags); };
}

}  // namespace beadwork
