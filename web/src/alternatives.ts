// The other models that a page carries, as if it were of each of them alone.
import type { Alternative, Alternatives, Layout, Page } from "./data";
import type { Brief } from "./models";

function layout(packed: Alternative["layout"], texts: string[]): Layout {
  const [width, height, names_width] = packed.size;
  return {
    width, height, names_width, ordered: packed.ordered,
    levels: packed.levels.map(([text, whole, y]) => ({ text: texts[text]!, whole: texts[whole]!, y })),
    nodes: packed.nodes.map(([x, y, rx, ry, label, note]) => ({ x, y, rx, ry, label, note })),
    edges: packed.edges.map(([from, to, high, share, d]) => ({ from, to, high: high === 1, share, d })),
  };
}

const lines = (places: number[], texts: string[]) => places.map((i) => texts[i]!).join("\n");

function pageOf(page: Page, a: Alternative, texts: string[]): Page {
  const { headline, claim, optimal } = a;
  const { alternatives: _, ...own } = page;
  return {
    ...own,
    texts: { model: lines(a.model, texts), summary: "", rules: a.rules ? lines(a.rules, texts) : null },
    diagram: { ...page.diagram, layout: layout(a.layout, texts), tests: a.words.map(([yes, no]): [string, string] => [texts[yes]!, texts[no]!]) },
    rows: page.rows.map((set, i) => {
      const { evaluation, lift, unseen } = a.on[i]!;
      const [most, ...others] = set.baselines;
      return { ...set, evaluation, unseen, baselines: most ? [most.lift ? { ...most, lift } : most, ...others] : [] };
    }),
    // What was proven, priced and measured beside the page's own model stays with that.
    history: { ...page.history, headline, claim, optimal, feature_sets: "", certifiable: false, certificate: undefined, validation: undefined, bounds: [], outcome: null },
  };
}

export function briefs(page: Page, { models, texts }: Alternatives): Brief[] {
  return models.map((a) => ({
    kind: a.kind, name: a.headline, claim: a.claim, errors: a.amount, tests: a.tests, columns: a.columns.map((c) => texts[c]!), page: () => pageOf(page, a, texts),
  }));
}
