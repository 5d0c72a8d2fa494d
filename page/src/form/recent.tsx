// The searches of this browser: found again, opened, edited.
import { useEffect, useState } from "preact/hooks";
import { askJson, at, problemOf, type Search } from "../api";
import { entries, forgetAll, type Entry } from "../history";
import { moment, plural } from "../numbers";
import { Panel } from "../parts";

const FIRST = 8;

export function Recent() {
  const [found, setFound] = useState(entries());
  const [states, setStates] = useState<Map<string, string>>();
  const [all, setAll] = useState(false);
  const shown = all ? found : found.slice(0, FIRST);
  useEffect(() => {
    if (shown.length === 0) return;
    // The list is of use without states, too.
    statesOf(shown).then(setStates, () => undefined);
  }, [all]);
  if (found.length === 0) return null;
  const clear = () => {
    forgetAll();
    setFound([]);
  };
  return (
    <Panel title="Recent searches" aside={<button type="button" class="quiet" onClick={clear}>Forget them</button>} class="recent">
      <ul class="recent-list">
        {shown.map((entry) => {
          const state = states?.get(entry.id);
          return (
            <li key={entry.id}>
              <a class="recent-title" href={at(`/searches/${entry.id}`)}>{entry.title}</a>
              <span class="dim">{plural(entry.queries, "query", "queries")} · {entry.database} · {moment(entry.created_at)}</span>
              {state && <span class={`state state-${state}`}>{state}</span>}
            </li>
          );
        })}
      </ul>
      {!all && found.length > FIRST && <button type="button" class="link" onClick={() => setAll(true)}>Show all {found.length}</button>}
      <p class="dim small">Kept in this browser alone, the queries included.</p>
    </Panel>
  );
}

async function statesOf(shown: Entry[]): Promise<Map<string, string>> {
  const ids = shown.map((entry) => `id=${encodeURIComponent(entry.id)}`).join("&");
  const { items } = await askJson<{ items: Search[] }>(`/v1/searches?${ids}`);
  const known = new Map<string, string>(items.map((search) => [search.id, search.state]));
  return new Map(await Promise.all(shown.map(async (entry): Promise<[string, string]> => [entry.id, known.get(entry.id) ?? (await ending(entry))])));
}

/** What has become of a search that the server's list is without; the time alone says it of most. */
async function ending({ id, expires_at }: Entry): Promise<string> {
  if (Date.parse(expires_at) < Date.now()) return "expired";
  const status = await askJson(`/v1/searches/${id}`).then(() => 200, (error: unknown) => problemOf(error).status);
  return status === 404 ? "deleted" : "expired";
}
