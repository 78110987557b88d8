// The tests that need a browser. Exit code 77 (skipped) where Chromium, the built program or node_modules are not there.
import { existsSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const chromium = process.env.CHROMIUM ?? "/usr/bin/chromium";
const binary = process.env.BEADWORK_BINARY ?? join(here, "..", "..", "build", "beadwork");
const lacking = [chromium, binary, join(here, "..", "node_modules", "playwright-core"), join(here, "..", "node_modules", "axe-core")]
  .filter((path) => !existsSync(path));
if (lacking.length > 0) {
  console.log(`skipped: there is no ${lacking.join(", no ")} ("make test-web" installs what is needed)`);
  process.exit(77);
}
const files = process.argv.slice(2);
const done = spawnSync(process.execPath, ["--test", "--test-concurrency=1", "--test-reporter=spec", ...files.map((f) => join(here, f))], {
  stdio: "inherit",
  env: { ...process.env, CHROMIUM: chromium, BEADWORK_BINARY: binary },
});
process.exit(done.status ?? 1);
