// The form of a comparison: two genomes, parameters, and what it will take.
import { useEffect, useMemo, useState } from "preact/hooks";
import { at, boot, postJson, problemOf, type Database } from "../api";
import { remember } from "../history";
import { about, amount } from "../numbers";
import { Icon, Notes, sendByKeys, useRested } from "../parts";
import { Recent } from "../recent";
import { Trouble, useAnswer, useProblem } from "../trouble";
import { againstOf, useEstimated } from "./asked";
import { checked, readDraft, useDraft } from "./draft";
import { rearranged } from "./example";
import { asText, nameOf, sizeOf, sourceOf, useGenome, type Genome, type Source } from "./genome";
import { GenomeInput } from "./genome-input";
import type { Values } from "../fields";
import { faultsOf, FIRST, Settings, valuesOf } from "./settings";
import type { Comparison, ComparisonEstimate } from "./types";

const RESTED_MS = 250;

interface Request {
  query: Source;
  subject: Source;
  [name: string]: unknown;
}

export function ComparePage() {
  const [draft] = useState(() => readDraft("comparison", FIRST));
  const { genome: query, take: takeQuery, send: sendQuery } = useGenome(draft.query);
  const { genome: subject, take: takeSubject, send: sendSubject } = useGenome(draft.subject);
  const [values, setValues] = useState<Values>(draft.values);
  const [notes, setNotes] = useState<string[]>([]);
  const databases = useAnswer<{ items: Database[] }>("/v1/databases")?.items.filter(({ alphabet }) => alphabet === "dna") ?? [];
  const [problem, setProblem] = useProblem(boot.problem);
  const [sending, setSending] = useState(false);
  const faults = faultsOf(values);
  const request = useMemo<Request | undefined>(() => {
    const [one, other] = [sourceOf(query, "query"), sourceOf(subject, "subject")];
    if (!one || !other || Object.keys(faultsOf(values)).length > 0) return undefined;
    return { query: one, subject: other, ...valuesOf(values) };
  }, [query, subject, values]);
  const rested = useRested(request, RESTED_MS);
  const { estimate, refusal } = useEstimated<ComparisonEstimate>("/v1/comparisons", rested);
  const against = refusal && rested && rested === request ? againstOf(refusal, rested) : {};
  const unplaced = refusal && rested === request && Object.keys(against).length === 0 ? refusal : undefined;
  useDraft("comparison", useMemo(() => ({ query, subject, values }), [query, subject, values]));
  useEffect(() => {
    for (const [genome, take] of [[draft.query, takeQuery], [draft.subject, takeSubject]] as const) {
      void checked(genome).then((now) => { if (now !== genome) take(now); });
    }
  }, []);
  const send = async (event: Event) => {
    event.preventDefault();
    if (!request || sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const comparison = await postJson<Comparison>("/v1/comparisons", request);
      remember("comparisons", comparison, `${nameOf(query)} and ${nameOf(subject)}`, "");
      location.assign(at(`/comparisons/${comparison.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const change = (take: (genome: Genome) => void) => (genome: Genome) => {
    setProblem(undefined);
    setNotes([]);
    take(genome);
  };
  /** One file goes where it was dropped; of two the first is the query. */
  const files = (sendHere: (file: File) => void) => (chosen: File[]) => {
    setProblem(undefined);
    setNotes(chosen.length > 2 ? ["These are more than two files: drop one for each genome, or put the records of a genome into one file."] : []);
    const [first, second] = chosen;
    if (first && !second) sendHere(first);
    if (!first || !second || chosen.length > 2) return;
    sendQuery(first);
    sendSubject(second);
  };
  const example = () => {
    const [one, other] = rearranged();
    change(takeQuery)(asText(one));
    change(takeSubject)(asText(other));
  };
  const trouble = problem ?? unplaced;
  return (
    <form class="form" aria-label="New comparison" onSubmit={(event) => void send(event)} onKeyDown={sendByKeys}>
      <h1 class="visually-hidden">Compare two genomes</h1>
      <div class="form-main">
        <Notes notes={notes} />
        <GenomeInput name="Query" genome={query} databases={databases} refused={against.query} onChange={change(takeQuery)} onFiles={files(sendQuery)} onExample={example} />
        <GenomeInput name="Subject" genome={subject} databases={databases} refused={against.subject} onChange={change(takeSubject)} onFiles={files(sendSubject)} />
        {trouble && <Trouble problem={trouble} />}
        <div class="send">
          <button type="submit" class="primary" disabled={!request || sending || Object.keys(against).length > 0}><Icon name="search" />{sending ? "Sending…" : "Compare"}</button>
          <p class="estimate" aria-live="polite">{request ? estimateText(lettersOf(query, subject), rested === request ? estimate : undefined) : ""}</p>
        </div>
        <Recent />
      </div>
      <div class="form-side"><Settings values={values} faults={{ ...against, ...faults }} onChange={(next) => { setProblem(undefined); setValues(next); }} /></div>
    </form>
  );
}

/** Letters of both genomes, where they are known here. */
function lettersOf(query: Genome, subject: Genome): number | undefined {
  const sizes = [sizeOf(query), sizeOf(subject)];
  return sizes[0] !== undefined && sizes[1] !== undefined ? sizes[0] + sizes[1] : undefined;
}

function estimateText(known: number | undefined, estimate: ComparisonEstimate | undefined): string {
  const letters = known ?? (estimate && estimate.letters / (estimate.parameters.strands === "both" ? 2 : 1));
  if (letters === undefined) return "";
  const work = `${amount(letters)} letters`;
  if (!estimate) return work;
  if (estimate.reused) return `${work}, compared before: no wait`;
  return estimate.seconds === null ? work : `${about(estimate.seconds + (estimate.queue_seconds ?? 0))}, ${work}`;
}
