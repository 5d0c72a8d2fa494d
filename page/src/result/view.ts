// How somebody looks at a query's hits: kept while the tab is open, so that going to and fro loses nothing.
import { boot } from "../api";
import { read, write } from "../history";
import { ANY, BY_RANK, type Order, type Wanted } from "./filter";

export interface View {
  wanted: Wanted;
  order: Order;
  /** Ranks. */
  open: number[];
  selected: number[];
  /** Whether the histogram has all scores. */
  far?: boolean;
  /** Whether hits are shown aligned to the query, and not in the table. */
  anchored?: boolean;
  /** How far down. */
  top?: number;
}

const FIRST: View = { wanted: ANY, order: BY_RANK, open: [], selected: [] };

const keyOf = (search: string): string => `shardwater:${boot.root}:views:${search}`;

export function viewOf(search: string, query: number): View {
  return { ...FIRST, ...views(search)[query] };
}

export function keepView(search: string, query: number, news: Partial<View>): void {
  const all = views(search);
  all[query] = { ...FIRST, ...all[query], ...news };
  write(keyOf(search), all, sessionStorage);
}

const SCORES = `shardwater:${boot.root}:scores`;

/** Whether the distribution of scores is unfolded: the same for all results in this browser. */
export const scoresShown = (): boolean => read(SCORES, false);

export const keepScores = (shown: boolean): void => write(SCORES, shown);

const views = (search: string) => read<{ [query: number]: View }>(keyOf(search), {}, sessionStorage);
