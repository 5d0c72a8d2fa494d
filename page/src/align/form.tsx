// The form for pairs: two lists of sequences, how they are aligned, and what it will take.
import { useEffect, useMemo, useState } from "preact/hooks";
import { at, boot, postJson, problemOf, type Database } from "../api";
import { againstOf, useEstimated } from "../compare/asked";
import { checkLetters, DNA } from "../compare/dna";
import { checked, readDraft, useDraft } from "../compare/draft";
import { asText, nameOf, sourceOf, useGenome, type Genome as List, type Source } from "../compare/genome";
import { GenomeInput as ListInput, type Words } from "../compare/genome-input";
import type { Values } from "../fields";
import { remember } from "../history";
import { about, amount, plural } from "../numbers";
import { Icon, Notes, sendByKeys, useRested } from "../parts";
import { Recent } from "../recent";
import { Trouble, useAnswer, useProblem } from "../trouble";
import { faultsOf, valuesOf } from "./fields";
import { lettersOf } from "./letters";
import { Settings } from "./settings";
import { asked } from "./start";
import type { Alignment, AlignmentEstimate, Letters } from "./types";

const RESTED_MS = 250;
/** What has a place beside a field; the rest is said above the button. */
const PLACED = ["queries", "subjects", "free_ends", "alphabet", "matrix", "match", "mismatch", "table", "gap_open", "gap_extend", "pairing", "mode", "strand", "report", "best", "query_apart", "subject_apart"];
const ANY = { stranger: /[^A-Z* \t\v\f]/i, of: "proteins or DNA" };
const PROTEIN = { ...ANY, of: "proteins" };

/** An example. */
const ALPHA = `>sp|P69905|HBA_HUMAN Hemoglobin subunit alpha OS=Homo sapiens
MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHG
KKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTP
AVHASLDKFLASVSTVLTSKYR
`;
const BETA = `>sp|P68871|HBB_HUMAN Hemoglobin subunit beta OS=Homo sapiens
MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPK
VKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFG
KEFTPPVQAAYQKVVAGVANALAHKYH
`;

const WORDS: Words = {
  label: "sequences in FASTA",
  placeholder: "Paste proteins or DNA: FASTA, FASTQ or one bare sequence. Or drop a file here, plain or gzip, of any size that this server takes; two files fill both lists.",
  letters: "Proteins or DNA, in either case; one sequence or many.",
};

/** Letters of the alphabet that was chosen, of any where none was. */
const checkOf = ({ alphabet }: Values) => (text: string) => checkLetters(text, alphabet === "dna" ? DNA : alphabet === "protein" ? PROTEIN : ANY);

interface Request {
  queries: Source;
  subjects: Source;
  [name: string]: unknown;
}

/** What was typed last in this tab, and over it what the address asks for. */
function first() {
  const draft = readDraft("alignment", {}, checkOf({}));
  const found = asked(location.search);
  const values = found?.values ?? draft.values;
  const listOf = (text: string | undefined, kept: List) => text === undefined ? (kept.file || kept.database ? kept : asText(kept.text, checkOf(values))) : asText(text, checkOf(values));
  return { query: listOf(found?.queries, draft.query), subject: listOf(found?.subjects, draft.subject), values, notes: found?.notes ?? [] };
}

