#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <beadwork/evidence.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.hpp"
#include "costs_file.hpp"
#include "input_flags.hpp"
#include "page.hpp"

namespace beadwork {
namespace {

using Json = nlohmann::ordered_json;

struct Flags {
  InputFlags input;
  std::map<std::string, std::optional<std::string>> options;  // as given, by name
  std::map<std::string, bool> switches;
  std::map<std::string, std::vector<std::string>> lists;
  std::string output;
  std::string front_plot;
  std::string report;
  std::string test;
  bool json = false;
  bool quiet = false;
};

// One flag for each row of the table of options.
void add_options(const Arguments& command, Flags& flags) {
  for (const OptionInfo& info : option_table()) {
    const std::string name(info.name);
    const std::string help(info.help);
    if (info.type == "flag")
      command.add_flag(info.flag(), flags.switches[name], help);
    else if (name == "costs")
      command.add_option(info.flag(), flags.lists[name], help).values(1);
    else if (info.type == "list")
      command.add_list(info.flag(), flags.lists[name], help);
    else
      command.add_option(info.flag() + (name == "depth" ? ",-d" : ""), flags.options[name], help)
          .show_default(name == "time_limit" ? "none" : info.default_value);
  }
}

// "2..5" is --from-depth 2 --depth 5.
void split_depths(Flags& flags) {
  auto& depth = flags.options["depth"];
  const std::size_t dots = depth ? depth->find("..") : std::string::npos;
  if (dots == std::string::npos) return;
  flags.options["from_depth"] = depth->substr(0, dots);
  depth = depth->substr(dots + 2);
}

// The name of a raw column means all its features.
std::vector<std::string> feature_names(const Binarizer& binarizer, const std::string& name) {
  std::vector<std::string> out{name};
  for (const Test& test : binarizer.tests()) {
    const std::string feature = binarizer.feature_name(test);
    if (binarizer.inputs()[test.column].name == name && feature != name) out.push_back(feature);
  }
  const bool is_feature = std::any_of(binarizer.tests().begin(), binarizer.tests().end(),
                                      [&](const Test& t) { return binarizer.feature_name(t) == name; });
  if (out.size() > 1 && !is_feature) out.erase(out.begin());
  return out;
}

void name_features(Options& options, const Binarizer& binarizer) {
  for (std::vector<std::string>* list : {&options.forbid, &options.candidate}) {
    std::vector<std::string> features;
    for (const std::string& name : *list)
      for (std::string& feature : feature_names(binarizer, name)) features.push_back(std::move(feature));
    *list = std::move(features);
  }
}

// Where the run will write, asked before the work.
Status check_outputs(const Flags& flags, const Options& options) {
  const std::array paths{flags.output, flags.front_plot, flags.report, options.certificate,
                         options.checkpoint};
  for (const std::string& path : paths) {
    if (auto ok = console::check_output(path, flags.input.path); !ok) return ok;
    if (!flags.test.empty() && !path.empty() && same_file(path, flags.test))
      return usage_error("the output would overwrite the input", path);
    if (!path.empty() && std::count(paths.begin(), paths.end(), path) > 1)
      return usage_error("two outputs would go to one file", path);
  }
  if (!flags.test.empty() && flags.report.empty())
    return usage_error("test rows are for a report: give --report too", "--test");
  if (!flags.test.empty())  // found out before hours of search
    if (auto ok = can_read(flags.test); !ok) return ok;
  return Done{};
}

Result<Options> read_engine_options(const Flags& flags) {
  Options options;
  for (const auto& [name, text] : flags.options)
    if (text)
      if (auto ok = set_option(options, name, *text); !ok) return ok.error();
  for (const auto& [name, on] : flags.switches)
    if (on)
      if (auto ok = set_option(options, name, "true"); !ok) return ok.error();
  for (const auto& [name, values] : flags.lists)
    for (const std::string& value : values)
      if (auto ok = set_option(options, name, value); !ok) return ok.error();
  if (!flags.front_plot.empty()) options.front = true;
  if (flags.options.at("from_depth") && options.from_depth > options.depth)
    return usage_error(
        fmt::format("expected A..B with A at most B, got {}..{}", options.from_depth, options.depth),
        "--depth");
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

// Bounds are errors or, with --costs, costs; in the user's units after division by this.
std::int64_t scale_of(const Dataset& d, const Outcome& o) {
  return d.weight_scale() * o.cost_scale;
}

std::string in_words(const Options& options, std::int64_t value, std::int64_t scale) {
  const double units = console::in_units(value, scale);
  return options.costs.empty() ? console::counted(units, "error") : fmt::format("cost {}", units);
}

Json describe_depths(const Dataset& d, const Options& options, const Outcome& o) {
  Json list = Json::array();
  for (const DepthAnswer& a : o.by_depth)
    list.push_back(
        {{"depth", a.depth},
         {"status", to_string(a.status)},
         {options.costs.empty() ? "training_errors" : "training_cost", number(a.errors, scale_of(d, o))},
         {"lower_bound", number(a.lower_bound, scale_of(d, o))},
         {"features", names_of(d, a.features)},
         {"time_s", a.seconds}});
  return list;
}

Json describe_near(const Dataset& d, const Options& options, const Outcome& o) {
  const NearOutcome& near = *o.near;
  Json j{{"complete", near.status == SearchStatus::optimal},
         {"num_sets", near.num_sets},
         {"num_sets_with_copies", near.num_copies},
         {"sets", Json::array()}};
  for (const NearSet& s : near.sets)
    j["sets"].push_back(
        {{options.costs.empty() ? "training_errors" : "training_cost", number(s.error, scale_of(d, o))},
         {"copies", s.copies},
         {"features", names_of(d, s.features)}});
  return j;
}

std::string_view unit_of(const Options& options) {
  return options.costs.empty() ? "errors" : "cost";
}

std::vector<PlotPoint> plot_points(const Dataset& d, const Outcome& o) {
  std::vector<PlotPoint> points;
  for (const FrontPoint& p : o.front->points)
    points.push_back({p.features, p.nodes, console::in_units(p.errors, scale_of(d, o)),
                      console::in_units(p.lower_bound, scale_of(d, o)), p.proven});
  return points;
}

Json describe_front(const Dataset& d, const Options& options, const Outcome& o) {
  Json j{{"complete", o.front->proven}, {"points", Json::array()}};
  for (const FrontPoint& p : o.front->points)
    j["points"].push_back(
        {{"num_features", p.features},
         {"size", p.nodes},
         {options.costs.empty() ? "training_errors" : "training_cost", number(p.errors, scale_of(d, o))},
         {"lower_bound", number(p.lower_bound, scale_of(d, o))},
         {"status", to_string(p.proven ? SolveStatus::optimal : SolveStatus::feasible)},
         {"features", names_of(d, p.table.order())}});
  return j;
}

Json describe_outcome(const LoadedData& data, const Options& options, const Outcome& o) {
  const Dataset& d = data.dataset;
  const std::int64_t scale = scale_of(d, o);
  const std::int64_t errors = o.diagram ? training_errors(d, *o.diagram) : 0;
  Json j{{"status", to_string(o.status)}};
  j["training_errors"] = o.diagram ? number(errors, d.weight_scale()) : Json();
  if (!options.costs.empty()) j["training_cost"] = o.upper_bound ? number(*o.upper_bound, scale) : Json();
  j["rows"] = d.num_rows();
  j["total_weight"] = number(d.total_weight(), d.weight_scale());
  j["lower_bound"] = number(o.lower_bound, scale);
  j["upper_bound"] = o.upper_bound ? number(*o.upper_bound, scale) : Json();
  j["gap"] = o.upper_bound ? number(*o.upper_bound - o.lower_bound, scale) : Json();
  j["training_accuracy"] =
      o.diagram ? Json(1 - static_cast<double>(errors) / static_cast<double>(d.total_weight())) : Json();
  j["features"] = names_of(d, o.features);
  j["used_features"] = o.diagram ? Json(names_of(d, o.diagram->used_features())) : Json::array();
  j["size"] = o.diagram ? Json(o.diagram->size()) : Json();
  j["inner_nodes"] = o.diagram ? Json(o.diagram->inner_nodes()) : Json();
  if (o.size) {
    j["size_status"] = to_string(o.size->status);
    j["size_lower_bound"] = o.size->lower_bound;
  }
  j["depth"] = options.depth;
  j["bias"] = options.bias;
  if (options.max_nodes > 0) j["max_nodes"] = options.max_nodes;
  if (!options.node_penalty.empty()) j["node_penalty"] = *parse_number(options.node_penalty);
  j["engine"] = options.engine;
  j["classes"] = d.class_names();
  j["num_features"] = d.num_features();
  j["thresholds"] = to_string(data.thresholds);
  j["seed"] = options.seed;
  j["faithful"] = options.faithful;
  j["time_s"] = o.seconds;
  if (options.from_depth <= options.depth) j["by_depth"] = describe_depths(d, options, o);
  if (o.near) j["near_sets"] = describe_near(d, options, o);
  if (o.front) j["front"] = describe_front(d, options, o);
  return j;
}

std::string proof_line(const LoadedData& data, const Options& options, const Outcome& o) {
  const auto units = [&](std::int64_t v) { return console::in_units(v, scale_of(data.dataset, o)); };
  const std::string_view fewer = options.costs.empty() ? "makes fewer errors" : "costs less";
  const bool restricted = !options.candidate.empty() || !options.features_from.empty();
  if (find_engine(options.engine)->of_trees && o.status == SolveStatus::optimal)
    return fmt::format(
        "optimal: no decision tree of depth {} on {} makes fewer errors", options.depth,
        restricted ? "the candidates" : fmt::format("these {} features", data.dataset.num_features()));
  if (!find_engine(options.engine)->exact) return "a heuristic: nothing is proven, better ones may exist";
  if (o.status == SolveStatus::optimal && options.faithful)
    return fmt::format(
        "optimal: no diagram of exactly {} of {} features whose root is a bead makes fewer errors",
        o.features.size(),
        restricted ? "the candidate" : fmt::format("these {}", data.dataset.num_features()));
  if (o.status == SolveStatus::optimal && options.max_nodes > 0)
    return fmt::format("optimal: no diagram of at most {} nodes on at most {} of these {} features {}",
                       options.max_nodes, options.depth, data.dataset.num_features(), fewer);
  if (o.status == SolveStatus::optimal && !options.node_penalty.empty())
    return fmt::format("optimal: no diagram on at most {} of these {} features has less {} + {} x nodes",
                       options.depth, data.dataset.num_features(), unit_of(options), options.node_penalty);
  if (o.status == SolveStatus::optimal)
    return fmt::format(
        "optimal: no diagram on at most {} of {} features{} {}",
        std::min<std::size_t>(static_cast<std::size_t>(options.depth), data.dataset.num_features()),
        restricted ? "the candidate" : fmt::format("these {}", data.dataset.num_features()),
        options.require.empty() && options.forbid.empty()
            ? ""
            : ", with those required and without those forbidden,",
        fewer);
  return fmt::format("not proven optimal: between {} and {} {} possible (stopped early)",
                     units(o.lower_bound), units(*o.upper_bound),
                     options.costs.empty() ? "errors are" : "in costs is");
}

std::string depths_text(const Dataset& d, const Options& options, const Outcome& o) {
  std::string out;
  for (const DepthAnswer& a : o.by_depth) {
    out += fmt::format("depth {}: {}", a.depth, in_words(options, a.errors, scale_of(d, o)));
    if (a.status != SolveStatus::optimal)
      out += fmt::format(", at least {}", console::in_units(a.lower_bound, scale_of(d, o)));
    out += fmt::format(" ({}, {:.3f} s)\n", to_string(a.status), a.seconds);
  }
  return out + "\n";
}

std::string near_text(const Dataset& d, const Options& options, const Outcome& o) {
  const NearOutcome& near = *o.near;
  constexpr std::size_t kShown = 20;
  std::string out = fmt::format(
      "\n{} near the best{}{}\n", console::counted(static_cast<double>(near.num_sets), "set"),
      near.num_copies == near.num_sets ? ""
                                       : fmt::format(", {} with equal features told apart", near.num_copies),
      near.status == SearchStatus::optimal ? ":" : "; stopped early, there may be more:");
  for (std::size_t i = 0; i < std::min(near.sets.size(), kShown); ++i) {
    const NearSet& s = near.sets[i];
    out += fmt::format("  {}:", in_words(options, s.error, scale_of(d, o)));
    for (const Feature f : s.features) out += fmt::format(" [{}]", printable(d.feature_name(f)));
    out += s.copies > 1 ? fmt::format(" x {}\n", s.copies) : "\n";
  }
  if (near.num_sets > kShown) out += fmt::format("  and {} more (--json has them)\n", near.num_sets - kShown);
  return out;
}

std::string size_line(const Options& options, const Outcome& o) {
  if (o.size->status != SolveStatus::optimal)
    return fmt::format("size not proven least: {} nodes at least\n", o.size->lower_bound);
  return fmt::format("smallest: no order of {} and no choice for undecided cells needs fewer nodes\n",
                     options.all_optima ? "any set of features with as few errors" : "these features");
}

std::string summary(const LoadedData& data, const Options& options, const Outcome& o, const Model& model) {
  const Dataset& d = data.dataset;
  std::string out = o.by_depth.empty() ? "" : depths_text(d, options, o);
  const std::int64_t errors = training_errors(d, *o.diagram);
  if (!options.costs.empty()) out += in_words(options, *o.upper_bound, scale_of(d, o)) + ", ";
  out += fmt::format("{} in {}: training accuracy {:.2f} %\n",
                     console::counted(console::in_units(errors, d.weight_scale()), "error"),
                     console::counted(static_cast<double>(d.num_rows()), "row"),
                     100 * (1 - static_cast<double>(errors) / static_cast<double>(d.total_weight())));
  out += proof_line(data, options, o) + "\n";
  const auto of = [](std::size_t n, std::string_view noun) {
    return console::counted(static_cast<double>(n), noun);
  };
  out += fmt::format("{} ({}), {} used, {:.3f} s\n\n", of(o.diagram->size(), "node"),
                     of(o.diagram->inner_nodes(), "test"), of(o.diagram->used_features().size(), "feature"),
                     o.seconds);
  if (o.size) out.insert(out.size() - 1, size_line(options, o));
  out += text_report(model);
  if (o.front)
    out += fmt::format("\nNo diagram beats these in features, nodes and {}{}\n", unit_of(options),
                       o.front->proven ? ":" : " (stopped early, there may be more):") +
           front_table(plot_points(d, o), unit_of(options));
  return o.near ? out + near_text(d, options, o) : out;
}

// Options that were set, as the command line names them.
std::vector<std::pair<std::string, std::string>> options_set(const Flags& flags) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const OptionInfo& info : option_table()) {
    const std::string name(info.name);
    if (const auto it = flags.options.find(name); it != flags.options.end() && it->second)
      out.emplace_back(info.flag(), *it->second);
    if (const auto it = flags.switches.find(name); it != flags.switches.end() && it->second)
      out.emplace_back(info.flag(), "on");
    if (const auto it = flags.lists.find(name); it != flags.lists.end())
      for (const std::string& value : it->second) out.emplace_back(info.flag(), value);
  }
  out.emplace_back("--thresholds", flags.input.thresholds);
  return out;
}

ReportFacts::Near near_facts(const Dataset& d, const Outcome& o) {
  ReportFacts::Near near{o.near->status == SearchStatus::optimal, o.near->num_sets, {}};
  for (const NearSet& s : o.near->sets)
    near.sets.push_back({console::in_units(s.error, scale_of(d, o)), names_of(d, s.features)});
  return near;
}

int write_page(const LoadedData& data, const Flags& flags, const Options& options, const Outcome& o,
               const Model& model, std::vector<ReportFacts::Moment> bounds) {
  const Dataset& d = data.dataset;
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::training, file_name(flags.input.path), data.file.table});
  if (!flags.test.empty()) {
    auto read = flags.input.read_options();
    auto rows = read_rows(model, flags.test, *std::move(read), ReportRows::Role::test);
    if (!rows) return console::fail(rows.error());
    facts.rows.push_back(*std::move(rows));
  }
  facts.claim = proof_line(data, options, o);
  if (o.size) {
    facts.claim += "; " + size_line(options, o);
    facts.claim.pop_back();  // its line break
  }
  facts.proven = o.status == SolveStatus::optimal;
  facts.all_sets = !find_engine(options.engine)->of_trees && options.candidate.empty() &&
                   options.features_from.empty() && options.require.empty() && options.forbid.empty() &&
                   options.max_nodes == 0 && options.node_penalty.empty();
  facts.measure = unit_of(options);
  facts.binarizer = data.binarizer;
  if (!options.certificate.empty()) {
    auto certificate = certificate_facts(options.certificate);
    if (!certificate) return console::fail(certificate.error());
    facts.certificate = *std::move(certificate);
  }
  facts.bounds = std::move(bounds);
  facts.bounds.push_back(
      {o.seconds, console::in_units(o.lower_bound, scale_of(d, o)),
       o.upper_bound ? std::optional(console::in_units(*o.upper_bound, scale_of(d, o))) : std::nullopt});
  for (const DepthAnswer& a : o.by_depth)
    facts.by_depth.push_back({a.depth, console::in_units(a.errors, scale_of(d, o)),
                              console::in_units(a.lower_bound, scale_of(d, o)),
                              std::string(to_string(a.status)), names_of(d, a.features)});
  if (o.near) facts.near = near_facts(d, o);
  if (o.front) {
    facts.front = plot_points(d, o);
    facts.front_complete = o.front->proven;
  }
  const std::vector<std::string> files{flags.input.path,   flags.front_plot, flags.output,
                                       flags.report,       flags.test,       options.certificate,
                                       options.checkpoint, options.resume,   options.proof};
  facts.options = options_set(flags);
  for (auto& [name, value] : facts.options)
    if (std::find(files.begin(), files.end(), value) != files.end()) value = file_name(value);
  facts.command = console::command_line(files);
  if (options.engine != "cart")
    if (auto ok = add_cart(data.binarizer, d, options.depth, facts, console::control(1)); !ok)
      return console::fail(ok.error());
  auto page = html_report(model, facts);
  return page ? console::emit(*page, flags.report) : console::fail(page.error());
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

