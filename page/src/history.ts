// What was made from this browser, of all kinds, kept in it alone: enough to find a job again, and to run a search once more.
import { boot, type Search, type SearchRequest } from "./api";
import { titleOf as titleOfQueries } from "./fasta";
import { plural } from "./numbers";

/** Kinds of jobs, as the addresses of their pages and of the service name them. */
export const KINDS = { searches: "search", alignments: "alignment", comparisons: "comparison", msas: "MSA" } as const;
export type Kind = keyof typeof KINDS;

export interface Entry {
  kind: Kind;
  id: string;
  title: string;
  /** What it is of, in a few words. */
  about: string;
  created_at: string;
  expires_at: string;
  /** Of a search, to send it once more; of jobs of two lists, these lists as the form has them. */
  request?: SearchRequest | undefined;
}

/** What an entry is made of. */
type Job = Pick<Entry, "id" | "title" | "created_at" | "expires_at">;

/** An entry of the lists that versions before had, one for each kind. */
interface Older extends Job {
  database?: string;
  queries?: number;
  request?: SearchRequest;
}

const KEY = keyOf("history");
const MOST = 200;
/** Of the latest entries alone: a browser has a few megabytes for all of them. */
const MOST_REQUESTS = 50;
const LONGEST_REQUEST = 40_000;

/** What the list holds, and where. */
export const KEPT = `Kept in this browser alone: names and addresses, and the sequences of searches, alignments and comparisons among the last ${MOST_REQUESTS} jobs, up to ${LONGEST_REQUEST.toLocaleString("en")} characters of each.`;

function keyOf(name: string): string {
  return `shardwater:${boot.root}:${name}`;
}

/** All that is kept, the latest first. */
export function entries(): Entry[] {
  // Another version may know other kinds.
  const known = list<unknown>(KEY).filter(isEntry);
  const ids = new Set(known.map(({ id }) => id));
  const older = (Object.keys(KINDS) as Kind[]).flatMap(takeOlder).filter(({ id }) => !ids.has(id));
  if (older.length === 0) return known;
  const all = [...known, ...older].sort((one, other) => Date.parse(other.created_at) - Date.parse(one.created_at));
  keep(all);
  return all;
}

const TEXTS = ["id", "title", "about", "created_at", "expires_at"] as const;

function isEntry(found: unknown): found is Entry {
  const entry = (found ?? {}) as Partial<Entry>;
  return Object.hasOwn(KINDS, entry.kind ?? "") && TEXTS.every((name) => typeof entry[name] === "string");
}

/** The list of a kind as versions before kept it; it has one place from now on. */
function takeOlder(kind: Kind): Entry[] {
  const key = keyOf(kind);
  const found = list<Older>(key).map(({ database, queries, ...rest }) => ({ ...rest, kind, about: database && queries ? aboutQueries(queries, [database]) : "" }));
  if (found.length > 0) localStorage.removeItem(key);
  return found;
}

function list<T>(key: string): T[] {
  const found = read<unknown>(key, []);
  return Array.isArray(found) ? (found as T[]) : [];
}

function keep(all: Entry[]): void {
  write(KEY, all.slice(0, MOST).map((entry, place) => (place < MOST_REQUESTS ? entry : { ...entry, request: undefined })));
}

/** Keep a job; one that has no title is called otherwise. */
export function remember(kind: Kind, { id, title, created_at, expires_at }: Job, otherwise: string, about: string, request?: SearchRequest): void {
  const entry = { kind, id, title: title || otherwise, about, created_at, expires_at, request };
  keep([entry, ...entries().filter((other) => other.id !== id)]);
}

export function rememberSearch(search: Search, request: SearchRequest, queries: { id: string }[]): void {
  const short = (request.sequence?.length ?? 0) <= LONGEST_REQUEST;
  const databases = search.databases.length > 0 ? search.databases : [search.database];
  const about = aboutQueries(queries.length, databases.map(({ name }) => name));
  remember("searches", search, titleOfQueries(queries), about, short ? request : undefined);
}

export const aboutQueries = (queries: number, databases: string[]): string => `${plural(queries, "query", "queries")} in ${databases.join(", ")}`;

export function recall(id: string): Entry | undefined {
  return entries().find((entry) => entry.id === id);
}

/** What a job is called: in this browser, or by who made it. */
export const titleOf = ({ id, title }: Pick<Job, "id" | "title">): string => recall(id)?.title ?? title;

/** Call a job otherwise, in this browser. */
export function rename(id: string, title: string): void {
  keep(entries().map((entry) => (entry.id === id ? { ...entry, title } : entry)));
}

export function forget(id: string): void {
  keep(entries().filter((entry) => entry.id !== id));
}

export function forgetAll(): void {
  entries();
  localStorage.removeItem(KEY);
}

/** Tell of each change that another tab makes; returns how to stop that. */
export function watchEntries(changed: () => void): () => void {
  const look = ({ key }: StorageEvent) => {
    if (key === KEY || key === null) changed();
  };
  addEventListener("storage", look);
  return () => removeEventListener("storage", look);
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
  for (const storage of [localStorage, sessionStorage]) clear(storage);
}

function clear(storage: Storage): void {
  for (const name of Object.keys(storage)) if (name.startsWith("shardwater:")) storage.removeItem(name);
}

const OWNER = keyOf("owner");

/** All that is kept is one owner's; where another one comes it is forgotten. What nobody is named for is nobody's. */
export function enter(owner: string): void {
  try {
    for (const storage of [localStorage, sessionStorage]) {
      if (read(OWNER, "", storage) !== owner) clear(storage);
      if (owner) write(OWNER, owner, storage);
    }
  } catch {
    // Of a storage that is forbidden nothing is read.
  }
}

// Before anything is read. Whoever has not signed in yet sees nothing of it.
if (boot.user || !boot.door) enter(boot.user);
