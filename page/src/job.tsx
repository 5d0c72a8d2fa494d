// A job's page, of any kind: waiting, then its result in the same place; or why there is none, and what to do about it.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { ask, at, boot, ended, problemOf, type Problem, type QueryWarning, type SearchRequest } from "./api";
import { Delete } from "./confirm";
import { follow, type Job } from "./follow";
import { recall, titleOf, type Entry } from "./history";
import { notify, NotifyButton } from "./notify";
import { count, duration, moment, seconds } from "./numbers";
import { capital, Icon, Panel, Warnings } from "./parts";
import { SIGNED_IN, Trouble, useProblem } from "./trouble";

interface Counts {
  done: number;
  total: number;
}

/** What jobs of all kinds have, under one of two names or where they have it. */
interface Running extends Job {
  title: string;
  progress: number;
  phase: string | null;
  parts?: Counts;
  shards?: Counts;
  position: number | null;
  estimate_s: number | null;
  error: Problem | null;
  created_at: string;
  finished_at: string | null;
  database?: { name: string; version: string };
  warnings?: QueryWarning[];
}

/** A kind of job, in words. */
export interface Kind<T extends Running> {
  noun: string;
  /** A heading while it runs. */
  doing: string;
  parts: string;
  phases: { [phase: string]: string };
  /** What the history and addresses call the kind. */
  listed: Entry["kind"];
  /** The form of another one, and what leads there. */
  form: string;
  another: string;
  /** What can be done about problems of some types, in place of what can always be done. */
  advice?: { [type: string]: string };
  /** What sends a job once more, by what this browser has kept of it or else by what the server has. */
  again?(id: string, kept?: SearchRequest): ComponentChildren;
  /** The page of one that has succeeded; lost: it is not there any more. */
  result(job: T, lost: (problem: Problem) => void): ComponentChildren;
}

export function JobPage<T extends Running>({ kind, first }: { kind: Kind<T>; first: T | undefined }) {
  const [job, setJob] = useState(first);
  const [problem, setProblem] = useState(boot.problem);
  const [silent, setSilent] = useState(false);
  const [said, say] = useState("");
  const [name] = useState(() => titleOf({ id: boot.id ?? "", title: first?.title ?? "" }));
  useEffect(() => {
    if (!job || ended(job)) return;
    const changed = (news: T) => {
      // What is done stays done, also where a lost worker's part is done again.
      setJob((before) => ({ ...news, progress: Math.max(before?.progress ?? 0, news.progress) }));
      if (!ended(news)) return;
      const end = `The ${kind.noun} has ${{ succeeded: "succeeded", failed: "failed" }[news.state] ?? "been cancelled"}`;
      say(news.state === "succeeded" ? `${end}: its result is shown.` : `${end}.`);
      notify(name || "Shardwater", `${end}.`);
    };
    return follow(`/v1/${kind.listed}`, job, { changed, lost: setProblem, silent: setSilent });
  }, []);
  useEffect(() => {
    if (job && job.state !== "succeeded") document.title = [stateText(job, problem), name || capital(kind.noun), "Shardwater"].filter(Boolean).join(" - ");
  }, [job, problem]);
  return (
    <>
      {/* There from the start: what appears together with its text is not read out. */}
      <p class="visually-hidden" role="status">{said}</p>
      {problem ? <Gone kind={kind} problem={problem} /> : job && <Shown kind={kind} job={job} name={name} silent={silent} lost={setProblem} />}
    </>
  );
}

/** What the tab says of a job without a result. */
function stateText(job: Running, problem: Problem | undefined): string {
  if (problem) return "";
  return ended(job) ? capital(job.state) : `${Math.floor(job.progress * 100)} %`;
}

interface Props<T extends Running> {
  kind: Kind<T>;
  job: T;
  /** What it is called, if it has a name. */
  name: string;
}

function Shown<T extends Running>({ silent, lost, ...props }: Props<T> & { silent: boolean; lost(problem: Problem): void }) {
  const { kind, job } = props;
  if (job.state === "succeeded") return <>{kind.result(job, lost)}</>;
  return ended(job) ? <Unsuccessful {...props} /> : <Waiting {...props} silent={silent} />;
}

