// The parameters of a job of pairs as the form has them: which of them count, what is wrong with them, and what is sent.
import { boot } from "../api";
import { faultsIn, type Choice, type Faults, type Numeric, type Values } from "../fields";
import type { Letters, PairFields } from "./types";

export const FIELDS: PairFields = boot.pairs ?? { about: {}, usual: { protein: {} as never, dna: {} as never } };
/** A mode of the form's own: some ends. */
export const FREE = "free";
export const ENDS: [string, string][] = [
  ["query_begin", "the query's begin"],
  ["query_end", "the query's end"],
  ["subject_begin", "the subject's begin"],
  ["subject_end", "the subject's end"],
];
const MOST_SCORE = 1e6;
const MOST_GAP = 1e9;
const MOST_APART = 2 ** 31 - 1;
/** A gap's cost: one digit after the point at most. */
const TENTHS = /^\d+(?:\.\d?)?$/;

const about = (name: string): string => FIELDS.about[name]?.replaceAll("`", "") ?? "";

export const CHOICES: { [name: string]: Choice } = {
  pairing: { label: "Pairs", about: about("pairing"), values: [["zip", "first with first, second with second"], ["all", "each query with each subject"]] },
  mode: { label: "Mode", about: about("mode"), values: [["local", "local: the best stretch of both"], ["global", "global: from end to end"], ["semi-global", "semi-global: all four ends are free"], [FREE, "some ends are free…"]] },
  alphabet: { label: "Letters", about: about("alphabet"), values: [["", "as they look"], ["protein", "proteins"], ["dna", "DNA"]] },
  strand: { label: "Strands of the query", about: about("strand"), values: [["forward", "as it is given"], ["both", "both, whichever scores better"]] },
  report: { label: "Report", about: about("report"), values: [["alignment", "alignments, column by column"], ["ends", "scores and ends"], ["score", "scores alone"]] },
};

/** The gap costs that are usual for a matrix. */
function costsOf(matrix: string): { gap_open: number; gap_extend: number } | undefined {
  return boot.parameters.matrices.find((known) => known.matrix === matrix)?.gap_costs.find(({ recommended }) => recommended);
}

const numeric = (name: string, label: string, empty: string, least: number, most: number, whole = true): Numeric => ({ label, empty, least, most, whole, about: about(name) });

/** The numbers that count with these values and letters. */
export function numbersOf(values: Values, letters: Letters): { [name: string]: Numeric } {
  const usual = FIELDS.usual[letters];
  const costs = letters === "dna" ? usual : (costsOf(values.matrix || usual.matrix || "") ?? usual);
  const several = isSeveral(values, letters);
  const numbers: { [name: string]: Numeric } = {};
  if (letters === "dna" && !values.table) {
    numbers.match = numeric("match", "Match", String(usual.match), -MOST_SCORE, MOST_SCORE);
    numbers.mismatch = numeric("mismatch", "Mismatch", String(usual.mismatch), -MOST_SCORE, MOST_SCORE);
  }
  numbers.gap_open = numeric("gap_open", "Gap open", String(costs.gap_open), 0, MOST_GAP, false);
  numbers.gap_extend = numeric("gap_extend", "Gap extend", String(costs.gap_extend), 0, MOST_GAP, false);
  if (several) numbers.best = numeric("best", "Alignments of a pair", "1", 1, 1000);
  if (several && Number(values.best) > 1) {
    numbers.query_apart = numeric("query_apart", "Apart, letters of the query", "5", 0, MOST_APART);
    numbers.subject_apart = numeric("subject_apart", "Apart, letters of the subject", "5", 0, MOST_APART);
  }
  return numbers;
}

/** Whether several alignments of a pair may be asked for. */
const isSeveral = ({ mode, strand }: Values, letters: Letters): boolean => !mode && !(letters === "dna" && strand === "both");

/** The choices that count. */
export const choicesOf = (letters: Letters): string[] => Object.keys(CHOICES).filter((name) => name !== "strand" || letters === "dna");

/** What is wrong with each field's text. */
export function faultsOf(values: Values, letters: Letters): Faults {
  const faults = faultsIn(numbersOf(values, letters), values);
  for (const name of ["gap_open", "gap_extend"]) {
    if (values[name] && !faults[name] && !TENTHS.test(values[name])) faults[name] = "one digit after the point at most";
  }
  return faults;
}

/** The fields of a request: what differs from the defaults, and counts. */
export function valuesOf(values: Values, letters: Letters): { [name: string]: unknown } {
  const numbers = numbersOf(values, letters);
  const texts = [...choicesOf(letters), letters === "dna" ? "table" : "matrix", "title"];
  const sent: { [name: string]: unknown } = {};
  for (const [name, text] of Object.entries(values)) {
    if (!text) continue;
    if (Object.hasOwn(numbers, name)) sent[name] = Number(text);
    else if (texts.includes(name)) sent[name] = text;
  }
  if (sent.mode === FREE) {
    delete sent.mode;
    sent.free_ends = endsOf(values);
  }
  return sent;
}

export const endsOf = ({ free_ends }: Values): string[] => (free_ends ?? "").split(/[\s,]+/).filter(Boolean);
