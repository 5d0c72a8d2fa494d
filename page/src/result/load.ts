// A result query by query, page by page: what is shown first comes first, and the rest while one reads.
import { useEffect, useReducer, useState } from "preact/hooks";
import { askJson, isAbort, problemOf, type Hit, type Problem, type QueryResult, type SearchResult } from "../api";
import { useAnswer, useProblem } from "../trouble";

const FIRST_PAGE = 200;
const LATER_PAGES = 1000;

/** One query's part of the result as far as it is here. */
export interface Part {
  number: number;
  whole: SearchResult;
  one: QueryResult;
  hits: Hit[];
  complete: boolean;
}

/** The n-th query's part, told page by page until it is complete. */
export async function loadPart(search: string, number: number, signal: AbortSignal, tell?: (part: Part) => void): Promise<Part> {
  let hits: Hit[] = [];
  let token = "";
  for (;;) {
    const size = hits.length ? LATER_PAGES : FIRST_PAGE;
    const address = `/v1/searches/${search}/results?query=${number}&page_size=${size}&page_token=${encodeURIComponent(token)}`;
    const whole = await askJson<SearchResult>(address, { signal });
    const one = whole.results[0];
    if (!one) throw new Error("the result has no such query");
    hits = [...hits, ...one.hits];
    token = whole.next_page_token ?? "";
    const part = { number, whole, one, hits, complete: token === "" };
    tell?.(part);
    if (part.complete) return part;
  }
}

/** The n-th query's part, if one is wanted; it grows until it is complete. */
export function usePart(search: string, number: number | undefined): { part?: Part; problem?: Problem } {
  const [part, setPart] = useState<Part>();
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    if (number === undefined) return;
    const controller = new AbortController();
    setProblem(undefined);
    loadPart(search, number, controller.signal, setPart).catch((error: unknown) => { if (!isAbort(error)) setProblem(problemOf(error)); });
    return () => controller.abort();
  }, [search, number, asked]);
  return { part, problem };
}

/** What the index of queries says of one. */
export interface IndexEntry {
  id: string;
  title: string;
  length: number;
  hits: number;
  score: number | null;
  bits: number | null;
  evalue: number | null;
}

/** Every query of a search with its best hit; undefined until it is here. It waits for the first hits: those are read first. */
export function useIndex(search: string, hitsAreHere: boolean): IndexEntry[] | undefined {
  return useAnswer<IndexEntry[]>(hitsAreHere ? `/searches/${search}/queries` : undefined);
}