function Waiting<T extends Running>({ kind, job, name, silent }: Props<T> & { silent: boolean }) {
  const { progress, state, position, phase, database, estimate_s: left } = job;
  const parts = job.parts ?? job.shards;
  const [problem, setProblem] = useProblem();
  const [stopping, setStopping] = useState(false);
  const elapsed = useElapsed(job.created_at);
  const cancel = () => {
    setStopping(true);
    ask(`/v1/${kind.listed}/${job.id}:cancel`, { method: "POST" }).catch((error: unknown) => {
      setProblem(problemOf(error));
      setStopping(false);
    });
  };
  const doing = state === "queued" ? (position ? `Waiting for ${count(position)} before it` : "Queued") : (kind.phases[phase ?? ""] ?? "Running");
  return (
    <div class="narrow">
      <h1>{name || kind.doing}</h1>
      <Warnings warnings={job.warnings ?? []} many />
      <Panel class="waiting">
        <div class="progress-line">
          <strong role="status">{silent ? "The server does not answer. Reconnecting…" : doing}</strong>
          <span class="percent">{(Math.floor(progress * 1000) / 10).toFixed(1)} %</span>
        </div>
        <progress max={1} value={progress} aria-label="Share of the work done" />
        <dl class="facts">
          {database && <div><dt>Database</dt><dd>{database.name} <span class="mono dim">{database.version}</span></dd></div>}
          {parts && <div><dt>{kind.parts}</dt><dd>{count(parts.done)} of {count(parts.total)}</dd></div>}
          <div><dt>Running for</dt><dd>{seconds(elapsed)}</dd></div>
          <div><dt>Left</dt><dd>{left === null ? "not known yet" : left < 1 ? "under 1 s" : `about ${seconds(left)}`}</dd></div>
        </dl>
        {problem && <Trouble problem={problem} />}
        <div class="row">
          <button type="button" disabled={stopping} onClick={cancel}><Icon name="stop" />{stopping ? "Cancelling…" : "Cancel"}</button>
          <NotifyButton />
        </div>
        <p class="dim">The {kind.noun} goes on without this page: its address stays the same.</p>
      </Panel>
    </div>
  );
}

/** Seconds since a time, counted on. */
function useElapsed(since: string): number {
  const passed = () => Math.max(1, Math.round((Date.now() - Date.parse(since)) / 1000));
  const [elapsed, setElapsed] = useState(passed());
  useEffect(() => {
    const timer = setInterval(() => setElapsed(passed()), 1000);
    return () => clearInterval(timer);
  }, [since]);
  return elapsed;
}

/** A job that ended without a result. */
function Unsuccessful<T extends Running>({ kind, job, name }: Props<T>) {
  const { id, state, error, database, finished_at: finished, created_at: created } = job;
  const title = name || `${capital(state)} ${kind.noun}`;
  const advice = kind.advice?.[error?.type.split(":").pop() ?? ""] ?? `Run it again, or tell the server's operator the ${kind.noun}'s id.`;
  return (
    <div class="narrow">
      <h1>{title}</h1>
      {state === "cancelled" ? (
        <Panel><p>This {kind.noun} was cancelled {finished && `on ${moment(finished)}`}. There is no result: none is ever shown in part.</p></Panel>
      ) : (
        error && <Trouble problem={error}><p>{advice}</p></Trouble>
      )}
      <p class="dim">
        {capital(kind.noun)} <span class="mono">{id}</span> of {moment(created)}
        {database && <> on {database.name}, version <span class="mono">{database.version}</span></>}
      </p>
      <div class="row">
        {kind.again?.(id) ?? <a class="button primary" href={at(`${kind.form}?edit=${id}`)}>Edit {kind.noun}</a>}
        <a class="button" href={at(kind.form)}>{kind.another}</a>
        <Delete kind={kind.listed} id={id} title={title} done={() => location.assign(at("/history"))} />
      </div>
    </div>
  );
}

/** An address that leads to no job: expired, unknown, or a server that cannot say. */
function Gone<T extends Running>({ kind, problem }: { kind: Kind<T>; problem: Problem }) {
  const [kept] = useState(() => recall(boot.id ?? ""));
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
  const again = text && kept?.request && kind.again?.(kept.id, kept.request);
  return (
    <div class="narrow">
      <h1>{title}</h1>
      {text ? <Panel><p>{text}</p></Panel> : <Trouble problem={problem} />}
      {kept && <p>From this browser: <strong>{kept.title}</strong>, {kept.about && `${kept.about}, `}of {moment(kept.created_at)}.</p>}
      <div class="row">
        {again}
        {problem.retryable && <button type="button" class="primary" onClick={() => location.reload()}>Try again</button>}
        <a class={again || problem.retryable ? "button" : "button primary"} href={at(kind.form)}>{kind.another}</a>
      </div>
      {problem.status === 410 && kind.again && !again && <p class="dim">Whoever kept the query can send it again: the same query on the same database version gives the same hits.</p>}
    </div>
  );
}
