// The top of the page, and the words around the picture.
import type { Lift, Page, RowSet } from "./data";
import { kKeys } from "./diagram";
import { decimal, h, percent, points, shown, swatch } from "./dom";
import { specificityOf } from "./evidence";
import type { Diagram } from "./logic";

// A class may be named like any word.
const named = (baseline: { name: string }) => shown(baseline.name, 60).replace(/^always (.*)$/s, "always \u201c$1\u201d");

const kRows = { training: "training rows", test: "test rows", other: "given rows" } as const;

// A lift in points of accuracy, or in costs of a row.
export const bound = (value: number, lift: Lift) => lift.cost ? signed(value) : points(value);
export const gain = (value: number, lift: Lift) => lift.cost ? `${signed(value)} saved a row` : `${points(value)} points`;
const signed = (value: number) => `${value < 0 ? "\u2212" : ""}${decimal(Number(Math.abs(value).toPrecision(3)))}`;

// Better than always the same answer? Green only if the interval says so, and for rows that the model has not seen.
function liftBadge(lift: Lift, baseline: string, where: string, unseen: boolean) {
  const sure = lift.low > 0;
  const worse = lift.high < 0;
  const better = lift.cost ? (sure ? "cheaper than" : worse ? "dearer than" : "not clearly cheaper than") : sure ? "better than" : worse ? "worse than" : "not clearly better than";
  const text = `${better} ${baseline} on ${where}: ${gain(lift.points, lift)}`;
  return h("li", { class: `lift ${sure && unseen ? "good" : sure ? "" : "open"}`, "data-low": lift.low, "data-high": lift.high },
    h("a", { href: "#accuracy" }, text), h("span", { class: "hint" }, ` 95\u202f% interval ${bound(lift.low, lift)} to ${bound(lift.high, lift)}`));
}

function accuracyBadges(page: Page, set: RowSet) {
  const baseline = set.baselines[0];
  const where = kRows[set.role];
  const { cost, accuracy } = set.evaluation;
  const text = `${cost === undefined ? "" : `cost ${decimal(cost)} on ${where}, `}${percent(accuracy, 1)} right${cost === undefined ? ` on ${where}` : ""}${set.weighted ? ", by weight" : ""}`;
  const beside = baseline ? `; ${named(baseline)}: ${baseline.cost === undefined ? percent(baseline.accuracy, 1) : `cost ${decimal(baseline.cost)}`}` : "";
  const lift = set.role === "training" ? undefined : baseline?.lift;
  return [h("li", { "data-role": set.role }, text, h("span", { class: "faint" }, beside)),
    lift ? liftBadge(lift, named(baseline!), where, set.role === "test") : null,
    set.role === "training" && page.history.validation ? validationBadges(page, baseline ? named(baseline) : "a constant answer") : null];
}

function validationBadges(page: Page, baseline: string) {
  const v = page.history.validation!;
  const where = `held-out rows (${v.folds} folds)`;
  const [own, other] = v.cost === undefined ? [`${percent(v.accuracy, 1)} right`, percent(v.baseline, 1)] : [`cost ${v.cost.toPrecision(3)} a row`, v.baseline_cost!.toPrecision(3)];
  return [h("li", { "data-role": "validation" }, `${own} on ${where}`, h("span", { class: "faint" }, `; ${baseline}: ${other}`)),
    liftBadge(v.lift, baseline, where, true)];
}

// The class that people ask about, on the rows that say most: test rows, else others, else training rows.
function positiveBadge(page: Page, d: Diagram, sets: RowSet[]) {
  const k = d.model.classes.indexOf(page.positive ?? "");
  const set = sets.find((x) => x.role === "test") ?? sets.find((x) => x.role === "other") ?? sets[0];
  if (page.positive === undefined || k < 0 || !set) return null;
  const { recall, support } = set.evaluation.per_class[k]!;
  const specificity = specificityOf(set.evaluation, k);
  const rate = (name: string, value: number | null) => h("span", { "data-figure": `positive.${name}`, "data-value": value }, `${name} ${value === null ? "unknown" : percent(value, 1)}`);
  return h("li", { "data-role": "positive" }, h("a", { href: "#accuracy" }, `\u201c${shown(page.positive, 60)}\u201d on ${kRows[set.role]}`), ": ", rate("sensitivity", support > 0 ? recall : null), ", ", rate("specificity", specificity));
}

// Not the best, and proven to be near it.
export const isNear = (page: Page) => / above the proven optimum$/.test(page.history.headline);

