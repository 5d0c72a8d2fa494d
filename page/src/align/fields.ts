// The parameters of a job of pairs as the form has them: which of them count, what is wrong with them, and what is sent.
import { boot, parameter } from "../api";
import { faultsIn, sentOf, type Faults, type Labels, type Preset, type Values } from "../fields";
import type { Letters } from "./types";

/** A mode of the form's own: some ends. */
export const FREE = "free";
export const LABELS: Labels = {
  pairing: "Pairs",
  mode: "Mode",
  free_ends: "Free ends; without any it is global",
  alphabet: "Letters",
  matrix: "Matrix",
  match: "Match",
  mismatch: "Mismatch",
  gap_open: "Gap open",
  gap_extend: "Gap extend",
  strand: "Strands of the query",
  report: "Report",
  best: "Alignments of a pair",
  query_apart: "Apart, letters of the query",
  subject_apart: "Apart, letters of the subject",
  table: "Scores",
};
export const PRESETS: Preset[] = [
  { name: "Standard", about: "The best stretch that both sequences have", values: {} },
  { name: "Proteins, end to end", about: "Proteins alike as a whole, aligned globally", values: { alphabet: "protein", mode: "global" } },
  { name: "Amplicons", about: "DNA of one locus, aligned globally, on the strand that fits", values: { alphabet: "dna", mode: "global", strand: "both" } },
  {
    name: "Reads in a reference",
    about: "All of each DNA query somewhere in each subject, on either strand",
    values: { alphabet: "dna", mode: FREE, free_ends: "subject_begin subject_end", strand: "both", pairing: "all" },
  },
];
const COSTS = ["gap_open", "gap_extend"];
/** A gap's cost: one digit after the point at most. */
const TENTHS = /^\d+(?:\.\d?)?$/;

/** What is taken of such letters where nothing is said. */
export function usualOf(name: string, letters: Letters): string {
  const known = parameter(name);
  return String(known?.usual?.[letters] ?? known?.default ?? "");
}

/** What stands in an empty field: gap costs go by the matrix. */
export function emptyOf(name: string, values: Values, letters: Letters): string {
  const usual = usualOf(name, letters);
  if (letters === "dna" || !COSTS.includes(name)) return usual;
  const matrix = values.matrix || usualOf("matrix", letters);
  const costs = boot.parameters.matrices.find((known) => known.matrix === matrix)?.gap_costs.find(({ recommended }) => recommended);
  return costs ? String(costs[name as "gap_open" | "gap_extend"]) : usual;
}

/** Whether several alignments of a pair may be asked for. */
const isSeveral = ({ mode, strand }: Values, letters: Letters): boolean => !mode && !(letters === "dna" && strand === "both");

/** The fields that count with these values and letters, in their order. */
export function namesOf(values: Values, letters: Letters): string[] {
  const isDna = letters === "dna";
  const several = isSeveral(values, letters);
  const counts: { [name: string]: boolean } = {
    free_ends: values.mode === FREE,
    matrix: !isDna,
    match: isDna && !values.table,
    mismatch: isDna && !values.table,
    strand: isDna,
    table: isDna,
    best: several,
    query_apart: several && Number(values.best) > 1,
    subject_apart: several && Number(values.best) > 1,
  };
  return Object.keys(LABELS).filter((name) => counts[name] !== false);
}

/** What is wrong with each field's text. */
export function faultsOf(values: Values, letters: Letters): Faults {
  const faults = faultsIn(namesOf(values, letters), values);
  for (const name of COSTS) {
    if (values[name] && !faults[name] && !TENTHS.test(values[name])) faults[name] = "one digit after the point at most";
  }
  return faults;
}

/** The fields of a request: what differs from the defaults, and counts. */
export function valuesOf(values: Values, letters: Letters): { [name: string]: unknown } {
  const sent = sentOf([...namesOf(values, letters), "title"], values);
  if (sent.mode !== FREE) return sent;
  delete sent.mode;
  return { ...sent, free_ends: endsOf(values) };
}

export const endsOf = ({ free_ends }: Values): string[] => (free_ends ?? "").split(/[\s,]+/).filter(Boolean);
