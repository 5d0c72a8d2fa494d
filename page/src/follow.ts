// A running job followed to its end: pushed by the server where that works, else asked for again and again.
import { askJson, at, ended, problemOf, type Problem } from "./api";

const FIRST_MS = 250;
const SLOWEST_MS = 5000;
/** A connection that has gone dead is only quiet: after so long without an event the job is looked at. */
const QUIET_MS = 5000;
const PATIENCE_S = 5;
const MOST_FAILURES = 2;
/** Asking again changes nothing: no session, no such job, removed. */
const FINAL = [401, 404, 410];

/** What every kind of job has. */
export interface Job {
  id: string;
  state: string;
}

interface Follower<T> {
  changed(job: T): void;
  lost(problem: Problem): void;
  /** The server has gone silent, or is heard again. */
  silent?(on: boolean): void;
}

/** Tell a follower whatever becomes of a job below a path; returns how to stop that. */
export function follow<T extends Job>(path: string, start: T, follower: Follower<T>): () => void {
  const address = `${path}/${start.id}`;
  let job = start;
  let timer = 0;
  let stopped = false;
  let heard = 0;
  let failures = 0;
  /** Whether events get through. */
  let pushed = true;
  let source: EventSource | undefined;
  const stop = () => {
    stopped = true;
    source?.close();
    clearTimeout(timer);
  };
  const take = (news: Partial<T>) => {
    follower.silent?.(false);
    job = { ...job, ...news };
    if (ended(job)) stop();
    follower.changed(job);
  };
  const lookIn = (wait: number) => {
    clearTimeout(timer);
    if (!stopped) timer = window.setTimeout(look, wait, wait);
  };
  const look = async (wait: number) => {
    const before = heard;
    try {
      const news = await askJson<T>(address, { most: PATIENCE_S });
      if (stopped) return;
      take(news);
      if (pushed && !source) listen();
    } catch (error) {
      const problem = problemOf(error);
      if (stopped) return;
      if (FINAL.includes(problem.status)) {
        stop();
        return follower.lost(problem);
      }
      if (heard === before) {
        follower.silent?.(true);
        if (source) wait = FIRST_MS;
        // It is made anew once the server answers.
        hangUp();
      }
    }
    lookIn(source ? QUIET_MS : Math.min(wait * 1.5, SLOWEST_MS));
  };
  const listen = () => {
    const events = (source = new EventSource(at(`${address}/events`)));
    for (const name of ["state", "progress", "done"]) {
      events.addEventListener(name, (event) => {
        heard += 1;
        failures = 0;
        lookIn(QUIET_MS);
        take(JSON.parse((event as MessageEvent<string>).data) as Partial<T>);
      });
    }
    events.onopen = () => follower.silent?.(false);
    events.onerror = () => {
      if (stopped || source !== events) return;
      failures += 1;
      follower.silent?.(true);
      // It comes back by itself after a break; again and again means that something on the way lets no events through.
      if (events.readyState !== EventSource.CLOSED && failures < MOST_FAILURES) return;
      pushed = false;
      hangUp();
      void look(FIRST_MS);
    };
    lookIn(QUIET_MS);
  };
  const hangUp = () => {
    source?.close();
    source = undefined;
  };
  listen();
  return stop;
}
