// What is pasted and is almost FASTA, and how it becomes FASTA: offered in one click, never done unasked.
import { ask, boot, namesIn, ProblemError } from "../api";
import { checkFasta, isHeader } from "../fasta";
import { plural } from "../numbers";
import { oneLetterOf } from "./threeletter";

export interface Mend {
  /** What the text is, where its fault does not say so. */
  why?: string;
  /** What the button says. */
  label: string;
  /** The text that takes the place of the faulty one; raises an Error that says why there is none. */
  apply(): Promise<string>;
}

interface Kind {
  noun: string;
  pattern: RegExp;
}

/** What may go out of sequence lines, in this order: blanks of other alphabets first, since they surround the rest. */
const REMOVABLE: Kind[] = [
  { noun: "special blank", pattern: /[\u00a0\u1680\u2000-\u200d\u202f\u205f\u2060\u3000\ufeff]/g },
  { noun: "line of GenBank", pattern: /^[ \t]*(?:ORIGIN|\/\/)[ \t]*$/g },
  { noun: "comment line", pattern: /^[ \t]*;.*$/g },
  { noun: "line number", pattern: /^[ \t]*\d+(?=[ \t]|$)|[ \t]\d+[ \t]*$/g },
  { noun: "gap character", pattern: /[-.~]/g },
];
const MOST_ACCESSIONS = 20;
const ACCESSION = /^(?=.{4,60}$)(?=.*\d)[\w.|:-]+$/;

/** What can be done about a text, if anything is known: three-letter code may be without a fault, the rest is not. */
export function mendOf(text: string, database: string, faulty: boolean): Mend | undefined {
  const plain = oneLetterOf(text);
  if (plain === undefined) return faulty ? (removal(text) ?? fetching(text, database)) : undefined;
  // What is no residue's code is for its author to replace; without its gaps the text would be searched letter by letter.
  if (plain === "") return undefined;
  const why = "This is three-letter code: each of its letters would count as a residue.";
  return { why, label: "Turn it into one-letter code", apply: () => Promise.resolve(plain) };
}

function removal(text: string): Mend | undefined {
  const found = new Map<string, number>();
  const lines = text.split(/\r\n?|\n/).map((line) => (isHeader(line) ? line : cleaned(line, found)));
  const mended = lines.join("\n");
  if (found.size === 0 || checkFasta(mended).fault) return undefined;
  const what = [...found].map(([noun, times]) => plural(times, noun, noun.startsWith("line of") ? "lines of GenBank" : undefined));
  return { label: `Remove ${what.join(" and ")}`, apply: () => Promise.resolve(mended) };
}

function cleaned(line: string, found: Map<string, number>): string {
  let rest = line;
  for (const { noun, pattern } of REMOVABLE) {
    rest = rest.replace(pattern, () => {
      found.set(noun, (found.get(noun) ?? 0) + 1);
      return "";
    });
  }
  return rest;
}

/** Accessions in place of sequences: the databases here may have them. */
function fetching(text: string, database: string): Mend | undefined {
  if (text.length > MOST_ACCESSIONS * 61) return undefined;
  const words = text.split(/[\s,;]+/).filter(Boolean);
  if (words.length === 0 || words.length > MOST_ACCESSIONS || !words.every((word) => ACCESSION.test(word))) return undefined;
  return {
    label: words.length === 1 ? `Fetch ${words[0]} from the databases here` : `Fetch these ${words.length} accessions from the databases here`,
    async apply() {
      const records: string[] = [];
      for (const word of words) records.push(await fetched(word, database));
      return records.join("");
    },
  };
}

/** A sequence in FASTA: of these databases, or else of the first other one that has it. */
export async function fetched(accession: string, database: string): Promise<string> {
  const names = namesIn(database);
  const others = boot.databases.map(({ name }) => name).filter((name) => !names.includes(name));
  for (const name of [...names, ...others]) {
    try {
      return await (await ask(`/v1/databases/${encodeURIComponent(name)}/sequences/${encodeURIComponent(accession)}?format=fasta`)).text();
    } catch (error) {
      if (!(error instanceof ProblemError) || error.problem.status !== 404) throw error;
    }
  }
  throw new ProblemError({ type: "about:blank", title: "There is no such sequence", status: 404, detail: `No database here has ${accession}.`, retryable: false });
}
