// What a hit is called: its title without what UniProt or NCBI write behind it, and the organism that these name.
import type { Hit } from "../api";

export interface Named {
  title: string;
  /** A scientific name; empty where neither a taxid nor the title tells it. */
  organism: string;
}

/** UniProt's fields follow a title in this order; the first one is the organism's. */
const UNIPROT = / OS=([^=]+?)(?= (?:OX|GN|PE|SV)=|$)/;
/** NCBI's organism stands at the end, in brackets. */
const NCBI = / \[([^[\]]+)\]$/;

/** By its taxid, where the database knows that; else by its title. */
export function namedOf({ title, organism }: Pick<Hit, "title" | "organism">): Named {
  const found = UNIPROT.exec(title) ?? NCBI.exec(title);
  return { title: found ? title.slice(0, found.index) : title, organism: organism || found?.[1] || "" };
}
