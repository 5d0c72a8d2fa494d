// All HSPs of a comparison, or its alignments, in columns: HSPs read from 17-byte rows, put in an order in which neighbours in the plot are neighbours here.
import { ask } from "../api";
import type { Genome } from "./genomes";

/** As shardwater/genomes/hsps.py: ROW has them, little-endian: query, subject, length, matches in 32 bits each, reverse in 8. */
export const ROW_BYTES = 17;
/** What a page of a browser holds with ease; sorting (order.ts) numbers rows in so many bits. */
export const MOST_ROWS = 1 << 22;
/** Cells along each side of the grid. */
const SIDE = 256;
const CELLS = SIDE * SIDE;

/** Places count letters of a genome from 0, on the forward strand, also of reverse HSPs. */
export interface Columns {
  query: Int32Array;
  subject: Int32Array;
  /** Letters of the query and of the subject: of HSPs both are `length`, the very same array. */
  across: Int32Array;
  up: Int32Array;
  /** Columns. */
  length: Int32Array;
  matches: Int32Array;
  reverse: Uint8Array;
  /** Of alignments with gaps; HSPs have the score that scoreOf says. */
  score?: Int32Array;
}

/** HSPs by the cell of a grid over the plot that their middle is in; a cell's rows are [first[cell], first[cell + 1]). */
export interface Hsps extends Columns {
  count: number;
  first: Int32Array;
  /** What the HSPs of each cell reach: least and most places, four numbers a cell. */
  reach: Int32Array;
}

/** The HSPs of a comparison; `progress` hears the share that has come. */
export async function loadHsps(path: string, count: number, signal: AbortSignal, progress: (share: number) => void): Promise<Columns> {
  const rows = Math.min(count, MOST_ROWS);
  const bytes = new Uint8Array(rows * ROW_BYTES);
  const reply = await ask(path, { signal });
  const reader = reply.body!.getReader();
  let size = 0;
  while (size < bytes.length) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the list of HSPs ended early");
    bytes.set(value.subarray(0, bytes.length - size), size);
    size += value.length;
    progress(Math.min(1, size / bytes.length));
  }
  void reader.cancel();
  return readRows(bytes);
}

export function readRows(bytes: Uint8Array<ArrayBuffer>): Columns {
  const count = Math.floor(bytes.length / ROW_BYTES);
  const rows = emptyColumns(count);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  for (let row = 0, at = 0; row < count; row += 1, at += ROW_BYTES) {
    rows.query[row] = view.getInt32(at, true);
    rows.subject[row] = view.getInt32(at + 4, true);
    rows.length[row] = view.getInt32(at + 8, true);
    rows.matches[row] = view.getInt32(at + 12, true);
    rows.reverse[row] = view.getUint8(at + 16);
  }
  return rows;
}

export function emptyColumns(count: number): Columns {
  const length = new Int32Array(count);
  return {
    query: new Int32Array(count),
    subject: new Int32Array(count),
    across: length,
    up: length,
    length,
    matches: new Int32Array(count),
    reverse: new Uint8Array(count),
  };
}

/** Rows in the order of the grid's cells, in one pass of counting. */
export function arranged(rows: Columns, [query, subject]: [Genome, Genome]): Hsps {
  const count = rows.query.length;
  const cells = new Uint16Array(count);
  const first = new Int32Array(CELLS + 1);
  for (let row = 0; row < count; row += 1) {
    const across = Math.min(SIDE - 1, Math.floor(((rows.query[row]! + rows.across[row]! / 2) / query.letters) * SIDE));
    const up = Math.min(SIDE - 1, Math.floor(((rows.subject[row]! + rows.up[row]! / 2) / subject.letters) * SIDE));
    const cell = up * SIDE + across;
    cells[row] = cell;
    first[cell + 1]! += 1;
  }
  for (let cell = 0; cell < CELLS; cell += 1) first[cell + 1]! += first[cell]!;
  const next = first.slice();
  const reach = new Int32Array(4 * CELLS);
  for (let cell = 0; cell < CELLS; cell += 1) reach[4 * cell] = reach[4 * cell + 1] = 0x7fffffff;
  const hsps: Hsps = { ...emptyColumns(count), count, first, reach };
  if (rows.score) Object.assign(hsps, { across: new Int32Array(count), up: new Int32Array(count), score: new Int32Array(count) });
  for (let row = 0; row < count; row += 1) {
    const cell = cells[row]!;
    const place = next[cell]!;
    next[cell] = place + 1;
    const [x, y, across, up] = [rows.query[row]!, rows.subject[row]!, rows.across[row]!, rows.up[row]!];
    hsps.query[place] = x;
    hsps.subject[place] = y;
    hsps.across[place] = across;
    hsps.up[place] = up;
    hsps.length[place] = rows.length[row]!;
    hsps.matches[place] = rows.matches[row]!;
    hsps.reverse[place] = rows.reverse[row]!;
    if (rows.score) hsps.score![place] = rows.score[row]!;
    reach[4 * cell] = Math.min(reach[4 * cell]!, x);
    reach[4 * cell + 1] = Math.min(reach[4 * cell + 1]!, y);
    reach[4 * cell + 2] = Math.max(reach[4 * cell + 2]!, x + across);
    reach[4 * cell + 3] = Math.max(reach[4 * cell + 3]!, y + up);
  }
  return hsps;
}

/** A part of the plot, in letters. */
export interface Area {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Call for each run of rows whose cell reaches into an area. */
export function eachRun({ first, reach }: Hsps, { x, y, width, height }: Area, take: (from: number, to: number) => void): void {
  for (let cell = 0; cell < CELLS; cell += 1) {
    const from = first[cell]!;
    const to = first[cell + 1]!;
    if (from === to || reach[4 * cell]! > x + width || reach[4 * cell + 1]! > y + height) continue;
    if (reach[4 * cell + 2]! >= x && reach[4 * cell + 3]! >= y) take(from, to);
  }
}

/** Whether a row's line crosses an area: some of its letters have both places in it. */
export function crosses(hsps: Columns, row: number, area: Area): boolean {
  const [across, up] = [hsps.across[row]!, hsps.up[row]!];
  const right = area.x - hsps.query[row]!;
  const above = hsps.reverse[row] ? hsps.subject[row]! + up - area.y - area.height : area.y - hsps.subject[row]!;
  return Math.max(0, right / across, above / up) <= Math.min(1, (right + area.width) / across, (above + area.height) / up);
}

/** The rows of an area that are shown, up to so many; `all` says whether there are no more. */
export function rowsIn(hsps: Hsps, shown: Uint8Array, area: Area, most: number): { rows: Int32Array; all: boolean } {
  const found = new Int32Array(Math.min(most, hsps.count));
  let count = 0;
  let all = true;
  eachRun(hsps, area, (from, to) => {
    for (let row = from; row < to && all; row += 1) {
      if (!shown[row] || !crosses(hsps, row, area)) continue;
      if (count === found.length) all = false;
      else found[count++] = row;
    }
  });
  return { rows: found.subarray(0, count), all };
}

export const identityOf = (hsps: Columns, row: number): number => (100 * hsps.matches[row]!) / hsps.length[row]!;

/** An alignment's own; of HSPs GECKO's: 4 for each equal letter, -4 for each other one. */
export const scoreOf = (hsps: Columns, row: number): number => hsps.score?.[row] ?? 4 * (2 * hsps.matches[row]! - hsps.length[row]!);

export const nounOf = (hsps: Columns): string => (hsps.score ? "alignment" : "HSP");
