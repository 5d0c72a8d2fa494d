// For the paper and for the next person: what was done, in words, and how to do it again.
import { useState } from "preact/hooks";
import { boot } from "../api";
import { amount, day, plural } from "../numbers";
import { CopyButton, Panel } from "../parts";
import { KEY_VARIABLE } from "../result/repeat";
import { curlText, pythonText } from "./repeat";
import { endsText } from "./summary";
import type { Alignment } from "./types";

export function Methods({ job }: { job: Alignment }) {
  const text = methodsText(job);
  return (
    <>
      <Panel title="Methods" aside={<CopyButton text={text} label="Copy text" />} class="methods"><p>{text}</p></Panel>
      <Repeat job={job} />
    </>
  );
}

const MODES: { [mode: string]: string } = {
  local: "locally, by the exact Smith-Waterman algorithm",
  global: "globally, by the exact Needleman-Wunsch algorithm",
  "semi-global": "by exact dynamic programming with all four ends free",
};

/** A paragraph for a paper. */
function methodsText({ parameters, certificate, created_at }: Alignment): string {
  const { alphabet, mode, free_ends: ends, matrix, table, gap_open: open, gap_extend: extend } = parameters;
  const scores = alphabet === "protein" ? matrix : table ? "a table of scores" : `match ${parameters.match}, mismatch ${parameters.mismatch}`;
  const way = ends?.length ? `by exact dynamic programming that leaves out letters at no cost at ${endsText(ends)}` : MODES[mode ?? "global"];
  const several = parameters.best > 1
    ? `Up to ${parameters.best} alignments of each pair were reported, whose ends are ${parameters.query_apart} letters of the query and ${parameters.subject_apart} letters of the subject apart. `
    : "";
  return (
    `${alphabet === "dna" ? "DNA" : "Protein"} sequences were aligned on ${day(created_at)} with Shardwater ${certificate?.software ?? boot.info.version}, ` +
    `${parameters.pairing === "all" ? "each query with each subject" : "the first query with the first subject, the second with the second, and so on"}: ` +
    `${plural(certificate?.pairs ?? 0, "pair")}, ${amount(certificate?.cells ?? 0)} cells. ` +
    `Each pair was aligned ${way} with ${open === 0 ? "linear" : "affine"} gaps, without heuristics: ${scores}, a gap of n letters costing ${open} + ${extend}n. ` +
    (parameters.strand === "both" ? "Both strands of the query were aligned, and the one that scores better was reported. " : "") +
    several
  ).trim();
}

function Repeat({ job }: { job: Alignment }) {
  const [kind, setKind] = useState<"curl" | "python">("curl");
  const text = kind === "curl" ? curlText(job.parameters) : pythonText(job.parameters);
  const aside = (
    <div class="row">
      <div class="tabs" role="group" aria-label="Language">
        <button type="button" aria-pressed={kind === "curl"} onClick={() => setKind("curl")}>curl</button>
        <button type="button" aria-pressed={kind === "python"} onClick={() => setKind("python")}>Python</button>
      </div>
      <CopyButton text={text} />
    </div>
  );
  return (
    <Panel title="The same alignment, without this page" class="repeat" aside={aside}>
      <p>
        Save the queries as <span class="mono">queries.fasta</span> and the subjects as <span class="mono">subjects.fasta</span>, then run
        {kind === "curl" ? " this. A job of more than 60 seconds answers with its state, and links.results has the result once it has ended." : " this with any Python 3."}
        {boot.door && <> It takes your API key from the variable <span class="mono">{KEY_VARIABLE}</span>: this page has no key that it could show.</>}
      </p>
      <pre class="code" tabIndex={0} role="region" aria-label={`The alignment as ${kind}`}>{text}</pre>
    </Panel>
  );
}
