// What a search will take, asked of the server each time that the request has rested.
import { useEffect, useReducer, useState } from "preact/hooks";
import { isAbort, postJson, problemOf, type Estimate, type Problem, type SearchRequest } from "../api";
import { useProblem } from "../trouble";

export const INSTANT_S = 0.3;
const AGAIN_MS = 500;

interface Estimated {
  estimate?: Estimate;
  /** Where the server cannot be asked at all. */
  problem?: Problem;
  /** What the server has against the request. */
  refusal?: Problem;
}

/** The estimate of a request; none while there is nothing to estimate, or no answer yet. */
export function useEstimate(request: SearchRequest | undefined): Estimated {
  const [found, setFound] = useState<Estimated & { request: SearchRequest }>();
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    let timer = 0;
    const look = async (wait: number) => {
      try {
        const estimate = await postJson<Estimate>("/v1/searches:estimate", request, { signal: controller.signal });
        setFound({ request, estimate });
        setProblem(undefined);
        // A queue moves on. Once quick it is left at that: the search itself would be seen waiting next.
        if (estimate.queue_seconds && !isQuick(estimate)) timer = window.setTimeout(look, wait, wait * 2);
      } catch (error) {
        if (isAbort(error)) return;
        const answer = problemOf(error);
        setFound(answer.status === 422 ? { request, refusal: answer } : undefined);
        // Of limits and quotas the search itself will speak.
        setProblem(answer.status === 0 || answer.status === 401 ? answer : undefined);
      }
    };
    void look(AGAIN_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [request, asked]);
  return { ...(found?.request === request && { estimate: found?.estimate, refusal: found?.refusal }), problem };
}

/** Seconds until the search's end, the queue before it included; null where the server knows no rate yet. */
export function totalSeconds(estimate: Estimate): number | null {
  if (estimate.seconds === null) return null;
  return estimate.seconds + (estimate.queue_seconds ?? 0);
}

/** Whether its hits can follow while one types. */
export function isQuick(estimate: Estimate): boolean {
  const total = totalSeconds(estimate);
  return estimate.reused || (total !== null && total < INSTANT_S);
}
