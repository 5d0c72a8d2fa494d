// Earlier MSAs in the form again: chains and parameters as the server tells them.
import { askJson, boot } from "../api";
import { textsOf, type Values } from "../fields";
import { chainsOf, fastaOf, isComplex } from "./chains";
import { LABELS } from "./settings";
import type { Msas } from "./types";

export const FETCHING = "The chains are fetched from the server…";

export interface Edited {
  text: string;
  values: Values;
  databases: string;
  /** What cannot be had again, in sentences. */
  notes: string[];
}

export async function edited(id: string): Promise<Edited> {
  const msas = await askJson<Msas>(`/v1/msas/${encodeURIComponent(id)}`);
  const { chains, parameters, title } = msas;
  const there = msas.state === "succeeded";
  const text = there ? (await chainsOf(msas)).map(fastaOf).join("") : "";
  const names = parameters?.databases ?? [];
  const missing = names.filter((name) => boot.databases.every((each) => each.name !== name));
  const values: Values = { ...textsOf(Object.keys(LABELS), parameters ?? {}), title };
  const notes = missing.map((name) => `There is no database “${name}” here any more: choose one.`);
  if (!there) notes.push("The server tells the letters of chains once their MSAs are there. Paste the chains again; the parameters are as they were.");
  if (parameters?.then.length) notes.push(`${parameters.then.join(", ")} was searched with the profiles of what was found, which this form cannot ask for: it searches the databases alone that are chosen.`);
  if (isComplex(msas) && new Set(chains.map(({ complex }) => complex)).size > 1) {
    delete values.pairing;
    notes.push("These are the chains of several complexes, and the form takes one at a time: as they are, each chain is one of its own.");
  }
  return { text, values, databases: missing.length ? "" : names.join(" "), notes };
}
