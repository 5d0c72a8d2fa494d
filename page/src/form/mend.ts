// What is pasted and is almost FASTA, and how it becomes FASTA: offered in one click, never done unasked.
import { ask, boot, namesIn, ProblemError } from "../api";
import { checkFasta } from "../fasta";
import { removalOf } from "./removal";
import { oneLetterOf } from "./threeletter";

export interface Mend {
  /** What the text is, where its fault does not say so. */
  why?: string;
  /** What the button says. */
  label: string;
  /** The text that takes the place of the faulty one; raises an Error that says why there is none. */
  apply(): Promise<string>;
}

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
  const found = removalOf(text, (mended) => !checkFasta(mended).fault);
  return found && { label: found.label, apply: () => Promise.resolve(found.text) };
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
