// The form of MSAs: chains, databases, how the rows are found, and what it will take.
import { useEffect, useMemo, useState } from "preact/hooks";
import { boot, namesIn, problemOf } from "../api";
import { checkFasta, titleOf, type Check } from "../fasta";
import type { Values } from "../fields";
import { asked, taken } from "../form/asked";
import { Databases } from "../form/databases";
import { estimateText } from "../form/estimate";
import { asQuery, limitText, missingOf, QueryEditor, queryOf, type Query } from "../form/query";
import { JobForm, useJob } from "../form/shell";
import { CHOSEN, databaseOf } from "../form/start";
import { aboutQueries, read, remember, write } from "../history";
import { amount, plural } from "../numbers";
import { useRested } from "../parts";
import { edited, FETCHING, type Edited } from "./edit";
import { faultsOf, LABELS, MsaSettings, requestOf } from "./settings";
import type { MsaEstimate, Msas } from "./types";

const RESTED_MS = 250;
const DRAFT = `shardwater:${boot.root}:msa-draft`;
const PLACED = ["queries", ...Object.keys(LABELS)];

interface Draft {
  text: string;
  values: Values;
}

/** What was typed last in this tab, and over it what the address or another site's form asks for. */
function opened(): Edited {
  const draft: Draft = { text: "", values: {}, ...read<Partial<Draft>>(DRAFT, {}, sessionStorage) };
  const found = asked({ fields: [...Object.keys(LABELS), "title"], others: ["queries", "database", "databases"] });
  const { name, note } = databaseOf(found?.others ?? {});
  return { text: found?.others.queries ?? draft.text, values: found?.values ?? draft.values, databases: name, notes: [...(note ? [note] : []), ...(found?.notes ?? [])] };
}

export function MsaForm() {
  const [first] = useState(opened);
  const [query, setQuery] = useState<Query>(asQuery(first.text));
  const [values, setValues] = useState<Values>(first.values);
  const [databases, setDatabases] = useState(first.databases);
  const [notes, setNotes] = useState(first.notes);
  const text = useRested(query.text, RESTED_MS);
  const settled = text === query.text;
  const check = useMemo(() => advised(checkFasta(text)), [text]);
  const faults = faultsOf(values, check.records.length);
  const valid = settled && !check.fault && !limitText(check) && databases !== "" && Object.keys(faults).length === 0;
  const request = useMemo(() => (valid ? requestOf(text, check, namesIn(databases), values) : undefined), [valid, text, check, databases, values]);
  const job = useJob<MsaEstimate>("/msas", request, PLACED);
  const { estimate, against } = job;
  const wrong = { ...against, ...faults };
  useEffect(() => {
    const keep = () => write(DRAFT, { text: query.file ? "" : query.text, values }, sessionStorage);
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, [query, values]);
  useEffect(() => {
    const id = new URLSearchParams(location.search).get("edit");
    taken();
    if (!id) return;
    setNotes([FETCHING]);
    edited(id).then((found) => {
      setQuery(asQuery(found.text));
      setValues(found.values);
      setDatabases(found.databases);
      setNotes(found.notes);
    }, (error: unknown) => {
      setNotes([]);
      job.setProblem(problemOf(error));
    });
  }, []);
  const send = () => {
    if (request) void job.send<Msas>(request, (made) => remember("msas", made, titleOf(check.records), aboutQueries(check.records.length, namesIn(databases))));
  };
  const take = (next: Query) => {
    setQuery(next);
    setNotes([]);
    job.setProblem(undefined);
  };
  const takeFiles = (files: File[]) => {
    if (files.length) void queryOf(files, query).then(take);
  };
  const choose = (names: string) => {
    setDatabases(names);
    job.setProblem(undefined);
    write(CHOSEN, names);
  };
  const set = (next: Values) => {
    setValues(next);
    job.setProblem(undefined);
  };
  return (
    <JobForm
      {...job}
      heading="New MSA"
      verb="Build"
      notes={notes}
      missing={missingOf(query, databases, "chains")}
      faults={wrong}
      labels={LABELS}
      estimate={estimate ? estimateText(workText(estimate), "built", estimate) : ""}
      onSend={send}
      onFiles={takeFiles}
      side={
        <>
          <Databases chosen={databases} onChoose={choose} />
          <MsaSettings values={values} faults={wrong} onChange={set} />
        </>
      }
    >
      <QueryEditor query={query} check={check} settled={settled} warnings={check.warnings} refused={against.queries} database={databases} onChange={take} onFiles={takeFiles} />
    </JobForm>
  );
}

const workText = ({ chains, parameters, cells }: MsaEstimate): string =>
  `${plural(chains, "chain")}, ${amount(cells)} cells${parameters.iterations > 1 ? ` in ${parameters.iterations} rounds` : ""}`;

/** The same, with what to do where chains are joined as ColabFold has them. */
function advised(check: Check): Check {
  if (!check.fault?.detail.startsWith("':'")) return check;
  return { ...check, fault: { ...check.fault, detail: `${check.fault.detail}: make each chain a record, and choose “one complex” under Chains` } };
}
