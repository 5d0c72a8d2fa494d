// Names of files that the page makes, as the server names those that it sends.
const LONGEST = 60;

/** A text as part of a file's name, on every system. */
export function safe(text: string): string {
  const plain = text.normalize("NFKD").replace(/[^\x20-\x7e]/g, "").replace(/[^A-Za-z0-9.-]+/g, "_");
  return plain.slice(0, LONGEST).replace(/^[._-]+/, "").replace(/[._-]$/, "");
}

/** What a job's files begin with. */
export const calledAfter = ({ title, id }: { title: string; id: string }): string => safe(title) || id;
