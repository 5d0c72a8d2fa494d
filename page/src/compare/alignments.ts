// Alignments with gaps in columns, as HSPs are, read line by line from the comparison's table.
import { ask } from "../api";
import type { Genome } from "./genomes";
import { emptyColumns, type Columns } from "./hsps";

/** Lines of text take a browser ten times as long as rows of HSPs. */
export const MOST_ALIGNMENTS = 200_000;
const COLUMNS = "query,query_from,query_to,subject,subject_from,subject_to,strand,score,length,matches";

/** The alignments of a comparison whose records all have names of their own; `progress` hears the share that has come. */
export async function loadAlignments(id: string, count: number, genomes: [Genome, Genome], signal: AbortSignal, progress: (share: number) => void): Promise<Columns> {
  const most = MOST_ALIGNMENTS;
  const columns = { ...emptyColumns(most), across: new Int32Array(most), up: new Int32Array(most), score: new Int32Array(most) };
  const begins = genomes.map(({ names, offsets }) => new Map(names.map((name, place) => [name.replace(/\s/g, "_"), offsets[place]!]))) as [Map<string, number>, Map<string, number>];
  let row = 0;
  let header = true;
  const take = (line: string) => {
    // By its place: names may begin with a # too.
    if (header) {
      header = false;
      return;
    }
    if (row === most || line === "") return;
    const [query, queryFrom, queryTo, subject, subjectFrom, subjectTo, strand, score, length, matches] = line.split("\t");
    columns.query[row] = begins[0].get(query!)! + Number(queryFrom) - 1;
    columns.subject[row] = begins[1].get(subject!)! + Number(subjectFrom) - 1;
    columns.across[row] = Number(queryTo) - Number(queryFrom) + 1;
    columns.up[row] = Number(subjectTo) - Number(subjectFrom) + 1;
    columns.reverse[row] = strand === "-" ? 1 : 0;
    columns.score[row] = Number(score);
    columns.length[row] = Number(length);
    columns.matches[row] = Number(matches);
    row += 1;
  };
  const reply = await ask(`/v1/comparisons/${id}/results?format=tab&columns=${COLUMNS}`, { signal });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  while (row < most) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    lines.forEach(take);
    progress(Math.min(1, row / count));
  }
  void reader.cancel();
  return Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, values.subarray(0, row)])) as unknown as Columns;
}
