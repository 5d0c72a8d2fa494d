// The form of a comparison: two genomes, parameters, and what it will take.
import { useEffect, useMemo, useState } from "preact/hooks";
import { at, boot, isAbort, postJson, problemOf, type Problem } from "../api";
import { about, amount, count, moment } from "../numbers";
import { Icon, Panel, useRested } from "../parts";
import { Trouble, useProblem } from "../trouble";
import { EMPTY, GenomeInput, sizeOf, sourceOf, type Genome } from "./genome-input";
import { faultsOf, Settings, valuesOf, type Values } from "./settings";
import { recall, remember } from "./recent";
import type { Comparison, ComparisonEstimate } from "./types";

const RESTED_MS = 250;

interface Request {
  query: string | { upload: string };
  subject: string | { upload: string };
  [name: string]: unknown;
}

export function ComparePage() {
  const [query, setQuery] = useState<Genome>(EMPTY);
  const [subject, setSubject] = useState<Genome>(EMPTY);
  const [values, setValues] = useState<Values>({});
  const [problem, setProblem] = useProblem(boot.problem);
  const [sending, setSending] = useState(false);
  const faults = faultsOf(values);
  const request = useMemo<Request | undefined>(() => {
    const [one, other] = [sourceOf(query), sourceOf(subject)];
    if (!one || !other || Object.keys(faultsOf(values)).length > 0) return undefined;
    return { query: one, subject: other, ...valuesOf(values) };
  }, [query, subject, values]);
  const rested = useRested(request, RESTED_MS);
  const { estimate, refusal } = useEstimate(rested);
  const against = refusal && rested === request ? againstOf(refusal) : {};
  const unplaced = refusal && rested === request && Object.keys(against).length === 0 ? refusal : undefined;
  const send = async (event: Event) => {
    event.preventDefault();
    if (!request || sending) return;
    setSending(true);
    setProblem(undefined);
    try {
      const comparison = await postJson<Comparison>("/v1/comparisons", request);
      remember(comparison, titleOf(query, subject));
      location.assign(at(`/comparisons/${comparison.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const change = (set: (genome: Genome) => void) => (genome: Genome) => {
    setProblem(undefined);
    set(genome);
  };
  const trouble = problem ?? unplaced;
  return (
    <form class="form" aria-label="New comparison" onSubmit={(event) => void send(event)}>
      <h1 class="visually-hidden">Compare two genomes</h1>
      <div class="form-main">
        <GenomeInput name="Query" genome={query} refused={against.query} onChange={change(setQuery)} />
        <GenomeInput name="Subject" genome={subject} refused={against.subject} onChange={change(setSubject)} />
        {trouble && <Trouble problem={trouble} />}
        <div class="send">
          <button type="submit" class="primary" disabled={!request || sending || Object.keys(against).length > 0}><Icon name="search" />{sending ? "Sending…" : "Compare"}</button>
          <p class="estimate" aria-live="polite">{request ? estimateText(sizeOf(query) + sizeOf(subject), rested === request ? estimate : undefined) : ""}</p>
        </div>
        <Recent />
      </div>
      <div class="form-side"><Settings values={values} faults={{ ...against, ...faults }} onChange={(next) => { setProblem(undefined); setValues(next); }} /></div>
    </form>
  );
}

/** What the server has against each field. */
function againstOf(problem: Problem): { [name: string]: string } {
  return Object.fromEntries((problem.errors ?? []).flatMap(({ pointer, detail }) => (pointer ? [[pointer.slice(1).split("/")[0] ?? "", detail]] : [])));
}

function estimateText(letters: number, estimate: ComparisonEstimate | undefined): string {
  const work = `${amount(letters)} letters`;
  if (!estimate) return work;
  if (estimate.reused) return `${work}, compared before: no wait`;
  return estimate.seconds === null ? work : `${about(estimate.seconds + (estimate.queue_seconds ?? 0))}, ${work}`;
}

/** What a request would take, or what the server has against it. */
function useEstimate(request: Request | undefined): { estimate?: ComparisonEstimate; refusal?: Problem } {
  const [found, setFound] = useState<{ request: Request; estimate?: ComparisonEstimate; refusal?: Problem }>();
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    postJson<ComparisonEstimate>("/v1/comparisons:estimate", request, { signal: controller.signal }).then(
      (estimate) => setFound({ request, estimate }),
      (error: unknown) => {
        if (isAbort(error)) return;
        const refusal = problemOf(error);
        // Of limits, quotas and a server that is away the comparison itself will speak.
        setFound([413, 422].includes(refusal.status) ? { request, refusal } : undefined);
      },
    );
    return () => controller.abort();
  }, [request]);
  return found && found.request === request ? found : {};
}

/** What a comparison is called that nobody has named. */
function titleOf(query: Genome, subject: Genome): string {
  const name = ({ file, text }: Genome) => file?.name ?? /^[ \t]*>[ \t]*(\S+)/m.exec(text)?.[1] ?? "pasted DNA";
  return `${name(query)} and ${name(subject)}`;
}

function Recent() {
  const [found] = useState(recall());
  if (found.length === 0) return null;
  return (
    <Panel title="Recent comparisons" class="recent">
      <ul class="recent-list">
        {found.map((entry) => (
          <li key={entry.id}>
            <a class="recent-title" href={at(`/comparisons/${entry.id}`)}>{entry.title}</a>
            <span class="dim">{moment(entry.created_at)}</span>
          </li>
        ))}
      </ul>
      <p class="dim small">The last {count(found.length)} of this browser, kept in it alone.</p>
    </Panel>
  );
}
