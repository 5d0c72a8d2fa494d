// What was done in a job of pairs: in words, as code, and parameter by parameter.
import { boot } from "../api";
import { recordsOf, recordsText } from "../compare/draft";
import { wordsOf } from "../fields";
import { Made, usedOf } from "../made";
import { amount, day, plural } from "../numbers";
import { LABELS, namesOf } from "./fields";
import { earlier } from "./start";
import type { Alignment } from "./types";

export function Methods({ job }: { job: Alignment }) {
  const { alphabet, ...fields } = job.parameters;
  const letters = alphabet ?? "protein";
  const [queries, subjects] = recordsOf(job.id);
  return (
    <Made
      text={`${methodsText(job)} ${recordsText("queries", queries)}${recordsText("subjects", subjects)}`.trim()}
      same={{
        kind: "alignments",
        fields: { ...fields, alphabet, title: job.title },
        inputs: [{ field: "queries", file: "queries.fasta", as: letters, records: queries }, { field: "subjects", file: "subjects.fasta", as: letters, records: subjects }],
        format: "format=json",
        file: "result.json",
        python: `for pair in json.loads(result)["alignments"]:
    print(pair["query"], pair["subject"], pair["score"], pair["cigar"], sep="\\t")
`,
        call: "align",
        client: `    for pair in found:
        print(pair.query, pair.subject, pair.score, pair.cigar, sep="\\t")
`,
      }}
      files={[{ what: "the queries" }, { what: "the subjects" }]}
      used={usedOf({ ...LABELS, free_ends: "Free ends", table: "Table of scores" }, job.parameters, namesOf(earlier(job), letters))}
    />
  );
}

const MODES: { [mode: string]: string } = {
  local: "locally, by the exact Smith-Waterman algorithm",
  global: "globally, by the exact Needleman-Wunsch algorithm",
  "semi-global": "by exact dynamic programming with all four ends free",
};

const endsText = (ends: string[]): string => ends.map((end) => wordsOf("free_ends", end) ?? end).join(", ");

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
