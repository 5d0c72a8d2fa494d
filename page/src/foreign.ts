// Text that is no FASTA, recognised by its beginning and its letters: the rules and words of shardwater/sequences/foreign.py.

const BEGINNING = 4096;
export const STOCKHOLM = "# STOCKHOLM";

const PLAIN = "save its sequences as plain text";
/** As Windows-1252 has the bytes; read as UTF-8, those that are not ASCII are U+FFFD. */
const SIGNS: [string, string][] = [
  ["\x1f\u2039\b", "a gzip file: unpack it first"],
  ["BZh91AY&SY", "a bzip2 file: unpack it first"],
  ["\u00fd7zXZ", "an xz file: unpack it first"],
  ["PK\x03\x04", `a zip file, as Word and Excel write them: unpack it, or ${PLAIN}`],
  ["%PDF-", `a PDF file: ${PLAIN}`],
  ["{\\rtf", `an RTF file: ${PLAIN}`],
  ["\u00d0\u00cf\x11", `a Word or Excel file: ${PLAIN}`],
  ["LOCUS  ", "a GenBank file: get the entry as FASTA"],
  ["ID   ", "a UniProt or EMBL entry: get the entry as FASTA"],
  ["CLUSTAL", "a Clustal alignment: write it as FASTA, without gaps"],
  [STOCKHOLM, "a Stockholm alignment: write it as FASTA, without gaps"],
];
/** So many of these are files that are no text. */
const BINARY = 7;
const MARKUP: [string, string][] = [["<!doctype html", "an HTML page"], ["<html", "an HTML page"], ["<?xml", "XML"], ["{", "JSON"]];
const NO_TEXT = "this is no text file: sequences in FASTA are needed";
const NUL = "a NUL byte, which no text file has";
export const PIR = "this looks like PIR (NBRF), which has a title between header and sequence: write it as FASTA";
export const WORDS = "this looks like words, not a sequence. Look up a name in a database such as UniProt. If it is a sequence, put a line such as '>query' before it";
/** Letters: words of more are stretches of sequence; a name of more is told by its letters alone. */
const LONGEST_WORD = 30;
const LONGEST_NAME = 60;
/** One O or U in so many letters is a word's. */
const O_AND_U = 30;
const UNSAYABLE = /[^aeiouy]{4}|^[^aeiouy]+$/;
const PIR_HEADER = /^\s*>(?:[PF]1|D[LC]|R[LC]|N[13]|XX);/i;
const ACCESSION = /^(?:[A-Z]{2,3}_?[0-9]{5,9}(?:\.[0-9]+)?|[A-Z][0-9][A-Z0-9]{3}[0-9](?:[A-Z0-9]{3}[0-9])?(?:\.[0-9]+)?|[A-Z]{2,3}\|[A-Z0-9_.-]+(?:\|[A-Z0-9_.-]*)*)$/;

/** What a file is that cannot be shown as text, and what to do: by its beginning, or by letters that no text has. */
export function binaryOf(text: string): string | undefined {
  const beginning = text.slice(0, BEGINNING);
  const sign = SIGNS.slice(0, BINARY).find(([start]) => isMarked(beginning, start));
  if (sign) return `this looks like ${sign[1]}`;
  // Letters of old encodings are few in headers, and headers may have a NUL: the check of the query names them.
  const odd = beginning.match(/[\0-\x08\x0e-\x1f\ufffd]/g) ?? [];
  return 10 * odd.length > beginning.length ? NO_TEXT : undefined;
}

const isMarked = (text: string, start: string): boolean => text.startsWith(start) || text.startsWith(start.replace(/[^\0-\x7f]/g, "\ufffd"));

/** What a text looks like that is no FASTA, and what to do; asked only once a fault has been found in it. */
export function recognise(text: string): string | null {
  const beginning = text.slice(0, 2 * BEGINNING).replace(/\r\n?/g, "\n").slice(0, BEGINNING);
  if (isWide(beginning)) return "this looks like UTF-16 text: save it as UTF-8 (or ASCII)";
  const sign = SIGNS.find(([start]) => isMarked(beginning, start));
  if (sign) return `this looks like ${sign[1]}`;
  const start = beginning.trimStart().slice(0, 20).toLowerCase();
  if (beginning.includes("\0") && !start.startsWith(">")) return NO_TEXT;
  const markup = MARKUP.find(([opening]) => start.startsWith(opening));
  if (markup) return `this looks like ${markup[1]}: take the sequences out of it`;
  const accessions = countAccessions(beginning);
  if (accessions > 0) return accessions === 1 ? "this looks like an accession: its sequence is needed" : "these look like accessions: their sequences are needed";
  const lines = beginning.split("\n", 4);
  if (lines.length > 3 && lines[0]?.startsWith("@") && lines[2]?.startsWith("+")) return "this looks like FASTQ, reads of DNA: proteins in FASTA are needed";
  if (isPir(text)) return PIR;
  return isWords(text) ? WORDS : null;
}

