#include "fit_plan.hpp"

#include "costs_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace beadwork {
namespace {

constexpr std::size_t kMostParts = 1000000;
constexpr std::string_view kTable = "table";

Result<std::size_t> whole_number(const std::string& text, std::size_t least, std::size_t most, const char* flag) {
  const auto n = parse_integer<std::size_t>(text);
  if (!n || *n < least || *n > most)
    return usage_error(fmt::format("expected a number from {} to {}, got '{}'", least, most, printable(text)), flag);
  return *n;
}

std::string best_words(const Dataset& dataset, const Request& request, std::int64_t error) {
  if (error == INT64_MAX) return "no set yet";
  const double in_rows = console::in_units(error, dataset.weight_scale());
  if (request.cost.costs.empty()) return console::counted(in_rows, "error");
  const auto exact = scale_weights(request.cost.costs);  // costs are searched as whole numbers
  return exact ? fmt::format("cost {}", in_rows / static_cast<double>(exact->scale)) : "some set";
}

// What others have found, and what this part has: one warning where the folder cannot be written to is enough.
PartExchange exchange_with(const PlanFolder& folder, const Request& request, const Control& control) {
  PartExchange out;
  out.checkpoint_seconds = request.only_of<ForSearch>().checkpoint_every;
  out.checkpoint = [&folder, log = control](const Part& part) {
    if (auto ok = folder.write_part(part); !ok)
      log.warn(fmt::format("could not save the part: {}", ok.error().to_string()));
  };
  out.share = [&folder](const PlanBest& mine) { return folder.share(mine); };
  return out;
}

}  // namespace

void PlanFlags::add(const Arguments& command) {
  command.add_option("--plan", parts, "divide the search into N parts of about equal work (docs/scale.md)")
      .word("N")
      .expert();
  command.add_option("--part", part, "search part I of the plan, from 0; continue where it stopped").word("I").expert();
  command.add_option("--plan-dir", folder, "keep the plan here; 'beadwork state merge' makes the model of it")
      .word("FOLDER")
      .expert();
}

Status PlanFlags::check() const {
  if (host) return Done{};
  if (parts && part) return usage_error("cannot be combined with --plan", "--part");
  if (folder == "-") return usage_error("names a folder; ./- is one of that name", "--plan-dir");
  if (asked() && folder.empty()) return usage_error("needs --plan-dir", parts ? "--plan" : "--part");
  if (!asked() && !folder.empty()) return usage_error("needs --plan or --part", "--plan-dir");
  if (parts) TRY_DONE(whole_number(*parts, 1, kMostParts, "--plan"));
  if (part) TRY_DONE(whole_number(*part, 0, kMostParts - 1, "--part"));
  return Done{};
}

bool is_kept(const OptionInfo& option) {
  return has(option.uses, Use::parts) && !option.is_file && option.name != "time_limit";
}

Kept kept_of(const Kept& given, const std::string& table) {
  const auto whole = [](const std::string& file) {
    return std::filesystem::absolute(file).lexically_normal().string();
  };
  Kept out{{std::string(kTable), whole(table)}};
  const auto known = options_kept();
  for (const auto& [name, text] : given) {
    if (!known.contains(name)) continue;
    const bool file = (name == "costs" && !are_costs(text)) || (name == "features-from" && text != "cart");
    out.emplace_back(name, file ? whole(text) : text);
  }
  return out;
}

Result<std::vector<std::string>> words_of(const Plan& plan) {
  if (plan.kept.empty() || plan.kept[0].first != kTable)
    return input_error("the plan does not say how to read its data");
  const std::string& table = plan.kept[0].second;
  if (!table.starts_with('/')) return input_error("the plan does not give its table's whole name");
  std::vector<std::string> out{table};
  const auto known = options_kept();
  for (std::size_t i = 1; i < plan.kept.size(); ++i) {
    const auto& [name, text] = plan.kept[i];
    const auto found = known.find(name);
    if (found == known.end())
      return input_error(
          fmt::format("the plan has the option '{}', which this version does not have", printable(name)));
    const bool bare = !found->second || text.empty();  // an empty value is a word of its own
    out.push_back(bare ? "--" + name : fmt::format("--{}={}", name, text));
    if (found->second && text.empty()) out.emplace_back();
  }
  return out;
}

Result<int> write_plan(const PlanFlags& flags, const LoadedData& data, const Request& request, Kept kept,
                       const Control& control) {
  TRY(const auto parts, whole_number(*flags.parts, 1, kMostParts, "--plan"));
  const Stopwatch clock;
  auto plan = plan_search(data.dataset, request, parts, control);
  console::end_progress_line();
  if (!plan) return plan.error();
  plan->kept = std::move(kept);
  TRY(const auto folder, PlanFolder::create(flags.folder, *std::move(plan)));
  std::size_t real = 0;
  double largest = 0;
  for (std::size_t i = 0; i < folder.plan().num_parts(); ++i) {
    real += folder.plan().is_empty(i) ? 0 : 1;
    largest = std::max(largest, folder.plan().work(i));
  }
  const auto best = best_of(folder.plan());
  return console::emit(
      fmt::format("plan of {} in {}, {} of them with work, the largest about {:.3g} % of it; first answer: {}; "
                  "{:.1f} s\n",
                  console::counted(folder.plan().num_parts(), "part"), flags.folder, real, 100 * largest,
                  best_words(data.dataset, request, best ? best->error : INT64_MAX), clock.seconds()),
      "");
}

Result<int> run_part(const PlanFlags& flags, const LoadedData& data, const Request& request, const Control& control) {
  TRY(const auto folder, PlanFolder::open(flags.folder));
  const Plan& plan = folder.plan();
  TRY(const auto number, whole_number(*flags.part, 0, plan.num_parts() - 1, "--part"));
  if (auto ok = check_plan(plan, data.dataset, request); !ok) return usage_error(ok.error().message, flags.folder);
  console::Leftover leftover;
  const std::string path = folder.part_path(number);
  TRY_DONE(folder.check_own(path));
  TRY(const auto lock, FileLock::take(path));
  leftover.track(lock.name());
  PartExchange exchange = exchange_with(folder, request, control);
  TRY(auto before, folder.read_part(number));
  exchange.resume = std::move(before);
  const auto say = [&](const Part& part, std::string_view how) {
    return console::emit(fmt::format("part {} of {}: {}; best answer so far: {}\n", number, plan.num_parts(), how,
                                     best_words(data.dataset, request, error_of(part))),
                         "");
  };
  if (exchange.resume && exchange.resume->complete) return say(*exchange.resume, "done before");
  const Stopwatch clock;
  const auto part = search_part(data.dataset, request, plan, number, control, exchange);
  console::end_progress_line();
  if (!part) return part.error();
  TRY_DONE(folder.write_part(*part));
  const int code = say(*part, fmt::format("{} after {:.3f} s", part->complete ? "done" : "stopped", clock.seconds()));
  return code != 0 || part->complete ? code : console::kStopped;
}

}  // namespace beadwork
