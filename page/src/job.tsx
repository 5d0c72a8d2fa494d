// A job's page, of any kind: waiting, then its result in the same place; or why there is none.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, at, boot, ended, problemOf, type Problem } from "./api";
import { follow, type Job } from "./follow";
import { count, duration, moment, seconds } from "./numbers";
import { Icon, Panel } from "./parts";
import { SIGNED_IN, Trouble, useProblem } from "./trouble";

/** What jobs of all these kinds have. */
interface Running extends Job {
  title: string;
  progress: number;
  phase: string | null;
  parts: { done: number; total: number };
  position: number | null;
  estimate_s: number | null;
  error: Problem | null;
  created_at: string;
  finished_at: string | null;
}

/** A kind of job, in words. */
export interface Kind<T extends Running> {
  noun: string;
  /** A heading while it runs. */
  doing: string;
  parts: string;
  phases: { [phase: string]: string };
  /** Where jobs of the kind are. */
  path: string;
  /** The form of another one, and what leads there. */
  form: string;
  another: string;
  titleOf(job: T): string | undefined;
  /** The page of one that has succeeded; lost: it is not there any more. */
  result(job: T, lost: (problem: Problem) => void): ComponentChildren;
}

export function JobPage<T extends Running>({ kind, first }: { kind: Kind<T>; first: T | undefined }) {
  const [job, setJob] = useState(first);
  const [problem, setProblem] = useState(boot.problem);
  const [silent, setSilent] = useState(false);
  const [said, say] = useState("");
  useEffect(() => {
    if (!job || ended(job)) return;
    const changed = (news: T) => {
      // What is done stays done, also where a lost worker's part is done again.
      setJob((before) => ({ ...news, progress: Math.max(before?.progress ?? 0, news.progress) }));
      if (ended(news)) say(news.state === "succeeded" ? `The ${kind.noun} has succeeded: its result is shown.` : `The ${kind.noun} has ${news.state === "failed" ? "failed" : "been cancelled"}.`);
    };
    return follow(kind.path, job, { changed, lost: setProblem, silent: setSilent });
  }, []);
  return (
    <>
      <p class="visually-hidden" role="status">{said}</p>
      {problem ? <Gone kind={kind} problem={problem} /> : job && <Shown kind={kind} job={job} silent={silent} lost={setProblem} />}
    </>
  );
}

interface Props<T extends Running> {
  kind: Kind<T>;
  job: T;
}

function Shown<T extends Running>({ kind, job, silent, lost }: Props<T> & { silent: boolean; lost(problem: Problem): void }) {
  if (job.state === "succeeded") return <>{kind.result(job, lost)}</>;
  return ended(job) ? <Unsuccessful kind={kind} job={job} /> : <Waiting kind={kind} job={job} silent={silent} />;
}

function Waiting<T extends Running>({ kind, job, silent }: Props<T> & { silent: boolean }) {
  const { progress, parts, state, position, phase, estimate_s: left } = job;
  const [title] = useState(() => kind.titleOf(job));
  const [problem, setProblem] = useProblem();
  const [stopping, setStopping] = useState(false);
  const cancel = () => {
    setStopping(true);
    ask(`${kind.path}/${job.id}:cancel`, { method: "POST" }).catch((error: unknown) => {
      setProblem(problemOf(error));
      setStopping(false);
    });
  };
  useEffect(() => {
    document.title = `${Math.floor(progress * 100)} % - ${title || capital(kind.noun)} - Shardwater`;
  }, [progress, title]);
  const doing = state === "queued" ? (position ? `Waiting for ${count(position)} before it` : "Queued") : (kind.phases[phase ?? ""] ?? "Running");
  return (
    <div class="narrow">
      <h1>{title || kind.doing}</h1>
      <Panel class="waiting">
        <div class="progress-line">
          <strong role="status">{silent ? "The server does not answer. Reconnecting…" : doing}</strong>
          <span class="percent">{(Math.floor(progress * 1000) / 10).toFixed(1)} %</span>
        </div>
        <progress max={1} value={progress} aria-label="Share of the work done" />
        <dl class="facts">
          <div><dt>{kind.parts}</dt><dd>{count(parts.done)} of {count(parts.total)}</dd></div>
          <div><dt>Left, about</dt><dd>{left === null ? "not known yet" : left < 1 ? "under 1 s" : seconds(left)}</dd></div>
        </dl>
        {problem && <Trouble problem={problem} />}
        <div class="row">
          <button type="button" disabled={stopping} onClick={cancel}><Icon name="stop" />{stopping ? "Cancelling…" : "Cancel"}</button>
          <span class="dim">This address stays the same; the page may be closed and opened again.</span>
        </div>
      </Panel>
    </div>
  );
}

function Unsuccessful<T extends Running>({ kind, job }: Props<T>) {
  const { id, title, state, error, finished_at: finished, created_at: created } = job;
  const heading = title || `${state === "cancelled" ? "Cancelled" : "Failed"} ${kind.noun}`;
  useEffect(() => {
    document.title = `${heading} - Shardwater`;
  }, []);
  return (
    <div class="narrow">
      <h1>{heading}</h1>
      {error && state === "failed" ? (
        <Trouble problem={error}><p>Run it again, or tell the server's operator the {kind.noun}'s id.</p></Trouble>
      ) : (
        <Panel><p>This {kind.noun} was cancelled {finished && `on ${moment(finished)}`}. There is no result: none is ever shown in part.</p></Panel>
      )}
      <p class="dim">{capital(kind.noun)} <span class="mono">{id}</span> of {moment(created)}</p>
      <div class="row"><a class="button primary" href={at(kind.form)}>{kind.another}</a></div>
    </div>
  );
}

/** An address that leads to no job. */
function Gone<T extends Running>({ kind, problem }: { kind: Kind<T>; problem: Problem }) {
  useEffect(() => {
    const signedIn = () => location.reload();
    addEventListener(SIGNED_IN, signedIn);
    return () => removeEventListener(SIGNED_IN, signedIn);
  }, []);
  const known: { [status: number]: [string, string] } = {
    404: [`No such ${kind.noun}`, `There is no ${kind.noun} under this address. It may have been deleted, or the address may be incomplete.`],
    410: ["This result has been removed", `Results are kept for ${duration(boot.info.limits.retention_s)} on this server, and this one's time is over.`],
  };
  const [title, text] = known[problem.status] ?? [problem.status === 401 ? `Sign in to see this ${kind.noun}` : "The server cannot answer now", ""];
  return (
    <div class="narrow">
      <h1>{title}</h1>
      {text ? <Panel><p>{text}</p></Panel> : <Trouble problem={problem} />}
      <div class="row">
        {problem.retryable && <button type="button" class="primary" onClick={() => location.reload()}>Try again</button>}
        <a class={problem.retryable ? "button" : "button primary"} href={at(kind.form)}>{kind.another}</a>
      </div>
    </div>
  );
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
