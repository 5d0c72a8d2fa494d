// What was done: every pair, exactly, by which engines; and the parameters that were used.
import { wordsOf } from "../fields";
import { amount, count, plural, seconds } from "../numbers";
import { Icon, Panel } from "../parts";
import { FREE, LABELS, namesOf } from "./fields";
import type { Alignment } from "./types";

const WAYS: { [way: string]: string } = {
  batch: "with many others on a GPU",
  long: "by all of a GPU",
  cpu: "by a CPU",
};

export function Certificate({ job }: { job: Alignment }) {
  const { certificate } = job;
  if (!certificate) return null;
  const took = job.finished_at ? (Date.parse(job.finished_at) - Date.parse(job.created_at)) / 1000 : null;
  return (
    <details class="certificate">
      <summary>
        <span class="seal"><Icon name="check" />Exact and complete</span>
        <span>all {plural(certificate.pairs, "pair")}</span>
        <span>{amount(certificate.cells)} cells scored</span>
        <span>{plural(certificate.parts, "part")}</span>
        {took !== null && <span>{seconds(took)}</span>}
      </summary>
      <p>
        Every letter of each query was compared with every letter of its subject; no seed, band or cut-off came before. The cells are counted by
        what scored them: had they not been those of all pairs, there would be no result.
      </p>
      <div class="scroll" tabIndex={0} role="region" aria-label="How pairs were computed">
        <table class="plain">
          <thead><tr><th>Computed</th><th class="num">Pairs</th></tr></thead>
          <tbody>
            {Object.entries(certificate.ways).map(([way, pairs]) => <tr key={way}><td>{WAYS[way] ?? way}</td><td class="num">{count(pairs)}</td></tr>)}
          </tbody>
        </table>
      </div>
      <p class="dim">Computed by {certificate.engines.join(", ")}, Shardwater {certificate.software}</p>
    </details>
  );
}

export function ParametersPanel({ job: { parameters } }: { job: Alignment }) {
  const used = parameters as unknown as { [name: string]: string | number | string[] | null };
  const mode = parameters.free_ends ? FREE : parameters.mode === "local" ? "" : (parameters.mode ?? "");
  const texts = { mode, strand: parameters.strand, best: String(parameters.best), table: parameters.table ?? "" };
  const known = namesOf(texts, parameters.alphabet ?? "protein").map((name) => [name, name === "free_ends" ? "Free ends" : LABELS[name], shown(name, used[name])] as const);
  return (
    <Panel title="Parameters" class="parameters">
      <div class="scroll" tabIndex={0} role="region" aria-label="Parameters of this alignment">
        <table class="plain">
          <thead><tr><th>Parameter</th><th>Value</th><th>Name in the interface</th></tr></thead>
          <tbody>
            {known.filter(([, , value]) => value !== undefined).map(([name, label, value]) => (
              <tr key={name}><td>{label}</td><td>{name === "table" ? <pre class="mono">{value}</pre> : value}</td><td class="mono dim">{name}</td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function shown(name: string, value: string | number | string[] | null | undefined): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) return endsText(value);
  return typeof value === "number" ? count(value) : (wordsOf(name, value) ?? value);
}

export const endsText = (ends: string[]): string => ends.map((end) => wordsOf("free_ends", end) ?? end).join(", ");
