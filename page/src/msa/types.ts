// MSAs as the service tells them.
import type { SearchResult } from "../api";
import type { components } from "../schema";

type Schemas = components["schemas"];
export type Msas = Schemas["Msas"];
export type Chain = Schemas["MsaChain"];
export type Columns = Schemas["MsaColumns"];

/** Which rows of a chain are shown: of `databases`, of `then`, or those that are paired. */
export type Kind = "databases" | "then" | "pairs";

/** What was searched, as the JSON of an MSA has it. */
export interface Searched {
  databases: { name: string; version: string; checksum: string; subjects: number; residues: number }[];
  certificate: Pick<SearchResult["certificate"], "subjects" | "residues" | "cells" | "shards">;
}

const ASKED: { [kind in Kind]: string } = { databases: "", then: "&of=then", pairs: "&pairs=true" };

/** The part of an address that asks for such rows of all chains, and of one. */
export const rowsOf = (kind: Kind): string => ASKED[kind];
export const wantedOf = (chain: number, kind: Kind): string => `chain=${chain}${rowsOf(kind)}`;
