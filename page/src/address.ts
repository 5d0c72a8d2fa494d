// Which query of a result the address names, and which of its hits: #3 or #3/17.
import { absolute } from "./api";

export interface Place {
  query: number;
  /** The hit's rank. */
  hit?: number;
}

/** The place in an address, the first query where it names none; none where it names something else, as the link to the content does. */
export function placeOf(hash: string): Place | undefined {
  if (hash === "") return { query: 1 };
  const found = /^#(\d{1,9})(?:\/(\d{1,9}))?$/.exec(hash);
  if (!found) return undefined;
  return found[2] === undefined ? { query: Number(found[1]) } : { query: Number(found[1]), hit: Number(found[2]) };
}

/** The address of a result, of one of its queries, or of a hit. */
export function addressOf(search: string, place?: Place): string {
  const within = place ? `#${place.query}${place.hit === undefined ? "" : `/${place.hit}`}` : "";
  return `${absolute(`/searches/${search}`)}${within}`;
}
