// Hits that follow the query as it is typed: each search cancels the one before it.
import { useEffect, useState } from "preact/hooks";
import {
  ask, askJson, at, isAbort, postJson, problemOf, type Problem, type QueryResult, type Search, type SearchRequest,
  type SearchResult,
} from "../api";
import { follow } from "../follow";
import { bitsText, count, evalueText, percentText, plural, seconds } from "../numbers";
import { Panel, Trouble } from "../parts";

const SHOWN = 50;

interface Found {
  id: string;
  took: number;
  result: SearchResult;
  first: QueryResult;
}

interface Props {
  /** What to search for; nothing while the query is not valid, or would take too long. */
  request: SearchRequest | undefined;
  many: boolean;
  why: string;
}

export function Instant({ request, many, why }: Props) {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    run(request, controller.signal).then(
      (result) => { setFound(result); setProblem(undefined); },
      (error: unknown) => { if (!isAbort(error)) setProblem(problemOf(error)); },
    );
    return () => controller.abort();
  }, [request]);
  const aside = found && (
    <span class="dim" role="status">
      {many && "first query: "}{plural(found.first.hits.length, "hit")}{found.first.hits.length === SHOWN ? " or more" : ""} in {seconds(found.took / 1000)}, {count(found.result.certificate.subjects)} sequences scored
    </span>
  );
  return (
    <Panel title="Instant hits" aside={aside} class="instant">
      {problem && <Trouble problem={problem} />}
      {!request && <p class="dim">{why}</p>}
      {found && !problem && <InstantTable found={found} stale={!request} />}
    </Panel>
  );
}

function InstantTable({ found, stale }: { found: Found; stale: boolean }) {
  const { first } = found;
  if (first.hits.length === 0) return <p>No subject passes the E-value and the other thresholds.</p>;
  return (
    <div class={stale ? "scroll stale" : "scroll"} tabIndex={0} role="region" aria-label="Instant hits">
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
              <td class="num">{evalueText(hit.evalue)}</td>
              <td class="num">{percentText(hit.identity)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p><a href={at(`/searches/${found.id}`)}>Open this result with alignments</a></p>
    </div>
  );
}

/** Search and wait for the hits; when the signal comes first, the search is cancelled on the server as well. */
async function run(request: SearchRequest, signal: AbortSignal): Promise<Found> {
  const started = performance.now();
  const search = await submitted(request, signal);
  const result = await askJson<SearchResult>(`/v1/searches/${search.id}/results?query=1`, { signal });
  const first = result.results[0];
  if (!first) throw new Error("the result has no query");
  return { id: search.id, took: performance.now() - started, result, first };
}

/** The search, once it has succeeded. An equal one that was given up a moment ago may answer: its cancel is not ours. */
async function submitted(request: SearchRequest, signal: AbortSignal): Promise<Search> {
  for (;;) {
    const search = await postJson<Search>("/v1/searches", { ...request, max_target_seqs: SHOWN, alignments: SHOWN });
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
    const stop = follow(search, {
      changed(news) {
        if (news.state === "succeeded") resolve();
        if (news.state === "failed") reject(new Error(news.error?.detail ?? "the search failed"));
        if (news.state === "cancelled") reject(new DOMException("cancelled", "AbortError"));
      },
      lost: (problem) => reject(new Error(problem.detail)),
    });
    if (signal.aborted) return cancel();
    signal.addEventListener("abort", cancel, { once: true });
  });
}