int fit(Flags flags) {
  split_depths(flags);
  auto options = read_engine_options(flags);
  if (!options) return console::fail(options.error());
  if (auto ok = check_options(*options); !ok) return console::fail(ok.error());
  if (auto ok = check_outputs(flags, *options); !ok) return console::fail(ok.error());
  auto data = load_data(flags.input);
  if (!data) return console::fail(data.error());
  name_features(*options, data->binarizer);
  if (!options->costs.empty()) {
    auto costs = read_costs(flags.lists["costs"].back(), data->dataset);
    if (!costs) return console::fail(costs.error());
    options->costs = *std::move(costs);
  }
  if (!flags.quiet) describe(*data);
  const auto scale = static_cast<double>(data->dataset.weight_scale());
  BoundsRecorder recorder(scale);
  auto outcome =
      learn(data->dataset, *options,
            flags.report.empty() ? console::control(scale) : recorder.listen(console::control(scale)));
  console::end_progress_line();
  if (!outcome) return console::fail(outcome.error());
  if (!outcome->diagram) return report_nothing(*data, flags, *options, *outcome);
  const bool sized = options->max_nodes > 0 || !options->node_penalty.empty();
  const Engine& engine = *find_engine(options->engine);
  if (!flags.quiet && !sized && engine.exact && !engine.of_trees && outcome->status == SolveStatus::optimal &&
      options->depth > static_cast<std::int64_t>(outcome->features.size()))
    console::note(fmt::format(
        "depth {} asked, learnt with {}: more {} would do no better", options->depth,
        outcome->features.size(),
        options->candidate.empty() && options->features_from.empty() ? "features" : "candidates"));

  auto model = make_model(data->binarizer, data->dataset, outcome->features, *outcome->diagram,
                          training_of(data->dataset, *options, *outcome, data->thresholds));
  if (!model) return console::fail(model.error());
  if (!flags.quiet && !options->certificate.empty() && outcome->status != SolveStatus::optimal)
    console::note(fmt::format("the certificate is of the lower bound {} only",
                              console::in_units(outcome->lower_bound, data->dataset.weight_scale())));
  if (!flags.output.empty())
    if (const int code = console::emit(to_json(*model), flags.output); code != 0) return code;
  if (!flags.front_plot.empty()) {
    const std::string plot = front_svg(plot_points(data->dataset, *outcome), unit_of(*options));
    if (const int code = console::emit(plot, flags.front_plot); code != 0) return code;
  }
  if (!flags.report.empty())
    if (const int code = write_page(*data, flags, *options, *outcome, *model, recorder.moments()); code != 0)
      return code;
  if (flags.json) return console::emit(describe_outcome(*data, *options, *outcome).dump(1) + "\n", "");
  return console::emit(summary(*data, *options, *outcome, *model), "");
}

}  // namespace

console::Command add_fit(const Arguments& program) {
  const Arguments command = program.add_subcommand("fit", "learn a diagram from a table");
  auto flags = std::make_shared<Flags>();
  command.add_option("FILE", flags->input.path, "csv, arff or 0/1 matrix").required();
  add_options(command, *flags);
  command.add_option("-o,--output", flags->output, "write the model here (JSON)");
  command.add_option("--front-plot", flags->front_plot, "--front, drawn to this file (SVG)");
  command.add_option("--report", flags->report,
                     "write a page for people here (one HTML file, docs/report.md)");
  command.add_option("--test", flags->test, "rows that were not learnt from, for that page");
  command.add_flag("--json", flags->json, "print the outcome as one JSON object");
  command.add_flag("-q,--quiet", flags->quiet, "no notes about the data");
  flags->input.add_reading(command, true);
  flags->input.add_binarizing(command);
  return [flags] { return fit(*flags); };
}

}  // namespace beadwork
