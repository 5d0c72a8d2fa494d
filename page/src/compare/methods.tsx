// What was done in a comparison: in words, as code, and parameter by parameter.
import { boot } from "../api";
import { Made, usedOf, type Used } from "../made";
import { count, day, plural } from "../numbers";
import { recordsOf, recordsText } from "./draft";
import { LABELS, namesOf } from "./settings";
import { hspsOf } from "./summary";
import type { Comparison, Summary } from "./types";

export function Methods({ comparison, summary }: { comparison: Comparison; summary: Summary }) {
  const used = comparison.parameters;
  const [query, subject] = recordsOf(comparison.id);
  const shown = { ...used, max_frequency: used.max_frequency ?? "any", x_drop: used.x_drop || "never" };
  const regions = (used.regions ?? []).map(({ side, record, from, to }): Used => [`Region of the ${side}`, `${record}:${count(from)}–${count(to)}`, "regions"]);
  return (
    <Made
      text={`${methodsText(comparison, summary)} ${recordsText("query", query)}${recordsText("subject", subject)}`.trim()}
      same={{
        kind: "comparisons",
        fields: { ...comparison.parameters, title: comparison.title },
        inputs: [{ field: "query", file: "query.fasta", as: "dna", records: query }, { field: "subject", file: "subject.fasta", as: "dna", records: subject }],
        format: "format=tab",
        file: "hsps.tsv",
        call: "compare",
        client: `    client.save_hsps(found.id, "hsps.tsv", format="tab")\n`,
      }}
      files={[{ what: "the query's genome" }, { what: "the subject's" }]}
      used={[...usedOf(LABELS, shown, namesOf({ extension: used.extension, gapped: used.gapped })), ...regions]}
    />
  );
}

const sizeText = ({ records, letters }: Summary["query"]): string => `${plural(records, "record")} of ${count(letters)} letters`;

/** A paragraph for a paper. */
function methodsText({ parameters: used, certificate, created_at }: Comparison, summary: Summary): string {
  const { policy, gapped } = summary;
  const seeds = policy.all_seeds
    ? "each of which was followed"
    : `of which not all were followed where a word has very many places (${plural(policy.sampled_words, "word")}${policy.least_frequency ? `, at least ${count(policy.least_frequency)} runs of each` : ""})`;
  const extension = used.extension === "blocks"
    ? "in blocks of 32 letters, by GPUGECKO's rules"
    : `letter by letter and without gaps, an equal letter scoring 4 and any other -4, ${used.x_drop ? `and cut where the score falls by more than ${count(used.x_drop)}` : "and never cut"}`;
  return [
    `Two genomes, a query (${sizeText(summary.query)}) and a subject (${sizeText(summary.subject)}), were compared on ${day(created_at)} with Shardwater ${certificate?.software ?? boot.info.version}${used.strands === "both" ? ", on both strands" : ", on the forward strand alone"}.`,
    used.regions?.length ? `Only ${used.regions.map(({ side, record, from, to }) => `${record}:${from}-${to} of the ${side}`).join(", ")} were compared.` : "",
    `Seeds were all pairs of equal words of ${used.word} letters (sensitivity “${used.sensitivity}”), ${seeds}. They were extended ${extension}.`,
    summary.same ? "The two are the same: the main diagonal was left out." : "",
    `High-scoring segment pairs (HSPs) of at least ${count(used.min_length)} letters and ${used.min_identity} % identity were kept: ${count(hspsOf(summary))}, with ${count(summary.matches)} equal letters.`,
    gapped
      ? `Of each HSP its range in both genomes, and 100 letters more on each side, was aligned by the exact Smith-Waterman algorithm with affine gaps: match ${used.match}, mismatch ${used.mismatch}, a gap of n letters costing ${used.gap_open} + ${used.gap_extend}n. This gave ${plural(gapped.alignments, "different alignment")}${gapped.ungapped ? `; ${plural(gapped.ungapped, "HSP")} too large for it stayed without gaps` : ""}.`
      : "",
    `Chains of ${gapped ? "alignments" : "HSPs"} that follow each other in both genomes were cut into blocks of synteny.`,
  ].filter(Boolean).join(" ");
}
