// What an address, or another site's form, fills a form with; nothing is sent before somebody presses the button.
import { boot, parameter } from "../api";
import type { Values } from "../fields";

const LONGEST_SHOWN = 40;

export type Given = { [name: string]: string };

export interface Asked {
  values: Values;
  /** Fields that are no parameters, such as sequences. */
  others: Given;
  /** What was asked for and cannot be had, in sentences. */
  notes: string[];
}

/** A form: its parameters, what else it takes, what an empty field stands for, and parameters that it reads by itself. */
interface Form {
  fields: string[];
  others: string[];
  usual?(name: string): string;
  own?: { [name: string]: (text: string, asked: Asked) => void };
}

export const given = (): Given => ({ ...Object.fromEntries(new URLSearchParams(location.search)), ...boot.prefill });

/** A sequence has no place in an address, or in the browser's list of them; nor is another site's form sent again by a reload. */
export function taken(): void {
  if (location.search || boot.prefill) history.replaceState(null, "", location.pathname);
}

/** What a query string or a form asks for; nothing where there is none, or where it names an earlier job. */
export function asked({ fields, others, own = {}, usual = (name) => String(parameter(name)?.default ?? "") }: Form): Asked | undefined {
  const all = given();
  if (Object.keys(all).length === 0 || new URLSearchParams(location.search).has("edit")) return undefined;
  const found: Asked = { values: {}, others: {}, notes: sentTwice() };
  for (const [name, text] of Object.entries(all)) {
    const known = choicesOf(name);
    if (others.includes(name)) found.others[name] = text;
    else if (!fields.includes(name)) found.notes.push(strange(name));
    else if (Object.hasOwn(own, name)) own[name]!(text, found);
    else if (known.length > 0 && !known.includes(text)) found.notes.push(unknown(name, text, usual(name)));
    else if (known.length === 0 || text !== usual(name)) found.values[name] = text;
  }
  return found;
}

/** What to say of fields that another site's form sent twice. */
export const sentTwice = (): string[] =>
  (boot.twice ?? []).map((name) => `The form sent “${short(name)}” twice, for example as a text and as a file. The first is here: to use the other, put it in its place.`);

export const strange = (name: string): string => `“${short(name)}” is no field of this form, and was left out.`;

export const unknown = (name: string, text: string, usual: string): string =>
  `“${short(text)}” is no ${name} of this server: ${usual || "the usual one"} is set.`;

/** The values that a parameter may have, where they are a list. */
export function choicesOf(name: string): string[] {
  if (name === "matrix") return boot.parameters.matrices.map(({ matrix }) => matrix);
  return parameter(name)?.values.map(({ value }) => value) ?? [];
}

export const short = (text: string): string => (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text);
