#include "fit_report.hpp"

#include "page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace beadwork {
namespace {

std::string of(std::size_t n, std::string_view noun) {
  return console::counted(static_cast<double>(n), noun);
}

std::string depths_text(const Outcome& o) {
  std::string out;
  for (const SetAnswer& a : o.by_depth) {
    out += fmt::format("depth {}: {}", a.depth, amount_words(o.claim, a.cost));
    if (a.status != SolveStatus::optimal) out += fmt::format(", at least {}", in_units(o.claim, a.lower_bound));
    out += fmt::format(" ({}, {:.3f} s)\n", to_string(a.status), a.seconds);
  }
  return out.empty() ? out : out + "\n";
}

std::string near_text(const Dataset& d, const Outcome& o) {
  if (!o.near) return "";
  const SetList& near = *o.near;
  constexpr std::size_t kShown = 20;
  std::string out = fmt::format("\n{} near the best{}{}\n", of(near.num_sets, "feature set"),
                                near.num_copies == near.num_sets
                                    ? ""
                                    : fmt::format(" ({} if equal features are counted separately)", near.num_copies),
                                near.complete ? ":" : " (stopped early: there may be more):");
  const auto list = [&](const std::vector<SetAnswer>& sets, std::uint64_t count) {
    for (std::size_t i = 0; i < std::min(sets.size(), kShown); ++i) {
      out += fmt::format("  {}:", amount_words(o.claim, sets[i].cost));
      for (const Feature f : sets[i].features) out += fmt::format(" [{}]", printable(d.feature_name(f)));
      out += sets[i].copies > 1 ? fmt::format(" x {}\n", sets[i].copies) : "\n";
    }
    if (count > kShown) out += fmt::format("  and {} more (--json has them)\n", count - kShown);
  };
  list(near.sets, near.num_sets);
  const auto width = [](const SetAnswer& s) { return s.features.size(); };
  if (!near.busy || std::ranges::equal(*near.busy, near.sets, {}, width, width)) return out;
  out += fmt::format("Without idle features: {}\n", of(near.busy->size(), "set"));
  list(*near.busy, near.busy->size());
  return out;
}

std::string price_words(const Claim& claim, const ColumnWorth::Price& price) {
  if (price.required) return "required";
  if (price.least < price.most)
    return fmt::format("between {} and {} more, not proven", in_units(claim, price.least),
                       amount_words(claim, price.most));
  return price.most == 0 ? "nothing, proven" : amount_words(claim, price.most) + " more, proven";
}

std::string prices_text(const Outcome& o) {
  std::string out;
  for (const ColumnWorth& c : o.columns)
    if (c.price) out += fmt::format("  {}: {}\n", printable(c.name), price_words(o.claim, *c.price));
  return out.empty() ? out : "\nWhat leaving out a column costs:\n" + out;
}

std::string choice_text(const Outcome& o) {
  if (!o.choice) return "";
  if (o.choice->curve.empty())
    return o.choice->complete ? "not chosen by folds: no rows to judge by\n"
                              : "not chosen by folds: there was no time\n";
  const SizeChoice::Point& p = o.choice->curve[o.choice->chosen];
  const std::string told =
      o.claim.objective.costs
          ? fmt::format("cross-validated mean cost {:.4g} ± {:.2g}", -p.mean, p.standard_error)
          : fmt::format("cross-validated accuracy {:.1f} % ± {:.1f}", 100 * p.mean, 100 * p.standard_error);
  return fmt::format("{} chosen by {} folds{}: at most {}{}: {}\n", p.nodes > 0 ? "size" : "depth", o.choice->folds,
                     o.choice->complete ? "" : " (stopped early)",
                     p.nodes > 0 ? of(p.nodes, "node") + " on at most " : "", of(p.depth, "feature"), told);
}

std::string front_text(const Outcome& o) {
  if (!o.front) return "";
  return fmt::format("\nBest trade-offs between features, nodes and {}{}\n", measure(o.claim),
                     o.front->complete ? ":" : " (stopped early: there may be more):") +
         front_table(plot_points(o), measure(o.claim));
}

// For what is made beside the model: as long as the fit took, or five seconds; after its limit a moment is left.
Control no_longer_than_the_fit(Control control, double seconds) {
  control.progress = {};
  const Deadline end = Deadline::in(std::max(5.0, seconds));
  if (end.remaining() < control.deadline.remaining()) control.deadline = end;
  constexpr double kMoment = 0.4;
  if (control.deadline.remaining() < kMoment) control.deadline = Deadline::in(kMoment);
  return control;
}

}  // namespace

