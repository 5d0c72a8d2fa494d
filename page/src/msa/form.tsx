// The form of MSAs: chains, databases, and how the rows are found.
import { useEffect, useMemo, useState } from "preact/hooks";
import { at, boot, namesIn, postJson, problemOf, type Problem } from "../api";
import { checkFasta, titleOf, type Check } from "../fasta";
import type { Values } from "../fields";
import { Databases } from "../form/databases";
import { asQuery, limitText, QueryEditor, queryOf, type Query } from "../form/query";
import { CHOSEN, usualDatabase } from "../form/start";
import { aboutQueries, read, remember, write } from "../history";
import { Icon, Notes, sendByKeys, useRested } from "../parts";
import { Recent } from "../recent";
import { Trouble, useProblem } from "../trouble";
import { edited, FETCHING } from "./edit";
import { faultsOf, requestOf, Settings } from "./settings";
import type { Msas } from "./types";

const RESTED_MS = 250;
const DRAFT = `shardwater:${boot.root}:msa-draft`;

interface Draft {
  text: string;
  values: Values;
}

export function MsaForm() {
  const [draft] = useState(() => ({ text: "", values: {}, ...read<Partial<Draft>>(DRAFT, {}, sessionStorage) }));
  const [query, setQuery] = useState<Query>(asQuery(draft.text));
  const [values, setValues] = useState<Values>(draft.values);
  const [databases, setDatabases] = useState(usualDatabase);
  const [problem, setProblem] = useProblem(boot.problem);
  const [notes, setNotes] = useState<string[]>([]);
  const [sending, setSending] = useState(false);
  const [over, setOver] = useState(false);
  const text = useRested(query.text, RESTED_MS);
  const settled = text === query.text;
  const check = useMemo(() => advised(checkFasta(text)), [text]);
  const own = faultsOf(values, check.records.length);
  const faults = { ...againstOf(problem), ...own };
  const valid = settled && !check.fault && !limitText(check) && databases !== "" && Object.keys(own).length === 0;
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
      setProblem(problemOf(error));
    });
  }, []);
  const send = async (event: Event) => {
    event.preventDefault();
    if (!valid || sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const msas = await postJson<Msas>("/v1/msas", requestOf(query.text, check, namesIn(databases), values));
      remember("msas", msas, titleOf(check.records), aboutQueries(check.records.length, namesIn(databases)));
      location.assign(at(`/msas/${msas.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const take = (next: Query) => {
    setQuery(next);
    setNotes([]);
    setProblem(undefined);
  };
  const takeFiles = (files: File[]) => {
    if (files.length) void queryOf(files, query).then(take);
  };
  return (
    <form
      onKeyDown={sendByKeys}
      class="form"
      aria-label="New MSA"
      onSubmit={(event) => void send(event)}
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
      <h1 class="visually-hidden">Build an MSA</h1>
      <div class="form-main">
        <Notes notes={notes} />
        <QueryEditor query={query} check={check} settled={settled} over={over} warnings={check.warnings} refused={faults.queries} database={databases} onChange={take} onFiles={takeFiles} />
        {problem && <Trouble problem={problem} />}
        <div class="send">
          <button type="submit" class="primary" disabled={!valid || sending} title="Ctrl+Enter in the query"><Icon name="search" />{sending ? "Sending…" : "Build"}</button>
          <p class="estimate">Each chain is compared with every sequence, round by round; what is found is aligned to it.</p>
        </div>
        <Recent />
      </div>
      <div class="form-side">
        <Databases chosen={databases} onChoose={(names) => { setDatabases(names); write(CHOSEN, names); }} />
        <Settings values={values} faults={faults} onChange={(next) => { setProblem(undefined); setValues(next); }} />
      </div>
    </form>
  );
}

/** The same, with what to do where chains are joined as ColabFold has them. */
function advised(check: Check): Check {
  if (!check.fault?.detail.startsWith("':'")) return check;
  return { ...check, fault: { ...check.fault, detail: `${check.fault.detail}: make each chain a record, and choose “one complex” under Chains` } };
}

/** What the server has against each field. */
function againstOf(problem: Problem | undefined): { [name: string]: string } {
  return Object.fromEntries((problem?.errors ?? []).flatMap(({ pointer, detail }) => (pointer ? [[pointer.slice(1).split("/")[0]!, detail]] : [])));
}
