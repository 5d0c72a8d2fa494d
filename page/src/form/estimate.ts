// What a search will take, asked of the server each time that the request has rested.
import { useEffect, useState } from "preact/hooks";
import { isAbort, postJson, type Estimate, type SearchRequest } from "../api";

/** The estimate of a request; undefined while there is none to make, or none yet. */
export function useEstimate(request: SearchRequest | undefined): Estimate | undefined {
  const [found, setFound] = useState<{ request: SearchRequest; estimate: Estimate }>();
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    postJson<Estimate>("/v1/searches:estimate", request, { signal: controller.signal })
      .then((estimate) => setFound({ request, estimate }))
      .catch((error: unknown) => {
        // The search itself will say what is wrong with the request.
        if (!isAbort(error)) setFound(undefined);
      });
    return () => controller.abort();
  }, [request]);
  return found && found.request === request ? found.estimate : undefined;
}

/** Seconds until the search's end, the queue before it included; null where the server knows no rate yet. */
export function totalSeconds(estimate: Estimate): number | null {
  if (estimate.seconds === null) return null;
  return estimate.seconds + (estimate.queue_seconds ?? 0);
}
