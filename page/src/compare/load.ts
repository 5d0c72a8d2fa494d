// What the plot is made of: both genomes' records, then all HSPs.
import { useEffect, useReducer, useState } from "preact/hooks";
import { askJson, isAbort, problemOf, type Problem } from "../api";
import { useProblem } from "../trouble";
import { genomeOf, type RecordList } from "./genomes";
import { loadHsps, type Hsps } from "./hsps";
import type { Sides } from "./axes";

interface Loaded {
  sides: Sides;
  hsps: Hsps;
}

/** The HSPs of a comparison once they are here, and the share that has come. */
export function useHsps(id: string, count: number): { loaded?: Loaded; share: number; problem?: Problem } {
  const [loaded, setLoaded] = useState<Loaded>();
  const [share, setShare] = useState(0);
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    const controller = new AbortController();
    const load = async () => {
      const lists = await askJson<{ query: RecordList; subject: RecordList }>(`/comparisons/${id}/records`, { signal: controller.signal });
      const sides = { query: genomeOf(lists.query), subject: genomeOf(lists.subject) };
      const hsps = await loadHsps(`/v1/comparisons/${id}/results?format=rows`, count, [sides.query, sides.subject], controller.signal, setShare);
      setLoaded({ sides, hsps });
    };
    load().catch((error: unknown) => { if (!isAbort(error)) setProblem(problemOf(error)); });
    return () => controller.abort();
  }, [id, count, asked]);
  return { loaded, share, problem };
}
