// The comparisons of this browser, kept in it alone: names and addresses, no letters.
import { boot } from "../api";
import { read, write } from "../history";
import type { Comparison } from "./types";

export interface Entry {
  id: string;
  title: string;
  created_at: string;
  expires_at: string;
}

const KEY = `shardwater:${boot.root}:comparisons`;
const MOST = 10;

/** Those that are still kept by the server. */
export function recall(): Entry[] {
  return read<Entry[]>(KEY, []).filter((entry) => Date.parse(entry.expires_at) > Date.now());
}

/** What a comparison is called: by who made it, or in the list of this browser that did. */
export const titleOf = ({ id, title }: Comparison): string | undefined => title || recall().find((entry) => entry.id === id)?.title;

export function remember({ id, title, created_at, expires_at }: Comparison, otherwise: string): void {
  const entry = { id, title: title || otherwise, created_at, expires_at };
  write(KEY, [entry, ...recall().filter((other) => other.id !== id)].slice(0, MOST));
}
