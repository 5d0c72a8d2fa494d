// A running search followed to its end: pushed by the server where that works, else asked for again and again.
import { askJson, at, ended, problemOf, type Problem, type Search } from "./api";

const SLOWEST_MS = 5000;
const MOST_FAILURES = 2;
/** Asking again changes nothing: no session, no such search, removed. */
const FINAL = [401, 404, 410];

interface Follower {
  changed(search: Search): void;
  lost(problem: Problem): void;
  /** The server has gone silent, or is heard again. */
  silent?(on: boolean): void;
}

/** Tell a follower whatever becomes of a search; returns how to stop that. */
export function follow(start: Search, follower: Follower): () => void {
  let search = start;
  let timer = 0;
  let stopped = false;
  let failures = 0;
  const source = new EventSource(at(`/v1/searches/${search.id}/events`));
  const stop = () => {
    stopped = true;
    source.close();
    clearTimeout(timer);
  };
  const take = (news: Partial<Search>) => {
    failures = 0;
    follower.silent?.(false);
    search = { ...search, ...news };
    if (ended(search)) stop();
    follower.changed(search);
  };
  const poll = async (wait: number) => {
    try {
      const news = await askJson<Search>(`/v1/searches/${search.id}`);
      if (!stopped) take(news);
    } catch (error) {
      const problem = problemOf(error);
      if (stopped) return;
      if (FINAL.includes(problem.status)) {
        stop();
        return follower.lost(problem);
      }
      follower.silent?.(true);
    }
    if (!stopped) timer = window.setTimeout(poll, wait, Math.min(wait * 1.5, SLOWEST_MS));
  };
  for (const name of ["state", "progress", "done"]) {
    source.addEventListener(name, (event) => take(JSON.parse((event as MessageEvent<string>).data) as Partial<Search>));
  }
  source.onopen = () => follower.silent?.(false);
  source.onerror = () => {
    if (stopped) return;
    failures += 1;
    follower.silent?.(true);
    // It comes back by itself after a break; again and again means that something on the way lets no events through.
    if (source.readyState !== EventSource.CLOSED && failures < MOST_FAILURES) return;
    source.close();
    void poll(250);
  };
  return stop;
}
