// What it would take to align a box and to make its score map, told before that is asked for.
import { useEffect, useState } from "preact/hooks";
import { isAbort, postJson, problemOf } from "../api";
import { useRested } from "../parts";
import type { BoxRequest } from "./box";

const RESTED_MS = 300;

interface Told {
  seconds?: number;
  /** What the server has against the box. */
  refusal?: string;
}

export function useBoxEstimate(id: string, asked: BoxRequest | undefined): Told {
  const [found, setFound] = useState<Told & { asked: BoxRequest }>();
  const rested = useRested(asked, RESTED_MS);
  useEffect(() => {
    if (!rested) return;
    const controller = new AbortController();
    postJson<{ seconds: number }>(`/comparisons/${id}/box:estimate`, rested, { signal: controller.signal }).then(
      ({ seconds }) => setFound({ asked: rested, seconds }),
      (error: unknown) => {
        if (isAbort(error)) return;
        const problem = problemOf(error);
        // Of anything else the alignment itself will speak.
        if ([413, 422].includes(problem.status)) setFound({ asked: rested, refusal: problem.detail });
      },
    );
    return () => controller.abort();
  }, [id, rested]);
  return found && found.asked === asked ? found : {};
}
