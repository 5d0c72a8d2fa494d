// The form of a search: a query, a database, parameters, and what the search will take.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { problemOf, type Estimate, type Search } from "../api";
import type { Check } from "../fasta";
import { faultsIn, type Values } from "../fields";
import { read, rememberSearch, write } from "../history";
import { about, amount } from "../numbers";
import { useRested } from "../parts";
import { given, taken } from "./asked";
import { Databases } from "./databases";
import { estimateText, INSTANT_S, isQuick, totalSeconds } from "./estimate";
import { Instant, type Turn } from "./instant";
import { Parameters } from "./parameters";
import { asQuery, limitText, missingOf, QueryEditor, queryOf, type Query } from "./query";
import { checkQuery } from "./profile";
import { JobForm, useJob } from "./shell";
import { CHOSEN, firstFill, keepDraft, laterFill, type Filled } from "./start";
import { FIELDS, LABELS, requestOf, SHORT_PEPTIDE } from "./values";

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
  /** Whether somebody has done anything here: what stands in a form that opens may be another site's, also as this tab's draft. */
  const [touched, setTouched] = useState(false);

  const fill = (found: Filled) => {
    setQuery(asQuery(found.text));
    setValues(found.values);
    setDatabase(found.database);
    setNotes(found.notes);
  };
  useEffect(() => {
    taken();
    laterFill(asked).then((found) => found && fill(found), (error: unknown) => job.setProblem(problemOf(error)));
  }, []);

  const old = useRested(query.text, LONG_RESTED_MS);
  const text = query.file || query.text.length <= LONG ? query.text : old;
  const settled = text === query.text;
  const check = useMemo(() => checkQuery(text), [text]);
  const faults = faultsIn(FIELDS, values);
  const complete = Object.keys(faults).length === 0 && database !== "";
  const valid = complete && isGood(check);
  const request = useMemo(
    () => (valid && settled ? requestOf(text, database, values) : undefined),
    [valid, settled, text, database, values],
  );
  const job = useJob<Estimate>("/searches", request, ["sequence", "pssm", ...FIELDS]);
  const { rested, estimate, refusal, against } = job;
  const wrong = { ...against, ...faults };
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

  const send = () => {
    const now = settled ? check : checkQuery(query.text);
    if (!complete || !isGood(now)) return;
    const wanted = requestOf(query.text, database, values);
    void job.send<Search>(wanted, (search) => rememberSearch(search, wanted, now.records));
  };
  const toggleInstant = (on: boolean) => {
    setTouched(true);
    setInstant(on);
    write("shardwater:instant", on);
  };
  const choose = (name: string) => {
    setDatabase(name);
    setNotes([]);
    write(CHOSEN, name);
  };
  const take = (next: Query) => {
    setTouched(true);
    setQuery(next);
    job.setProblem(undefined);
  };
  const takeFiles = (files: File[]) => {
    if (files.length) void queryOf(files, query).then(take);
  };
  const set = (next: Values) => {
    setTouched(true);
    setValues(next);
    job.setProblem(undefined);
  };
  return (
    <JobForm
      {...job}
      heading="New search"
      verb="Search"
      notes={notes}
      missing={missingOf(query, database, "a query")}
      faults={wrong}
      labels={LABELS}
      estimate={estimate ? estimateText(`${amount(estimate.cells)} cells`, "answered", estimate) : ""}
      onSend={send}
      onFiles={takeFiles}
      beside={
        <label class="switch">
          <input type="checkbox" role="switch" checked={instant} onChange={(event) => toggleInstant(event.currentTarget.checked)} />
          <span>Instant hits while typing</span>
        </label>
      }
      below={instant && <Instant request={turn === "now" && touched ? (rested as typeof request) : undefined} turn={turn} records={check.records} why={turn === "now" && !touched ? "Change the query, and its hits follow." : whyNot(turn, estimate)} />}
      side={
        <>
          <Databases chosen={database} onChoose={choose} />
          <Parameters values={values} faults={wrong} onChange={set} />
        </>
      }
    >
      <QueryEditor
        query={query}
        check={check}
        settled={settled}
        profiles
        // At once by the page's own rules, and by all of the server's once it has answered.
        warnings={estimate?.warnings ?? check.warnings}
        refused={against.sequence ?? against.pssm}
        database={database}
        onChange={take}
        onFiles={takeFiles}
        short={
          <button type="button" class="mend" onClick={() => set({ ...values, gap_open: "", gap_extend: "", ...SHORT_PEPTIDE.values })}>
            Set PAM30, E-values up to 20,000 and highest score first
          </button>
        }
      />
    </JobForm>
  );
}

const isGood = (check: Check): boolean => !check.fault && !limitText(check);

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
