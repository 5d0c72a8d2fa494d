// A search's page: waiting, then its result in the same place; or why there is none, and what to do about it.
import { useEffect, useState } from "preact/hooks";
import { ask, askJson, at, boot, ended, postJson, problemOf, type Problem, type Search, type SearchRequest } from "./api";
import { checkFasta, titleOf } from "./fasta";
import { follow } from "./follow";
import { recall, remember } from "./history";
import { count, duration, moment, seconds } from "./numbers";
import { Icon, Panel, Warnings } from "./parts";
import { ResultPage } from "./result/page";
import { SIGNED_IN, Trouble, useProblem } from "./trouble";

export function SearchPage() {
  const [search, setSearch] = useState(boot.search);
  const [problem, setProblem] = useState(boot.problem);
  const [silent, setSilent] = useState(false);
  const [said, say] = useState("");
  const [known] = useState(() => recall(boot.id ?? "")?.title);
  const name = search?.title || known;
  useEffect(() => {
    if (!search || ended(search)) return;
    const changed = (news: Search) => {
      setSearch(news);
      if (ended(news)) say(news.state === "succeeded" ? "The search has succeeded: its result is shown." : `The search has ${news.state === "failed" ? "failed" : "been cancelled"}.`);
    };
    return follow("/v1/searches", search, { changed, lost: setProblem, silent: setSilent });
  }, []);
  useEffect(() => {
    if (search && search.state !== "succeeded") document.title = `${tabText(search, problem, name)} - Shardwater`;
  }, [search, problem, name]);
  return (
    <>
      {/* There from the start: what appears together with its text is not read out. */}
      <p class="visually-hidden" role="status">{said}</p>
      {problem ? <Gone id={boot.id ?? ""} problem={problem} /> : search && <Shown search={search} name={name} silent={silent} />}
    </>
  );
}

interface Named {
  search: Search;
  /** What it is called, or what this browser's list of searches calls it. */
  name: string | undefined;
}

function Shown({ search, name, silent }: Named & { silent: boolean }) {
  if (search.state === "succeeded") return <ResultPage search={search} />;
  return ended(search) ? <Unsuccessful search={search} name={name} /> : <Waiting search={search} name={name} silent={silent} />;
}

/** What the tab says of a search without a result. */
function tabText(search: Search, problem: Problem | undefined, name: string | undefined): string {
  const title = name || "Search";
  if (problem) return title;
  return ended(search) ? `${search.state === "failed" ? "Failed" : "Cancelled"} - ${title}` : `${Math.floor(search.progress * 100)} % - ${title}`;
}

function Waiting({ search, name, silent }: Named & { silent: boolean }) {
  const [problem, setProblem] = useProblem();
  const [stopping, setStopping] = useState(false);
  const elapsed = useElapsed(search.created_at);
  const cancel = async () => {
    setStopping(true);
    try {
      await ask(`/v1/searches/${search.id}:cancel`, { method: "POST" });
    } catch (error) {
      setProblem(problemOf(error));
      setStopping(false);
    }
  };
  return (
    <div class="narrow">
      <h1>{name || "Searching"}</h1>
      <Warnings warnings={search.warnings} many />
      <Panel class="waiting">
        <div class="progress-line">
          <strong role="status">{silent ? "The server does not answer. Reconnecting…" : phaseText(search)}</strong>
          <span class="percent">{(Math.floor(search.progress * 1000) / 10).toFixed(1)} %</span>
        </div>
        <progress max={1} value={search.progress} aria-label="Share of the work done" />
        <dl class="facts">
          <div><dt>Database</dt><dd>{search.database.name} <span class="mono dim">{search.database.version}</span></dd></div>
          <div><dt>Shards done</dt><dd>{search.shards.done} of {search.shards.total}</dd></div>
          <div><dt>Running for</dt><dd>{seconds(elapsed)}</dd></div>
          <div><dt>Left, about</dt><dd>{leftText(search)}</dd></div>
        </dl>
        {problem && <Trouble problem={problem} />}
        <div class="row">
          <button type="button" disabled={stopping} onClick={() => void cancel()}><Icon name="stop" />{stopping ? "Cancelling…" : "Cancel"}</button>
          <span class="dim">This address stays the same; the page may be closed and opened again.</span>
        </div>
      </Panel>
    </div>
  );
}

