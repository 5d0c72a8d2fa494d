// Which rows the table shows, and in what order.
import { isNumber } from "../result/filter";
import type { Row } from "./load";

export type Column = "place" | "query" | "subject" | "score" | "identity" | "gaps" | "align_len" | "query_from" | "subject_from";

export interface Order {
  column: Column;
  descending: boolean;
}

export interface Wanted {
  words: string;
  score: string;
  identity: string;
  length: string;
}

export const ANY: Wanted = { words: "", score: "", identity: "", length: "" };
export const BY_PLACE: Order = { column: "place", descending: false };

/** What a click on a column asks for: its most telling end first, the next one the other end. */
export function nextOrder(order: Order, column: Column): Order {
  if (order.column === column) return { column, descending: !order.descending };
  return { column, descending: ["score", "identity", "align_len"].includes(column) };
}

export const isFiltered = ({ words, ...numbers }: Wanted): boolean => words.trim() !== "" || Object.values(numbers).some((text) => boundOf(text) !== null);

/** Identical columns in per cent. */
export const identityOf = ({ identity, align_len }: Row): number | null => (identity === null || !align_len ? null : (100 * identity) / align_len);

const valueOf = (row: Row, column: Column): string | number | null => (column === "identity" ? identityOf(row) : row[column]);

export function arrange(rows: Row[], wanted: Wanted, { column, descending }: Order): Row[] {
  const kept = isFiltered(wanted) ? rows.filter(filterOf(wanted)) : rows;
  if (column === "place") return descending ? [...kept].reverse() : kept;
  const sign = descending ? -1 : 1;
  return [...kept].sort((a, b) => compare(valueOf(a, column), valueOf(b, column), sign) || a.place - b.place);
}

/** What is not known stands last, whichever way the rest is turned. */
function compare(a: string | number | null, b: string | number | null, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  return sign * (a < b ? -1 : a > b ? 1 : 0);
}

function filterOf(wanted: Wanted): (row: Row) => boolean {
  const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
  const [score, identity, length] = [boundOf(wanted.score), boundOf(wanted.identity), boundOf(wanted.length)];
  return (row) => {
    if (score !== null && row.score < score) return false;
    if (!reaches(identityOf(row), identity) || !reaches(row.align_len, length)) return false;
    const text = `${row.query} ${row.subject}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** What is not known reaches nothing but zero, which everything does. */
const reaches = (value: number | null, least: number | null): boolean => least === null || least <= 0 || (value !== null && value >= least);

/** A threshold as it is typed; what is no number asks for nothing, and is marked. */
const boundOf = (text: string): number | null => (text === "" || !isNumber(text) ? null : Number(text.replace(/\s*%$/, "")));
