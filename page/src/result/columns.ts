// The columns of the table of hits: which of them are shown, and how wide each is.
import { boot } from "../api";
import { read, write } from "../history";
import type { Column } from "./filter";

export interface Shown {
  column: Column;
  label: string;
  class: string;
  /** A class of its cells below the head. */
  cell: string;
  /** Of a track of the row's grid, on a screen and on paper. */
  wide: string;
  paper: string;
}

const ALL: Shown[] = [
  { column: "rank", label: "#", class: "num", cell: "hit-rank", wide: "46px", paper: "34px" },
  { column: "accession", label: "Accession and title", class: "", cell: "hit-name", wide: "minmax(0, 1fr)", paper: "minmax(0, 1fr)" },
  { column: "organism", label: "Organism", class: "", cell: "hit-organism", wide: "minmax(90px, 20%)", paper: "minmax(0, 0.6fr)" },
  { column: "database", label: "Database", class: "", cell: "hit-database", wide: "minmax(76px, 10%)", paper: "minmax(0, 0.4fr)" },
  { column: "score", label: "Score", class: "num hide-narrow", cell: "", wide: "62px", paper: "44px" },
  { column: "bits", label: "Bits", class: "num", cell: "hit-bits", wide: "60px", paper: "44px" },
  { column: "evalue", label: "E-value", class: "num", cell: "hit-evalue", wide: "76px", paper: "62px" },
  { column: "identity", label: "Identity %", class: "num", cell: "hit-identity", wide: "84px", paper: "70px" },
  { column: "query_coverage", label: "Coverage %", class: "num", cell: "hit-coverage", wide: "132px", paper: "74px" },
  { column: "length", label: "Length", class: "num hide-narrow", cell: "", wide: "68px", paper: "50px" },
];

const USUAL: Column[] = ["rank", "accession", "organism", "bits", "evalue", "identity", "query_coverage"];
/** What every row has, as far as hits have it. */
const FIXED: Column[] = ["rank", "accession", "database"];
const KEY = `shardwater:${boot.root}:columns`;

/** Those that may be shown or not, of hits that have these. */
export const choices = (has: (column: Column) => boolean): Shown[] => ALL.filter(({ column }) => !FIXED.includes(column) && has(column));

export const chosenColumns = (): Column[] => read<Column[]>(KEY, USUAL);

export const keepColumns = (columns: Column[]): void => write(KEY, columns);

/** The columns of a table, in their order. Of hits without bits the score tells how good they are. */
export function columnsOf(chosen: Column[], has: (column: Column) => boolean): Shown[] {
  const wanted = [...FIXED, ...chosen, ...(chosen.includes("bits") && !has("bits") ? ["score"] : [])];
  return ALL.filter(({ column }) => wanted.includes(column) && has(column));
}
