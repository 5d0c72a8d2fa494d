// A profile (PSSM) in place of sequences, told by its text; what is wrong with it the server says.
import { checkFasta, type Check } from "../fasta";

/** Of JSON as the server writes it: a title, then the query, then the letters that scores stand for. */
const JSON_PROFILE = /^\s*\{[^]*?"sequence"\s*:\s*"([^"]*)"[^]*?"letters"\s*:\s*"ARND/;
const ASN1_PROFILE = /^\s*PssmWithParameters\s*::=[^]*?numColumns\s+(\d+)/;
const TABLE = /^\s*Last position-specific scoring matrix computed/;
const ROW = /^[ \t]*\d+[ \t]+[A-Za-z*][ \t]/gm;
/** All that stands before the scores is here; a longer text is no profile's beginning. */
const HEAD = 150_000;

/** How many positions a profile has; undefined for text that is none. */
export function positionsOf(text: string): number | undefined {
  const head = text.slice(0, HEAD).replace(/^\uFEFF/, "");
  const letters = JSON_PROFILE.exec(head)?.[1];
  if (letters !== undefined) return letters.length;
  const columns = ASN1_PROFILE.exec(head)?.[1];
  if (columns !== undefined) return Number(columns);
  return TABLE.test(head) ? (text.match(ROW)?.length ?? 0) : undefined;
}

/** What a query's text holds: sequences, or a profile. */
export function checkQuery(text: string): Check {
  const positions = positionsOf(text);
  if (positions === undefined) return checkFasta(text);
  const records = [{ id: "Profile", length: positions }];
  return { records, warnings: [], residues: positions, longest: positions, replaced: {}, fault: null, isProfile: true };
}
