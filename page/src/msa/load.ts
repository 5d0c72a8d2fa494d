// The rows of an MSA, read line by line from its JSON as it comes.
import { useEffect, useReducer, useState } from "preact/hooks";
import { ask, isAbort, problemOf, type Problem } from "../api";
import type { Listed } from "../result/filter";
import { useProblem } from "../trouble";
import type { Searched } from "./types";

/** Letters of all rows together: what a page of a browser holds with ease. */
const MOST_LETTERS = 100_000_000;

export interface Row extends Listed {
  organism: string | null;
  /** Of a member of a cluster the accession of the subject that stands for it. */
  representative?: string | null;
  /** Where the alignment is, from 1, the last one included. */
  query_from: number;
  query_to: number;
  hsps: { hit_from: number; hit_to: number }[];
  /** In A3M, from the first to the last of its positions. */
  text: string;
  /** Codes of the letters and gaps in the query's positions alone, from the first to the last. */
  letters: Uint8Array;
}

export interface Rows {
  searched: Searched | null;
  query: Uint8Array;
  rows: Row[];
  /** Whether there are more rows than a browser holds. */
  cut: boolean;
}

/** A row of the JSON that shardwater/formats/msas/json_text.py writes. */
interface Told extends Omit<Row, "rank" | "accession" | "letters" | "text" | "hsps"> {
  name: string;
  hit_from: number;
  hit_to: number;
  row: string;
}

interface Head {
  searched: Searched | null;
  query: { row: string };
}

const HYPHEN = 45;
/** Where none of a chain's rows is of a pair's organism: a row of gaps. */
const NO_PARTNER = "no partner";

export function rowOf(told: Told, rank: number, columns: number): Row {
  const { name, row, hit_from, hit_to, ...rest } = told;
  const text = row.slice(told.query_from - 1, row.length - (columns - told.query_to));
  const letters = new Uint8Array(Math.max(0, told.query_to - told.query_from + 1));
  for (let at = 0, place = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 97) letters[place++] = code === HYPHEN ? 0 : code;
  }
  return { ...rest, rank, accession: name || NO_PARTNER, hsps: [{ hit_from, hit_to }], text, letters };
}

async function load(path: string, signal: AbortSignal, progress: (rows: number) => void): Promise<Rows> {
  const reply = await ask(path, { signal });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  let head: Head | undefined;
  let rest = "";
  const rows: Row[] = [];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("the MSA ended before its last row");
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      if (!head) head = JSON.parse(`${line}]}`) as Head;
      const columns = head.query.row.length;
      const cut = (rows.length + 1) * columns > MOST_LETTERS;
      if (line === "]}" || cut) {
        void reader.cancel();
        return { searched: head.searched, query: new TextEncoder().encode(head.query.row), rows, cut };
      }
      if (line.startsWith("{\"name\"")) rows.push(rowOf(JSON.parse(line.replace(/,$/, "")) as Told, rows.length + 1, columns));
    }
    progress(rows.length);
  }
}

/** The rows of one chain, and how many are here until they all are. */
export function useRows(path: string): { found?: Rows; here: number; problem?: Problem } {
  const [found, setFound] = useState<Rows & { path: string }>();
  const [here, setHere] = useState(0);
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    const controller = new AbortController();
    setFound(undefined);
    setHere(0);
    setProblem(undefined);
    load(path, controller.signal, setHere).then((rows) => setFound({ ...rows, path }), (error: unknown) => {
      if (!isAbort(error)) setProblem(problemOf(error));
    });
    return () => controller.abort();
  }, [path, asked]);
  return { found: found?.path === path ? found : undefined, here, problem };
}
