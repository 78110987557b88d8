#include "benchmark_maker.hpp"
#include "commands.hpp"
#include "data_places.hpp"
#include "file_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>

namespace beadwork {
namespace {

struct BenchmarksFlags {
  std::vector<std::string> tables;
  std::string folder;
  std::vector<std::string> depths = {"2..9"};
  std::vector<std::string> models = {"bdd2"};
  std::string pack = "gz";
  double time_limit = 60;
  std::int64_t threads = 1;
  std::uint64_t most_literals = 0;
  bool quiet = false;
};

Result<std::set<std::size_t>> parse_depths(const std::vector<std::string>& texts) {
  constexpr std::size_t kMost = 20;
  std::set<std::size_t> out;
  for (const std::string& text : texts) {
    std::size_t from = 0, to = 0;
    int used = 0;
    if (std::sscanf(text.c_str(), "%2zu..%2zu%n", &from, &to, &used) != 2 ||
        static_cast<std::size_t>(used) != text.size()) {
      used = 0;
      if (std::sscanf(text.c_str(), "%2zu%n", &from, &used) != 1 || static_cast<std::size_t>(used) != text.size())
        from = 0;
      to = from;
    }
    if (from < 1 || to > kMost || from > to)
      return usage_error(fmt::format("expected depths from 1 to 20, as 2..9 or 2,3,7, got '{}'", printable(text)),
                         "--depths");
    for (std::size_t depth = from; depth <= to; ++depth) out.insert(depth);
  }
  return out;
}

Result<std::vector<Encoding>> parse_models(const std::vector<std::string>& texts) {
  std::vector<Encoding> out;
  for (const std::string& text : texts) {
    const auto model = parse_encoding(text);
    if (!model || *model == Encoding::bdd1)
      return usage_error(fmt::format("expected bdd2, bdd3, pair or dt, got '{}'", printable(text)), "--model");
    if (std::find(out.begin(), out.end(), *model) == out.end()) out.push_back(*model);
  }
  return out;
}

// Files as they are; other words are names of the paper's tables.
Result<std::vector<std::string>> find_tables(const std::vector<std::string>& asked) {
  if (asked.empty()) return paper_tables();
  std::vector<std::string> out;
  for (const std::string& word : asked) {
    std::error_code none;
    const bool is_path = word.find_first_of("/.") != std::string::npos || std::filesystem::exists(word, none);
    if (is_path) {
      out.push_back(word);
      continue;
    }
    TRY(const auto folder, paper_folder());
    const std::string path = fmt::format("{}/{}.txt", folder, word);
    if (!std::filesystem::exists(path, none))
      return input_error("there is no such file, and no table of this name in " + folder, printable(word));
    out.push_back(path);
  }
  for (const std::string& path : out) TRY_DONE(can_read(path));
  return out;
}

struct Slice {
  std::vector<std::string> tables;
  std::set<std::size_t> depths;
  std::vector<Encoding> models;
};

std::string stem(const std::string& path) {
  return std::filesystem::path(path).stem().string();
}

// Refuses what cannot be written before the work begins.
Status check_files(const Slice& plan, const BenchmarkWork& work) {
  std::set<std::string> names;
  for (const std::string& table : plan.tables)
    if (find_invalid_utf8(stem(table)))
      return input_error("its name is not UTF-8, as records have to be", printable(table));
  for (const std::string& table : plan.tables)
    if (!names.insert(stem(table)).second)
      return input_error("there are two tables of this name", printable(stem(table)));
  std::error_code failed;
  std::filesystem::create_directories(work.folder + "/tables", failed);
  if (failed) return input_error("cannot make the folder: " + failed.message(), work.folder);
  FilePlan files;
  for (const std::string& table : plan.tables) files.reads(table);
  files.writes(work.folder + "/README.md");
  for (const std::string& table : plan.tables) files.writes(work.folder + "/" + benchmark_matrix(stem(table)));
  for (const std::string& table : plan.tables)
    for (const Encoding model : plan.models)
      for (const std::size_t depth : plan.depths)
        for (const std::string& file : benchmark_files(work, benchmark_name(stem(table), model, depth)))
          files.writes(file);
  return files.check();
}

struct Tally {
  std::size_t planned = 0, made = 0, kept = 0, left_out = 0, proven = 0;
  bool stopped = false;
};

std::string words(const BenchmarkRecord& r) {
  const std::string found = r.proven() ? "optimum " + bounds_words(r) : bounds_words(r);
  const std::string certificate = !r.certified        ? "no certificate"
                                  : r.all_certified() ? "certified"
                                                      : fmt::format("certified: {} or more", *r.certified - r.base);
  return fmt::format("{}, {}, H = {}: {}, {}, {}, {:.2f} s", printable(r.table), r.model, r.depth, found, certificate,
                     console::counted(r.size.literals, "literal"), r.seconds);
}

// All instances of one table.
Status work_on(const std::string& path, const Slice& plan, const BenchmarkWork& work, bool quiet, Tally& tally) {
  const auto tell = [&](const std::string& text) {
    if (!quiet)
      console::note(fmt::format("{} of {}: {}", tally.made + tally.kept + tally.left_out, tally.planned, text));
  };
  TRY(auto table, BenchmarkTable::open(path, work));
  for (const std::size_t depth : plan.depths)
    for (const Encoding model : plan.models) {
      if (const std::string why = table.refusal(model, depth); !why.empty()) {
        ++tally.left_out;
        tell(why);
        continue;
      }
      if (const auto record = table.kept(model, depth)) {
        ++tally.kept;
        tally.proven += record->proven() ? 1 : 0;
        continue;
      }
      TRY(const auto record, table.make(model, depth));
      if (!record) {
        ++tally.left_out;
        tell(fmt::format("{}, {}, H = {}: left out, more than {} literals", printable(table.name()), to_string(model),
                         depth, work.most_literals));
        continue;
      }
      ++tally.made;
      tally.proven += record->proven() ? 1 : 0;
      tell(words(*record));
    }
  return Done{};
}

Result<int> run(const BenchmarksFlags& flags) {
  TRY(auto depths, parse_depths(flags.depths));
  TRY(auto models, parse_models(flags.models));
  TRY(auto tables, find_tables(flags.tables));
  const Slice plan{std::move(tables), std::move(depths), std::move(models)};
  const BenchmarkWork work{flags.folder, flags.pack == "none" ? ".wcnf" : ".wcnf." + flags.pack, flags.time_limit,
                           flags.threads,
                           flags.most_literals == 0 ? std::numeric_limits<std::size_t>::max() : flags.most_literals};
  TRY_DONE(check_files(plan, work));
  const console::SignalGuard guard;
  const Control control = console::control(1);
  Tally tally;
  tally.planned = plan.tables.size() * plan.depths.size() * plan.models.size();
  Status worked = Done{};
  for (const std::string& table : plan.tables) {
    worked = work_on(table, plan, work, flags.quiet, tally);
    if (!worked) break;
  }
  tally.stopped = control.interrupted();
  if (!worked && !tally.stopped) return worked.error();
  const auto records = benchmark_records(work.folder);
  if (!records.empty()) TRY_DONE(write_file(work.folder + "/README.md", benchmark_readme(records)));
  const std::size_t there = tally.made + tally.kept;
  if (tally.stopped) console::warn("stopped; run the same command to continue");
  const int code =
      console::emit(fmt::format("{} in {}: {} written now, {} were there, {} left out; optimum proven of {}\n",
                                console::counted(there, "instance"), work.folder, tally.made, tally.kept,
                                tally.left_out, tally.proven),
                    "");
  if (code != 0 || !tally.stopped) return code;
  return there == 0 ? console::exit_code({ErrorCode::limit, {}, {}}) : console::kStopped;
}

}  // namespace

console::Command add_benchmarks(const Arguments& program) {
  const Arguments command = program.add_subcommand(
      "benchmarks", "write tables as MaxSAT instances with optima, models and certificates (docs/benchmark-family.md)");
  auto flags = std::make_shared<BenchmarksFlags>();
  command.add_option("TABLE", flags->tables,
                     "tables as files, or names of the paper's tables, which 'make data' gets (default all of these)");
  command.add_option("-o,--output", flags->folder, "write into this folder; what is there and whole is kept")
      .word("DIR")
      .required();
  command.add_option("--depths", flags->depths, "use these depths H, as 2..9 or 2,3,7")
      .word("LIST")
      .split_at(',')
      .one_value_each()
      .show_default("2..9");
  command.add_option("--model", flags->models, "write these models: bdd2 (the paper's), bdd3, pair (ours), dt (trees)")
      .word("LIST")
      .split_at(',')
      .one_value_each()
      .show_default("bdd2");
  command.add_option("--max-literals", flags->most_literals, "leave out formulas of more than N literals")
      .word("N")
      .show_default("none");
  command.add_option("--time-limit", flags->time_limit, "search for an optimum, and for a certificate, for S seconds")
      .word("S")
      .non_negative()
      .show_default();
  command.add_option("--threads", flags->threads, "search with N threads").within(1, 1024).show_default();
  command.add_option("--pack", flags->pack, "pack the formulas by gzip, zstd or not at all")
      .one_of({"gz", "zst", "none"})
      .show_default();
  command.add_flag("-q,--quiet", flags->quiet, "do not show progress");
  return [flags] { return run(*flags); };
}

}  // namespace beadwork