std::string size_words(const Request& request, const SizeProof& size) {
  if (size.status != SolveStatus::optimal)
    return fmt::format("size not proven: the smallest diagram has at least {} nodes", size.lower_bound);
  return fmt::format("smallest: no order of {} and no choice for the open cells gives fewer nodes",
                     request.only_of<ForSearch>().all_optima ? "any feature set with as few errors" : "these features");
}

std::string summary(const Fitted& fitted) {
  const auto& [data, request, o, model, committee] = fitted;
  const Training& t = model.training();
  std::string out = depths_text(o);
  if (o.claim.objective.costs) out += amount_words(o.claim, *o.claim.upper_bound) + ", ";
  const std::string rows = of(data.dataset.num_given_rows(), "row");
  const double errors = console::in_units(t.errors, t.weight_scale),
               all = console::in_units(t.total_weight, t.weight_scale);
  const bool weighted = t.weight_scale != 1 || t.total_weight != t.rows;
  out += weighted ? fmt::format("errors of weight {} in {}, {}", format_number(errors), format_number(all), rows)
                  : fmt::format("{} in {}", console::counted(errors, "error"), rows);
  out +=
      fmt::format(": training accuracy {:.2f} %\n{}\n",
                  100 * (1 - static_cast<double>(t.errors) / static_cast<double>(t.total_weight)), to_words(o.claim));
  if (const auto idle = idle_requirements(data.dataset, o); !idle.empty())
    out += fmt::format("required, but idle: {}; no answer depends on {}\n",
                       printable(fmt::format("{}", fmt::join(idle, ", "))), idle.size() == 1 ? "it" : "them");
  out += fmt::format("{} ({}), {} used, {:.3f} s\n", of(o.diagram->size(), "node"),
                     of(o.diagram->inner_nodes(), "test"), of(o.diagram->used_features().size(), "feature"), o.seconds);
  out += choice_text(o);
  if (o.size) out += size_words(request, *o.size) + "\n";
  constexpr std::size_t kMostShown = 5000;  // nodes that somebody may read
  const std::string diagram = o.diagram->size() <= kMostShown
                                  ? text_report(model)
                                  : "The diagram is too large to print here; 'beadwork show' prints a saved model.\n";
  const std::string voters = committee ? "\n" + text_members(*committee) : "";
  return out + "\n" + diagram + prices_text(o) + front_text(o) + near_text(data.dataset, o) + voters;
}

Result<ReportFacts> page_facts(const Fitted& fitted, const PageFiles& files, const ReadOptions& reading,
                               std::vector<ReportFacts::Moment> bounds, double seconds, Control control) {
  const auto& [data, request, o, model, _] = fitted;
  const Control after = no_longer_than_the_fit(control, seconds);
  TRY(auto others, other_models(data.binarizer, data.dataset, request, o, model, after));
  ReportFacts facts;
  facts.rows.push_back({ReportRows::Role::training, file_name(files.data), data.file.table});
  if (!files.test.empty()) {
    TRY(const auto text, input_text(files.test));
    TRY(auto rows, read_rows(model, files.test, text, reading, ReportRows::Role::test, others.list, true));
    facts.rows.push_back(std::move(rows));
  } else
    facts.validation =
        cross_validate(model, data.binarizer, data.dataset, data.file.table, request, seconds / 5, control);
  add_alternatives(std::move(others), model, facts, after);
  if (o.size) facts.size_claim = size_words(request, *o.size);
  const LearntFrom whole = whole_of(model, data.binarizer, data.dataset);
  facts.binarizer = whole.binarizer;
  if (!files.certificate.empty()) facts.certificate = certificate_facts(files.certificate, o.certificate);
  add_outcome(data.dataset, request, o, std::move(bounds), facts);
  for (const auto& [name, value] : options_given(request)) facts.options.emplace_back(flag_of(name), value);
  facts.options.emplace_back("--thresholds", to_string(data.thresholds));
  if (engine_of(request).name == "cart") return facts;
  constexpr double kQuick = 0.3;  // seconds
  control.progress = {};
  if (control.deadline.remaining() < kQuick) control.deadline = Deadline::in(kQuick);
  TRY_DONE(add_cart(model, whole.binarizer, whole.dataset, request.depth(), facts, control));
  if (control.stopping()) facts.rivals.clear();  // half a tree is none
  return facts;
}

}  // namespace beadwork
