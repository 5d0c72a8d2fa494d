// A query's hits as rows in its columns, in blocks as wide as fit: text, which is found, copied, read out and printed whole.
import { useEffect, useMemo, useState } from "preact/hooks";
import type { Hit, Hsp, Search, SearchRequest } from "../api";
import { isHeader, recordOf } from "../fasta";
import { GROUPS, hexOf } from "../msa/colours";
import { count, percentText, plural } from "../numbers";
import { useWidth } from "../parts";
import { usePrinting } from "../printing";
import { useDark } from "../theme";
import { useAnswer } from "../trouble";
import type { Part } from "./load";

/** Letters that are drawn before somebody asks for more, and that go to a printer at once: some tenths of a second, and some seconds. */
const FIRST_LETTERS = 40_000;
const PRINTED_LETTERS = 400_000;
const MORE = 4;
/** Pixels that a letter takes at most, in any of the fonts, and names beside them, as result.css has it. */
const LETTER = 8.1;
const BESIDE = { wide: 250, narrow: 112 };
const NARROW = 560;
const PRINTED_COLUMNS = 60;
const RULED = 10;

type Scheme = "difference" | "property";

/** The same of one query after the other. */
let look = { scheme: "difference" as Scheme, dots: false };

interface Row {
  hit: Hit;
  hsp: Hsp;
  /** Where its first letter stands, from 0. */
  from: number;
  /** In the query's columns. */
  letters: string;
  /** What it has behind a column, and the query has not. */
  inserted: Map<number, string>;
}

function rowOf(hit: Hit, hsp: Hsp): Row {
  const from = hsp.query_from - 1;
  const inserted = new Map<number, string>();
  let letters = "";
  for (let at = 0; at < hsp.align_len; at += 1) {
    const letter = hsp.hseq[at]!.toUpperCase();
    const last = from + letters.length - 1;
    if (hsp.qseq[at] === "-") inserted.set(last, (inserted.get(last) ?? "") + letter);
    else letters += letter;
  }
  return { hit, hsp, from, letters, inserted };
}

/** The query's letters as they were sent; of a profile, or before they are here, those that hits are aligned with. */
function useLetters(search: Search, part: Part): string {
  const { sequence } = useAnswer<SearchRequest>(`/v1/searches/${search.id}/request`) ?? {};
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
  const query = useLetters(search, part);
  const rows = useMemo(() => hits.flatMap((hit) => hit.hsps.map((hsp) => rowOf(hit, hsp))), [hits]);
  const shown = useMemo(() => rows.slice(0, fitting(rows, printing ? Math.max(most, PRINTED_LETTERS) : most)), [rows, most, printing]);
  useEffect(() => setMost(FIRST_LETTERS), [part.number]);
  const bare = hits.filter((hit) => hit.hsps.length === 0).length;
  const beside = width < NARROW ? BESIDE.narrow : BESIDE.wide;
  const columns = printing ? PRINTED_COLUMNS : Math.max(RULED, Math.floor((width - beside) / LETTER / RULED) * RULED);
  const firsts = Array.from({ length: Math.ceil(query.length / columns) }, (_, block) => block * columns);
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
        {bare > 0 && `; ${plural(bare, "hit")} without an alignment ${bare === 1 ? "has" : "have"} none`}.
        {shown.length < rows.length && <> <button type="button" class="link no-print" onClick={() => setMost(most * MORE)}>Show more rows</button></>}
      </p>
      {width > 0 && firsts.map((first) => <Block key={first} name={part.one.query.id} {...{ query, rows: shown, first, last: Math.min(query.length, first + columns), scheme, dots, onShow }} />)}
    </div>
  );
}

