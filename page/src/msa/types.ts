// MSAs as the service tells them.
import type { SearchResult } from "../api";
import type { components } from "../schema";

type Schemas = components["schemas"];
export type Msas = Schemas["Msas"];
export type Chain = Schemas["MsaChain"];
export type Stage = Schemas["MsaStage"];
export type Columns = Schemas["MsaColumns"];
export type MsaParameters = Schemas["MsaParameters"];
export type MsaEstimate = Schemas["MsaEstimate"];

/** Which rows of a chain are shown: of `databases`, of `then`, or those that are paired. */
export type Kind = "databases" | "then" | "pairs";

/** What was searched, as the JSON of an MSA has it. */
export interface Searched {
  software: SearchResult["software"];
  databases: { name: string; version: string; checksum: string; subjects: number; residues: number }[];
  certificate: Pick<SearchResult["certificate"], "subjects" | "residues" | "cells" | "shards">;
  /** Of the search; MSAs of earlier versions have none. */
  parameters?: Pick<SearchResult["parameters"], "matrix" | "gap_open" | "gap_extend" | "statistics" | "composition">;
}

const ASKED: { [kind in Kind]: string } = { databases: "", then: "&of=then", pairs: "&pairs=true" };

/** Which chain the page shows, and which of its rows. */
export interface Place {
  number: number;
  kind: Kind;
}

/** The place in an address, as #2 or #2/pairs, the first chain where it names none; none where it names something else, as the link to the content does. */
export function placeOf(hash: string): Place | undefined {
  if (hash === "") return { number: 1, kind: "databases" };
  const found = /^#(\d{1,9})(?:\/(then|pairs))?$/.exec(hash);
  return found ? { number: Number(found[1]), kind: (found[2] as Kind | undefined) ?? "databases" } : undefined;
}

export const hashOf = (number: number, kind: Kind): string => `#${number}${kind === "databases" ? "" : `/${kind}`}`;

/** The part of an address that asks for such rows of all chains, and of one. */
export const rowsOf = (kind: Kind): string => ASKED[kind];
export const wantedOf = (chain: number, kind: Kind): string => `chain=${chain}${rowsOf(kind)}`;
