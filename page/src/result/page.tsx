// A finished search: what was searched and how completely, an index of its queries, and one query's hits at a time.
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { placeOf, type Place } from "../address";
import { boot, type Problem, type Search } from "../api";
import { titleOf } from "../fasta";
import { titleOf as nameOf } from "../history";
import { amount, bitsText, count, evalueText, plural } from "../numbers";
import { Icon, Id, Panel, useCurrent, Warnings } from "../parts";
import { PrintButton } from "../print-button";
import { ResultHead } from "../result-head";
import { Trouble, useLost } from "../trouble";
import { BuildMsa } from "./build-msa";
import { Certificate } from "./certificate";
import { Distribution } from "./distribution";
import { Downloads } from "./downloads";
import { Hits } from "./hits";
import { useIndex, usePart, type IndexEntry, type Part } from "./load";
import { Methods } from "./methods";
import { usePrintout } from "./printout";
import { Rounds } from "./rounds";
import { keepView, viewOf } from "./view";

export function ResultPage({ search, lost }: { search: Search; lost(problem: Problem): void }) {
  const [place, setPlace] = useState<Place>(placeOf(location.hash) ?? { query: 1 });
  const queries = boot.queries ?? 1;
  const many = queries > 1;
  const number = place.query;
  const isThere = number >= 1 && number <= queries;
  const { part, problem } = usePart(search.id, isThere ? number : undefined);
  useLost(problem, lost);
  const index = useIndex(search.id, part !== undefined);
  const { printed, loading, problem: unprinted, print } = usePrintout(search.id, queries);
  useEffect(() => {
    const look = () => {
      const next = placeOf(location.hash);
      if (next) setPlace(next);
    };
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, []);
  const [known] = useState(() => nameOf(search));
  const title = known || (index && titleOf(index)) || "Result";
  return (
    <div class="result">
      <ResultHead
        kind="searches"
        job={search}
        title={title}
        about={aboutOf(search)}
        place={many ? `#${number}` : ""}
        form="/"
        print={<PrintButton label={many ? "Print all queries" : "Print"} doing={loading === undefined ? undefined : many ? `Loading query ${count(loading)}…` : "Loading…"} onPrint={print} />}
      >
        <Downloads search={search.id} scopes={[{ kind: "search" }]} label="Download all" />
      </ResultHead>
      {(problem ?? unprinted) && <Trouble problem={(problem ?? unprinted)!} />}
      {!part && isThere && !problem && <p class="dim" role="status">Loading the hits…</p>}
      {part && <Certificate certificate={part.whole.certificate} databases={part.whole.databases?.length ? part.whole.databases : [part.whole.database]} digest={part.whole.digest} of={search} rounds={part.one.rounds?.length ?? 1} />}
      {(part || !isThere) && (
        <div class={many ? "result-body with-index" : "result-body"}>
          {many && <Index entries={index} queries={queries} number={number} />}
          <div class="result-main">
            {!isThere && <NoSuchQuery number={number} queries={queries} />}
            {printed && printed.length < queries && (
              <p class="on-paper">The first {count(printed.length)} of {plural(queries, "query", "queries")} are printed, with {plural(printed.reduce((sum, { most }) => sum + most, 0), "hit")} in all: the files have all.</p>
            )}
            {(printed ?? (isThere && part ? [{ part, most: undefined }] : [])).map(({ part: each, most }) => (
              <QueryView key={each.number} search={search} part={each} of={queries} target={each.number === number ? place.hit : undefined} most={most} />
            ))}
            {isThere && part && <Methods search={search} part={part} />}
          </div>
        </div>
      )}
    </div>
  );
}

/** The databases, each with its version. */
const aboutOf = ({ database, databases }: Search) => (databases.length ? databases : [database]).map(({ name, version }, place) => <>{place > 0 && ", "}{name} <span class="mono">{version}</span></>);

function NoSuchQuery({ number, queries }: { number: number; queries: number }) {
  return (
    <Panel>
      <p>This search has {plural(queries, "query", "queries")}: there is no number {count(number)}. <a href="#1">Show the first one</a></p>
    </Panel>
  );
}

function Index({ entries, queries, number }: { entries: IndexEntry[] | undefined; queries: number; number: number }) {
  const [wanted, setWanted] = useState("");
  const [open, setOpen] = useState(false);
  const list = useCurrent<HTMLOListElement>(number);
  // Places for all of them: what stands below does not move when the names come.
  const numbered = Array.from({ length: queries }, (_, place) => ({ entry: entries?.[place], number: place + 1 }));
  const shown = numbered.filter(({ entry }) => !entry || `${entry.id} ${entry.title}`.toLowerCase().includes(wanted.toLowerCase()));
  return (
    <nav class={open ? "index" : "index closed"} aria-label="Queries">
      <div class="index-head">
        <h2>{plural(queries, "query", "queries")}</h2>
        <button type="button" class="quiet index-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>{open ? "Hide" : "Show all"}</button>
        <a class="button quiet square" aria-label="Previous query" href={`#${Math.max(1, number - 1)}`} aria-disabled={number === 1}><Icon name="chevron" /></a>
        <a class="button quiet square" aria-label="Next query" href={`#${Math.min(queries, number + 1)}`} aria-disabled={number === queries}><Icon name="chevron" /></a>
      </div>
      {queries > 8 && (
        <input class="wide" type="search" aria-label="Find a query" placeholder="Find a query" value={wanted} onInput={(event) => setWanted(event.currentTarget.value)} />
      )}
      <ol ref={list}>
        {shown.map(({ entry, number: at }) => (
          <li key={at}>
            <a href={`#${at}`} aria-current={at === number ? "true" : undefined} class={entry && !entry.hits ? "empty" : ""}>
              <span class="index-id"><Id text={entry?.id ?? `Query ${at}`} /></span>
              <span class="index-hits">{entry && count(entry.hits)}</span>
              <span class="dim index-best">{entry ? (entry.hits ? bestText(entry) : "no hits") : "\u00a0"}</span>
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

/** Keeps how far down one is in a query's hits, and comes back there; not of one that is there to be printed alone. */
function useScroll(search: string, query: number, toHit: boolean, isPrinted: boolean): void {
  useLayoutEffect(() => {
    if (isPrinted) return;
    const { top } = viewOf(search, query);
    const head = document.getElementById(`query-${query}`);
    if (!toHit && top !== undefined) scrollTo(0, top);
    else if (!toHit && head && head.getBoundingClientRect().top < 0) head.scrollIntoView();
    const keep = () => keepView(search, query, { top: scrollY });
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, []);
}

/** Residues of a query that were searched: of a part as in 5-40, or of all. */
function lengthOf(searched: string | null | undefined, all: number): number {
  const [first = 1, last = all] = searched?.split("-").map(Number) ?? [];
  return Math.min(last, all) - first + 1;
}

interface QueryProps {
  search: Search;
  part: Part;
  of: number;
  /** The rank of a hit to show. */
  target: number | undefined;
  /** Hits that go to a printer, where those of all queries do. */
  most: number | undefined;
}

function QueryView({ search, part, of, target, most }: QueryProps) {
  const { query } = part.one;
  const searched = part.whole.parameters.query_loc;
  const replaced = Object.entries(query.replaced);
  const warnings = (part.one.warnings ?? []).map((warning) => ({ ...warning, query: part.number }));
  useScroll(search.id, part.number, target !== undefined, most !== undefined);
  return (
    <>
      <Panel class="query-head" id={`query-${part.number}`}>
        <h2><span class="mono">{query.id}</span>{of > 1 && <span class="dim"> query {part.number} of {of}</span>}</h2>
        {of > 1 && most === undefined && <p class="on-paper dim">This is one of {count(of)} queries: the button “Print all queries” prints them together.</p>}
        {query.title && <p class="query-title" title={query.title}>{query.title}</p>}
        <dl class="facts">
          <div><dt>Length</dt><dd>{count(query.length)}</dd></div>
          {searched && <div><dt>Searched</dt><dd>{searched}</dd></div>}
          <div><dt>Hits</dt><dd>{part.complete ? count(part.hits.length) : `${count(part.hits.length)}…`}</dd></div>
          <div class="hide-narrow"><dt>Cells</dt><dd>{amount(lengthOf(searched, query.length) * part.whole.certificate.residues)}</dd></div>
        </dl>
        {(!query.profile || Boolean(part.one.rounds?.length)) && <BuildMsa search={search} part={part} />}
        <Warnings warnings={warnings} many={false} />
        {replaced.length > 0 && (
          <p class="dim">{replaced.map(([letter, times]) => `${count(times)} × ${letter}`).join(", ")} scored as X, for want of a row in the matrix.</p>
        )}
      </Panel>
      <Hits search={search} part={part} target={target} most={most} figure={part.one.distribution && <Distribution search={search} part={part} counts={part.one.distribution} />} />
      <Rounds search={search} part={part} />
    </>
  );
}
