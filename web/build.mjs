// Builds dist/report.js and dist/report.css, which the C++ library embeds. "node build.mjs DIR" builds into another folder;
// test/bundle.mjs compares.
import { build } from "esbuild";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "dist");
await build({
  absWorkingDir: here,
  entryPoints: { report: "src/main.ts" },
  outdir: folder,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  loader: { ".css": "css" },
  logLevel: "warning",
});
// Both files stand inside elements of a page, where these would end them.
let size = 0;
for (const name of ["report.js", "report.css"]) {
  const file = join(folder, name);
  const text = readFileSync(file, "utf8").trim();
  writeFileSync(file, text);
  if (/<\/(script|style)|<!--|\r/i.test(text)) throw new Error(`${name} would break out of its element`);
  size += gzipSync(text).length;
}
if (size > 100_000) throw new Error(`the bundle is ${size} bytes gzipped: more than 100 kB`);
console.log(`report.js and report.css: ${size} bytes gzipped`);
