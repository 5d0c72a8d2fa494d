// What was searched from this browser, kept in it alone: enough to find a result again, and to run it once more.
import { boot, type Search, type SearchRequest } from "./api";

export interface Entry {
  id: string;
  title: string;
  database: string;
  version: string;
  created_at: string;
  expires_at: string;
  queries: number;
  request?: SearchRequest;
}

const KEY = `shardwater:${boot.root}:searches`;
const MOST = 50;
const LONGEST_REQUEST = 40_000;

export function entries(): Entry[] {
  return read<Entry[]>(KEY, []);
}

export function remember(search: Search, request: SearchRequest, queries: number, title: string): void {
  const short = (request.sequence?.length ?? 0) <= LONGEST_REQUEST;
  const entry: Entry = {
    id: search.id,
    title: search.title || title,
    database: search.database.name,
    version: search.database.version,
    created_at: search.created_at,
    expires_at: search.expires_at,
    queries,
    request: short ? request : undefined,
  };
  write(KEY, [entry, ...entries().filter((other) => other.id !== search.id)].slice(0, MOST));
}

export function recall(id: string): Entry | undefined {
  return entries().find((entry) => entry.id === id);
}

export function forgetAll(): void {
  localStorage.removeItem(KEY);
}

/** A value of this browser; storage may be full, forbidden, or written by something else. */
export function read<T>(key: string, otherwise: T, storage = localStorage): T {
  try {
    const found = storage.getItem(key);
    return found === null ? otherwise : ((JSON.parse(found) as T | null) ?? otherwise);
  } catch {
    return otherwise;
  }
}

let forgotten = false;

/** Keep a value in this browser, or in this tab alone. */
export function write(key: string, value: unknown, storage = localStorage): void {
  if (forgotten) return;
  try {
    storage.setItem(key, JSON.stringify(value));
  } catch {
    // A full or forbidden storage costs what it would have kept, never the search.
  }
}

/** Forget all of it, and keep nothing on the way out of the page. */
export function forgetEverything(): void {
  forgotten = true;
  for (const storage of [localStorage, sessionStorage]) {
    for (const name of Object.keys(storage)) if (name.startsWith("shardwater:")) storage.removeItem(name);
  }
}
