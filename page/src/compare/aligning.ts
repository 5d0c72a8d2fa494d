// A box on its way to its alignment.
import { useState } from "preact/hooks";
import { postJson, problemOf, type Problem } from "../api";
import { pathOf } from "./aligned";
import type { Sides } from "./axes";
import type { Chosen } from "./box";
import { rangeOf } from "./genomes";
import type { AlignedPair, AlignmentJob } from "./types";

interface Aligning {
  job: AlignmentJob;
  chosen: Chosen;
}

/** A box that is aligned: its job, and once that is done its path over the plot. */
export function useAlignment(id: string, sides: Sides) {
  const [aligning, setAligning] = useState<Aligning>();
  const [path, setPath] = useState<number[]>();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const align = (chosen: Chosen) => {
    setSending(true);
    setProblem(undefined);
    setPath(undefined);
    postJson<AlignmentJob>(`/v1/comparisons/${id}:align`, chosen)
      .then((job) => setAligning({ job, chosen }), (error: unknown) => setProblem(problemOf(error)))
      .finally(() => setSending(false));
  };
  const found = (pair: AlignedPair) => {
    if (!aligning) return;
    const { query, subject } = aligning.chosen;
    const before = [rangeOf(sides.query, { ...query, from: 1, to: 1 })?.[0] ?? 0, rangeOf(sides.subject, { ...subject, from: 1, to: 1 })?.[0] ?? 0] as [number, number];
    setPath(pathOf(pair, aligning.chosen, before));
  };
  const close = () => {
    setAligning(undefined);
    setPath(undefined);
  };
  return { aligning, path, align, found, close, sending, problem };
}
