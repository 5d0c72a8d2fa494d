// A finished search: what was searched and how completely, an index of its queries, and one query's hits at a time.
import { useEffect, useState } from "preact/hooks";
import { at, boot, type Search } from "../api";
import { amount, bitsText, count, evalueText, moment, plural } from "../numbers";
import { CopyButton, Icon, Panel, Trouble } from "../parts";
import { Certificate } from "./certificate";
import { Downloads } from "./downloads";
import { Hits } from "./hits";
import { useIndex, usePart, type IndexEntry, type Part } from "./load";
import { Methods } from "./methods";
import { Distribution } from "./distribution";

export function ResultPage({ search }: { search: Search }) {
  const [number, setNumber] = useState(numberOfAddress());
  const { part, problem } = usePart(search.id, number);
  const index = useIndex(search.id, part !== undefined);
  useEffect(() => {
    const look = () => setNumber(numberOfAddress());
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  const title = search.title || titleOf(index) || "Result";
  useEffect(() => {
    document.title = `${title} - Shardwater`;
  }, [title]);
  const queries = boot.queries ?? 1;
  const many = queries > 1;
  return (
    <div class="result">
      <div class="result-head">
        <div>
          <h1>{title}</h1>
          <p class="dim">
            {search.database.name} <span class="mono">{search.database.version}</span> · {moment(search.created_at)} · kept until {moment(search.expires_at)}
          </p>
        </div>
        <div class="row">
          <CopyButton text={location.origin + at(`/searches/${search.id}`)} label="Copy link" />
          <a class="button" href={at(`/?edit=${search.id}`)}>Edit search</a>
          {many && <Downloads search={search.id} scope={{ kind: "search" }} label="Download all" />}
        </div>
      </div>
      {part && <Certificate result={part.whole} search={search} />}
      {problem && <Trouble problem={problem} />}
      <div class={many ? "result-body with-index" : "result-body"}>
        {many && <Index entries={index ?? []} queries={queries} number={number} />}
        <div class="result-main">
          {!part && !problem && <p class="dim" role="status">Loading the hits…</p>}
          {part && <QueryView key={part.number} search={search} part={part} of={queries} />}
          {part && <Methods search={search} part={part} />}
        </div>
      </div>
    </div>
  );
}

/** The query that the address names, as in #3; the first one otherwise. */
function numberOfAddress(): number {
  const number = Number(location.hash.slice(1));
  return Number.isInteger(number) && number > 0 ? number : 1;
}

function titleOf(index: IndexEntry[] | undefined): string {
  const first = index?.[0];
  if (!first || !index) return "";
  return index.length > 1 ? `${first.id} and ${index.length - 1} more` : first.id;
}

function Index({ entries, queries, number }: { entries: IndexEntry[]; queries: number; number: number }) {
  const [wanted, setWanted] = useState("");
  const numbered = entries.map((entry, place) => ({ ...entry, number: place + 1 }));
  const shown = numbered.filter((entry) => `${entry.id} ${entry.title}`.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <nav class="index" aria-label="Queries">
      <div class="index-head">
        <h2>{plural(queries, "query", "queries")}</h2>
        <a class="button quiet square" aria-label="Previous query" href={`#${Math.max(1, number - 1)}`} aria-disabled={number === 1}><Icon name="chevron" /></a>
        <a class="button quiet square" aria-label="Next query" href={`#${Math.min(queries, number + 1)}`} aria-disabled={number === queries}><Icon name="chevron" /></a>
      </div>
      {queries > 8 && (
        <input class="wide" type="search" aria-label="Find a query" placeholder="Find a query" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      )}
      <ol>
        {shown.map((entry) => (
          <li key={entry.number}>
            <a href={`#${entry.number}`} aria-current={entry.number === number ? "true" : undefined} class={entry.hits ? "" : "empty"}>
              <span class="index-id">{entry.id}</span>
              <span class="index-hits">{count(entry.hits)}</span>
              <span class="dim index-best">{entry.hits ? bestText(entry) : "no hits"}</span>
            </a>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function bestText(entry: IndexEntry): string {
  return entry.evalue === null ? `best score ${entry.score}` : `best E ${evalueText(entry.evalue)}, ${bitsText(entry.bits)} bits`;
}

function QueryView({ search, part, of }: { search: Search; part: Part; of: number }) {
  const { query } = part.one;
  const replaced = Object.entries(query.replaced);
  const reason = part.one.statistics.fallback_reason;
  return (
    <>
      <Panel class="query-head" id={`query-${part.number}`}>
        <div>
          <h2><span class="mono">{query.id}</span>{of > 1 && <span class="dim"> query {part.number} of {of}</span>}</h2>
          {query.title && <p>{query.title}</p>}
        </div>
        <dl class="facts">
          <div><dt>Length</dt><dd>{count(query.length)}</dd></div>
          <div><dt>Hits</dt><dd>{part.complete ? count(part.hits.length) : `${count(part.hits.length)}…`}</dd></div>
          <div><dt>Cells</dt><dd>{amount(query.length * part.whole.certificate.residues)}</dd></div>
        </dl>
        {reason && <p class="warn">{reason}.</p>}
        {replaced.length > 0 && (
          <p class="dim">{replaced.map(([letter, times]) => `${count(times)} × ${letter}`).join(", ")} scored as X, for want of a row in the matrix.</p>
        )}
      </Panel>
      <Hits search={search} part={part} figure={part.one.distribution && <Distribution part={part} counts={part.one.distribution} />} />
    </>
  );
}
