// What a job will take, and what the server has against it: asked each time that the request has rested.
import { useEffect, useReducer, useState } from "preact/hooks";
import { isAbort, postJson, problemOf, type Problem } from "../api";
import { faultText } from "../fasta";
import { about } from "../numbers";
import { useProblem } from "../trouble";

export const INSTANT_S = 0.3;
const AGAIN_MS = 500;

/** What estimates of all kinds have. */
export interface Wait {
  seconds: number | null;
  queue_seconds: number | null;
  reused: boolean;
}

interface Estimated<E> {
  estimate?: E | undefined;
  /** Where the server cannot be asked at all. */
  problem?: Problem | undefined;
  /** What the server has against the request. */
  refusal?: Problem | undefined;
}

/** The estimate of a request; none while there is nothing to estimate, or no answer yet. */
export function useEstimate<E extends Wait>(path: string, request: object | undefined): Estimated<E> {
  const [found, setFound] = useState<Estimated<E> & { request: object }>();
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    let timer = 0;
    const look = async (wait: number) => {
      try {
        const estimate = await postJson<E>(path, request, { signal: controller.signal });
        setFound({ request, estimate });
        setProblem(undefined);
        // A queue moves on. Once quick it is left at that: the job itself would be seen waiting next.
        if (estimate.queue_seconds && !isQuick(estimate)) timer = window.setTimeout(look, wait, wait * 2);
      } catch (error) {
        if (isAbort(error)) return;
        const answer = problemOf(error);
        setFound([413, 422].includes(answer.status) ? { request, refusal: answer } : undefined);
        // Of quotas and full queues the job itself will speak.
        setProblem([0, 401].includes(answer.status) ? answer : undefined);
      }
    };
    void look(AGAIN_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [request, asked]);
  return { ...(found?.request === request && found), problem };
}

/** Seconds until a job's end, the queue before it included; null where the server knows no rate yet. */
export function totalSeconds({ seconds, queue_seconds }: Wait): number | null {
  return seconds === null ? null : seconds + (queue_seconds ?? 0);
}

/** Whether its result can follow while one types. */
export function isQuick(estimate: Wait): boolean {
  const total = totalSeconds(estimate);
  return estimate.reused || (total !== null && total < INSTANT_S);
}

/** What stands beside the button: the work, and the time where it is known. done: what was done before, where it is there. */
export function estimateText(work: string, done: string, estimate: Wait): string {
  if (estimate.reused) return `${work}, ${done} before: no wait`;
  const total = totalSeconds(estimate);
  return total === null ? work : `${about(total)}, ${work}`;
}

/** What the server has against each field; of an accession it says which one by its number, of a text where. */
export function againstOf(problem: Problem, request: object): { [name: string]: string } {
  return Object.fromEntries(
    (problem.errors ?? []).flatMap(({ pointer, detail, record, line, column }) => {
      if (!pointer) return [];
      const [name = "", , number = ""] = pointer.slice(1).split("/");
      const source = (request as { [name: string]: { accessions?: string[] } | undefined })[name];
      const accession = source?.accessions?.[Number(number || NaN)];
      const placed = faultText({ detail, record: record ?? null, line: line ?? null, column: column ?? null });
      return [[name, accession ? `${accession}: ${detail}` : placed]];
    }),
  );
}
