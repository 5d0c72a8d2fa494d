// What an address, or another site's form, fills the form with; nothing is aligned before somebody presses the button.
import type { Values } from "../fields";
import { boot } from "../api";
import { CHOICES, ENDS, endsOf, FIELDS, FREE } from "./fields";

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

/** What a query string or a form asks for; nothing where there is none. */
export function asked(search: string): Asked | undefined {
  const given = { ...Object.fromEntries(new URLSearchParams(search)), ...boot.prefill };
  if (Object.keys(given).length === 0) return undefined;
  const values: Values = {};
  const notes: string[] = [];
  for (const [name, text] of Object.entries(given)) {
    if (LISTS.includes(name)) continue;
    const known = knownOf(name);
    if (!(name in FIELDS.about)) notes.push(`“${short(name)}” is no field of this form, and was left out.`);
    else if (known && !known.includes(text)) notes.push(`“${short(text)}” is no ${name} of this server: ${known[0] || "the usual one"} is set.`);
    else if (name === "free_ends") takeEnds(text, values, notes);
    else if (text !== known?.[0]) values[name] = text;
  }
  return { values, notes, queries: given.queries, subjects: given.subjects };
}

/** The values that a field may have, the default first, where they are a list. */
function knownOf(name: string): string[] | undefined {
  if (name === "matrix") return [FIELDS.usual.protein.matrix ?? "", ...boot.parameters.matrices.map(({ matrix }) => matrix)];
  return CHOICES[name]?.values.map(([value]) => value).filter((value) => value !== FREE);
}

function takeEnds(text: string, values: Values, notes: string[]): void {
  const ends = endsOf({ free_ends: text });
  const wrong = ends.find((end) => ENDS.every(([name]) => name !== end));
  if (wrong) notes.push(`“${short(wrong)}” is no end of a sequence: ${ENDS.map(([name]) => name).join(", ")} are.`);
  else Object.assign(values, { mode: FREE, free_ends: ends.join(" ") });
}

const short = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
