// What an address, or another site's form, fills the form with; nothing is aligned before somebody presses the button.
import { boot, parameter } from "../api";
import { textsOf, type Values } from "../fields";
import { emptyOf, endsOf, FREE, LABELS, usualOf } from "./fields";
import type { Alignment } from "./types";

const LONGEST_SHOWN = 40;
const LISTS = ["queries", "subjects"];

export interface Asked {
  values: Values;
  /** Texts for the two lists. */
  queries?: string | undefined;
  subjects?: string | undefined;
  /** What was asked for and cannot be had, in sentences. */
  notes: string[];
}

/** The fields of an earlier job. */
export function earlier({ parameters, title }: Alignment): Values {
  const ends = parameters.free_ends;
  const used = { ...parameters, mode: ends?.length ? FREE : (parameters.mode ?? "global"), free_ends: ends?.join(" ") };
  const texts = textsOf(Object.keys(LABELS), used);
  return { ...textsOf(Object.keys(LABELS), used, (name) => emptyOf(name, texts, parameters.alphabet ?? "protein")), title };
}

/** What a query string or a form asks for; nothing where there is none. */
export function asked(search: string): Asked | undefined {
  const given: { [name: string]: string } = { ...Object.fromEntries(new URLSearchParams(search)), ...boot.prefill };
  if (Object.keys(given).length === 0 || given.edit) return undefined;
  const values: Values = {};
  const notes: string[] = [];
  for (const [name, text] of Object.entries(given)) {
    if (LISTS.includes(name)) continue;
    const known = knownOf(name);
    if (!parameter(name)) notes.push(`“${short(name)}” is no field of this form, and was left out.`);
    else if (name === "free_ends") takeEnds(text, values, notes);
    else if (known.length > 0 && !known.includes(text)) notes.push(`“${short(text)}” is no ${name} of this server: ${usualOf(name, "protein") || "the usual one"} is set.`);
    else if (known.length === 0 || text !== usualOf(name, "protein")) values[name] = text;
  }
  return { values, notes, queries: given.queries, subjects: given.subjects };
}

/** The values that a field may have, where they are a list. */
function knownOf(name: string): string[] {
  if (name === "matrix") return boot.parameters.matrices.map(({ matrix }) => matrix);
  return parameter(name)?.values.map(({ value }) => value) ?? [];
}

function takeEnds(text: string, values: Values, notes: string[]): void {
  const known = knownOf("free_ends");
  const ends = endsOf({ free_ends: text });
  const wrong = ends.find((end) => !known.includes(end));
  if (wrong) notes.push(`“${short(wrong)}” is no end of a sequence: ${known.join(", ")} are.`);
  else Object.assign(values, { mode: FREE, free_ends: ends.join(" ") });
}

const short = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
