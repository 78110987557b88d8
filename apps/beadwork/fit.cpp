#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <beadwork/engine.hpp>
#include <beadwork/model.hpp>
#include <beadwork/report.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "input_flags.hpp"

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  InputFlags input;
  std::map<std::string, std::optional<std::string>> options;  // as given, by name
  std::map<std::string, bool> switches;
  std::string output;
  bool json = false;
  bool quiet = false;
};

// One flag for each row of the table of options.
void add_options(CLI::App& command, Flags& flags) {
  for (const OptionInfo& info : option_table()) {
    const std::string name(info.name);
    const std::string help(info.help);
    if (info.type == "flag")
      command.add_flag(info.flag(), flags.switches[name], help);
    else
      command.add_option(info.flag() + (name == "depth" ? ",-d" : ""), flags.options[name], help)
          ->default_str(name == "time_limit" ? "none" : info.default_value);
  }
}

Result<Options> read_engine_options(const Flags& flags) {
  Options options;
  for (const auto& [name, text] : flags.options)
    if (text)
      if (auto ok = set_option(options, name, *text); !ok) return ok.error();
  for (const auto& [name, on] : flags.switches)
    if (on)
      if (auto ok = set_option(options, name, "true"); !ok) return ok.error();
  return options;
}

Json number(std::int64_t value, std::int64_t scale) {
  return scale == 1 ? Json(value) : Json(console::in_units(value, scale));
}

std::vector<std::string> names_of(const Dataset& dataset, const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature f : features) names.push_back(dataset.feature_name(f));
  return names;
}

Json describe_outcome(const LoadedData& data, const Options& options, const Outcome& o) {
  const Dataset& d = data.dataset;
  const std::int64_t scale = d.weight_scale();
  Json j{{"status", to_string(o.status)}};
  j["training_errors"] = o.upper_bound ? number(*o.upper_bound, scale) : Json();
  j["rows"] = d.num_rows();
  j["total_weight"] = number(d.total_weight(), scale);
  j["lower_bound"] = number(o.lower_bound, scale);
  j["upper_bound"] = o.upper_bound ? number(*o.upper_bound, scale) : Json();
  j["gap"] = o.upper_bound ? number(*o.upper_bound - o.lower_bound, scale) : Json();
  j["training_accuracy"] =
      o.upper_bound ? Json(1 - static_cast<double>(*o.upper_bound) / static_cast<double>(d.total_weight()))
                    : Json();
  j["features"] = names_of(d, o.features);
  j["used_features"] = o.diagram ? Json(names_of(d, o.diagram->used_features())) : Json::array();
  j["size"] = o.diagram ? Json(o.diagram->size()) : Json();
  j["inner_nodes"] = o.diagram ? Json(o.diagram->inner_nodes()) : Json();
  j["depth"] = options.depth;
  j["engine"] = options.engine;
  j["classes"] = d.class_names();
  j["num_features"] = d.num_features();
  j["thresholds"] = to_string(data.thresholds);
  j["seed"] = options.seed;
  j["faithful"] = options.faithful;
  j["time_s"] = o.seconds;
  return j;
}

Training training_of(const LoadedData& data, const Options& options, const Outcome& o) {
  const Dataset& d = data.dataset;
  Training t;
  t.engine = options.engine;
  t.status = to_string(o.status);
  t.depth = options.depth;
  t.rows = static_cast<std::int64_t>(d.num_rows());
  t.total_weight = d.total_weight();
  t.weight_scale = d.weight_scale();
  t.errors = *o.upper_bound;
  t.lower_bound = o.lower_bound;
  t.faithful = options.faithful;
  t.seed = options.seed;
  t.thresholds = to_string(data.thresholds);
  t.data_sha256 = sha256(d);
  t.num_features = static_cast<std::int64_t>(d.num_features());
  return t;
}

