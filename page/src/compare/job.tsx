// A comparison's page: waiting, then its result in the same place; or why there is none.
import { useEffect, useState } from "preact/hooks";
import { ask, at, boot, ended, problemOf, type Problem } from "../api";
import { follow } from "../follow";
import { count, duration, moment, seconds } from "../numbers";
import { Icon, Panel } from "../parts";
import { SIGNED_IN, Trouble, useProblem } from "../trouble";
import { titleOf } from "./recent";
import { ResultPage } from "./result";
import type { Comparison } from "./types";

export function ComparisonPage() {
  const [comparison, setComparison] = useState(boot.comparison);
  const [problem, setProblem] = useState(boot.problem);
  const [silent, setSilent] = useState(false);
  const [said, say] = useState("");
  useEffect(() => {
    if (!comparison || ended(comparison)) return;
    const changed = (news: Comparison) => {
      // What is done stays done, also where a lost worker's part is done again.
      setComparison((before) => ({ ...news, progress: Math.max(before?.progress ?? 0, news.progress) }));
      if (ended(news)) say(news.state === "succeeded" ? "The comparison has succeeded: its result is shown." : `The comparison has ${news.state === "failed" ? "failed" : "been cancelled"}.`);
    };
    return follow("/v1/comparisons", comparison, { changed, lost: setProblem, silent: setSilent });
  }, []);
  return (
    <>
      <p class="visually-hidden" role="status">{said}</p>
      {problem ? <Gone problem={problem} /> : comparison && <Shown comparison={comparison} silent={silent} />}
    </>
  );
}

function Shown({ comparison, silent }: { comparison: Comparison; silent: boolean }) {
  if (comparison.state === "succeeded" && comparison.summary) return <ResultPage comparison={comparison} summary={comparison.summary} />;
  return ended(comparison) ? <Unsuccessful comparison={comparison} /> : <Waiting comparison={comparison} silent={silent} />;
}

const PHASES: { [phase: string]: string } = {
  scoring: "Finding shared stretches",
  aligning: "Aligning with gaps",
  merging: "Putting the list together",
};

function Waiting({ comparison, silent }: { comparison: Comparison; silent: boolean }) {
  const { progress, parts, state, position, phase, estimate_s: left } = comparison;
  const [title] = useState(() => titleOf(comparison));
  const [problem, setProblem] = useProblem();
  const [stopping, setStopping] = useState(false);
  const cancel = () => {
    setStopping(true);
    ask(`/v1/comparisons/${comparison.id}:cancel`, { method: "POST" }).catch((error: unknown) => {
      setProblem(problemOf(error));
      setStopping(false);
    });
  };
  useEffect(() => {
    document.title = `${Math.floor(progress * 100)} % - ${title || "Comparison"} - Shardwater`;
  }, [progress, title]);
  const doing = state === "queued" ? (position ? `Waiting for ${count(position)} before it` : "Queued") : (PHASES[phase ?? ""] ?? "Running");
  return (
    <div class="narrow">
      <h1>{title || "Comparing"}</h1>
      <Panel class="waiting">
        <div class="progress-line">
          <strong role="status">{silent ? "The server does not answer. Reconnecting…" : doing}</strong>
          <span class="percent">{(Math.floor(progress * 1000) / 10).toFixed(1)} %</span>
        </div>
        <progress max={1} value={progress} aria-label="Share of the work done" />
        <dl class="facts">
          <div><dt>Parts done</dt><dd>{count(parts.done)} of {count(parts.total)}</dd></div>
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

function Unsuccessful({ comparison }: { comparison: Comparison }) {
  const { id, title, state, error, finished_at: finished, created_at: created } = comparison;
  return (
    <div class="narrow">
      <h1>{title || (state === "cancelled" ? "Cancelled comparison" : "Failed comparison")}</h1>
      {error && state === "failed" ? (
        <Trouble problem={error}><p>Run it again, or tell the server's operator the comparison's id.</p></Trouble>
      ) : (
        <Panel><p>This comparison was cancelled {finished && `on ${moment(finished)}`}. There is no result: a list is never shown in part.</p></Panel>
      )}
      <p class="dim">Comparison <span class="mono">{id}</span> of {moment(created)}</p>
      <div class="row"><a class="button primary" href={at("/compare")}>New comparison</a></div>
    </div>
  );
}

/** An address that leads to no comparison. */
function Gone({ problem }: { problem: Problem }) {
  useEffect(() => {
    const signedIn = () => location.reload();
    addEventListener(SIGNED_IN, signedIn);
    return () => removeEventListener(SIGNED_IN, signedIn);
  }, []);
  const known: { [status: number]: [string, string] } = {
    404: ["No such comparison", "There is no comparison under this address. It may have been deleted, or the address may be incomplete."],
    410: ["This result has been removed", `Results are kept for ${duration(boot.info.limits.retention_s)} on this server, and this one's time is over.`],
  };
  const [title, text] = known[problem.status] ?? [problem.status === 401 ? "Sign in to see this comparison" : "The server cannot answer now", ""];
  return (
    <div class="narrow">
      <h1>{title}</h1>
      {text ? <Panel><p>{text}</p></Panel> : <Trouble problem={problem} />}
      <div class="row">
        {problem.retryable && <button type="button" class="primary" onClick={() => location.reload()}>Try again</button>}
        <a class={problem.retryable ? "button" : "button primary"} href={at("/compare")}>New comparison</a>
      </div>
    </div>
  );
}
