// A query's hits as rows in its columns, in blocks as wide as fit: text, which is found, copied, read out and printed whole.
import { useEffect, useMemo, useState } from "preact/hooks";
import { askJson, type Hit, type Hsp, type Search, type SearchRequest } from "../api";
import { isHeader, recordOf } from "../fasta";
import { GROUPS, hexOf } from "../msa/colours";
import { count, percentText, plural } from "../numbers";
import { useWidth } from "../parts";
import { usePrinting } from "../printing";
import { useDark } from "../theme";
import { useAnswer } from "../trouble";
import { Blocks, byProperty, fitting, GAP, inColumns, PRINTED_COLUMNS, PRINTED_LETTERS, RULED, type Aligned, type Look, type LookOf } from "./blocks";
import type { Part } from "./load";

/** Letters that are drawn before somebody asks for more: some tenths of a second. */
const FIRST_LETTERS = 40_000;
const MORE = 4;
/** Pixels that a letter takes at most, in any of the fonts, and names beside them, as result.css has it. */
const LETTER = 8.1;
const BESIDE = { wide: 250, narrow: 112 };
const NARROW = 560;

type Scheme = "difference" | "property";

/** The same of one query after the other. */
let look = { scheme: "difference" as Scheme, dots: false };

const OTHER: Look = { class: "other" };
const byDifference: LookOf = (letter, same) => (letter === "-" ? GAP : same ? undefined : OTHER);

interface Row extends Aligned {
  hit: Hit;
  hsp: Hsp;
}

const rowOf = (hit: Hit, hsp: Hsp): Row => ({ hit, hsp, ...inColumns(hsp.query_from - 1, hsp.hseq, (at) => hsp.qseq[at] === "-") });

/** The queries as they were sent, once they are here: a page has one search. */
let sent: string | undefined;

/** Have them here before anything is printed. */
export async function loadSent(search: string): Promise<void> {
  sent ??= (await askJson<SearchRequest>(requestOf(search))).sequence;
}

const requestOf = (search: string): string => `/v1/searches/${search}/request`;

/** The query's letters as they were sent; of a profile, or before they are here, those that hits are aligned with. */
function useLetters(search: Search, part: Part): string {
  const answer = useAnswer<SearchRequest>(sent === undefined ? requestOf(search.id) : undefined);
  const sequence = (sent ??= answer?.sequence);
  return useMemo(() => {
    const lines = sequence ? recordOf(sequence, part.number).split(/\r\n?|\n/) : [];
    const whole = lines.filter((line) => !isHeader(line)).join("").replace(/\s/g, "").toUpperCase();
    const { length } = part.one.query;
    if (whole.length === length) return whole;
    const letters = Array<string>(length).fill("X");
    for (const hit of part.hits) for (const hsp of hit.hsps) [...hsp.qseq.replaceAll("-", "")].forEach((letter, at) => (letters[hsp.query_from - 1 + at] = letter.toUpperCase()));
    return letters.join("");
  }, [sequence, part]);
}

interface Props {
  hits: Hit[];
  part: Part;
  search: Search;
  /** A hit is to be shown in the table. */
  onShow(hit: Hit): void;
}

export function Anchored({ hits, part, search, onShow }: Props) {
  const [{ scheme, dots }, setLook] = useState(look);
  const set = (changed: Partial<typeof look>) => setLook((look = { ...look, ...changed }));
  const [most, setMost] = useState(FIRST_LETTERS);
  const [box, width] = useWidth<HTMLDivElement>();
  const printing = usePrinting();
  const dark = useDark();
  const query = useLetters(search, part);
  const rows = useMemo(() => hits.flatMap((hit) => hit.hsps.map((hsp) => rowOf(hit, hsp))), [hits]);
  const shown = useMemo(() => rows.slice(0, fitting(rows, printing ? Math.max(most, PRINTED_LETTERS) : most)), [rows, most, printing]);
  useEffect(() => setMost(FIRST_LETTERS), [part.number]);
  const bare = hits.filter((hit) => hit.hsps.length === 0).length;
  const beside = width < NARROW ? BESIDE.narrow : BESIDE.wide;
  const columns = printing ? PRINTED_COLUMNS : Math.max(RULED, Math.floor((width - beside) / LETTER / RULED) * RULED);
  const lookOf = useMemo(() => (scheme === "property" ? byProperty(dark) : byDifference), [scheme, dark]);
  return (
    <div ref={box} class="anchored">
      <div class="toolbar">
        <div class="tabs no-print" role="group" aria-label="Colours">
          <button type="button" aria-pressed={scheme === "difference"} onClick={() => set({ scheme: "difference" })}>By difference</button>
          <button type="button" aria-pressed={scheme === "property"} onClick={() => set({ scheme: "property" })}>By property</button>
        </div>
        <label class="row no-print"><input type="checkbox" checked={dots} onChange={(event) => set({ dots: event.currentTarget.checked })} />Dots for the query's letters</label>
        <Legend scheme={scheme} />
      </div>
      <p class="anchored-note" role="status">
        {shown.length < rows.length ? `The first ${count(shown.length)} of ${plural(rows.length, "row")}` : plural(rows.length, "row")}, an alignment each
        {bare > 0 && `; ${plural(bare, "hit")} not aligned yet`}.
        {shown.length < rows.length && printing && " The files have all."}
        {shown.length < rows.length && <> <button type="button" class="link no-print" onClick={() => setMost(most * MORE)}>Show more rows</button></>}
      </p>
      {width > 0 && (
        <Blocks
          name={part.one.query.id}
          query={query}
          rows={shown}
          columns={columns}
          lookOf={lookOf}
          dots={dots}
          keyOf={({ hit, hsp }) => `${hit.rank} ${hsp.query_from} ${hsp.hit_from}`}
          identityOf={({ hsp }) => percentText((100 * hsp.identity) / hsp.align_len)}
          named={({ hit, hsp }, isFirst) => (
            // The keyboard comes by each row once.
            <button type="button" class="ellipsis" tabIndex={isFirst ? 0 : -1} title={`${hit.title}, ${hsp.hit_from}–${hsp.hit_to}`} onClick={() => onShow(hit)}>{hit.accession}</button>
          )}
        />
      )}
    </div>
  );
}

function Legend({ scheme }: { scheme: Scheme }) {
  const dark = useDark();
  return (
    <p class="legend">
      {scheme === "property"
        ? GROUPS.map((group) => <span key={group.label}><i class="swatch" style={{ background: hexOf(group, dark) }} />{group.label}</span>)
        : <span><i class="swatch swatch-other" />not the query's letter</span>}
      <span><i class="swatch swatch-inserted" />letters between two of the query's, left out</span>
    </p>
  );
}
