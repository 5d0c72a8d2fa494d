// Bundle the page into the Python package: node build.mjs [FOLDER]. The same sources give the same bytes.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const folder = process.argv[2] ?? join(here, "..", "app", "web");

// The test that asks whether the built files are up to date needs no Node: it makes the same sum.
function digestOfSources() {
  const sources = readdirSync(join(here, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== "schema.d.ts")
    .map((entry) => join(entry.parentPath, entry.name));
  const sum = createHash("sha256");
  for (const path of [...sources, join(here, "package-lock.json"), join(here, "build.mjs")].sort()) {
    sum.update(readFileSync(path));
  }
  return sum.digest("hex").slice(0, 16);
}

const result = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.tsx", compare: "src/compare/main.tsx", msa: "src/msa/main.tsx", align: "src/align/main.tsx" },
  outdir: folder,
  bundle: true,
  // What several pages need is in files of its own, which a browser has to fetch once.
  splitting: true,
  chunkNames: "shared-[hash]",
  minify: true,
  format: "esm",
  target: ["chrome123", "firefox120", "safari17.5"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  write: false,
  inject: ["src/jsx.ts"],
  tsconfigRaw: { compilerOptions: { jsx: "react", jsxFactory: "h", jsxFragmentFactory: "Fragment" } },
  define: { "process.env.NODE_ENV": '"production"' },
});
const banner = `/* from sources ${digestOfSources()}; LICENSES.txt */\n`;
for (const old of readdirSync(folder)) if (old.startsWith("shared-")) rmSync(join(folder, old));
for (const file of result.outputFiles) writeFileSync(file.path, banner + file.text);

const packages = new Set();
for (const input of Object.keys(result.metafile.inputs)) {
  const found = /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
  if (found) packages.add(found[1]);
}
const licences = [...packages].sort().map((name) => {
  const about = JSON.parse(readFileSync(join(here, "node_modules", name, "package.json"), "utf8"));
  const text = readFileSync(join(here, "node_modules", name, "LICENSE"), "utf8").trim();
  return `${name} ${about.version} (${about.license})\n\n${text}\n`;
});
const intro = "The page's scripts hold these libraries; the rest of them is Shardwater's own, under Apache-2.0.\n\n";
writeFileSync(join(folder, "LICENSES.txt"), intro + licences.join(`\n${"-".repeat(72)}\n\n`));
