// What was done: every pair, exactly, by which engines.
import { amount, count, plural, seconds } from "../numbers";
import { Icon } from "../parts";
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
        <span>{certificate.pairs > 1 && "all "}{plural(certificate.pairs, "pair")}</span>
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
