// What a request would take, and what the server has against it, field by field: told before it is sent.
import { useEffect, useState } from "preact/hooks";
import { isAbort, postJson, problemOf, type Problem } from "../api";
import { faultText } from "../fasta";

/** What the server has against each field; of an accession it says which one by its number, of a text where. */
export function againstOf(problem: Problem, request: { [name: string]: unknown }): { [name: string]: string } {
  return Object.fromEntries(
    (problem.errors ?? []).flatMap(({ pointer, detail, record, line, column }) => {
      if (!pointer) return [];
      const [name = "", , number = ""] = pointer.slice(1).split("/");
      const accession = (request[name] as { accessions?: string[] } | undefined)?.accessions?.[Number(number || NaN)];
      const placed = faultText({ detail, record: record ?? null, line: line ?? null, column: column ?? null });
      return [[name, accession ? `${accession}: ${detail}` : placed]];
    }),
  );
}

/** What a request would take, asked at its kind's path, or what the server has against it. */
export function useEstimated<E>(path: string, request: object | undefined): { estimate?: E; refusal?: Problem } {
  const [found, setFound] = useState<{ request: object; estimate?: E; refusal?: Problem }>();
  useEffect(() => {
    if (!request) return;
    const controller = new AbortController();
    postJson<E>(`${path}:estimate`, request, { signal: controller.signal }).then(
      (estimate) => setFound({ request, estimate }),
      (error: unknown) => {
        if (isAbort(error)) return;
        const refusal = problemOf(error);
        // Of limits, quotas and a server that is away the job itself will speak.
        setFound([413, 422].includes(refusal.status) ? { request, refusal } : undefined);
      },
    );
    return () => controller.abort();
  }, [request]);
  return found && found.request === request ? found : {};
}
