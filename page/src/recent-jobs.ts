// Jobs of one kind that this browser has made, kept in it alone: names and addresses, no letters.
import { boot } from "./api";
import { read, write } from "./history";

export interface Entry {
  id: string;
  title: string;
  created_at: string;
  expires_at: string;
}

const MOST = 10;

export interface Recent {
  /** Those that are still kept by the server. */
  recall(): Entry[];
  /** What a job is called: by who made it, or in the list of this browser that did. */
  titleOf(job: Entry): string | undefined;
  remember(job: Entry, otherwise: string): void;
}

/** The list of a kind, by the name that its addresses have. */
export function recentOf(kind: "comparisons" | "msas" | "alignments"): Recent {
  const key = `shardwater:${boot.root}:${kind}`;
  const recall = () => read<Entry[]>(key, []).filter((entry) => Date.parse(entry.expires_at) > Date.now());
  return {
    recall,
    titleOf: ({ id, title }) => title || recall().find((entry) => entry.id === id)?.title,
    remember({ id, title, created_at, expires_at }, otherwise) {
      const entry = { id, title: title || otherwise, created_at, expires_at };
      write(key, [entry, ...recall().filter((other) => other.id !== id)].slice(0, MOST));
    },
  };
}