const PHASES: { [phase: string]: string } = {
  scoring: "Comparing with all sequences",
  aligning: "Aligning the best hits",
  merging: "Putting the result together",
};

function phaseText({ state, phase, position }: Search): string {
  if (state === "queued") return position ? `Waiting for ${count(position)} before it` : "Queued";
  return PHASES[phase ?? ""] ?? "Running";
}

function leftText({ estimate_s: left }: Search): string {
  if (left === null) return "not known yet";
  return left < 1 ? "under 1 s" : seconds(left);
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

const ADVICE: { [type: string]: string } = {
  "shard-failed": "Nothing is wrong with the request. Run it again; if it fails once more, send fewer or shorter queries, and tell the server's operator the search's id.",
  "search-timeout": "The search took longer than this server allows. Send fewer or shorter queries at a time, or ask its operator for a higher limit.",
};

/** A search that ended without a result. */
function Unsuccessful({ search, name }: Named) {
  const kind = search.error?.type.split(":").pop() ?? "";
  const cancelled = search.state === "cancelled";
  return (
    <div class="narrow">
      <h1>{name || (cancelled ? "Cancelled search" : "Failed search")}</h1>
      {cancelled ? (
        <Panel><p>This search was cancelled {search.finished_at && `on ${moment(search.finished_at)}`}. There is no result: a list is never shown in part.</p></Panel>
      ) : (
        search.error && <Trouble problem={search.error}><p>{ADVICE[kind] ?? "Run it again, or tell the server's operator the search's id."}</p></Trouble>
      )}
      <p class="dim">Search <span class="mono">{search.id}</span> of {moment(search.created_at)} on {search.database.name}, version <span class="mono">{search.database.version}</span></p>
      <Again load={() => askJson<SearchRequest>(`/v1/searches/${search.id}/request`)} edit={at(`/?edit=${search.id}`)} />
    </div>
  );
}

/** An address that leads to no search: expired, unknown, or a server that cannot say. */
function Gone({ id, problem }: { id: string; problem: Problem }) {
  const known = recall(id);
  const request = known?.request;
  useEffect(() => {
    const signedIn = () => location.reload();
    addEventListener(SIGNED_IN, signedIn);
    return () => removeEventListener(SIGNED_IN, signedIn);
  }, []);
  const titles: { [status: number]: string } = { 401: "Sign in to see this search", 404: "No such search", 410: "This result has been removed" };
  const what: { [status: number]: string } = {
    404: "There is no search under this address. It may have been deleted, or the address may be incomplete.",
    410: `Results are kept for ${duration(boot.info.limits.retention_s)} on this server, and this one's time is over.`,
  };
  return (
    <div class="narrow">
      <h1>{titles[problem.status] ?? "The server cannot answer now"}</h1>
      {what[problem.status] ? <Panel><p>{what[problem.status]}</p></Panel> : <Trouble problem={problem} />}
      {known && <p>From this browser: <strong>{known.title}</strong>, searched in {known.database} on {moment(known.created_at)}.</p>}
      {request && [404, 410].includes(problem.status) ? (
        <Again load={() => Promise.resolve(request)} />
      ) : (
        <div class="row">
          {problem.retryable && <button type="button" class="primary" onClick={() => location.reload()}>Try again</button>}
          <a class={problem.retryable ? "button" : "button primary"} href={at("/")}>New search</a>
        </div>
      )}
      {problem.status === 410 && !request && <p class="dim">Whoever kept the query can send it again: the same query on the same database version gives the same hits.</p>}
    </div>
  );
}

/** Send a request once more, and go to its page. */
function Again({ load, edit }: { load(): Promise<SearchRequest>; edit?: string }) {
  const [problem, setProblem] = useProblem();
  const [sending, setSending] = useState(false);
  const run = async () => {
    setSending(true);
    try {
      const request = await load();
      const search = await postJson<Search>("/v1/searches", request);
      const { records } = checkFasta(request.sequence ?? "");
      remember(search, request, records.length, titleOf(records));
      location.assign(at(`/searches/${search.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  return (
    <>
      {problem && <Trouble problem={problem} />}
      <div class="row">
        <button type="button" class="primary" disabled={sending} onClick={() => void run()}>{sending ? "Sending…" : "Run it again"}</button>
        {edit && <a class="button" href={edit}>Edit and search</a>}
        <a class="button" href={at("/")}>New search</a>
      </div>
    </>
  );
}
