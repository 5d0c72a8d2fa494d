// What fills the form: the address, another site's form or an earlier search; else what was last typed in this tab.
import { askJson, boot, namesIn, parameter, type SearchRequest } from "../api";
import type { Values } from "../fields";
import { read, write } from "../history";
import { choicesOf, sentTwice, short, strange, unknown, type Given } from "./asked";
import { fetched } from "./mend";
import { FIELDS, valuesOf } from "./values";

const DRAFT = `shardwater:${boot.root}:draft`;
export const CHOSEN = `shardwater:${boot.root}:database`;
/** What an address may say besides the fields of the form. */
const OTHERS = ["sequence", "database", "databases", "accession", "edit", "score_distribution", "pssm"];

interface Draft {
  text: string;
  values: Values;
  /** What a query was called that is too long to be kept. */
  lost?: string | undefined;
}

export interface Filled extends Draft {
  /** One name, or several with blanks between them; empty where one was asked for that is not here. */
  database: string;
  /** What was asked for and cannot be had, in sentences. */
  notes: string[];
}

export function firstFill(asked: Given): Filled {
  const draft = readDraft();
  if (Object.keys(asked).length === 0) return { ...draft, database: usualDatabase(), notes: [] };
  const { sequence, ...settings } = asked;
  const fill = filled(settings);
  fill.notes.unshift(...sentTwice());
  // Settings alone leave alone what was typed.
  return sequence ? { ...fill, text: sequence } : { ...fill, text: draft.text, lost: draft.lost };
}

/** An earlier search to edit, or a sequence of a database to search with. */
export async function laterFill(asked: Given): Promise<Filled | undefined> {
  if (asked.edit) {
    const request = await askJson<SearchRequest>(`/v1/searches/${encodeURIComponent(asked.edit)}/request`);
    // What the address says besides is to be tried in place of the search's own.
    const { edit: _, ...instead } = asked;
    return { ...filled({ ...request, ...instead }), text: typeof request.pssm === "string" ? request.pssm : (request.sequence ?? "") };
  }
  if (!asked.accession) return undefined;
  const fill = filled(asked);
  return { ...fill, text: await fetched(asked.accession, fill.database) };
}

function filled(request: { [name: string]: unknown }): Omit<Filled, "text"> {
  const values = valuesOf(request);
  const notes = Object.keys(request)
    .filter((name) => !FIELDS.includes(name) && !OTHERS.includes(name) && String(request[name]) !== String(parameter(name)?.default))
    .map(strange);
  for (const [name, value] of Object.entries(values)) {
    const known = choicesOf(name);
    const found = known.find((each) => each.toLowerCase() === value.toLowerCase());
    if (known.length === 0 || found === value) continue;
    if (found) values[name] = found;
    else {
      delete values[name];
      notes.push(unknown(name, value, String(parameter(name)?.default)));
    }
  }
  const database = databaseOf(request);
  if (database.note) notes.unshift(database.note);
  return { values, database: database.name, notes };
}

/** The databases that are asked for, one name or several with blanks between them, or else the usual one; those that are not here left out. */
export function databaseOf(request: { [name: string]: unknown }): { name: string; note?: string } {
  const wanted = namesIn([request.database ?? request.databases ?? ""].flat().join(" "));
  if (wanted.length === 0) return { name: usualDatabase() };
  const here = wanted.filter(isHere);
  const others = wanted.filter((name) => !isHere(name));
  return others.length === 0 ? { name: here.join(" ") } : { name: here.join(" "), note: `There is no database of proteins “${short(others.join(" "))}” here${here.length ? "." : ": choose one."}` };
}

function isHere(wanted: string): boolean {
  const names = namesIn(wanted);
  return names.length > 0 && names.every((name) => boot.databases.some((database) => database.name === name));
}

function usualDatabase(): string {
  const last = read(CHOSEN, "");
  const ready = boot.databases.find((database) => database.state === "ready") ?? boot.databases[0];
  return isHere(last) ? last : (ready?.name ?? "");
}

function readDraft(): Draft {
  const { text, values, lost } = read<Partial<Draft>>(DRAFT, {}, sessionStorage);
  return { text: typeof text === "string" ? text : "", values: valuesOf(values ?? {}), lost };
}

export const keepDraft = (draft: Draft): void => write(DRAFT, draft, sessionStorage);
