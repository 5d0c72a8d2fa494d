// Hits that follow the query as it is typed: each search cancels the one before it.
import { useEffect, useReducer, useState } from "preact/hooks";
import {
  ask, askJson, at, isAbort, postJson, ProblemError, problemOf, type QueryResult, type Search, type SearchRequest,
  type SearchResult,
} from "../api";
import type { Record } from "../fasta";
import { follow } from "../follow";
import { rememberSearch } from "../history";
import { bitsText, count, evalueText, percentText, plural, seconds } from "../numbers";
import { Panel } from "../parts";
import { DifferMark } from "../result/differ";
import { Trouble, useProblem } from "../trouble";

const SHOWN = 50;

/** Where the query stands: nothing there, faulty, being estimated, quick enough, too slow. */
export type Turn = "empty" | "invalid" | "soon" | "now" | "slow";

interface Found {
  search: Search;
  request: SearchRequest;
  records: Record[];
  took: number;
  result: SearchResult;
  first: QueryResult;
}

interface Props {
  /** What to search for; nothing unless it is its turn. */
  request: SearchRequest | undefined;
  turn: Turn;
  records: Record[];
  why: string;
}

/** The list stands still until the next one is there, or none can be. */
export function Instant({ request, turn, records, why }: Props) {
  const [found, setFound] = useState<Found>();
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    run(request, records, controller.signal).then(
      (result) => { setFound(result); setProblem(undefined); },
      (error: unknown) => { if (!isAbort(error)) setProblem(problemOf(error)); },
    );
    return () => controller.abort();
  }, [request, asked]);
  const none = turn === "slow" || turn === "empty";
  useEffect(() => {
    if (none) setFound(undefined);
  }, [none]);
  const list = none ? undefined : found;
  // Whichever way it is opened: by a click, in another tab, by the menu of the other button.
  const keep = () => list && rememberSearch(list.search, list.request, list.records);
  return (
    <Panel title="Instant hits" class="instant" aside={<span class="dim instant-status" role="status">{why || (list ? foundText(list) : "Searching…")}</span>}>
      {problem && <Trouble problem={problem} />}
      <div class="instant-list" tabIndex={0} role="region" aria-label="Instant hits">{list && <InstantTable found={list} />}</div>
      <p class="instant-open">
        {list && (
          <a href={at(`/searches/${list.search.id}`)} onClick={keep} onAuxClick={keep} onContextMenu={keep}>Open this result with alignments</a>
        )}
      </p>
    </Panel>
  );
}

function foundText({ first, records, result, took }: Found): string {
  const hits = `${plural(first.hits.length, "hit")}${first.hits.length === SHOWN ? " or more" : ""}`;
  return `${records.length > 1 ? "first query: " : ""}${hits} in ${result.database.name}, ${seconds(took / 1000)}, ${count(result.certificate.subjects)} sequences scored`;
}

function InstantTable({ found: { first } }: { found: Found }) {
  if (first.hits.length === 0) return <p>No subject passes the E-value and the other thresholds.</p>;
  return (
    <table class="plain">
      <thead>
        <tr><th>Accession</th><th>Title</th><th class="num">Bits</th><th class="num">E-value</th><th class="num">Identity %</th></tr>
      </thead>
      <tbody>
        {first.hits.map((hit) => (
          <tr key={hit.accession}>
            <td class="mono">{hit.accession}</td>
            <td class="ellipsis" title={hit.title}>{hit.title}</td>
            <td class="num">{hit.bits === null ? hit.score : bitsText(hit.bits)}</td>
            <td class="num"><DifferMark hit={hit} />{evalueText(hit.evalue)}</td>
            <td class="num">{percentText(hit.identity)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Search and wait for the hits; when the signal comes first, the search is cancelled on the server as well. */
async function run(request: SearchRequest, records: Record[], signal: AbortSignal): Promise<Found> {
  const started = performance.now();
  const search = await submitted({ ...request, max_target_seqs: SHOWN, alignments: SHOWN }, signal);
  const result = await askJson<SearchResult>(`/v1/searches/${search.id}/results?query=1`, { signal });
  const first = result.results[0];
  if (!first) throw new Error("the result has no query");
  return { search, request, records, took: performance.now() - started, result, first };
}

/** The search, once it has succeeded. An equal one that was given up a moment ago may answer: its cancel is not ours. */
async function submitted(request: SearchRequest, signal: AbortSignal): Promise<Search> {
  for (;;) {
    const search = await postJson<Search>("/v1/searches", request);
    try {
      await finished(search, signal);
      return search;
    } catch (error) {
      if (signal.aborted || !isAbort(error)) throw error;
    }
  }
}

function finished(search: Search, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (search.state === "succeeded") return resolve();
    const cancel = () => {
      stop();
      // It may have ended meanwhile, and then there is nothing to cancel.
      ask(`/v1/searches/${search.id}:cancel`, { method: "POST" }).catch(() => undefined);
      reject(new DOMException("a newer query", "AbortError"));
    };
    const stop = follow("/v1/searches", search, {
      changed(news) {
        if (news.state === "succeeded") resolve();
        if (news.state === "failed") reject(new Error(news.error?.detail ?? "the search failed"));
        if (news.state === "cancelled") reject(new DOMException("cancelled", "AbortError"));
      },
      lost: (problem) => reject(new ProblemError(problem)),
    });
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel, { once: true });
  });
}
