// The form of MSAs: chains, databases, how the rows are found, and what it will take.
import { useEffect, useMemo, useState } from "preact/hooks";
import { at, boot, namesIn, problemOf } from "../api";
import { checkFasta, titleOf, type Check } from "../fasta";
import type { Values } from "../fields";
import { Databases } from "../form/databases";
import { estimateText } from "../form/estimate";
import { asQuery, limitText, QueryEditor, queryOf, type Query } from "../form/query";
import { JobForm, useJob } from "../form/shell";
import { CHOSEN, usualDatabase } from "../form/start";
import { aboutQueries, read, remember, write } from "../history";
import { amount, plural } from "../numbers";
import { useRested } from "../parts";
import { edited, FETCHING } from "./edit";
import { faultsOf, LABELS, MsaSettings, requestOf } from "./settings";
import type { MsaEstimate, Msas } from "./types";

const RESTED_MS = 250;
const DRAFT = `shardwater:${boot.root}:msa-draft`;
const PLACED = ["queries", ...Object.keys(LABELS)];

interface Draft {
  text: string;
  values: Values;
}

export function MsaForm() {
  const [draft] = useState(() => ({ text: "", values: {}, ...read<Partial<Draft>>(DRAFT, {}, sessionStorage) }));
  const [query, setQuery] = useState<Query>(asQuery(draft.text));
  const [values, setValues] = useState<Values>(draft.values);
  const [databases, setDatabases] = useState(usualDatabase);
  const [notes, setNotes] = useState<string[]>([]);
  const text = useRested(query.text, RESTED_MS);
  const settled = text === query.text;
  const check = useMemo(() => advised(checkFasta(text)), [text]);
  const faults = faultsOf(values, check.records.length);
  const valid = settled && !check.fault && !limitText(check) && databases !== "" && Object.keys(faults).length === 0;
  const request = useMemo(() => (valid ? requestOf(text, check, namesIn(databases), values) : undefined), [valid, text, check, databases, values]);
  const job = useJob<MsaEstimate>("/msas", request, PLACED);
  const { estimate, against } = job;
  useEffect(() => {
    const keep = () => write(DRAFT, { text: query.file ? "" : query.text, values }, sessionStorage);
    addEventListener("pagehide", keep);
    return () => removeEventListener("pagehide", keep);
  }, [query, values]);
  useEffect(() => {
    const id = new URLSearchParams(location.search).get("edit");
    if (!id) return;
    history.replaceState(null, "", at("/msas"));
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
      estimate={estimate ? estimateText(workText(estimate), "built", estimate) : ""}
      onSend={send}
      onFiles={takeFiles}
      side={
        <>
          <Databases chosen={databases} onChoose={choose} />
          <MsaSettings values={values} faults={{ ...against, ...faults }} onChange={set} />
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
