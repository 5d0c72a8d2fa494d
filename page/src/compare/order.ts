// The table's rows: those that pass the filter, or those of them in view, sorted by a column.
import { identityOf, scoreOf, type Hsps } from "./hsps";

export type Column = "query" | "subject" | "length" | "identity" | "score";

export interface Order {
  column: Column;
  descending: boolean;
}

/** What an HSP must have to be drawn and listed; empty strings ask for nothing. */
export interface Wanted {
  length: string;
  identity: string;
  strand: "" | "+" | "-";
}

export const LONGEST_FIRST: Order = { column: "length", descending: true };
export const ANY: Wanted = { length: "", identity: "", strand: "" };

export const isFiltered = (wanted: Wanted): boolean => Boolean(wanted.length || wanted.identity || wanted.strand);

/** Which rows pass a filter: 1 or 0 of each. */
export function passing(hsps: Hsps, wanted: Wanted): Uint8Array {
  const shown = new Uint8Array(hsps.count);
  const length = Number(wanted.length) || 0;
  const identity = Number(wanted.identity) || 0;
  const not = wanted.strand === "" ? -1 : wanted.strand === "+" ? 1 : 0;
  for (let row = 0; row < hsps.count; row += 1) {
    if (hsps.length[row]! >= length && hsps.reverse[row] !== not && identityOf(hsps, row) >= identity) shown[row] = 1;
  }
  return shown;
}

/** Bits of a row's number: the rest of the 53 that a float keeps exactly is the value that is sorted by. */
const ROW_BITS = 2 ** 22;
const MOST_VALUE = 2 ** 31 - 1;

/** These rows by a column, with equal ones in their order; numbers sort without a call for each comparison. */
export function sorted(hsps: Hsps, rows: Int32Array, { column, descending }: Order): Int32Array {
  const keys = new Float64Array(rows.length);
  const value = valueOf(hsps, column);
  for (let place = 0; place < rows.length; place += 1) {
    const known = value(rows[place]!);
    keys[place] = (descending ? MOST_VALUE - known : known) * ROW_BITS + rows[place]!;
  }
  keys.sort();
  const found = new Int32Array(rows.length);
  for (let place = 0; place < found.length; place += 1) found[place] = keys[place]! % ROW_BITS;
  return found;
}

/** What a row is sorted by: whole, from 0 to MOST_VALUE. */
function valueOf(hsps: Hsps, column: Column): (row: number) => number {
  if (column === "identity") return (row) => Math.round(identityOf(hsps, row) * 1e7);
  if (column === "score") return (row) => Math.max(0, scoreOf(hsps, row));
  const values = hsps[column];
  return (row) => values[row]!;
}

/** The order after a click on a column's head: the other way round, or its usual one. */
export function nextOrder(order: Order, column: Column): Order {
  const usual = column === "length" || column === "identity" || column === "score";
  return { column, descending: order.column === column ? !order.descending : usual };
}
