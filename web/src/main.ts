import { Ask } from "./ask";
import { rowSet, type ModelFile, type Page } from "./data";
import { kKeys, Picture } from "./diagram";
import { counted, h, percent, shown, swatch } from "./dom";
import { downloads } from "./downloads";
import { copyable, evidence, origin } from "./evidence";
import { Diagram } from "./logic";
import "./style.css";
import { Rows } from "./table";

const page = JSON.parse(document.getElementById("data")!.textContent!) as Page;
const model = JSON.parse(page.texts.model) as ModelFile;
const d = new Diagram(model);
const sets = page.rows.map((r) => rowSet(r, model.classes.length));

function header() {
  const badge = (text: string, kind: string) => h("li", { class: kind }, text);
  const inner = model.diagram.nodes.filter((n) => !("class" in n)).length;
  const word = { training: "training rows", test: "test rows", other: "given rows" } as const;
  // What exactly is proven takes more words than a badge has: it leads there.
  const claim = h("a", { href: "#proof" }, page.history.optimal ? `${page.history.headline === "optimal" ? "proven optimal" : page.history.headline} on the training rows` : page.history.headline);
  return h("header", {}, h("h1", {}, "How the model decides: ", h("span", { dir: "auto", class: "class" }, shown(model.target, 120))),
    h("ul", { class: "badges" },
      h("li", { class: page.history.optimal ? "good" : "open" }, claim),
      sets.map((x) => badge(`${percent(x.evaluation.accuracy, 1)} right on ${word[x.role]}${x.weighted ? ", by weight" : ""}`, "")),
      badge(inner === 0 ? "always the same answer" : `${inner} test${inner === 1 ? "" : "s"} on ${d.columns.length} column${d.columns.length === 1 ? "" : "s"}`, "")),
    h("nav", { "aria-label": "Parts" }, [["#diagram", "Diagram"], ["#ask", "Ask"], ["#data-rows", "Data"], ["#evidence", "Evidence"], ["#rules", "Rules"], ["#origin", "Origin"]]
      .filter(([at]) => at !== "#data-rows" || sets.some((x) => x.shown > 0)).map(([at, text]) => h("a", { href: at! }, text!))));
}

function legend() {
  return h("ul", { class: "legend" }, h("li", { class: "faint" }, "answers:"), model.classes.slice(0, 12).map((c, k) => h("li", { dir: "auto" }, swatch(page.diagram.colours[k]![0]), " ", shown(c, 40))),
    model.classes.length > 12 && h("li", {}, `and ${model.classes.length - 12} more`),
    d.columns.length > 0 && [h("li", {}, h("span", { class: "sample solid", "aria-hidden": "true" }), " test holds"), h("li", {}, h("span", { class: "sample dashed", "aria-hidden": "true" }), " test fails"),
    h("li", { class: "faint" }, "width: share of training rows")]);
}

// For people who have never seen such a picture.
function reading() {
  if (d.columns.length === 0) return "";
  const mixed = page.diagram.layout.ordered;
  const filters = sets.some((x) => x.shown > 0);
  return h("div", { class: "reading" },
    h("p", {}, `Start at the top. At each ${mixed ? "circle take the test at the left of its line" : "box take the test in it"}: if it holds, follow the solid line down; if not, the dashed one. The square that you reach is the answer.`),
    h("details", {}, h("summary", {}, "Numbers, colours, keys"), h("ul", {},
      h("li", {}, mixed ? "In a circle: how many training rows pass through. Its ring: their true classes." : "The bar in a box: the true classes of the training rows that pass through."),
      h("li", {}, "In a square: the percentage of the training rows ending there that have this class. Below: the counts."),
      h("li", {}, "Pale: no training row went there."),
      h("li", {}, "A missing value fails every test except \u201cis missing\u201d: it takes the dashed line."),
      h("li", { class: "keys" }, `Point at a circle, square or line for its numbers; a click${filters ? " also filters the data below" : " keeps them"}. Ctrl and the wheel, or two fingers, zoom; dragging moves what is zoomed.`),
      h("li", { class: "keys" }, kKeys))));
}

// On paper nothing can be unfolded.
function printWhole() {
  let opened: HTMLDetailsElement[] = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll<HTMLDetailsElement>("details:not([open])")];
    for (const x of opened) x.open = true;
  });
  addEventListener("afterprint", () => {
    for (const x of opened) x.open = false;
  });
}

let rows: Rows | null = null;
const picture = new Picture(page, d, (choice) => rows?.choose_node(choice));
const ask = new Ask(page, d, (reach) => picture.highlight(reach));
const picked = h("p", { class: "picked" });
if (sets.some((x) => x.shown > 0))
  rows = new Rows(page, d, sets, (values) => ask.take(values), (choice, count) => {
    picture.mark(choice);
    picked.replaceChildren(...(choice === null ? [] : ["The table shows the rows that pass there: ", h("a", { href: "#data-rows" }, counted(count, "row")), "."]));
  });

const rules = page.texts.rules;
document.body.append(
  header(),
  h("main", {},
    h("div", { class: "front" },
      h("section", { id: "diagram", class: "diagram", "aria-labelledby": "diagram-title" }, h("h2", { id: "diagram-title" }, "The diagram"), reading(), h("div", { class: "bar" }, legend(), picture.tools), picture.element, rows && picked, downloads(page.texts)),
      ask.element),
    rows?.element ?? "",
    evidence(page, d, sets),
    h("section", { id: "rules", "aria-labelledby": "rules-title" }, h("h2", { id: "rules-title" }, "The rules"),
      rules === null ? h("p", {}, `The diagram has ${d.numPaths[0]!.toLocaleString("en")} paths, too many to list here; beadwork show writes them.`) : copyable(rules, "Copy the rules")),
    origin(page, d)),
  h("footer", {}, `Made by beadwork ${page.beadwork}. This file works offline and sends nothing anywhere.`));
picture.start();
printWhole();
document.body.dataset.ready = "true";
