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
      </summary>
      <p>
        Every letter of each query was compared with every letter of its subject. No seed, band or cutoff was used. Each worker counted the
        cells it scored. A result exists only if all cells were scored.
      </p>
      <dl class="facts">
        <div><dt>Cells scored</dt><dd>{amount(certificate.cells)}</dd></div>
        <div><dt>Parts</dt><dd>{count(certificate.parts)}</dd></div>
        {took !== null && <div><dt>Time</dt><dd>{seconds(took)}</dd></div>}
      </dl>
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
