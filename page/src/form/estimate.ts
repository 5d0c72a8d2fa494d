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
}

/** The estimate of a request; none while there is nothing to estimate, or no answer yet. */
export function useEstimate(request: SearchRequest | undefined): Estimated {
  const [found, setFound] = useState<{ request: SearchRequest; estimate: Estimate }>();
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
        setFound(undefined);
        // What is wrong with the request the search itself will say.
        const { status } = problemOf(error);
        if (status === 0 || status === 401) setProblem(problemOf(error));
      }
    };
    void look(AGAIN_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [request, asked]);
  return { estimate: found && found.request === request ? found.estimate : undefined, problem };
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
