// Which hits the table shows, and in what order.
import type { Hit } from "../api";
import { namedOf } from "./named";

export type Column = "rank" | "accession" | "organism" | "score" | "bits" | "evalue" | "identity" | "query_coverage" | "length" | "database";

/** What is sorted and filtered: hits, or the rows of an MSA. */
export type Listed = Pick<Hit, Exclude<Column, "organism" | "database"> | "title" | "organism"> & Partial<Pick<Hit, "database">>;

export interface Order {
  column: Column;
  descending: boolean;
}

export interface Wanted {
  words: string;
  evalue: string;
  identity: string;
  coverage: string;
  /** Of a taxon and what descends from it: its name, and the ranks of its hits. */
  taxon?: { name: string; ranks: string } | undefined;
}

export const ANY: Wanted = { words: "", evalue: "", identity: "", coverage: "" };
export const BY_RANK: Order = { column: "rank", descending: false };

/** By a column, its most telling end first. */
export const orderBy = (column: Column): Order => ({ column, descending: ["score", "bits", "identity", "query_coverage", "length"].includes(column) });

/** What a click on a column asks for: the first one its order, the next one the other end. */
export const nextOrder = (order: Order, column: Column): Order => (order.column === column ? { column, descending: !order.descending } : orderBy(column));

/** Whether anything is asked for that can be understood. */
export function isFiltered({ words, evalue, identity, coverage, taxon }: Wanted): boolean {
  return taxon !== undefined || words.trim() !== "" || [evalue, identity, coverage].some((text) => bound(text) !== null);
}

export function arrange<T extends Listed>(hits: T[], wanted: Wanted, order: Order): T[] {
  const kept = isFiltered(wanted) ? hits.filter(filterOf(wanted)) : hits;
  if (order.column === "rank") return order.descending ? [...kept].reverse() : kept;
  const sign = order.descending ? -1 : 1;
  return [...kept].sort((a, b) => compare(valueOf(a, order.column), valueOf(b, order.column), sign) || a.rank - b.rank);
}

/** What a column is sorted by. */
const valueOf = (one: Listed, column: Column) => (column === "organism" ? namedOf(one).organism || null : one[column]);

/** What is not known stands last, whichever way the rest is turned. */
function compare(a: string | number | null | undefined, b: string | number | null | undefined, sign: number): number {
  if (a === null || a === undefined || b === null || b === undefined) return Number(a === null || a === undefined) - Number(b === null || b === undefined);
  return sign * (a < b ? -1 : a > b ? 1 : 0);
}

/** The hits that only a threshold of identity or coverage hides, because they are not aligned and have neither. */
export function hiddenUnaligned(hits: Hit[], wanted: Wanted): Hit[] {
  if (![wanted.identity, wanted.coverage].some((text) => (bound(text) ?? 0) > 0)) return [];
  return hits.filter(filterOf({ ...wanted, identity: "", coverage: "" })).filter((hit) => hit.hsps.length === 0);
}

function filterOf(wanted: Wanted): (hit: Listed) => boolean {
  const words = wanted.words.toLowerCase().split(/\s+/).filter(Boolean);
  const evalue = bound(wanted.evalue);
  const identity = bound(wanted.identity);
  const coverage = bound(wanted.coverage);
  const among = wanted.taxon && ranksOf(wanted.taxon.ranks);
  return (hit) => {
    if (among && !among.has(hit.rank)) return false;
    if (evalue !== null && !(hit.evalue !== null && hit.evalue <= evalue)) return false;
    if (!reaches(hit.identity, identity) || !reaches(hit.query_coverage, coverage)) return false;
    if (words.length === 0) return true;
    const text = `${hit.accession} ${hit.title} ${hit.organism ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** What is not known reaches nothing but zero, which everything does. */
function reaches(percent: number | null, least: number | null): boolean {
  return least === null || least <= 0 || (percent !== null && percent >= least);
}

/** A threshold as it is typed; what is no number asks for nothing, and is marked. */
function bound(text: string): number | null {
  return text === "" || !isNumber(text) ? null : numberOf(text);
}

/** A percent sign says nothing new. */
const numberOf = (text: string): number => Number(text.replace(/\s*%$/, ""));

export const isNumber = (text: string): boolean => Number.isFinite(numberOf(text));

/** Ranks as the interface takes them, in runs: 1-20,23. */
export function rangesOf(ranks: Iterable<number>): string {
  const runs: [number, number][] = [];
  for (const rank of [...ranks].sort((a, b) => a - b)) {
    const last = runs[runs.length - 1];
    if (last && rank === last[1] + 1) last[1] = rank;
    else runs.push([rank, rank]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(",");
}

/** Ranks that the interface tells in runs. */
function ranksOf(text: string): Set<number> {
  const ranks = new Set<number>();
  for (const run of text.split(",")) {
    const [first = 0, last = first] = run.split("-").map(Number);
    for (let rank = first; rank <= last; rank += 1) ranks.add(rank);
  }
  return ranks;
}
