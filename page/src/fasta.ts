// The live check of a query: the rules, places and words of shardwater/sequences/fasta.py, so that nothing sent is refused.
import type { QueryWarning } from "./api";
import { describeLetter, isPir, PIR, recognise, STOCKHOLM, WORDS } from "./foreign";

export interface Record {
  id: string;
  length: number;
}

export interface Fault {
  detail: string;
  record: number | null;
  line: number | null;
  column: number | null;
}

export interface Check {
  records: Record[];
  /** What is odd about them, as the server will say. */
  warnings: QueryWarning[];
  residues: number;
  longest: number;
  replaced: { [letter: string]: number };
  fault: Fault | null;
  /** Whether it is a profile in place of sequences. */
  isProfile?: boolean;
}

/** The rule of shardwater/search/warnings.py for records that look like DNA. */
const LEAST_NUCLEOTIDES = 20;
const SHARE = 90;
const MOST_WARNINGS = 20;
const NO_NUCLEOTIDES = /[^ACGTUN]+/gi;

const BLANKS = /[ \t\v\f]/g;
const HEADER = /^[ \t\v\f]*>/;
const COMMENT = /^[ \t\v\f]*[;#!]/;
const STRANGER = /[^A-Za-z* \t\v\f]/;

/** What a text holds, and the first thing that is wrong with it. */
export function checkFasta(text: string): Check {
  const lines = linesOf(text);
  const read = lines.join("\n");
  const walk = new Walk(!lines.some(isHeader), isPir(read) ? PIR : recognise(read) === WORDS ? WORDS : null);
  for (const line of lines) {
    if (isHeader(line)) walk.header(line);
    else walk.letters(line);
    if (walk.fault) break;
    walk.line += 1;
  }
  const check = walk.end();
  const foreign = check.fault?.line ? recognise(read) : null;
  return foreign && check.fault ? { ...check, fault: { ...check.fault, detail: foreign } } : check;
}

/** Whether a record begins in a line. */
export const isHeader = (line: string): boolean => HEADER.test(line);

/** Whether a line of FASTA is a comment, as BLAST+ has them. */
export const isComment = (line: string): boolean => COMMENT.test(line);

/** The lines of FASTA; comments are empty, but not the first line of a Stockholm alignment, by which it is recognised. */
export const linesOf = (text: string): string[] =>
  text
    .replace(/^\uFEFF/, "")
    .split(/\r\n?|\n/)
    .map((line, place) => (isComment(line) && !(place === 0 && line.startsWith(STOCKHOLM)) ? "" : line));

class Walk {
  line = 1;
  fault: Fault | null = null;
  private records: Record[] = [];
  private warnings: QueryWarning[] = [];
  private residues = 0;
  private nucleotides = 0;
  private replaced: { [letter: string]: number } = {};
  private headerLine: number | null = null;

  constructor(bare: boolean, private readonly foreign: string | null) {
    if (bare) this.records.push({ id: "query_1", length: 0 });
  }

  header(line: string): void {
    if (this.closeRecord()) return;
    const nul = line.indexOf("\0");
    const id = line.replace(HEADER, "").trim().split(/[ \t\v\f]+/)[0] || `query_${this.records.length + 1}`;
    this.records.push({ id, length: 0 });
    this.nucleotides = 0;
    this.headerLine = this.line;
    if (nul >= 0) this.fail("NUL byte in a header", new TextEncoder().encode(line.slice(0, nul)).length);
  }

  letters(line: string): void {
    const first = line.search(/[^ \t\v\f]/);
    if (first < 0) return;
    if (this.records.length === 0) return this.fail("text before the first '>'", first);
    if (this.foreign) return this.fail(this.foreign, first);
    const stranger = line.search(STRANGER);
    if (stranger >= 0) return this.fail(describeLetter(line.slice(stranger)), stranger);
    const letters = line.replace(BLANKS, "");
    const record = this.records[this.records.length - 1];
    if (record) record.length += letters.length;
    this.residues += letters.length;
    this.nucleotides += letters.replace(NO_NUCLEOTIDES, "").length;
    for (const letter of letters.match(/[uoj]/gi) ?? []) {
      const upper = letter.toUpperCase();
      this.replaced[upper] = (this.replaced[upper] ?? 0) + 1;
    }
  }

  end(): Check {
    if (!this.fault) this.closeRecord();
    if (!this.fault && this.residues === 0) {
      this.fault = { detail: "no sequence found", record: null, line: null, column: null };
    }
    const longest = this.records.reduce((most, record) => Math.max(most, record.length), 0);
    return { records: this.records, warnings: this.warnings, residues: this.residues, longest, replaced: this.replaced, fault: this.fault };
  }

  /** Whether the record that ends here has no residues. */
  private closeRecord(): boolean {
    const length = this.records[this.records.length - 1]?.length ?? 0;
    if (length >= LEAST_NUCLEOTIDES && 100 * this.nucleotides >= SHARE * length && this.warnings.length < MOST_WARNINGS) {
      this.warnings.push({ query: this.records.length, code: "looks-like-dna", detail: dnaText(Math.floor((100 * this.nucleotides) / length)) });
    }
    if (this.headerLine === null || length > 0) return false;
    const detail = "a record with no residues";
    this.fault = { detail, record: this.records.length, line: this.headerLine, column: null };
    return true;
  }

  private fail(detail: string, at: number): void {
    this.fault = { detail, record: this.records.length, line: this.line, column: at + 1 };
  }
}

export const OF_DNA = "Translate DNA first. For genomes use Compare; for pairs of DNA use Align";

const dnaText = (share: number): string =>
  `${share} % of its letters are A, C, G, T, U or N: nucleotide FASTA where a protein is expected? It is searched as a protein. ${OF_DNA}`;

/** A fault in one line, as the server words it. */
export function faultText(fault: Fault): string {
  const place = [
    // What stands before the first header is in no record.
    fault.record ? `record ${fault.record}` : "",
    fault.line !== null ? `line ${fault.line}` : "",
    fault.column !== null ? `column ${fault.column}` : "",
  ].filter(Boolean);
  return place.length ? `${place.join(", ")}: ${fault.detail}` : fault.detail;
}

/** Where a fault lies in the text, to put the cursor there. */
export function offsetOf(text: string, fault: Fault): number {
  let at = 0;
  for (let line = 1; line < (fault.line ?? 1); line += 1) at = text.indexOf("\n", at) + 1;
  return at + (fault.column ?? 1) - 1;
}

/** What a search is called that nobody has named: by its first query. */
export function titleOf(queries: { id: string }[]): string {
  const first = queries[0]?.id ?? "";
  return queries.length > 1 ? `${first} and ${queries.length - 1} more` : first;
}

/** The n-th record of a valid text, from 1, without comments. */
export function recordOf(text: string, number: number): string {
  const lines = linesOf(text);
  const begins = lines.flatMap((line, place) => (isHeader(line) ? [place] : []));
  return (begins.length ? lines.slice(begins[number - 1], begins[number]) : lines).join("\n");
}
