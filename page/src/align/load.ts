// The pairs of a result, read line by line from the job's table, and the letters of one of them.
import { useEffect, useReducer, useState } from "preact/hooks";
import { ask, isAbort, problemOf, type Problem } from "../api";
import { plural } from "../numbers";
import type { Shown } from "../result/alignment";
import { useProblem } from "../trouble";
import type { Alignment } from "./types";

/** Rows that a browser can hold and scroll through; files have the rest. */
export const MOST_ROWS = 200_000;
/** Columns that are shown as letters; files have the rest. */
export const MOST_COLUMNS = 12_000;
/** Of longer alignments the letters are not asked for. */
const MOST_ASKED = 5_000_000;
const NAMES = ["query", "subject", "score", "strand", "rank"];
const ENDS = ["query_from", "query_to", "subject_from", "subject_to"];
const COLUMNS = ["identity", "positive", "gaps", "align_len"];
/** As srspair has it. */
const LINE = 50;
const MARKS_AT = 21;
const HEAD_RULE = /^#=+$/m;

/** An alignment of a pair; null is what was not asked for, or there is none. */
export interface Row {
  /** Its place in the list, from 1. */
  place: number;
  /** Its pair's, from 1. */
  pair: number;
  rank: number;
  query: string;
  subject: string;
  score: number;
  strand: string;
  query_from: number | null;
  query_to: number | null;
  subject_from: number | null;
  subject_to: number | null;
  identity: number | null;
  positive: number | null;
  gaps: number | null;
  align_len: number | null;
}

/** What the job's report has. */
export function columnsOf({ parameters: { report } }: Alignment): string[] {
  return [...NAMES, ...(report === "score" ? [] : ENDS), ...(report === "alignment" ? COLUMNS : [])];
}

/** What pairs are called that nobody has named. */
export const namedPairs = (query: string, subject: string, pairs: number): string => `${query} and ${subject}${pairs > 1 ? `, and ${plural(pairs - 1, "more pair")}` : ""}`;

/** The first rows of a result, once they are here, the share that is, and what keeps them from coming. */
export function useRowsOf(job: Alignment): { rows?: Row[]; share: number; problem?: Problem } {
  const [rows, setRows] = useState<Row[]>();
  const [share, setShare] = useState(0);
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    const controller = new AbortController();
    load(job, controller.signal, setShare).then(setRows, (error: unknown) => { if (!isAbort(error)) setProblem(problemOf(error)); });
    return () => controller.abort();
  }, [job.id, asked]);
  return { rows, share, problem };
}

async function load(job: Alignment, signal: AbortSignal, progress: (share: number) => void): Promise<Row[]> {
  const names = columnsOf(job);
  const pairs = Math.min(MOST_ROWS, job.certificate?.pairs ?? 0);
  if (pairs === 0) return [];
  const reply = await ask(`/v1/alignments/${job.id}/results?format=tab&columns=${names.join(",")}&pairs=1-${pairs}`, { signal });
  const reader = reply.body!.pipeThrough(new TextDecoderStream()).getReader();
  const rows: Row[] = [];
  let pair = 0;
  let rest = "";
  let header = true;
  while (rows.length < MOST_ROWS) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = (rest + value).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      // By its place: names may begin with a # too.
      if (header) {
        header = false;
        continue;
      }
      const cells = line.split("\t");
      if (cells[4] === "1") pair += 1;
      rows.push(rowOf(names, cells, rows.length + 1, pair));
    }
    progress(pair / pairs);
  }
  void reader.cancel();
  return rows.slice(0, MOST_ROWS);
}

function rowOf(names: string[], cells: string[], place: number, pair: number): Row {
  const number = (name: string) => {
    const text = cells[names.indexOf(name)];
    return text === undefined || text === "N/A" ? null : Number(text);
  };
  const [query = "", subject = "", score, strand = "+", rank] = cells;
  const numbers = Object.fromEntries([...ENDS, ...COLUMNS].map((name) => [name, number(name)]));
  return { place, pair, rank: Number(rank), query, subject, score: Number(score), strand, ...numbers } as Row;
}

/** Whether there is an alignment to show. */
export const isAligned = ({ align_len }: Row): boolean => (align_len ?? 0) > 0;

/** Whether its letters are asked for. */
export const isShown = (row: Row): boolean => isAligned(row) && row.align_len! <= MOST_ASKED;

const letters = new Map<string, Promise<Shown>>();

/** The first columns of a row's alignment, as they are read. */
export function lettersOf(job: Alignment, row: Row): Promise<Shown> {
  const key = `${job.id} ${row.place}`;
  const found = letters.get(key) ?? loadLetters(job, row);
  letters.set(key, found);
  found.catch(() => letters.delete(key));
  return found;
}

async function loadLetters(job: Alignment, row: Row): Promise<Shown> {
  const reply = await ask(`/v1/alignments/${job.id}/results?format=srspair&pairs=${row.pair}`);
  const back = row.strand === "-";
  const columns = Math.min(row.align_len!, MOST_COLUMNS);
  return {
    query_from: back ? row.query_to! : row.query_from!,
    query_to: back ? row.query_from! : row.query_to!,
    hit_from: row.subject_from!,
    hit_to: row.subject_to!,
    align_len: columns,
    ...shownOf(await reply.text(), row.rank, columns),
  };
}

/** The first columns of an alignment in EMBOSS's text, by its number there, from 1. */
export function shownOf(text: string, number: number, columns: number): Pick<Shown, "qseq" | "hseq" | "midline"> {
  // Two rules around each header: what follows the second one is the alignment.
  const body = text.split(HEAD_RULE)[2 * number] ?? "";
  const lines = body.split("\n").slice(2);
  const shown = { qseq: "", hseq: "", midline: "" };
  for (let at = 0; at < Math.ceil(columns / LINE); at += 1) {
    const [query = "", marks = "", subject = ""] = lines.slice(4 * at, 4 * at + 3);
    const top = lettersIn(query);
    shown.qseq += top;
    shown.hseq += lettersIn(subject);
    shown.midline += Array.from(top, (letter, place) => ({ "|": letter, ":": "+" })[marks[MARKS_AT + place] ?? ""] ?? " ").join("");
  }
  return { qseq: shown.qseq.slice(0, columns), hseq: shown.hseq.slice(0, columns), midline: shown.midline.slice(0, columns) };
}

/** A name of up to 13 letters, a place, the letters, another place. */
const lettersIn = (line: string): string => line.slice(13).trim().split(/ +/)[1] ?? "";
