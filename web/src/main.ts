import { agreement, type Agreement } from "./agreement";
import { Ask } from "./ask";
import { chooser } from "./chooser";
import { compare } from "./compare";
import type { Page, Value } from "./data";
import { Picture } from "./diagram";
import { counted, h, shown } from "./dom";
import { downloads } from "./downloads";
import { editing } from "./edit";
import { copyable, evidence, origin } from "./evidence";
import { groups } from "./groups";
import { header, legend, reading } from "./head";
import { readFragment } from "./link";
import { Models, type Entry, type Lasting } from "./models";
import { scoring } from "./score";
import "./style.css";
import { Rows } from "./table";

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

// Picture and rules stand in the page already, for readers without a script.
function standing(still: HTMLElement) {
  const svg = still.querySelector("svg");
  return { svg: svg === null ? "" : new XMLSerializer().serializeToString(svg), rules: still.querySelector("#rules-text")?.textContent ?? null };
}

// The parts of the page that change with the model. `place` is its number on this page; `standing` are picture and rules of the
// page's own; `given` is the case in the form, `agreed` what the near-optimal models say.
function parts(entry: Entry, place: number, standing: { svg: string; rules: string | null }, given: Map<string, Value>, lasting: string[], agreed: Agreement | null) {
  const { page, diagram: d } = entry;
  const sets = entry.sets();
  let rows: Rows | null = null;
  const picture = new Picture(page, d, (choice) => rows?.choose_node(choice));
  const ask = new Ask(page, d, sets, (reach) => picture.highlight(reach), place, agreed);
  if (given.size > 0) ask.take(given);
  const own = entry.kind === "fitted";
  const texts = { model: page.texts.model, svg: () => (own ? standing.svg : picture.still()), rules: own ? standing.rules : page.texts.rules ?? null };
  const picked = h("div", { class: "picked", role: "status" });
  if (sets.some((x) => x.shown > 0))
    rows = new Rows(page, d, sets, (values) => ask.take(values), (choice, count, wrong) => {
      picture.mark(choice);
      picked.replaceChildren(...(choice === null ? [] : [h("span", {}, `${counted(count, "row")} pass${count === 1 ? "es" : ""} there, ${counted(wrong, "mistake")}. `), h("a", { href: "#data-rows" }, "See the rows"), " ",
        h("button", { type: "button", onclick: () => rows!.choose_node(choice) }, "Clear this filter")]));
    }, agreed);
  return {
    header: header(page, d, sets, new Set([...lasting, ...(rows ? ["data-rows"] : [])])),
    front: h("div", { class: "front" },
      h("section", { id: "diagram", class: "diagram", "aria-labelledby": "diagram-title" }, h("h2", { id: "diagram-title", class: "unseen" }, "The diagram"), reading(page, d, rows !== null), h("div", { class: "bar" }, legend(page, d), picture.tools), picture.element, rows && picked, downloads(texts)),
      ask.element),
    below: [
      rows?.element ?? "",
      evidence(page, d, sets),
      h("section", { id: "rules", "aria-labelledby": "rules-title" }, h("h2", { id: "rules-title" }, "The rules"),
        texts.rules === null ? h("p", {}, own ? `The diagram has ${d.numPaths[0]!.toLocaleString("en")} paths, too many to list here; beadwork show writes them.` : "They are too long to be on this page for every model: save this model and let beadwork show write them.") : copyable(texts.rules, "Copy the rules")),
      origin(page, d)],
    start: () => picture.start(),
    ask,
    stop: () => {
      ask.given(given);
      picture.stop();
    },
  };
}

function build(still: HTMLElement) {
  const models = new Models(JSON.parse(document.getElementById("data")!.textContent!) as Page);
  const own = standing(still);
  const agreed = agreement(models);
  const lasting = ([chooser(models), compare(models), groups(models), editing(models), scoring(models)] as (Lasting | null)[]).filter((x): x is Lasting => x !== null);
  const sections = () => lasting.map((x) => x.element.id).filter((id) => id !== "compare" || models.entries.length > 1);
  const given = new Map<string, Value>();
  let now = parts(models.shown, models.place, own, given, sections(), agreed);
  const below = h("div", { class: "below" }, now.below);
  const main = h("main", {}, now.front, lasting.map((x) => x.element), below);
  const content = [now.header, main, h("footer", {}, `Made by beadwork ${models.shown.page.beadwork}${models.shown.page.date ? ` on ${shown(models.shown.page.date, 20)}` : ""}. This file works offline and sends nothing anywhere.`)];
  models.onShow((entry) => {
    now.stop();
    const next = parts(entry, models.place, own, given, sections(), agreed);
    now.header.replaceWith(next.header);
    now.front.replaceWith(next.front);
    below.replaceChildren(...next.below);
    now = next;
    now.start();
    for (const section of lasting) section.update(entry);
  });
  const follow = () => {
    const link = readFragment(location.hash);
    if (link === null) return;
    const entry = typeof link === "string" ? undefined : models.entries[link.model];
    if (entry && entry !== models.shown) models.show(entry);
    now.ask.open(entry || typeof link === "string" ? link : "The link is to a model that this page does not carry; it may be an edited one.");
    now.ask.element.scrollIntoView({ block: "nearest" });
  };
  addEventListener("hashchange", follow);
  return { content, start: () => (now.start(), follow()) };
}

// Whatever goes wrong, picture and rules stay, under one line that says so.
function say(error: unknown, before: Element | null) {
  const text = `A part of this page failed: ${shown(error instanceof Error ? error.message : String(error), 200)}.`;
  document.body.insertBefore(h("p", { class: "warning failed", role: "alert" }, before === null ? text : `${text} The picture and the rules are below.`), before ?? document.body.firstChild);
}

const still = document.getElementById("still")!;
let made: Element[] = [];
try {
  const { content, start } = build(still);
  made = content;
  document.body.append(...content);
  still.hidden = true;
  start();
  still.remove();
  printWhole();
  addEventListener("error", (e) => say(e.error ?? e.message, null), { once: true });
  document.body.dataset.ready = "true";
} catch (error) {
  for (const element of made) element.remove();
  still.hidden = false;
  say(error, still);
  document.body.dataset.ready = "failed";
}
