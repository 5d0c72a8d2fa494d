// A search's page: waiting, then its result in the same place; or why there is none, and what to do about it.
import { useEffect, useState } from "preact/hooks";
import { ask, askJson, at, boot, ended, postJson, problemOf, type Problem, type Search, type SearchRequest } from "./api";
import { follow } from "./follow";
import { recall } from "./history";
import { count, moment, seconds } from "./numbers";
import { Icon, Panel, Trouble } from "./parts";
import { ResultPage } from "./result/page";

export function SearchPage() {
  const [search, setSearch] = useState(boot.search);
  const [problem, setProblem] = useState(boot.problem);
  useEffect(() => {
    if (!search || ended(search)) return;
    return follow(search, { changed: setSearch, lost: setProblem });
  }, []);
  useEffect(() => {
    if (search && !ended(search)) document.title = `${Math.floor(search.progress * 100)} % - ${search.title || "Search"} - Shardwater`;
  }, [search]);
  if (problem) return <Gone id={boot.id ?? ""} problem={problem} />;
  if (!search) return null;
  if (search.state === "succeeded") return <ResultPage search={search} />;
  return ended(search) ? <Unsuccessful search={search} /> : <Waiting search={search} />;
}

function Waiting({ search }: { search: Search }) {
  const [problem, setProblem] = useState<Problem>();
  const [stopping, setStopping] = useState(false);
  const elapsed = useElapsed(search.created_at);
  const percent = Math.floor(search.progress * 1000) / 10;
  const cancel = async () => {
    setStopping(true);
    try {
      await ask(`/v1/searches/${search.id}:cancel`, { method: "POST" });
    } catch (error) {
      setProblem(problemOf(error));
      setStopping(false);
    }
  };
  const before = search.position ?? 0;
  return (
    <div class="narrow">
      <h1>{search.title || "Searching"}</h1>
      <Panel class="waiting">
        <div class="progress-line">
          <strong role="status">{search.state === "queued" ? (before > 0 ? `Waiting for ${count(before)} before it` : "Queued") : "Comparing"}</strong>
          <span class="percent">{percent.toFixed(1)} %</span>
        </div>
        <progress max={1} value={search.progress} aria-label="Share of the cells scored" />
        <dl class="facts">
          <div><dt>Database</dt><dd>{search.database.name} <span class="mono dim">{search.database.version}</span></dd></div>
          <div><dt>Shards done</dt><dd>{search.shards.done} of {search.shards.total}</dd></div>
          <div><dt>Running for</dt><dd>{seconds(elapsed)}</dd></div>
          <div><dt>Left, about</dt><dd>{search.estimate_s === null ? "not known yet" : seconds(search.estimate_s)}</dd></div>
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
function Unsuccessful({ search }: { search: Search }) {
  const kind = search.error?.type.split(":").pop() ?? "";
  const cancelled = search.state === "cancelled";
  return (
    <div class="narrow">
      <h1>{search.title || (cancelled ? "Cancelled search" : "Failed search")}</h1>
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
  const days = Math.round(boot.info.limits.retention_s / 8640) / 10;
  const titles: { [status: number]: string } = { 404: "No such search", 410: "This result has been removed" };
  const what: { [status: number]: string } = {
    404: "There is no search under this address. It may have been deleted, or the address may be incomplete.",
    410: `Results are kept for ${days} days on this server, and this one's time is over.`,
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
  const [problem, setProblem] = useState<Problem>();
  const [sending, setSending] = useState(false);
  const run = async () => {
    setSending(true);
    try {
      const search = await postJson<Search>("/v1/searches", await load());
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
