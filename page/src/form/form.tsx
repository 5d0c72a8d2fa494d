// The form: a query, a database, parameters, and what the search will take.
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { at, boot, postJson, problemOf, type Estimate, type Search } from "../api";
import { checkFasta, titleOf, type Check } from "../fasta";
import { read, remember, write } from "../history";
import { about, amount } from "../numbers";
import { Icon, Notes, useRested } from "../parts";
import { Trouble, useProblem } from "../trouble";
import { Databases } from "./databases";
import { INSTANT_S, isQuick, totalSeconds, useEstimate } from "./estimate";
import { Instant, type Turn } from "./instant";
import { Parameters } from "./parameters";
import { limitText, QueryEditor, type Query } from "./query";
import { Recent } from "./recent";
import { CHOSEN, firstFill, given, keepDraft, laterFill, type Filled } from "./start";
import { faultsOf, requestOf, type Values } from "./values";

const RESTED_MS = 150;

export function FormPage() {
  const [asked] = useState(given);
  const [first] = useState(() => firstFill(asked));
  const [query, setQuery] = useState<Query>({ text: first.text });
  const [values, setValues] = useState<Values>(first.values);
  const [database, setDatabase] = useState(first.database);
  const [notes, setNotes] = useState(first.notes);
  const [instant, setInstant] = useState(read("shardwater:instant", false));
  const [problem, setProblem] = useProblem(boot.problem);
  const [sending, setSending] = useState(false);

  const fill = (found: Filled) => {
    setQuery({ text: found.text });
    setValues(found.values);
    setDatabase(found.database);
    setNotes(found.notes);
  };
  useEffect(() => {
    // A sequence has no place in an address, or in the browser's list of them.
    if (location.search) history.replaceState(null, "", at("/"));
    laterFill(asked).then((found) => found && fill(found), (error: unknown) => setProblem(problemOf(error)));
  }, []);

  const check = useMemo(() => checkFasta(query.text), [query.text]);
  const faults = faultsOf(values);
  const valid = !check.fault && !limitText(check) && Object.keys(faults).length === 0 && database !== "";
  const request = useMemo(
    () => (valid ? requestOf(query.text, database, values) : undefined),
    [valid, query.text, database, values],
  );
  const rested = useRested(request, RESTED_MS);
  const { estimate, problem: unanswered } = useEstimate(rested);
  const turn = turnOf(query.text, request && rested === request, estimate);

  // Before the next event, which may already leave the page.
  useLayoutEffect(() => {
    if (!query.file && !query.refused) keepDraft({ text: query.text, values });
  }, [query, values]);

  const send = async (event: Event) => {
    event.preventDefault();
    if (!request || sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const search = await postJson<Search>("/v1/searches", request);
      remember(search, request, check.records.length, titleOf(check.records));
      location.assign(at(`/searches/${search.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const refused = problem?.errors?.find((error) => error.pointer === "/sequence")?.detail;
  const trouble = problem ?? unanswered;
  const toggleInstant = (on: boolean) => {
    setInstant(on);
    write("shardwater:instant", on);
  };
  const choose = (name: string) => {
    setDatabase(name);
    setNotes([]);
    write(CHOSEN, name);
  };
  return (
    <form class="form" onSubmit={(event) => void send(event)} aria-label="New search">
      <h1 class="visually-hidden">New search</h1>
      <div class="form-main">
        <Notes notes={notes} />
        <QueryEditor
          query={query}
          check={check}
          // At once by the page's own rules, and by all of the server's once it has answered.
          warnings={estimate?.warnings ?? check.warnings}
          refused={refused}
          database={database}
          onChange={(next) => { setQuery(next); setProblem(undefined); }}
        />
        {trouble && <Trouble problem={trouble} />}
        <div class="send">
          <button type="submit" class="primary" disabled={!valid || sending} title="Ctrl+Enter in the query"><Icon name="search" />{sending ? "Sending…" : "Search"}</button>
          <p class="estimate" aria-live="polite">{valid ? estimateText(check, database, estimate) : ""}</p>
          <label class="switch">
            <input type="checkbox" role="switch" checked={instant} onChange={(event) => toggleInstant(event.currentTarget.checked)} />
            <span>Instant hits while typing</span>
          </label>
        </div>
        {instant && <Instant request={turn === "now" ? rested : undefined} turn={turn} records={check.records} why={whyNot(turn, estimate)} />}
        <Recent />
      </div>
      <div class="form-side">
        <Databases chosen={database} onChoose={choose} />
        <Parameters values={values} faults={faults} onChange={setValues} />
      </div>
    </form>
  );
}

function estimateText({ residues }: Check, name: string, estimate: Estimate | undefined): string {
  const all = residues * (boot.databases.find((database) => database.name === name)?.residues ?? 0);
  const work = `${amount(estimate?.cells ?? all)} cells`;
  if (estimate?.reused) return `${work}, answered before: no wait`;
  const total = estimate && totalSeconds(estimate);
  return total === null || total === undefined ? work : `${about(total)}, ${work}`;
}

/** Whether instant hits come: `resting` says whether the request has rested, undefined where there is none. */
function turnOf(text: string, resting: boolean | undefined, estimate: Estimate | undefined): Turn {
  if (!text) return "empty";
  if (resting === undefined) return "invalid";
  if (!resting || !estimate) return "soon";
  return isQuick(estimate) ? "now" : "slow";
}

function whyNot(turn: Turn, estimate: Estimate | undefined): string {
  if (turn === "empty") return "Type or paste a query: its best hits appear here.";
  if (turn === "invalid") return "The hits follow once the query is valid.";
  if (turn !== "slow" || !estimate) return "";
  const total = totalSeconds(estimate);
  if (total === null) return "This server has not measured its speed on this database yet: search once, and the hits follow from then on.";
  return `This query takes ${about(total)}; hits follow where it is under ${INSTANT_S * 1000} ms.`;
}