/** How many of the rows have so many letters together; one at least. */
function fitting(rows: Row[], most: number): number {
  let letters = 0;
  const beyond = rows.findIndex((row) => (letters += row.letters.length) > most);
  return beyond < 0 ? rows.length : Math.max(1, beyond);
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

interface Columns {
  query: string;
  /** Half-open, from 0. */
  first: number;
  last: number;
  scheme: Scheme;
  dots: boolean;
}

function Block({ name, rows, onShow, ...columns }: Columns & { name: string; rows: Row[]; onShow(hit: Hit): void }) {
  const { query, first, last } = columns;
  // Rows that end before, or begin behind, have no line here.
  const here = rows.filter((row) => row.from < last && row.from + row.letters.length > first);
  return (
    <div class="anchored-block" role="table" aria-label={`Positions ${first + 1} to ${last} of ${name}`}>
      <div class="anchored-row" aria-hidden="true"><span /><span /><span class="anchored-letters dim">{rulerOf(first, last)}</span></div>
      <div class="anchored-row anchored-query" role="row">
        <span role="rowheader" class="ellipsis" title={name}>{name}</span>
        <span role="cell" class="num dim">query</span>
        <Letters row={{ from: 0, letters: query, inserted: NOTHING }} {...columns} dots={false} />
      </div>
      {here.map((row) => (
        <div key={`${row.hit.rank} ${row.hsp.query_from} ${row.hsp.hit_from}`} class="anchored-row" role="row">
          <span role="rowheader" class="anchored-name">
            {/* The keyboard comes by each row once. */}
            <button type="button" class="ellipsis" tabIndex={row.from >= first || first === 0 ? 0 : -1} title={`${row.hit.title}, ${row.hsp.hit_from}–${row.hsp.hit_to}`} onClick={() => onShow(row.hit)}>{row.hit.accession}</button>
          </span>
          <span role="cell" class="num dim">{percentText((100 * row.hsp.identity) / row.hsp.align_len)} %</span>
          <Letters row={row} {...columns} />
        </div>
      ))}
    </div>
  );
}

const NOTHING = new Map<number, string>();

/** The numbers of each tenth column, their last digits above it. */
function rulerOf(first: number, last: number): string {
  let text = "";
  for (let position = first + RULED; position <= last; position += RULED) text += String(position).padStart(RULED);
  return text;
}

interface Run {
  kind: string;
  text: string;
  inserted?: string;
}

/** A row's letters in some columns, in runs of one kind: far fewer elements than letters. */
function runsOf({ from, letters, inserted }: Pick<Row, "from" | "letters" | "inserted">, { query, first, last, scheme, dots }: Columns): Run[] {
  const runs: Run[] = [];
  const end = Math.min(last, from + letters.length);
  if (from > first) runs.push({ kind: "", text: " ".repeat(from - first) });
  for (let column = Math.max(first, from); column < end; column += 1) {
    const letter = letters[column - from]!;
    const same = letter === query[column];
    const kind = letter === "-" ? "gap" : scheme === "property" ? groupOf(letter) : same ? "" : "other";
    const text = same && dots ? "." : letter;
    const between = inserted.get(column);
    const before = runs[runs.length - 1];
    if (before?.kind === kind && before.inserted === undefined && between === undefined) before.text += text;
    else runs.push({ kind, text, inserted: between });
  }
  return runs;
}

const GROUP_OF = new Map(GROUPS.flatMap((group, place) => [...group.letters].map((letter): [string, string] => [letter, String(place)])));
const groupOf = (letter: string): string => GROUP_OF.get(letter) ?? String(GROUPS.length - 1);

function Letters({ row, ...columns }: Columns & { row: Pick<Row, "from" | "letters" | "inserted"> }) {
  const dark = useDark();
  return (
    <span role="cell" class="anchored-letters">
      {runsOf(row, columns).map(({ kind, text, inserted }, place) => {
        const group = GROUPS[Number(kind || NaN)];
        if (!kind && inserted === undefined) return text;
        return (
          <span key={place} class={inserted === undefined ? kind : `${kind} inserted`} style={group && { background: hexOf(group, dark) }} title={inserted && `${plural(inserted.length, "letter")} left out behind it: ${inserted}`}>{text}</span>
        );
      })}
    </span>
  );
}
