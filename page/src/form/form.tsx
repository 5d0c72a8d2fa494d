// The form: a query, a database, parameters, and what the search will take.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { at, boot, namesIn, postJson, problemOf, type Estimate, type Problem, type Search } from "../api";
import type { Check } from "../fasta";
import { read, rememberSearch, write } from "../history";
import { about, amount } from "../numbers";
import { Icon, Notes, sendByKeys, useRested } from "../parts";
import { Recent } from "../recent";
import { Trouble, useProblem } from "../trouble";
import { Databases } from "./databases";
import { INSTANT_S, isQuick, totalSeconds, useEstimate } from "./estimate";
import { Instant, type Turn } from "./instant";
import { Parameters } from "./parameters";
import { asQuery, limitText, QueryEditor, queryOf, type Query } from "./query";
import { checkQuery } from "./profile";
import { CHOSEN, firstFill, given, keepDraft, laterFill, type Filled } from "./start";
import { faultsOf, FIELDS, PRESETS, requestOf, SHORT_PEPTIDE, type Values } from "./values";

const RESTED_MS = 150;
/** Longer queries are checked, and kept as a draft, once they have rested: to do so at each letter holds typing up. */
const LONG = 50_000;
const LONG_RESTED_MS = 300;

export function FormPage() {
  const [asked] = useState(given);
  const [first] = useState(() => firstFill(asked));
  const [query, setQuery] = useState<Query>({ ...asQuery(first.text), lost: first.lost });
  const [values, setValues] = useState<Values>(first.values);
  const [database, setDatabase] = useState(first.database);
  const [notes, setNotes] = useState(first.notes);
  const [instant, setInstant] = useState(read("shardwater:instant", false));
  const [problem, setProblem] = useProblem(boot.problem);
  const [sending, setSending] = useState(false);
  const [over, setOver] = useState(false);

  const fill = (found: Filled) => {
    setQuery(asQuery(found.text));
    setValues(found.values);
    setDatabase(found.database);
    setNotes(found.notes);
  };
  useEffect(() => {
    // A sequence has no place in an address, or in the browser's list of them.
    if (location.search) history.replaceState(null, "", at("/"));
    laterFill(asked).then((found) => found && fill(found), (error: unknown) => setProblem(problemOf(error)));
  }, []);

  const old = useRested(query.text, LONG_RESTED_MS);
  const text = query.file || query.text.length <= LONG ? query.text : old;
  const settled = text === query.text;
  const check = useMemo(() => checkQuery(text), [text]);
  const faults = faultsOf(values);
  const complete = Object.keys(faults).length === 0 && database !== "";
  const valid = complete && isGood(check);
  const request = useMemo(
    () => (valid && settled ? requestOf(text, database, values) : undefined),
    [valid, settled, text, database, values],
  );
  const rested = useRested(request, RESTED_MS);
  const { estimate, problem: unanswered, refusal } = useEstimate(rested);
  const turn = turnOf(query.text, refusal ? undefined : request && rested === request, estimate);

  const keep = () => {
    if (!query.refused) keepDraft({ text: query.file ? "" : query.text, lost: query.file ?? query.lost, values });
  };
  // Before the next event, which may already leave the page.
  useLayoutEffect(() => {
    if (settled) keep();
  }, [query, settled, values]);
  const last = useRef(keep);
  last.current = keep;
  useEffect(() => {
    const leave = () => last.current();
    addEventListener("pagehide", leave);
    return () => removeEventListener("pagehide", leave);
  }, []);

  const send = async (event: Event) => {
    event.preventDefault();
    const now = settled ? check : checkQuery(query.text);
    if (!complete || !isGood(now) || refusal || sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const wanted = requestOf(query.text, database, values);
      const search = await postJson<Search>("/v1/searches", wanted);
      rememberSearch(search, wanted, now.records);
      location.assign(at(`/searches/${search.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const against = byField(refusal);
  const said = byField(problem);
  const refused = said.sequence ?? said.pssm ?? against.sequence ?? against.pssm;
  const unplaced = Object.keys(against).some((name) => ["sequence", "pssm", ...FIELDS].includes(name)) ? undefined : refusal;
  const trouble = problem ?? unanswered ?? unplaced;
  const toggleInstant = (on: boolean) => {
    setInstant(on);
    write("shardwater:instant", on);
  };
  const choose = (name: string) => {
    setDatabase(name);
    setNotes([]);
    write(CHOSEN, name);
  };
  const take = (next: Query) => {
    setQuery(next);
    setProblem(undefined);
  };
  const takeFiles = (files: File[]) => {
    if (files.length) void queryOf(files, query).then(take);
  };
  return (
    <form
      class="form"
      aria-label="New search"
      onSubmit={(event) => void send(event)}
      onKeyDown={sendByKeys}
      // Anywhere on the form: beside the query's field, the browser would leave the page for the file.
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        takeFiles([...event.dataTransfer.files]);
      }}
    >
      <h1 class="visually-hidden">New search</h1>
      <div class="form-main">
        <Notes notes={notes} />
        <QueryEditor
          query={query}
          check={check}
          settled={settled}
          over={over}
          profiles
          // At once by the page's own rules, and by all of the server's once it has answered.
          warnings={estimate?.warnings ?? check.warnings}
          refused={refused}
          database={database}
          onChange={take}
          onFiles={takeFiles}
          short={PRESETS.includes(SHORT_PEPTIDE) && (
            <button type="button" class="mend" onClick={() => setValues({ ...values, gap_open: "", gap_extend: "", ...SHORT_PEPTIDE.values })}>
              Set PAM30, E-values up to 20,000 and highest score first
            </button>
          )}
        />
        {trouble && <Trouble problem={trouble} />}
        <div class="send">
          <button type="submit" class="primary" disabled={!valid || !settled || Boolean(refusal) || sending} title="Ctrl+Enter in the query"><Icon name="search" />{sending ? "Sending…" : "Search"}</button>
          <p class="estimate" aria-live="polite">{valid && settled && !refusal ? estimateText(check, database, estimate) : ""}</p>
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
        <Parameters values={values} faults={{ ...against, ...faults }} onChange={setValues} />
      </div>
    </form>
  );
}

const isGood = (check: Check): boolean => !check.fault && !limitText(check);

/** What the server has against each field. */
function byField(problem: Problem | undefined): { [name: string]: string } {
  const found = problem?.errors?.flatMap(({ pointer, detail }) => (pointer ? [[pointer.slice(1), detail]] : []));
  return Object.fromEntries(found ?? []) as { [name: string]: string };
}

function estimateText({ residues }: Check, name: string, estimate: Estimate | undefined): string {
  const names = namesIn(name);
  const searched = boot.databases.filter((database) => names.includes(database.name));
  const all = residues * searched.reduce((sum, database) => sum + database.residues, 0);
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
