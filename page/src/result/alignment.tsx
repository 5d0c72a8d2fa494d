// An alignment as it is read: 60 columns a line, or as many tens as a narrow window has room for, the midline between, and both sequences' places.
import type { Hsp } from "../api";
import { CopyButton, useWidth } from "../parts";
import { usePrinting } from "../printing";

const WIDTH = 60;
const TEN = 10;
/** Of a letter in the page's monospaced font at 13 px, and what stands on both sides of a line: `Query  ` and the places. */
const LETTER_PX = 7.9;
const BESIDE = 11;

type Kind = "same" | "alike" | "other" | "gap";

/** What is shown of an HSP. */
export type Shown = Pick<Hsp, "query_from" | "query_to" | "hit_from" | "hit_to" | "align_len" | "qseq" | "hseq" | "midline">;

interface Block {
  query: [number, string, number];
  middle: string;
  subject: [number, string, number];
}

/** The lines of an alignment; coordinates count from 1, the last one of a line included. Backwards: down from query_from. */
export function blocksOf(hsp: Shown, backwards = false, columns = WIDTH): Block[] {
  const blocks: Block[] = [];
  let query = hsp.query_from;
  let subject = hsp.hit_from;
  for (let at = 0; at < hsp.align_len; at += columns) {
    const top = hsp.qseq.slice(at, at + columns);
    const bottom = hsp.hseq.slice(at, at + columns);
    const ends = [query + (backwards ? -1 : 1) * lettersOf(top), subject + lettersOf(bottom)] as const;
    blocks.push({
      // A line of gaps alone stands at the letter before it.
      query: backwards ? [query, top, Math.min(ends[0] + 1, query)] : [Math.min(query, ends[0]), top, Math.max(ends[0] - 1, query - 1)],
      middle: hsp.midline.slice(at, at + columns),
      subject: [Math.min(subject, ends[1]), bottom, Math.max(ends[1] - 1, subject - 1)],
    });
    [query, subject] = ends;
  }
  return blocks;
}

const lettersOf = (row: string): number => row.length - (row.split("-").length - 1);

export function AlignmentText({ hsp, label, backwards = false }: { hsp: Shown; label: string; backwards?: boolean }) {
  const width = placeWidth(hsp);
  const [box, room] = useWidth<HTMLDivElement>();
  const printing = usePrinting();
  const fits = TEN * Math.floor((room / LETTER_PX - BESIDE - 2 * width) / TEN);
  const columns = printing || room === 0 ? WIDTH : Math.max(TEN, Math.min(WIDTH, fits));
  return (
    <div ref={box}>
      <pre class="alignment" tabIndex={0} role="region" aria-label={label}>
        {blocksOf(hsp, backwards, columns).map((block, place) => (
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
      <p class="no-print"><CopyButton text={textOf(hsp, backwards)} label="Copy alignment" /></p>
    </div>
  );
}

const placeWidth = (hsp: Shown): number => String(Math.max(hsp.query_from, hsp.query_to, hsp.hit_to)).length;

/** The same as plain text. */
function textOf(hsp: Shown, backwards: boolean): string {
  const width = placeWidth(hsp);
  const line = (name: string, [from, letters, to]: [number, string, number]) => `${name}  ${String(from).padStart(width)}  ${letters}  ${to}\n`;
  return blocksOf(hsp, backwards).map(({ query, middle, subject }) => `${line("Query", query)}${" ".repeat(width + 9)}${middle}\n${line("Sbjct", subject)}\n`).join("");
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
