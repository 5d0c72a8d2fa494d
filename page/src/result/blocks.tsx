// Rows in a query's columns as text, block by block: it is found, copied, read out and printed whole.
import type { ComponentChildren } from "preact";
import { GROUPS, hexOf } from "../msa/colours";
import { plural } from "../numbers";

/** Letters that go to a printer at once: some seconds. */
export const PRINTED_LETTERS = 200_000;
export const PRINTED_COLUMNS = 60;
export const RULED = 10;

export interface Aligned {
  /** Where its first letter stands, from 0. */
  from: number;
  /** In the query's columns. */
  letters: string;
  /** What it has behind a column, and the query has not. */
  inserted: Map<number, string>;
}

/** How a letter is drawn; the same object for letters that look alike. */
export interface Look {
  class?: string;
  background?: string;
  color?: string;
}
export type LookOf = (letter: string, same: boolean) => Look | undefined;

/** A row with gaps, from a column on, as far as it has letters in the query's columns. */
export function inColumns(from: number, row: string, isInserted: (at: number) => boolean): Aligned {
  const inserted = new Map<number, string>();
  let letters = "";
  for (let at = 0; at < row.length; at += 1) {
    const letter = row[at]!.toUpperCase();
    const last = from + letters.length - 1;
    if (isInserted(at)) inserted.set(last, (inserted.get(last) ?? "") + letter);
    else letters += letter;
  }
  return { from, letters, inserted };
}

/** How many of the rows have so many letters together; one at least. */
export function fitting(rows: { letters: { length: number } }[], most: number): number {
  let letters = 0;
  const beyond = rows.findIndex((row) => (letters += row.letters.length) > most);
  return beyond < 0 ? rows.length : Math.max(1, beyond);
}

export const GAP: Look = { class: "gap" };

/** Residues by what they are like. */
export function byProperty(dark: boolean): LookOf {
  const looks = GROUPS.map((group) => ({ background: hexOf(group, dark) }));
  const known = new Map(GROUPS.flatMap(({ letters }, place) => [...letters].map((letter): [string, Look] => [letter, looks[place]!])));
  return (letter) => (letter === "-" ? GAP : (known.get(letter) ?? looks[looks.length - 1]));
}

interface Columns {
  query: string;
  lookOf: LookOf;
  /** Whether letters that are the query's are dots. */
  dots?: boolean;
}

interface Props<T extends Aligned> extends Columns {
  name: string;
  rows: T[];
  /** Columns of a block. */
  columns: number;
  keyOf(row: T): string;
  /** A row's name, in the first block with letters of it or in a later one. */
  named(row: T, isFirst: boolean): ComponentChildren;
  /** Percent of its columns. */
  identityOf(row: T): string;
}

export function Blocks<T extends Aligned>({ columns, ...props }: Props<T>) {
  const firsts = Array.from({ length: Math.ceil(props.query.length / columns) }, (_, block) => block * columns);
  return <>{firsts.map((first) => <Block key={first} {...props} first={first} last={Math.min(props.query.length, first + columns)} />)}</>;
}

/** Columns of a block, half-open, from 0. */
interface Stretch {
  first: number;
  last: number;
}

function Block<T extends Aligned>({ name, rows, keyOf, named, identityOf, ...columns }: Omit<Props<T>, "columns"> & Stretch) {
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
        <div key={keyOf(row)} class="anchored-row" role="row">
          <span role="rowheader" class="anchored-name">{named(row, row.from >= first || first === 0)}</span>
          <span role="cell" class="num dim">{identityOf(row)} %</span>
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
  look?: Look;
  text: string;
  inserted?: string;
}

/** A row's letters in some columns, in runs of one look: far fewer elements than letters. */
function runsOf({ from, letters, inserted }: Aligned, { query, first, last, lookOf, dots }: Columns & Stretch): Run[] {
  const runs: Run[] = [];
  const end = Math.min(last, from + letters.length);
  if (from > first) runs.push({ text: " ".repeat(from - first) });
  for (let column = Math.max(first, from); column < end; column += 1) {
    const letter = letters[column - from]!;
    const same = letter === query[column];
    const look = lookOf(letter, same);
    const text = same && dots ? "." : letter;
    const between = inserted.get(column);
    const before = runs[runs.length - 1];
    if (before && before.look === look && before.inserted === undefined && between === undefined) before.text += text;
    else runs.push({ look, text, inserted: between });
  }
  return runs;
}

function Letters({ row, ...columns }: Columns & Stretch & { row: Aligned }) {
  return (
    <span role="cell" class="anchored-letters">
      {runsOf(row, columns).map(({ look, text, inserted }, place) => {
        if (!look && inserted === undefined) return text;
        const { class: kind = "", ...style } = look ?? {};
        return <span key={place} class={inserted === undefined ? kind : `${kind} inserted`} style={style} title={inserted && `${plural(inserted.length, "letter")} left out behind it: ${inserted}`}>{text}</span>;
      })}
    </span>
  );
}
