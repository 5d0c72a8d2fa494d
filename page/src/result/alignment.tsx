// An alignment as it is read: 60 columns a line, the midline between, and both sequences' places.
import type { Hsp } from "../api";

const WIDTH = 60;

type Kind = "same" | "alike" | "other" | "gap";

/** What is shown of an HSP. */
export type Shown = Pick<Hsp, "query_from" | "query_to" | "hit_from" | "hit_to" | "align_len" | "qseq" | "hseq" | "midline">;

interface Block {
  query: [number, string, number];
  middle: string;
  subject: [number, string, number];
}

/** The lines of an alignment; coordinates count from 1, the last one of a line included. Backwards: down from query_from. */
export function blocksOf(hsp: Shown, backwards = false): Block[] {
  const blocks: Block[] = [];
  let query = hsp.query_from;
  let subject = hsp.hit_from;
  for (let at = 0; at < hsp.align_len; at += WIDTH) {
    const top = hsp.qseq.slice(at, at + WIDTH);
    const bottom = hsp.hseq.slice(at, at + WIDTH);
    const ends = [query + (backwards ? -1 : 1) * lettersOf(top), subject + lettersOf(bottom)] as const;
    blocks.push({
      // A line of gaps alone stands at the letter before it.
      query: backwards ? [query, top, Math.min(ends[0] + 1, query)] : [Math.min(query, ends[0]), top, Math.max(ends[0] - 1, query - 1)],
      middle: hsp.midline.slice(at, at + WIDTH),
      subject: [Math.min(subject, ends[1]), bottom, Math.max(ends[1] - 1, subject - 1)],
    });
    [query, subject] = ends;
  }
  return blocks;
}

const lettersOf = (row: string): number => row.length - (row.split("-").length - 1);

export function AlignmentText({ hsp, label, backwards = false }: { hsp: Shown; label: string; backwards?: boolean }) {
  const width = String(Math.max(hsp.query_to, hsp.hit_to)).length;
  return (
    <pre class="alignment" tabIndex={0} role="region" aria-label={label}>
      {blocksOf(hsp, backwards).map((block, place) => (
        <span key={place} class="block">
          <span class="place">{`Query  ${String(block.query[0]).padStart(width)}  `}</span>
          <Row letters={block.query[1]} block={block} />
          <span class="place">{`  ${block.query[2]}\n`}</span>
          <span class="middle">{`${" ".repeat(width + 9)}${block.middle}\n`}</span>
          <span class="place">{`Sbjct  ${String(block.subject[0]).padStart(width)}  `}</span>
          <Row letters={block.subject[1]} block={block} />
          <span class="place">{`  ${block.subject[2]}\n\n`}</span>
        </span>
      ))}
    </pre>
  );
}

/** A row's letters in runs of one kind: far fewer elements than letters. */
function Row({ letters, block }: { letters: string; block: Block }) {
  const runs: { kind: Kind; text: string }[] = [];
  for (let at = 0; at < letters.length; at += 1) {
    const kind = kindOf(block, at);
    const last = runs[runs.length - 1];
    if (last?.kind === kind) last.text += letters[at];
    else runs.push({ kind, text: letters[at] ?? "" });
  }
  return <>{runs.map((run, place) => <span key={place} class={run.kind}>{run.text}</span>)}</>;
}

function kindOf(block: Block, at: number): Kind {
  if (block.query[1][at] === "-" || block.subject[1][at] === "-") return "gap";
  const mark = block.middle[at];
  if (mark === "+") return "alike";
  return mark === " " ? "other" : "same";
}
