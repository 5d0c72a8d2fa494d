// All queries of a search on paper: what is not here is loaded first, for a browser that prints waits for nothing.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { isAbort, problemOf, type Problem } from "../api";
import { MOST_PRINTED } from "../long-list";
import { useProblem } from "../trouble";
import { loadSent } from "./anchored";
import { arrange } from "./filter";
import { loadPart, type Part } from "./load";
import { viewOf } from "./view";

/** Queries that go to a printer, each with drawings of its own. */
const MOST_QUERIES = 500;

interface Printed {
  part: Part;
  /** How many of its hits are printed. */
  most: number;
}

interface Printout {
  /** What the page shows while it is printed. */
  printed?: Printed[];
  /** The query that is being loaded. */
  loading?: number;
  problem?: Problem;
  print(): void;
}

/** Prints all queries of a search, as far as they go. */
export function usePrintout(search: string, queries: number): Printout {
  const [printed, setPrinted] = useState<Printed[]>();
  const [loading, setLoading] = useState<number>();
  const [problem, setProblem] = useProblem();
  const leaving = useRef(new AbortController());
  /** How far down one was. */
  const top = useRef<number | undefined>(undefined);
  useEffect(() => () => leaving.current.abort(), []);
  useEffect(() => {
    if (!printed) return;
    const done = () => setPrinted(undefined);
    addEventListener("afterprint", done);
    print();
    return () => removeEventListener("afterprint", done);
  }, [printed]);
  useLayoutEffect(() => {
    if (!printed && top.current !== undefined) scrollTo(0, top.current);
  }, [printed]);
  const load = async () => {
    await loadSent(search);
    const all: Printed[] = [];
    let left = MOST_PRINTED;
    for (let number = 1; number <= Math.min(queries, MOST_QUERIES) && left > 0; number += 1) {
      setLoading(number);
      const part = await loadPart(search, number, leaving.current.signal);
      const { wanted, order } = viewOf(search, number);
      const most = Math.min(left, arrange(part.hits, wanted, order).length);
      left -= most;
      all.push({ part, most });
    }
    top.current = scrollY;
    setPrinted(all);
  };
  const start = () => {
    setProblem(undefined);
    setLoading(1);
    load().catch((error: unknown) => { if (!isAbort(error)) setProblem(problemOf(error)); }).finally(() => setLoading(undefined));
  };
  return { printed, loading, problem, print: start };
}
