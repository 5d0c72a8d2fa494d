// Hits that the search did not align: aligned on request by a job of pairs, with the same query, matrix and gap costs.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { shownOf } from "../align/load";
import type { Alignment } from "../align/types";
import { ask, askJson, ended, postJson, ProblemError, problemOf, type Hit, type Hsp, type Problem, type Search, type SearchRequest } from "../api";
import type { AlignedPair } from "../compare/types";
import { recordOf } from "../fasta";
import { follow } from "../follow";
import { useProblem } from "../trouble";
import { cut } from "./build-msa";
import type { Part } from "./load";

/** Hits of one request: a few seconds of a CPU. */
export const MOST_AT_ONCE = 100;

/** A hit that was aligned on request, and the picture of its alignment. */
export interface AlignedHit extends Hit {
  figure?: string;
}

export interface Aligner {
  /** All hits, with the alignments that are here by now. */
  hits: AlignedHit[];
  /** Aligns the first hits of these that have no alignment; nothing where only another search can do that. */
  align: ((hits: Hit[]) => void) | undefined;
  /** Ranks of the hits that are being aligned, and the share that is done. */
  pending: ReadonlySet<number>;
  progress: number;
  cancel(): void;
  problem: Problem | undefined;
}

const NONE: ReadonlySet<number> = new Set();

export function useAligner(search: Search, part: Part): Aligner {
  const [found, setFound] = useState<ReadonlyMap<number, AlignedHit>>(new Map());
  const [pending, setPending] = useState(NONE);
  const [progress, setProgress] = useState(0);
  const [problem, setProblem] = useProblem();
  const controller = useRef<AbortController>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const hits = useMemo(() => (found.size ? part.hits.map((hit) => found.get(hit.rank) ?? hit) : part.hits), [part.hits, found]);
  const align = async (wanted: Hit[]) => {
    const chosen = [...new Set(wanted)].filter((hit) => hit.hsps.length === 0).slice(0, MOST_AT_ONCE);
    if (pending.size || chosen.length === 0) return;
    const { signal } = (controller.current = new AbortController());
    setProblem(undefined);
    setProgress(0);
    setPending(new Set(chosen.map(({ rank }) => rank)));
    try {
      for (const [database, some] of byDatabase(chosen, part)) {
        const aligned = await alignHits(search, part, database, some, signal, setProgress);
        setFound((before) => new Map([...before, ...aligned.map((hit) => [hit.rank, hit] as const)]));
      }
    } catch (error) {
      if (!signal.aborted) setProblem(problemOf(error));
    }
    setPending(NONE);
  };
  return { hits, align: isAble(part) ? (wanted) => void align(wanted) : undefined, pending, progress, cancel: () => controller.current?.abort(), problem };
}

/** Whether pairs have the search's scores: not those of profiles and of users' own matrices, and hits with several alignments. */
function isAble({ one, whole: { parameters } }: Part): boolean {
  const { iterations = 1, max_hsps: several = 1, matrix_scores: own } = parameters;
  return !one.query.profile && iterations === 1 && several === 1 && !own;
}

function byDatabase(hits: Hit[], { whole }: Part): Map<string, Hit[]> {
  const databases = new Map<string, Hit[]>();
  for (const hit of hits) {
    const name = hit.database ?? whole.database.name;
    databases.set(name, [...(databases.get(name) ?? []), hit]);
  }
  return databases;
}

/** Align hits of one database with the query. Raises a ProblemError where the service refuses, or the database has changed. */
async function alignHits(search: Search, part: Part, database: string, hits: Hit[], signal: AbortSignal, progress: (share: number) => void): Promise<AlignedHit[]> {
  const { matrix, gap_open, gap_extend, query_loc: searched } = part.whole.parameters;
  const { sequence = "" } = await askJson<SearchRequest>(`/v1/searches/${search.id}/request`, { signal });
  const record = recordOf(sequence, part.number);
  const asked = {
    queries: searched ? cut(record, searched) : record,
    subjects: { database, accessions: hits.map(({ accession }) => accession) },
    pairing: "all",
    alphabet: "protein",
    mode: "local",
    matrix,
    gap_open,
    gap_extend,
    title: `Hits of ${part.one.query.id}`.slice(0, 100),
  };
  const job = await finished(await postJson<Alignment>("/v1/alignments", asked, { signal }), signal, progress);
  const results = `/v1/alignments/${job.id}/results`;
  const [{ alignments }, text] = await Promise.all([
    askJson<{ alignments: AlignedPair[] }>(`${results}?format=json`, { signal }),
    ask(`${results}?format=srspair`, { signal }).then((reply) => reply.text()),
  ]);
  const before = searched ? Number(searched.split("-")[0]) - 1 : 0;
  return hits.map((hit, place) => {
    const pair = alignments[place];
    if (pair?.score !== hit.score || pair.align_len === null) throw new ProblemError(changed(database));
    const hsp = { ...hspOf(pair, text, place + 1, before), score: hit.score, bits: hit.bits, evalue: hit.evalue };
    return {
      ...hit,
      hsps: [hsp],
      identity: (100 * hsp.identity) / hsp.align_len,
      query_coverage: (100 * (hsp.query_to - hsp.query_from + 1)) / part.one.query.length,
      figure: `/v1/alignments/${job.id}/figures/alignment.svg?pair=${place + 1}`,
    };
  });
}

const changed = (database: string): Problem => ({
  type: "about:blank",
  title: "The hits could not be aligned",
  status: 409,
  detail: `The database ${database} has changed since this search. Run the search again.`,
  retryable: false,
});

/** A job once it has succeeded; cancelled where the page does not wait for it any more. */
function finished(job: Alignment, signal: AbortSignal, progress: (share: number) => void): Promise<Alignment> {
  return new Promise((resolve, reject) => {
    let latest = job;
    const look = (news: Alignment) => {
      latest = news;
      progress(news.progress);
      if (news.state === "succeeded") resolve(news);
      else if (ended(news)) reject(news.error ? new ProblemError(news.error) : new DOMException("cancelled", "AbortError"));
    };
    if (ended(job)) return look(job);
    const stop = follow("/v1/alignments", job, { changed: look, lost: (problem) => reject(new ProblemError(problem)) });
    signal.addEventListener("abort", () => {
      stop();
      if (!ended(latest)) void ask(`/v1/alignments/${job.id}:cancel`, { method: "POST" }).catch(() => undefined);
      reject(new DOMException("cancelled", "AbortError"));
    });
  });
}

/** A pair as the search would have it. before: residues of the query before the part that was searched. */
function hspOf(pair: AlignedPair, text: string, number: number, before: number): Omit<Hsp, "score"> {
  const { qseq, hseq, midline } = shownOf(text, number, pair.align_len!);
  return {
    query_from: pair.query_from! + before,
    query_to: pair.query_to! + before,
    hit_from: pair.subject_from!,
    hit_to: pair.subject_to!,
    identity: pair.identity!,
    positive: pair.positive!,
    gaps: pair.gaps!,
    align_len: pair.align_len!,
    cigar: pair.cigar!,
    qseq,
    midline,
    hseq,
  };
}
