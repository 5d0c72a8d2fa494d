// What a form of two lists holds, kept until the tab is closed: texts that are not too long, uploads by their names.
import { useEffect, useRef } from "preact/hooks";
import { askJson, boot, problemOf, type Problem } from "../api";
import { read, recall, write } from "../history";
import { plural } from "../numbers";
import { useRested } from "../parts";
import type { Asked } from "../form/asked";
import type { Records } from "../repeat";
import { accessionsOf, asText, EMPTY, type Check, type Genome, type Upload } from "./genome";
import type { Values } from "../fields";

const RESTED_MS = 250;
const LONGEST = 300_000;
/** Of a job that is in the history, with many others. */
const LONGEST_LISTED = 20_000;

export interface Lists {
  query: Genome;
  subject: Genome;
}

export interface Draft extends Lists {
  values: Values;
}

/** What a form begins with. */
interface Opened extends Draft {
  notes: string[];
}

const keyOf = (kind: string): string => `shardwater:${boot.root}:${kind}-draft`;

/** What the form of a kind of job held last in this tab, and over it what was asked for, lists by these names. */
export function opened(kind: string, asked: Asked | undefined, [query, subject]: [string, string], checkOf: (values: Values) => Check): Opened {
  const draft = read<Partial<Draft>>(keyOf(kind), {}, sessionStorage);
  const values = asked?.values ?? draft.values ?? {};
  const listOf = (text: string | undefined, kept: Genome | undefined) => restored(text === undefined ? kept : { text }, checkOf(values));
  return { query: listOf(asked?.others[query], draft.query), subject: listOf(asked?.others[subject], draft.subject), values, notes: asked?.notes ?? [] };
}

export function restored(genome: Genome | undefined, check?: Check): Genome {
  if (genome?.file || genome?.database) return genome;
  return typeof genome?.text === "string" ? asText(genome.text, check) : EMPTY;
}

/** Keep what the form holds once it has rested, and when the page is left. */
export function useDraft(kind: string, draft: Draft): void {
  const last = useRef(draft);
  last.current = draft;
  const keep = ({ query, subject, values }: Draft) => write(keyOf(kind), { query: kept(query), subject: kept(subject), values }, sessionStorage);
  const rested = useRested(draft, RESTED_MS);
  useEffect(() => keep(rested), [rested]);
  useEffect(() => {
    const leave = () => keep(last.current);
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, []);
}

/** What the history keeps of a job's two lists, to edit it. */
export const listsOf = (query: Genome, subject: Genome): { [name: string]: unknown } => ({ query: kept(query, LONGEST_LISTED), subject: kept(subject, LONGEST_LISTED) });

/** What of a job's lists were records of databases, as far as this browser has kept that. */
export function recordsOf(id: string): (Records | undefined)[] {
  const lists = recall(id)?.request as Partial<Lists> | undefined;
  return [lists?.query, lists?.subject].map((list) => list?.database && { database: list.database.name, accessions: accessionsOf(list.database.accessions) });
}

/** The same in words. */
export const recordsText = (which: string, records: Records | undefined): string =>
  records ? `The ${which}: ${plural(records.accessions.length, "record")} of the database ${records.database}. ` : "";

function kept({ text, file, database }: Genome, longest = LONGEST): Genome {
  if (database) return { text: "", database };
  if (file) return { text: "", file: file.upload ? file : { ...file, problem: lost("is not here any more: choose it again") } };
  return text.length <= longest ? { text } : { text: "", file: { name: "The pasted text", share: 1, problem: lost("was too long to be kept in this browser: paste it again") } };
}

const lost = (why: string): Problem => ({ type: "about:blank", title: "Not kept", status: 0, detail: `It ${why}.`, retryable: false });

/** A file of a draft once more, as far as the server still has it. */
export async function checked(genome: Genome): Promise<Genome> {
  const { file } = genome;
  if (!file?.upload) return genome;
  try {
    await askJson<Upload>(`/v1/uploads/${file.upload.id}`);
    return genome;
  } catch (error) {
    const gone = [404, 410].includes(problemOf(error).status);
    return gone ? { text: "", file: { name: file.name, share: 1, problem: lost("is kept no longer by the server: choose it again") } } : genome;
  }
}
