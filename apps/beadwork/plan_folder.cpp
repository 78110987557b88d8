#include "plan_folder.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace beadwork {
namespace {

std::string plan_file(const std::string& folder) {
  return folder + "/plan";
}
std::string best_file(const std::string& folder) {
  return folder + "/incumbent";
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

// Is this file, if there is one, a text that begins so?
bool begins(const std::string& path, std::string_view start) {
  if (!exists(path)) return true;
  const auto text = read_file(path);
  return text && text->starts_with(start);
}

template <class T>
Result<T> located(Result<T> value, const std::string& path) {
  if (!value) return input_error(value.error().message, path);
  return value;
}

bool better(const PlanBest& a, const PlanBest& b) {
  return a.error != b.error ? a.error < b.error : a.features != b.features ? a.features < b.features : a.cuts < b.cuts;
}

}  // namespace

Result<PlanFolder> PlanFolder::create(const std::string& path, Plan plan) {
  std::error_code failed;
  std::filesystem::create_directories(path, failed);
  if (failed) return input_error("cannot make the folder: " + failed.message(), path);
  PlanFolder out(path, std::move(plan));
  const std::string text = to_text(out.plan_);
  if (exists(plan_file(path))) {
    const auto old = read_file(plan_file(path));
    if (old && *old == text) return out;
    return usage_error("holds another plan already; take a new folder, or remove it", path);
  }
  for (const auto& entry : std::filesystem::directory_iterator(path, failed))
    if (entry.path().filename().string().starts_with("part-"))
      return usage_error("holds parts of an older plan; take a new folder, or remove them", path);
  if (!begins(best_file(path), "beadwork-incumbent "))
    return usage_error("a plan would take its place, and it is none of a plan's", best_file(path));
  TRY_DONE(check_own(best_file(path)));
  if (const auto best = best_of(out.plan_)) TRY_DONE(write_file(best_file(path), to_text(out.plan_, *best)));
  TRY_DONE(write_file(plan_file(path), text));
  return out;
}

Status PlanFolder::check_output(const std::string& output, const std::string& folder) {
  namespace fs = std::filesystem;
  if (output.empty() || output == "-") return Done{};
  std::error_code ignored;
  const fs::path path = fs::weakly_canonical(output, ignored);
  if (path.parent_path() != fs::weakly_canonical(folder, ignored)) return Done{};
  const std::string name = path.filename().string();
  const bool its = name == "plan" || name == "incumbent" || name.starts_with("part-");
  return its ? usage_error("this output would overwrite a file of the plan", output) : Status(Done{});
}

Status PlanFolder::check_own(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_symlink(path, ignored)) return input_error("is a link; a plan's files are its own", path);
  return Done{};
}

Result<PlanFolder> PlanFolder::open(const std::string& path) {
  for (const std::string& file : {plan_file(path), best_file(path)}) TRY_DONE(check_own(file));
  TRY(const auto text, read_file(plan_file(path)));
  TRY(auto plan, located(parse_plan(text), plan_file(path)));
  return PlanFolder(path, std::move(plan));
}

std::string PlanFolder::part_path(std::size_t part) const {
  return fmt::format("{}/part-{:05}", path_, part);
}

Result<std::optional<Part>> PlanFolder::read_part(std::size_t number) const {
  const std::string path = part_path(number);
  TRY_DONE(check_own(path));
  if (!exists(path)) return std::optional<Part>{};
  TRY(const auto text, read_file(path));
  TRY(auto part, located(parse_part(text), path));
  if (part.plan != id_ || part.number != number)
    return input_error("belongs to another plan, or to an older one of this folder", path);
  return std::optional(std::move(part));
}

Result<std::vector<Part>> PlanFolder::read_parts() const {
  std::vector<Part> out;
  for (std::size_t i = 0; i < plan_.num_parts(); ++i) {
    TRY(auto part, read_part(i));
    if (part) out.push_back(*std::move(part));
  }
  const std::string beyond = part_path(plan_.num_parts());
  if (exists(beyond)) return input_error("belongs to an older plan: this one has no such part", beyond);
  return out;
}

Status PlanFolder::write_part(const Part& part) const {
  TRY_DONE(check_own(part_path(part.number)));
  return write_file(part_path(part.number), to_text(part));
}

std::optional<PlanBest> PlanFolder::share(const PlanBest& mine) const {
  const auto text = read_file(best_file(path_));
  const auto theirs = text ? parse_best(plan_, *text) : Result<PlanBest>(text.error());
  const bool known = !mine.features.empty() || !mine.cuts.empty();
  if (theirs && (!known || better(*theirs, mine))) return *theirs;
  if (known && (!theirs || better(mine, *theirs)) && check_own(best_file(path_)))
    (void)write_file(best_file(path_), to_text(plan_, mine));
  return {};
}

std::string numbers_text(const std::vector<std::size_t>& numbers) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t j = i;
    while (j + 1 < numbers.size() && numbers[j + 1] == numbers[j] + 1) ++j;
    words.push_back(j == i ? std::to_string(numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[j]));
    i = j + 1;
  }
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i)
    out += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  return out;
}

}  // namespace beadwork
