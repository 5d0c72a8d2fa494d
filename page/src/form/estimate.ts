// What a search will take, asked of the server each time that the request has rested.
import { useEffect, useState } from "preact/hooks";
import { isAbort, postJson, type Estimate, type SearchRequest } from "../api";

export const INSTANT_S = 0.3;
const AGAIN_MS = 500;

/** The estimate of a request; undefined while there is none to make, or none yet. */
export function useEstimate(request: SearchRequest | undefined): Estimate | undefined {
  const [found, setFound] = useState<{ request: SearchRequest; estimate: Estimate }>();
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    let timer = 0;
    const look = async (wait: number) => {
      try {
        const estimate = await postJson<Estimate>("/v1/searches:estimate", request, { signal: controller.signal });
        setFound({ request, estimate });
        // A queue moves on. Once quick it is left at that: the search itself would be seen waiting next.
        if (estimate.queue_seconds && !isQuick(estimate)) timer = window.setTimeout(look, wait, wait * 2);
      } catch (error) {
        // The search itself will say what is wrong with the request.
        if (!isAbort(error)) setFound(undefined);
      }
    };
    void look(AGAIN_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [request]);
  return found && found.request === request ? found.estimate : undefined;
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
