// Fingers on the picture, as the browser's own input gets them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { beadwork, finish, open, random, write } from "./support.mjs";

before(() => {
  const r = random(4);
  const lines = ["a,b,c,d,y"];
  for (let i = 0; i < 300; ++i) {
    const x = Array.from({ length: 4 }, () => Math.floor(r() * 2));
    lines.push([...x, (x[0] ^ x[1]) + (x[2] & x[3]) > 0 ? "yes" : "no"].join(","));
  }
  write("d.csv", lines.join("\n") + "\n");
  beadwork("fit", "d.csv", "--depth", 4, "-o", "m.json", "--report", "r.html", "-q");
});
after(finish);

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

async function openPhone() {
  const page = await open("r.html", phone);
  await page.locator(".picture").evaluate((svg) => scrollTo(0, svg.getBoundingClientRect().top + scrollY - 150));
  const cdp = await page.context().newCDPSession(page);
  page.touch = (type, ...points) => cdp.send("Input.dispatchTouchEvent", { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) });
  // Fingers go from one place to another in small steps.
  page.fingers = async (from, to, steps = 8) => {
    await page.touch("touchStart", ...from);
    for (let i = 1; i <= steps; ++i)
      await page.touch("touchMove", ...from.map((p, k) => [p[0] + ((to[k][0] - p[0]) * i) / steps, p[1] + ((to[k][1] - p[1]) * i) / steps]));
    await page.touch("touchEnd");
    await page.waitForTimeout(50);
  };
  // From points of the drawing to points of the screen, by the browser.
  page.matrix = () => page.locator(".moving").evaluate((g) => {
    const m = g.getScreenCTM();
    return { scale: m.a, x: m.e, y: m.f };
  });
  page.place = () => page.evaluate(() => ({ top: scrollY, zoom: visualViewport.scale }));
  const box = await page.locator(".picture").boundingBox();
  page.middle = [box.x + box.width / 2, box.y + Math.min(box.height, 500) / 2];
  return page;
}
const near = (a, b, by, what) => assert.ok(Math.abs(a - b) <= by, `${what}: ${a}, expected ${b}`);

test("two fingers zoom about the point between them, and the page stays", async () => {
  const page = await openPhone();
  const [x, y] = [page.middle[0] - 20, page.middle[1] + 10];
  const before = await page.matrix();
  const place = await page.place();
  await page.fingers([[x - 30, y - 20], [x + 30, y + 20]], [[x - 75, y - 50], [x + 75, y + 50]]);
  const after = await page.matrix();
  near(after.scale / before.scale, 2.5, 0.05, "scale");
  // What was between the fingers still is.
  near(after.x + ((x - before.x) / before.scale) * after.scale, x, 2, "x");
  near(after.y + ((y - before.y) / before.scale) * after.scale, y, 2, "y");
  assert.deepEqual(await page.place(), place, "neither scrolled nor zoomed");
  assert.equal(await page.locator("#filter-node").inputValue(), "", "a pinch is no click");
  await page.fingers([[x - 75, y - 50], [x + 75, y + 50]], [[x - 30, y - 20], [x + 30, y + 20]]);
  near((await page.matrix()).scale, before.scale, 0.02 * before.scale, "scale, back again");
  assert.deepEqual(page.faults, []);
});

test("two fingers side by side move the picture both ways", async () => {
  const page = await openPhone();
  const [x, y] = page.middle;
  const before = await page.matrix();
  const place = await page.place();
  await page.fingers([[x - 40, y], [x + 40, y]], [[x - 70, y - 55], [x + 10, y - 55]]);
  const after = await page.matrix();
  near(after.scale, before.scale, 0.02 * before.scale, "scale");
  near(after.x - before.x, -30, 3, "x");
  near(after.y - before.y, -55, 3, "y");
  assert.deepEqual(await page.place(), place);
});

test("one finger scrolls the page, and moves a zoomed picture instead", async () => {
  const page = await openPhone();
  const [x, y] = page.middle;
  const place = await page.place();
  const before = await page.matrix();
  await page.fingers([[x, y]], [[x, y - 120]]);
  await page.waitForFunction((top) => scrollY > top + 60, place.top);
  near((await page.matrix()).scale, before.scale, 1e-6, "scale");
  await page.evaluate((top) => scrollTo(0, top), place.top);
  await page.getByRole("button", { name: "Zoom in" }).tap();
  await page.getByRole("button", { name: "Zoom in" }).tap();
  await page.evaluate((top) => scrollTo(0, top), place.top);
  const zoomed = await page.matrix();
  assert.ok(zoomed.scale > 1.5 * before.scale);
  await page.fingers([[x, y]], [[x + 50, y - 80]]);
  const moved = await page.matrix();
  near(moved.x - zoomed.x, 50, 5, "x");
  near(moved.y - zoomed.y, -80, 5, "y");
  assert.equal((await page.place()).top, place.top);
  assert.equal(await page.locator("#filter-node").inputValue(), "", "a drag is no click");
});

test("a tap chooses a node and says its numbers", async () => {
  const page = await openPhone();
  await page.locator("[data-node='0']").tap();
  assert.equal(await page.locator("#filter-node").inputValue(), "n0");
  assert.match(await page.locator(".tip").innerText(), /300 training rows/);
  assert.match(await page.locator(".picked").innerText(), /300 rows/);
});
