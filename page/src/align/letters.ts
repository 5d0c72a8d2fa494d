// What the letters of two lists are, told from their beginnings by the server's rule: shardwater/sequences/reads.py.
import type { Genome as List } from "../compare/genome";
import { isHeader, linesOf } from "../fasta";
import type { Values } from "../fields";
import type { Letters } from "./types";

const BEGINNING = 20_000;
const SHARE = 90;

/** What is said of them, or what texts look like; nothing is known here of files and records. */
export function lettersOf(values: Values, lists: List[]): Letters | undefined {
  if (values.alphabet) return values.alphabet as Letters;
  const texts = lists.map(({ text }) => plain(text.slice(0, BEGINNING))).join("");
  if (!texts || lists.some(({ file, database }) => file ?? database)) return undefined;
  const common = texts.replace(/[^ACGTUN]/g, "").length;
  return 100 * common >= SHARE * texts.length && !/[^ACGTUNRYSWKMBDHV]/.test(texts) ? "dna" : "protein";
}

/** The letters of FASTA, or of FASTQ, which has them in the second of four lines. */
function plain(text: string): string {
  const start = text.trimStart();
  const kept = start.startsWith("@") ? start.split(/\r\n?|\n/).filter((_, place) => place % 4 === 1) : linesOf(text).filter((line) => !isHeader(line));
  return kept.join("").replace(/\s/g, "").toUpperCase();
}
