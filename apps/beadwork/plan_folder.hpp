#pragma once
// The folder of a plan: what its parts read and write. Every file is written whole or not at all.
//
//   plan            the plan (engine/plan.hpp), with hashes of data and options
//   incumbent       the best set that any part has found so far
//   part-00017      where part 17 stands; part-00017.beadwork-lock while it runs
//
// None of them may be a link: a folder that comes from elsewhere must not lead out of itself.
#include "console.hpp"
#include <beadwork/engine.hpp>

namespace beadwork {

class PlanFolder {
 public:
  // Makes the folder and the plan in it. Refuses a folder that holds another plan.
  static Result<PlanFolder> create(const std::string& path, Plan plan);
  static Result<PlanFolder> open(const std::string& path);
  // An Error where an output, under whatever name, would take the place of one of the files above.
  static Status check_output(const std::string& output, const std::string& folder);

  const Plan& plan() const { return plan_; }
  std::string part_path(std::size_t part) const;
  // Refuses a file of the folder that is a link.
  static Status check_own(const std::string& path);

  // Nothing if it has not begun. An Error where the file is damaged or belongs to another plan.
  Result<std::optional<Part>> read_part(std::size_t part) const;
  Result<std::vector<Part>> read_parts() const;  // those that have begun
  Status write_part(const Part& part) const;

  // The better of this set and the one in the folder; the folder then holds it. Nothing if that is this set.
  std::optional<PlanBest> share(const PlanBest& mine) const;

 private:
  PlanFolder(std::string path, Plan plan) : path_(std::move(path)), plan_(std::move(plan)), id_(id_of(plan_)) {}
  std::string path_;
  Plan plan_;
  std::string id_;
};

// "3, 7-12 and 20".
std::string numbers_text(const std::vector<std::size_t>& increasing);

}  // namespace beadwork
