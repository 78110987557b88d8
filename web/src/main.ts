import { Ask } from "./ask";
import { rowSet, type ModelFile, type Page } from "./data";
import { Picture } from "./diagram";
import { h, percent, shown, swatch } from "./dom";
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
  const word = { training: "training", test: "test", other: "given rows" } as const;
  return h("header", {}, h("h1", {}, "What decides ", h("span", { dir: "auto", class: "class" }, shown(model.target, 120))),
    h("ul", { class: "badges" },
      badge(page.history.optimal ? "proven optimal" : "not proven optimal", page.history.optimal ? "good" : "open"),
      sets.map((x) => badge(`${percent(x.evaluation.accuracy, 1)} right on ${word[x.role]}`, "")),
      badge(inner === 0 ? "always the same answer" : `${inner} test${inner === 1 ? "" : "s"} on ${d.columns.length} column${d.columns.length === 1 ? "" : "s"}`, "")),
    h("nav", { "aria-label": "Parts" }, [["#diagram", "Diagram"], ["#ask", "Ask"], ["#data-rows", "Data"], ["#evidence", "Evidence"], ["#rules", "Rules"], ["#origin", "Origin"]]
      .filter(([at]) => at !== "#data-rows" || sets.some((x) => x.shown > 0)).map(([at, text]) => h("a", { href: at! }, text!))));
}

function legend() {
  return h("ul", { class: "legend" }, model.classes.slice(0, 12).map((c, k) => h("li", { dir: "auto" }, swatch(page.diagram.colours[k]![0]), " ", shown(c, 40))),
    model.classes.length > 12 && h("li", {}, `and ${model.classes.length - 12} more`),
    d.columns.length > 0 && [h("li", {}, h("span", { class: "sample solid", "aria-hidden": "true" }), " test holds"), h("li", {}, h("span", { class: "sample dashed", "aria-hidden": "true" }), " test fails"),
    h("li", { class: "faint" }, "width: share of training rows")]);
}

let rows: Rows | null = null;
const picture = new Picture(page, d, (choice) => rows?.choose_node(choice));
const ask = new Ask(page, d, (reach) => picture.highlight(reach));
if (sets.some((x) => x.shown > 0)) rows = new Rows(page, d, sets, (values) => ask.take(values), (choice) => picture.mark(choice));

const rules = page.texts.rules;
document.body.append(
  header(),
  h("main", {},
    h("div", { class: "front" },
      h("section", { id: "diagram", class: "diagram", "aria-labelledby": "diagram-title" }, h("h2", { id: "diagram-title" }, "The diagram"), h("div", { class: "bar" }, legend(), picture.tools), picture.element, downloads(page.texts)),
      ask.element),
    rows?.element ?? "",
    evidence(page, d, sets),
    h("section", { id: "rules", "aria-labelledby": "rules-title" }, h("h2", { id: "rules-title" }, "The rules"),
      rules === null ? h("p", {}, `The diagram has ${d.numPaths[0]!.toLocaleString("en")} paths, too many to list here; beadwork show writes them.`) : copyable(rules, "Copy the rules")),
    origin(page, d)),
  h("footer", {}, `Made by beadwork ${page.beadwork}. This file works offline and sends nothing anywhere.`));
document.body.dataset.ready = "true";