export function AlignPage() {
  const [filled] = useState(first);
  const [values, setValues] = useState<Values>(filled.values);
  const { genome: queries, take: takeQueries, send: sendQueries } = useGenome(filled.query, values.alphabet ?? "");
  const { genome: subjects, take: takeSubjects, send: sendSubjects } = useGenome(filled.subject, values.alphabet ?? "");
  const [notes, setNotes] = useState<string[]>(filled.notes);
  const databases = useAnswer<{ items: Database[] }>("/v1/databases")?.items ?? boot.databases;
  const [problem, setProblem] = useProblem(boot.problem);
  const [sending, setSending] = useState(false);
  // Of files and records the server alone knows what they look like.
  const [look, setLook] = useState<Letters>("protein");
  const letters = lettersOf(values, [queries, subjects]) ?? look;
  const faults = faultsOf(values, letters);
  const request = useMemo<Request | undefined>(() => {
    const [some, others] = [sourceOf(queries, "query"), sourceOf(subjects, "subject")];
    if (!some || !others || Object.keys(faultsOf(values, letters)).length > 0) return undefined;
    return { ...valuesOf(values, letters), queries: some, subjects: others };
  }, [queries, subjects, values, letters]);
  const rested = useRested(request, RESTED_MS);
  const { estimate, refusal } = useEstimated<AlignmentEstimate>("/v1/alignments", rested);
  useEffect(() => setLook(estimate?.parameters.alphabet ?? letters), [estimate, letters]);
  const refused = problem ?? (rested === request ? refusal : undefined);
  const against = refused && request ? againstOf(refused, request) : {};
  const trouble = Object.keys(against).some((name) => PLACED.includes(name)) ? undefined : refused;
  useDraft("alignment", useMemo(() => ({ query: queries, subject: subjects, values }), [queries, subjects, values]));
  useEffect(() => {
    // A sequence has no place in an address, or in the browser's list of them.
    if (location.search) history.replaceState(null, "", at("/align"));
    for (const [list, take] of [[filled.query, takeQueries], [filled.subject, takeSubjects]] as const) {
      void checked(list).then((now) => { if (now !== list) take(now); });
    }
  }, []);
  const ready = request && !sending && !(refusal && rested === request);
  const send = async (event: Event) => {
    event.preventDefault();
    if (!ready) return;
    setSending(true);
    setProblem(undefined);
    try {
      const alignment = await postJson<Alignment>("/v1/alignments", request);
      remember("alignments", alignment, `${nameOf(queries, "pasted queries")} and ${nameOf(subjects, "pasted subjects")}`, "");
      location.assign(at(`/alignments/${alignment.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const change = (take: (list: List) => void) => (list: List) => {
    setProblem(undefined);
    setNotes([]);
    take(list);
  };
  /** One file goes where it was dropped; of two the first has the queries. */
  const files = (sendHere: (file: File) => void) => (chosen: File[]) => {
    setProblem(undefined);
    setNotes(chosen.length > 2 ? ["These are more than two files: drop one for each list, or put the records of a list into one file."] : []);
    const [one, other] = chosen;
    if (one && !other) sendHere(one);
    if (!one || !other || chosen.length > 2) return;
    sendQueries(one);
    sendSubjects(other);
  };
  const example = () => {
    setValues({ ...values, alphabet: "" });
    change(takeQueries)(asText(ALPHA, checkOf({})));
    change(takeSubjects)(asText(BETA, checkOf({})));
  };
  const set = (next: Values) => {
    setProblem(undefined);
    setValues(next);
    if (next.alphabet === values.alphabet) return;
    for (const [list, take] of [[queries, takeQueries], [subjects, takeSubjects]] as const) {
      if (list.text) take(asText(list.text, checkOf(next)));
    }
  };
  const input = { words: WORDS, check: checkOf(values), databases };
  return (
    <form
      class="form"
      aria-label="New alignment"
      onSubmit={(event) => void send(event)}
      onKeyDown={sendByKeys}
    >
      <h1 class="visually-hidden">Align pairs of sequences</h1>
      <div class="form-main">
        <Notes notes={notes} />
        <ListInput {...input} name="Queries" genome={queries} refused={against.queries} onChange={change(takeQueries)} onFiles={files(sendQueries)} onExample={example} />
        <ListInput {...input} name="Subjects" genome={subjects} refused={against.subjects} onChange={change(takeSubjects)} onFiles={files(sendSubjects)} />
        {trouble && <Trouble problem={trouble} />}
        <div class="send">
          <button type="submit" class="primary" disabled={!ready} title="Ctrl+Enter"><Icon name="search" />{sending ? "Sending…" : "Align"}</button>
          <p class="estimate" aria-live="polite">{estimate && rested === request ? estimateText(estimate) : ""}</p>
        </div>
        <Recent />
      </div>
      <div class="form-side"><Settings values={values} faults={{ ...against, ...faults }} letters={letters} onChange={set} /></div>
    </form>
  );
}

function estimateText({ pairs, cells, seconds, queue_seconds, reused }: AlignmentEstimate): string {
  const work = `${plural(pairs, "pair")}, ${amount(cells)} cells`;
  return reused ? `${work}, aligned before: no wait` : `${about(seconds + queue_seconds)}, ${work}`;
}
