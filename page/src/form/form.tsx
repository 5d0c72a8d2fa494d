// The form: a query, a database, parameters, and what the search will take.
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { ask, askJson, at, boot, parameter, postJson, problemOf, type Problem, type Search, type SearchRequest } from "../api";
import { checkFasta } from "../fasta";
import { read, remember, write } from "../history";
import { amount, seconds } from "../numbers";
import { Icon, Trouble, useRested } from "../parts";
import { Databases } from "./databases";
import { INSTANT_S, isQuick, totalSeconds, useEstimate } from "./estimate";
import { Instant } from "./instant";
import { Parameters } from "./parameters";
import { limitText, QueryEditor, type Query } from "./query";
import { Recent } from "./recent";
import { faultsOf, requestOf, valuesOf, type Values } from "./values";

const RESTED_MS = 150;
const DRAFT = `shardwater:${boot.root}:draft`;
const CHOSEN = `shardwater:${boot.root}:database`;

interface Draft {
  text: string;
  values: Values;
}

/** What fills the form: the address or another site's form, else what was last typed in this tab. */
function start(): { given: { [name: string]: string }; draft: Draft } {
  const given = { ...Object.fromEntries(new URLSearchParams(location.search)), ...boot.prefill };
  if (Object.keys(given).length > 0) return { given, draft: { text: given.sequence ?? "", values: valuesOf(given) } };
  try {
    return { given, draft: JSON.parse(sessionStorage.getItem(DRAFT) ?? "") as Draft };
  } catch {
    return { given, draft: { text: "", values: {} } };
  }
}

function firstDatabase(given: string | undefined): string {
  const names = boot.databases.map((database) => database.name);
  const wanted = [given, read(CHOSEN, "")].find((name) => name && names.includes(name));
  return wanted ?? boot.databases.find((database) => database.state === "ready")?.name ?? names[0] ?? "";
}

export function FormPage() {
  const [first] = useState(start);
  const [query, setQuery] = useState<Query>({ text: first.draft.text });
  const [values, setValues] = useState<Values>(first.draft.values);
  const [database, setDatabase] = useState(firstDatabase(first.given.database));
  const [instant, setInstant] = useState(read("shardwater:instant", false));
  const [problem, setProblem] = useState<Problem | undefined>(boot.problem);
  const [sending, setSending] = useState(false);

  useEffect(() => {
    // A sequence has no place in an address, or in the browser's list of them.
    if (location.search) history.replaceState(null, "", at("/"));
    prefill(first.given).then(
      (found) => {
        if (!found) return;
        setQuery({ text: found.sequence ?? "" });
        setValues(valuesOf(found));
        setDatabase(firstDatabase(found.database));
      },
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, []);

  const check = useMemo(() => checkFasta(query.text), [query.text]);
  const faults = faultsOf(values);
  const valid = !check.fault && !limitText(check) && Object.keys(faults).length === 0 && database !== "";
  const request = useMemo(
    () => (valid ? requestOf(query.text, database, values) : undefined),
    [valid, query.text, database, values],
  );
  const rested = useRested(request, RESTED_MS);
  const estimate = useEstimate(rested);
  const total = estimate && totalSeconds(estimate);
  const quick = estimate !== undefined && isQuick(estimate);

  // Before the next event, which may already leave the page.
  useLayoutEffect(() => {
    if (query.file) return;
    try {
      sessionStorage.setItem(DRAFT, JSON.stringify({ text: query.text, values } satisfies Draft));
    } catch {
      // Without storage the draft is lost when the tab closes, and nothing else.
    }
  }, [query, values]);

  const send = async (event: Event) => {
    event.preventDefault();
    if (!request || sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const search = await postJson<Search>("/v1/searches", withDistribution(request));
      remember(search, request, check.records.length, titleOf(check.records.map((record) => record.id)));
      location.assign(at(`/searches/${search.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const refused = problem?.errors?.find((error) => error.pointer === "/sequence")?.detail;
  const toggleInstant = (on: boolean) => {
    setInstant(on);
    write("shardwater:instant", on);
  };
  return (
    <form class="form" onSubmit={(event) => void send(event)} aria-label="New search">
      <h1 class="visually-hidden">New search</h1>
      <div class="form-main">
        <QueryEditor query={query} check={check} refused={refused} onChange={(next) => { setQuery(next); setProblem(undefined); }} />
        {problem && <Trouble problem={problem} />}
        <div class="send">
          <button type="submit" class="primary" disabled={!valid || sending}><Icon name="search" />{sending ? "Sending…" : "Search"}</button>
          <p class="estimate" aria-live="polite">{estimateText(check.residues, database, valid, total, estimate?.reused ?? false)}</p>
          <label class="switch">
            <input type="checkbox" role="switch" checked={instant} onChange={(event) => toggleInstant(event.currentTarget.checked)} />
            <span>Instant hits while typing</span>
          </label>
        </div>
        {instant && <Instant request={quick ? rested : undefined} many={check.records.length > 1} why={whyNot(query.text, valid, quick, total)} />}
        <Recent />
      </div>
      <div class="form-side">
        <Databases chosen={database} onChoose={(name) => { setDatabase(name); write(CHOSEN, name); }} />
        <Parameters values={values} faults={faults} onChange={setValues} />
      </div>
    </form>
  );
}

/** An earlier search to edit, or a sequence of a database to search with. */
async function prefill(given: { [name: string]: string }): Promise<SearchRequest | undefined> {
  if (given.edit) return askJson<SearchRequest>(`/v1/searches/${encodeURIComponent(given.edit)}/request`);
  if (!given.accession || !given.database) return undefined;
  const place = `${encodeURIComponent(given.database)}/sequences/${encodeURIComponent(given.accession)}`;
  const reply = await ask(`/v1/databases/${place}?format=fasta`);
  return { ...valuesOf(given), database: given.database, sequence: await reply.text() };
}

/** The page draws the distribution of all scores where the server counts it. */
function withDistribution(request: SearchRequest): SearchRequest {
  return parameter("score_distribution") ? { ...request, score_distribution: true } : request;
}

function titleOf(ids: string[]): string {
  return ids.length > 1 ? `${ids[0]} and ${ids.length - 1} more` : (ids[0] ?? "");
}

function estimateText(residues: number, name: string, valid: boolean, total: number | null | undefined, reused: boolean): string {
  if (!valid) return "";
  const cells = residues * (boot.databases.find((database) => database.name === name)?.residues ?? 0);
  const work = `${amount(cells)} cells`;
  if (reused) return `${work}, answered before: no wait`;
  return total === null || total === undefined ? work : `about ${seconds(total)}, ${work}`;
}

function whyNot(text: string, valid: boolean, quick: boolean, total: number | null | undefined): string {
  if (!text) return "Type or paste a query: its best hits appear here.";
  if (!valid) return "The hits follow once the query is valid.";
  if (total === null) return "This server has not measured its speed on this database yet: search once, and the hits follow from then on.";
  if (!quick && total !== undefined) return `This query takes about ${seconds(total)}; hits follow where it is under ${INSTANT_S * 1000} ms.`;
  return "";
}
