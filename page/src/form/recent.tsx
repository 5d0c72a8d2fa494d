// The searches of this browser: found again, opened, edited.
import { useEffect, useState } from "preact/hooks";
import { askJson, at, type Search } from "../api";
import { entries, forgetAll } from "../history";
import { moment, plural } from "../numbers";
import { Panel } from "../parts";

const FIRST = 8;

export function Recent() {
  const [found, setFound] = useState(entries());
  const [states, setStates] = useState<Map<string, Search>>();
  const [all, setAll] = useState(false);
  const shown = all ? found : found.slice(0, FIRST);
  useEffect(() => {
    if (shown.length === 0) return;
    const ids = shown.map((entry) => `id=${encodeURIComponent(entry.id)}`).join("&");
    askJson<{ items: Search[] }>(`/v1/searches?${ids}`)
      .then(({ items }) => setStates(new Map(items.map((search) => [search.id, search]))))
      // The list is of use without states, too.
      .catch(() => undefined);
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
          const state = states ? (states.get(entry.id)?.state ?? "expired") : "";
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
