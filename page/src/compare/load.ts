// What the plot is made of: both genomes' records, then all HSPs, or the alignments with gaps.
import { useEffect, useReducer, useState } from "preact/hooks";
import { askJson, isAbort, problemOf, type Problem } from "../api";
import { useProblem } from "../trouble";
import { loadAlignments } from "./alignments";
import { genomeOf, type NamedLength } from "./genomes";
import { arranged, loadHsps, type Hsps } from "./hsps";
import type { Sides } from "./axes";

export type Kind = "hsps" | "alignments";

interface Loaded {
  kind: Kind;
  sides: Sides;
  hsps: Hsps;
}

/** The records of both genomes, once they are here. */
export function useSides(id: string): { sides?: Sides; problem?: Problem } {
  const [sides, setSides] = useState<Sides>();
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    askJson<{ query: NamedLength[]; subject: NamedLength[] }>(`/v1/comparisons/${id}/records`).then(
      ({ query, subject }) => setSides({ query: genomeOf(query), subject: genomeOf(subject) }),
      (error: unknown) => setProblem(problemOf(error)),
    );
  }, [id, asked]);
  return { sides, problem };
}

/** What of a comparison is plotted and listed, what was before until that is here, and the share that has come. */
export function useFound(id: string, sides: Sides | undefined, kind: Kind, count: number): { loaded?: Loaded; share: number; problem?: Problem } {
  const [loaded, setLoaded] = useState<Loaded>();
  const [share, setShare] = useState(0);
  const [asked, again] = useReducer((times: number) => times + 1, 0);
  const [problem, setProblem] = useProblem(undefined, () => again(undefined));
  useEffect(() => {
    if (!sides) return;
    const controller = new AbortController();
    const genomes = [sides.query, sides.subject] as [Sides["query"], Sides["subject"]];
    setShare(0);
    const rows =
      kind === "hsps"
        ? loadHsps(`/v1/comparisons/${id}/results?format=rows`, count, controller.signal, setShare)
        : loadAlignments(id, count, genomes, controller.signal, setShare);
    rows.then(
      (columns) => setLoaded({ kind, sides, hsps: arranged(columns, genomes) }),
      (error: unknown) => { if (!isAbort(error)) setProblem(problemOf(error)); },
    );
    return () => controller.abort();
  }, [id, sides, kind, count, asked]);
  return { loaded, share, problem };
}
