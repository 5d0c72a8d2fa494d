// How the jobs of a list stand, asked of the server: a request for each kind, and one for each that its list is without.
import { useEffect, useState } from "preact/hooks";
import { askJson, problemOf } from "./api";
import { KINDS, type Entry, type Kind } from "./history";

const AGAIN_MS = 5000;
type States = Map<string, string>;

/** States by id, asked for again while some of them will change; the list is of use without them, too. */
export function useStates(shown: Entry[]): States {
  const [states, setStates] = useState<States>(new Map());
  const ids = shown.map(({ id }) => id).join();
  useEffect(() => {
    let timer = 0;
    let stopped = false;
    const look = async () => {
      const found = await statesOf(shown);
      if (stopped) return;
      setStates(found);
      if ([...found.values()].some((state) => state === "queued" || state === "running")) timer = window.setTimeout(() => void look(), AGAIN_MS);
    };
    void look();
    return () => {
      stopped = true;
      clearTimeout(timer);
    };
  }, [ids]);
  return states;
}

async function statesOf(shown: Entry[]): Promise<States> {
  const kinds = Object.keys(KINDS) as Kind[];
  return new Map((await Promise.all(kinds.map((kind) => ofKind(kind, shown.filter((entry) => entry.kind === kind))))).flat());
}

async function ofKind(kind: Kind, some: Entry[]): Promise<[string, string][]> {
  if (some.length === 0) return [];
  // Of searches alone many can be asked for by their ids.
  const asked = kind === "searches" ? some.map(({ id }) => `id=${encodeURIComponent(id)}`).join("&") : "page_size=100";
  try {
    const { items } = await askJson<{ items: { id: string; state: string }[] }>(`/v1/${kind}?${asked}`);
    const known = new Map(items.map(({ id, state }) => [id, state]));
    return await Promise.all(some.map(async (entry): Promise<[string, string]> => [entry.id, known.get(entry.id) ?? (await ending(entry))]));
  } catch {
    return [];
  }
}

/** What has become of a job that the server's list is without; the time alone says it of most. */
async function ending({ kind, id, expires_at }: Entry): Promise<string> {
  if (Date.parse(expires_at) < Date.now()) return "expired";
  return askJson<{ state: string }>(`/v1/${kind}/${id}`).then(({ state }) => state, (error: unknown) => ENDINGS[problemOf(error).status] ?? "");
}

const ENDINGS: { [status: number]: string } = { 404: "deleted", 410: "expired" };
