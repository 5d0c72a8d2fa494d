// The latest jobs of this browser, of all kinds, below each form; all of them are on a page of their own.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { at } from "./api";
import { entries, KEPT, KINDS, watchEntries, type Entry } from "./history";
import { moment } from "./numbers";
import { capital, Panel } from "./parts";
import { useStates } from "./states";

const LATEST = 8;

export function Recent() {
  const [all] = useEntries();
  const shown = all.slice(0, LATEST);
  const states = useStates(shown);
  if (all.length === 0) return null;
  return (
    <Panel title="Recent" aside={<a href={at("/history")}>{all.length > LATEST ? `All ${all.length}` : "History"}</a>} class="recent">
      <ul class="recent-list">{shown.map((entry) => <li key={entry.id}><Line entry={entry} state={states.get(entry.id)} /></li>)}</ul>
      <p class="dim small">{KEPT}</p>
    </Panel>
  );
}

/** What this browser keeps, and how to look at it anew. */
export function useEntries(): [Entry[], () => void] {
  const [found, setFound] = useState(entries);
  const look = () => setFound(entries());
  useEffect(() => watchEntries(look), []);
  return [found, look];
}

/** What a line of a list says; what stands in for the name, where it is being changed. */
export function Line({ entry: { kind, id, title, about, created_at }, state, name }: { entry: Entry; state: string | undefined; name?: ComponentChildren }) {
  return (
    <>
      {name ?? <a class="recent-title" href={at(`/${kind}/${id}`)}>{title}</a>}
      <span class="dim">{[capital(KINDS[kind]), about, moment(created_at)].filter(Boolean).join(" · ")}</span>
      {state && <span class={`state state-${state}`}>{state}</span>}
    </>
  );
}
