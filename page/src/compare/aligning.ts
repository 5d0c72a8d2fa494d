// A box on its way to its alignment and its score map: two jobs, since either may be long.
import { useState } from "preact/hooks";
import { postJson, problemOf, type Problem } from "../api";
import { pathOf } from "./aligned";
import type { Sides } from "./axes";
import { requestOf, type Chosen } from "./box";
import type { AlignedPair, AlignmentJob } from "./types";

interface Aligning {
  job: AlignmentJob;
  map: Promise<AlignmentJob>;
  chosen: Chosen;
}

/** A box that is aligned: its jobs, and once that is done its path over the plot. */
export function useAlignment(id: string, sides: Sides) {
  const [aligning, setAligning] = useState<Aligning>();
  const [path, setPath] = useState<number[]>();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const align = async (chosen: Chosen) => {
    setSending(true);
    setProblem(undefined);
    const asked = requestOf(sides, chosen);
    try {
      const job = await postJson<AlignmentJob>(`/v1/comparisons/${id}:align`, asked);
      const map = postJson<AlignmentJob>(`/comparisons/${id}/score-map`, asked);
      // Who shows it will see why there is none.
      map.catch(() => undefined);
      setAligning({ job, map, chosen });
    } catch (error) {
      setProblem(problemOf(error));
    }
    setSending(false);
  };
  /** The path of an earlier box stays until there is another. */
  const found = (pair: AlignedPair) => {
    if (aligning) setPath(pathOf(pair, aligning.chosen, [sides.query.offsets[aligning.chosen.query.record]!, sides.subject.offsets[aligning.chosen.subject.record]!]));
  };
  const close = () => {
    setAligning(undefined);
    setPath(undefined);
  };
  return { aligning, path, align, found, close, sending, problem };
}