/** Whether a text without a header is words with blanks between them; sequences in blocks, RNA and three-letter code are none. */
export function isWords(text: string): boolean {
  const rows = text.split(/\r\n?|\n/);
  if (text.length > BEGINNING || text.includes(">") || !rows.some((row) => /\S\s+\S/.test(row))) return false;
  const lines = rows.map((row) => row.toLowerCase().match(/[a-z]+/g) ?? []).filter((line) => line.length > 0);
  const words = lines.flat();
  const letters = words.join("");
  if (/^[acgtun]*$/.test(letters) || words.some((word) => word.length > LONGEST_WORD) || words.every((word) => word.length === 3)) return false;
  const sayable = !words.some((word) => UNSAYABLE.test(word));
  if (O_AND_U * (letters.match(sayable ? /[ou]/g : /o/g) ?? []).length >= letters.length) return true;
  // Sequences are often pasted in capitals, names hardly ever.
  return sayable && letters.length <= LONGEST_NAME && text !== text.toUpperCase() && !areBlocks(lines, words.length);
}

/** Whether all words have the same length, but for the last of a line, which may be shorter. */
function areBlocks(lines: string[][], words: number): boolean {
  const block = lines[0]?.[0]?.length ?? 0;
  const fits = (word: string, place: number, line: string[]) => (place < line.length - 1 ? word.length === block : word.length <= block);
  return lines.every((line) => line.every(fits)) && (words > 2 || block % 5 === 0);
}

/** Whether a text begins with a record of PIR: a header with a type, a title, and letters up to an asterisk. */
export function isPir(text: string): boolean {
  if (!PIR_HEADER.test(text)) return false;
  const lines = text.trimStart().replace(/\r\n?/g, "\n").replace(/[ \t\v\f]/g, "").split("\n");
  const next = lines.findIndex((line, place) => place > 0 && line.startsWith(">"));
  const [, title, ...letters] = next < 0 ? lines : lines.slice(0, next);
  return Boolean(title) && letters.some((line) => line.endsWith("*"));
}

/** How many accessions there are, as a list has them, one a line or by commas; 0 where anything else is there. */
function countAccessions(beginning: string): number {
  const words = beginning.replace(/^[\s,;]+|[\s,;]+$/g, "").toUpperCase().split(/[\s,;]+/);
  const whole = beginning.length === BEGINNING ? words.slice(0, -1) : words;
  return whole.every((word) => ACCESSION.test(word)) ? whole.length : 0;
}

function isWide(beginning: string): boolean {
  const nuls = beginning.split("\0").length - 1;
  return nuls > Math.max(2, Math.floor(beginning.length / 3)) || (nuls > 0 && /^(?:\ufeff|\ufffe|\ufffd\ufffd|\u00ff\u00fe|\u00fe\u00ff)/.test(beginning));
}

/** What is wrong with the first letter of a text, which no sequence has. The server names letters of other alphabets. */
export function describeLetter(text: string): string {
  const letter = String.fromCodePoint(text.codePointAt(0) ?? 0);
  if (letter === ">") return "'>' inside a sequence line";
  if (letter === "-" || letter === ".") return `'${letter}' is not an amino acid letter: leave out an alignment's gaps`;
  if (/\d/.test(letter)) return `'${letter}' is not an amino acid letter: leave out the numbers of lines, as GenBank has them`;
  if (letter === "\0") return NUL;
  if (letter === ";") return "';' is not an amino acid letter. Put comments on their own lines";
  const code = letter.codePointAt(0) ?? 0;
  if (code < 128) return `'${code > 31 && code < 127 ? letter : `\\x${code.toString(16).padStart(2, "0")}`}' is not an amino acid letter`;
  const isBlank = /[\p{Zs}\p{Cf}]/u.test(letter);
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")} (${isBlank ? "a special blank" : letter}) is not an amino acid letter${isBlank ? ": leave it out" : ""}`;
}