// The model in one sentence.
function summary(page: Page, d: Diagram) {
  const inner = d.model.diagram.nodes.filter((n) => !("class" in n)).length;
  if (inner === 0) return "This model always gives the same answer.";
  const names = d.columns.map((c) => shown(c.name, 40));
  const columns = names.length > 6 ? `${names.length} columns` : names.length === 1 ? names[0]! : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
  const longest = d.longestPath();
  const t = d.model.training;
  const { claim } = d.model;
  const cost = claim.costs && t.total_weight > 0 ? `, costs ${decimal(claim.upper_bound / claim.scale)} on the training rows` : "";
  const right = t.total_weight > 0 ? `${cost}, and is right for ${percent(1 - t.errors / t.total_weight, 1)} of the ${t.rows.toLocaleString("en")} training rows` : "";
  const aim = page.positive === undefined ? "" : ` to tell \u201c${shown(page.positive, 60)}\u201d from ${d.model.classes.length === 2 ? `\u201c${shown(d.model.classes.find((c) => c !== page.positive)!, 60)}\u201d` : "the other classes"}`;
  return `It asks at most ${longest} question${longest === 1 ? "" : "s"} about ${columns}${aim}${inner > longest ? `, with ${inner} tests in all` : ""}${right}.`;
}

// `sections`: ids of those that pages may or may not have, and this one has.
export function header(page: Page, d: Diagram, sets: RowSet[], sections: Set<string>) {
  const { history } = page;
  // What exactly is proven takes more words than a badge has: it leads there.
  const claim = h("a", { href: "#proof" }, history.optimal ? `${history.headline === "optimal" ? "proven optimal" : history.headline} on the training rows` : history.headline);
  const unseen = sets.some((x) => x.role !== "training") || history.validation !== undefined;
  return h("header", {},
    h("div", { class: "top" }, h("h1", {}, page.title ? h("span", { dir: "auto", class: "class" }, shown(page.title, 200)) : ["How the model decides: ", h("span", { dir: "auto", class: "class" }, shown(d.model.target, 120))]),
      h("nav", { "aria-label": "Parts" }, [["#diagram", "Diagram"], ["#ask", "Ask"], ["#alternatives", "Alternatives"], ["#compare", "Compare"], ["#groups", "Groups"], ["#edit", "Edit"], ["#score", "File"], ["#data-rows", "Data"], ["#evidence", "Evidence"], ["#rules", "Rules"], ["#origin", "Origin"]]
        .filter(([at]) => !["#alternatives", "#compare", "#groups", "#edit", "#score", "#data-rows"].includes(at!) || sections.has(at!.slice(1))).map(([at, text]) => h("a", { href: at! }, text!)))),
    h("p", { class: "summary" }, summary(page, d)),
    h("ul", { class: "badges" },
      h("li", { class: history.optimal ? "claim" : isNear(page) ? null : "open" }, claim),
      sets.map((x) => accuracyBadges(page, x)), positiveBadge(page, d, sets),
      !unseen && h("li", { class: "faint" }, "no test rows: how it does on other rows is not known")));
}

export function legend(page: Page, d: Diagram) {
  const classes = d.model.classes;
  return h("ul", { class: "legend" }, h("li", { class: "faint" }, "answers:"), classes.slice(0, 12).map((c, k) => h("li", { dir: "auto" }, swatch(page.diagram.colours[k]![0]), " ", shown(c, 40))),
    classes.length > 12 && h("li", {}, `and ${classes.length - 12} more`),
    d.columns.length > 0 && [h("li", {}, h("span", { class: "sample solid", "aria-hidden": "true" }), " yes, the test holds"), h("li", {}, h("span", { class: "sample dashed", "aria-hidden": "true" }), " no"),
    h("li", { class: "faint" }, "width: share of training rows")]);
}

// For people who have never seen such a picture.
export function reading(page: Page, d: Diagram, filters: boolean) {
  if (d.columns.length === 0) return "";
  const mixed = page.diagram.layout.ordered;
  return h("details", { class: "reading" },
    h("summary", {}, `Start at the top. At each ${mixed ? "circle take the test at its left" : "box take its test"}: solid line for yes, dashed for no. The square is the answer.`),
    h("ul", {},
      h("li", {}, mixed ? "In a circle: how many training rows pass through. Its ring: their true classes." : "The bar in a box: the true classes of the training rows that pass through."),
      h("li", {}, "In a square: the percentage of the training rows ending there that have this class. Below: the counts."),
      h("li", {}, "Pale: no training row went there."),
      h("li", {}, "A missing value fails every test except \u201cis missing\u201d: it takes the dashed line."),
      h("li", { class: "keys" }, `Point at a circle, square or line for its numbers; a click${filters ? " also filters the data" : " keeps them"}. Ctrl and the wheel, or two fingers, zoom; dragging moves what is zoomed.`),
      h("li", { class: "keys" }, kKeys)));
}
