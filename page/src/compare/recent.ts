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

export function remember({ id, title, created_at, expires_at }: Comparison, otherwise: string): void {
  const entry = { id, title: title || otherwise, created_at, expires_at };
  write(KEY, [entry, ...recall().filter((other) => other.id !== id)].slice(0, MOST));
}