std::string proof_line(const LoadedData& data, const Options& options, const Outcome& o) {
  const auto units = [&](std::int64_t v) { return console::in_units(v, data.dataset.weight_scale()); };
  if (o.status == SolveStatus::optimal && options.faithful)
    return fmt::format(
        "optimal: no diagram of exactly {} of these {} features whose root is a bead makes fewer errors",
        o.features.size(), data.dataset.num_features());
  if (o.status == SolveStatus::optimal)
    return fmt::format("optimal: no diagram on at most {} of these {} features makes fewer errors",
                       o.features.size(), data.dataset.num_features());
  return fmt::format("not proven optimal: between {} and {} errors are possible (stopped early)",
                     units(o.lower_bound), units(*o.upper_bound));
}

std::string summary(const LoadedData& data, const Options& options, const Outcome& o, const Model& model) {
  const Dataset& d = data.dataset;
  std::string out =
      fmt::format("{} in {}: training accuracy {:.2f} %\n",
                  console::counted(console::in_units(*o.upper_bound, d.weight_scale()), "error"),
                  console::counted(static_cast<double>(d.num_rows()), "row"),
                  100 * (1 - static_cast<double>(*o.upper_bound) / static_cast<double>(d.total_weight())));
  out += proof_line(data, options, o) + "\n";
  const auto of = [](std::size_t n, std::string_view noun) {
    return console::counted(static_cast<double>(n), noun);
  };
  out += fmt::format("{} ({}), {} used, {:.3f} s\n\n", of(o.diagram->size(), "node"),
                     of(o.diagram->inner_nodes(), "test"), of(o.diagram->used_features().size(), "feature"),
                     o.seconds);
  return out + text_report(model);
}

int report_nothing(const LoadedData& data, const Flags& flags, const Options& options, const Outcome& o) {
  if (flags.json) console::emit(describe_outcome(data, options, o).dump(1) + "\n", "");
  if (o.status == SolveStatus::infeasible) {
    console::note(fmt::format("infeasible: there is no diagram of exactly {} features whose root is a bead",
                              options.depth));
    return 0;
  }
  return console::fail({ErrorCode::limit, "stopped before any diagram was found", {}});
}

int fit(const Flags& flags) {
  auto options = read_engine_options(flags);
  if (!options) return console::fail(options.error());
  if (auto ok = check_options(*options); !ok) return console::fail(ok.error());
  if (auto ok = console::check_output(flags.output, flags.input.path); !ok) return console::fail(ok.error());
  auto data = load_data(flags.input);
  if (!data) return console::fail(data.error());
  if (!flags.quiet) describe(*data);
  const auto scale = static_cast<double>(data->dataset.weight_scale());
  auto outcome = learn(data->dataset, *options, console::control(scale));
  console::end_progress_line();
  if (!outcome) return console::fail(outcome.error());
  if (!outcome->diagram) return report_nothing(*data, flags, *options, *outcome);
  if (!flags.quiet && options->depth > static_cast<std::int64_t>(outcome->features.size()))
    console::note(fmt::format("depth {} asked, learnt with {}: there are no more distinct features",
                              options->depth, outcome->features.size()));

  auto model = make_model(data->binarizer, data->dataset, outcome->features, *outcome->diagram,
                          training_of(*data, *options, *outcome));
  if (!model) return console::fail(model.error());
  if (!flags.output.empty())
    if (const int code = console::emit(to_json(*model), flags.output); code != 0) return code;
  if (flags.json) return console::emit(describe_outcome(*data, *options, *outcome).dump(1) + "\n", "");
  return console::emit(summary(*data, *options, *outcome, *model), "");
}

}  // namespace

console::Command add_fit(CLI::App& program) {
  auto* command = program.add_subcommand("fit", "learn a diagram from a table");
  auto flags = std::make_shared<Flags>();
  command->add_option("FILE", flags->input.path, "csv, arff or 0/1 matrix")->required();
  add_options(*command, *flags);
  command->add_option("-o,--output", flags->output, "write the model here (JSON)");
  command->add_flag("--json", flags->json, "print the outcome as one JSON object");
  command->add_flag("-q,--quiet", flags->quiet, "no notes about the data");
  flags->input.add_reading(*command, true);
  flags->input.add_binarizing(*command);
  return [flags] { return fit(*flags); };
}

}  // namespace beadwork
