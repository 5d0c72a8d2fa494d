// What can be taken away: all pairs in every format that shows what was asked for.
import { boot } from "../api";
import { Files, Menu } from "../menu";
import type { Alignment } from "./types";

const FORMATS: { format: string; label: string; short: string; aligned?: true }[] = [
  { format: "tab", label: "Table, tab-separated", short: "Table" },
  { format: "srspair", label: "Text, as EMBOSS's needle and water", short: "Text", aligned: true },
  { format: "fasta", label: "Aligned FASTA", short: "Aligned FASTA", aligned: true },
  { format: "paf", label: "PAF", short: "PAF", aligned: true },
  { format: "sam", label: "SAM", short: "SAM", aligned: true },
  { format: "json", label: "JSON", short: "JSON" },
  { format: "ndjson", label: "JSON, one a line", short: "NDJSON" },
];

/** The formats that this server writes of a job. */
export const formatsOf = ({ parameters }: Alignment): typeof FORMATS =>
  FORMATS.filter(({ format, aligned }) => boot.info.pair_formats.includes(format) && (!aligned || parameters.report === "alignment"));

export function Downloads({ job }: { job: Alignment }) {
  return (
    <Menu label="Download">
      {(close) => <Files files={formatsOf(job).map(({ format, label }) => [label, `/v1/alignments/${job.id}/results?format=${format}`])} close={close} />}
    </Menu>
  );
}
