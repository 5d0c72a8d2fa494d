// The chains of MSAs once more, for a file of them or for the form: the server tells the letters of each.
import { askJson } from "../api";
import type { Chain, Columns, Msas } from "./types";

export interface Sequence extends Pick<Chain, "id" | "title"> {
  residues: string;
}

export const fastaOf = ({ id, title, residues }: Sequence): string => `>${id}${title && ` ${title}`}\n${residues.replace(/.{60}(?=.)/g, "$&\n")}\n`;

/** All of them, one after the other: there may be many. */
export async function chainsOf({ id, chains }: Msas): Promise<Sequence[]> {
  const found: Sequence[] = [];
  for (const chain of chains) {
    const { residues } = await askJson<Columns>(`/v1/msas/${id}/columns?chain=${chain.number}`);
    found.push({ ...chain, residues });
  }
  return found;
}

/** Whether chains belong together. */
export const isComplex = ({ chains }: Msas): boolean => chains.some(({ complex }, place) => complex === chains[place - 1]?.complex);
