// Is dist what the sources give? Exit code 77 (skipped) without node_modules.
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { spawnSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
if (!existsSync(join(web, "node_modules", "esbuild"))) {
  console.log('skipped: there is no node_modules ("make test-web" installs it)');
  process.exit(77);
}
const folder = mkdtempSync(join(tmpdir(), "beadwork-web-"));
try {
  for (const command of [[join(web, "build.mjs"), folder], [join(web, "node_modules", "typescript", "bin", "tsc"), "-p", web]]) {
    const done = spawnSync(process.execPath, command, { stdio: "inherit" });
    if (done.status !== 0) process.exit(1);
  }
  for (const name of ["report.js", "report.css"])
    if (!readFileSync(join(folder, name)).equals(readFileSync(join(web, "dist", name)))) {
      console.log(`web/dist/${name} is not what web/src gives: run "make web" and commit it`);
      process.exitCode = 1;
    }
} finally {
  rmSync(folder, { recursive: true });
}
