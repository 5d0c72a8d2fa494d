// A box's exact alignment: followed like any job, then its numbers, its letters, its score map, and its path over the plot.
import { useEffect, useRef, useState } from "preact/hooks";
import { ask, askJson, at, ended, problemOf, type Problem } from "../api";
import { follow } from "../follow";
import { count, percentText } from "../numbers";
import { Icon, Panel } from "../parts";
import { AlignmentText } from "../result/alignment";
import { Trouble } from "../trouble";
import type { Sides } from "./axes";
import type { Chosen } from "./box";
import { ScoreMap } from "./score-map";
import type { AlignedPair, AlignmentJob } from "./types";

/** Columns that are shown as letters; files have the rest. */
const MOST_COLUMNS = 12_000;

interface Props {
  job: AlignmentJob;
  /** The job of its score map. */
  map: Promise<AlignmentJob>;
  chosen: Chosen;
  sides: Sides;
  onPair(pair: AlignedPair): void;
  onClose(): void;
}

export function Aligned({ job, map, chosen, sides, onPair, onClose }: Props) {
  const [now, setNow] = useState(job);
  const [found, setFound] = useState<{ pair: AlignedPair; rows: [string, string] }>();
  const [problem, setProblem] = useState<Problem>();
  const [drawn, setDrawn] = useState<AlignmentJob>();
  const [mapped, setMapped] = useState(false);
  const [unmapped, setUnmapped] = useState<Problem>();
  const holder = useRef<HTMLDivElement>(null);
  useEffect(() => holder.current?.scrollIntoView({ block: "nearest" }), [job.id, found]);
  useEffect(() => {
    const changed = (news: AlignmentJob) => {
      setNow(news);
      if (news.state === "succeeded") load(news.id).then((loaded) => { setFound(loaded); onPair(loaded.pair); }, (error: unknown) => setProblem(problemOf(error)));
    };
    if (ended(job)) return changed(job);
    return follow("/v1/alignments", job, { changed, lost: setProblem });
  }, [job.id]);
  useEffect(() => {
    map.then(setDrawn, (error: unknown) => setUnmapped(problemOf(error)));
  }, [map]);
  const mapping = !mapped && !unmapped;
  const running = !ended(now) || mapping;
  const stop = async (job: AlignmentJob) => ask(`/v1/alignments/${job.id}:cancel`, { method: "POST" });
  const cancel = () => {
    const stopped = [ended(now) ? undefined : stop(now), mapping ? map.then(stop) : undefined];
    void Promise.all(stopped).catch((error: unknown) => setProblem(problemOf(error)));
  };
  const close = () => {
    // Nothing would lead back to them.
    if (running) cancel();
    onClose();
  };
  const names: [string, string] = [sides.query.labels[chosen.query.record]!, sides.subject.labels[chosen.subject.record]!];
  const path = found && pathOf(found.pair, chosen, [0, 0]);
  const aside = <button type="button" class="quiet" onClick={close}><Icon name="stop" />{running ? "Cancel and close" : "Close"}</button>;
  return (
    <div ref={holder}>
      <Panel title="The box, aligned exactly" aside={aside} class="aligned">
        {problem && <Trouble problem={problem} />}
        {!problem && now.error && <Trouble problem={now.error} />}
        {!problem && !now.error && !found && (
          <div class="row">
            <p role="status">{now.state === "cancelled" ? "The alignment was cancelled." : `Aligning… ${Math.floor(now.progress * 100)} %`}</p>
            {!ended(now) && <button type="button" onClick={cancel}><Icon name="stop" />Cancel</button>}
          </div>
        )}
        <div class="aligned-body">
          <div>{found && <Found {...found} chosen={chosen} names={names} id={now.id} />}</div>
          {unmapped && <Trouble problem={unmapped} />}
          {drawn && <ScoreMap job={drawn} chosen={chosen} names={names} path={path} onEnd={() => setMapped(true)} />}
        </div>
      </Panel>
    </div>
  );
}

async function load(id: string): Promise<{ pair: AlignedPair; rows: [string, string] }> {
  const [result, fasta] = await Promise.all([
    askJson<{ alignments: AlignedPair[] }>(`/v1/alignments/${id}/results?format=json`),
    ask(`/v1/alignments/${id}/results?format=fasta`).then((reply) => reply.text()),
  ]);
  const pair = result.alignments[0];
  if (!pair) throw new Error("the alignment is not in its result");
  const [query = "", subject = ""] = fasta.split(/^>.*$/m).slice(1).map((letters) => letters.replace(/\s+/g, ""));
  return { pair, rows: [query, subject] };
}

function Found({ pair, rows, chosen, names, id }: { pair: AlignedPair; rows: [string, string]; chosen: Chosen; names: [string, string]; id: string }) {
  if (pair.align_len === null) return <p>No letters of the box are alike: the best local alignment is empty.</p>;
  const places = placesOf(pair, chosen);
  const back = chosen.strand === "-";
  const percent = (columns: number | null) => `${count(columns ?? 0)}/${count(pair.align_len ?? 0)} (${percentText((100 * (columns ?? 0)) / (pair.align_len ?? 1))} %)`;
  const cut = rows.map((row) => row.slice(0, MOST_COLUMNS));
  const same = (at: number) => cut[0]![at]?.toUpperCase() === cut[1]![at]?.toUpperCase();
  const shown = {
    query_from: back ? places.query[1] : places.query[0],
    query_to: places.query[1],
    hit_from: places.subject[0],
    hit_to: places.subject[1],
    align_len: cut[0]!.length,
    qseq: cut[0]!,
    hseq: cut[1]!,
    midline: Array.from(cut[0]!, (letter, at) => (same(at) ? letter : " ")).join(""),
  };
  const address = (format: string) => at(`/v1/alignments/${id}/results?format=${format}`);
  return (
    <>
      <p class="detail-facts">
        <span>Score <b>{count(pair.score)}</b></span>
        <span>Identities <b>{percent(pair.identity)}</b></span>
        <span>Gaps <b>{percent(pair.gaps)}</b></span>
        <span>Query <b>{names[0]} {count(places.query[0])}–{count(places.query[1])}</b></span>
        <span>Subject <b>{names[1]} {count(places.subject[0])}–{count(places.subject[1])}</b></span>
        <span>Strand <b>{back ? "reverse" : "forward"}</b></span>
      </p>
      <AlignmentText hsp={shown} backwards={back} label="Alignment of the box" />
      {rows[0].length > MOST_COLUMNS && <p class="dim small">The first {count(MOST_COLUMNS)} of {count(rows[0].length)} columns; the files have all.</p>}
      <div class="row detail-links no-print">
        {[["srspair", "Text"], ["paf", "PAF"], ["sam", "SAM"], ["fasta", "Aligned FASTA"]].map(([format, label]) => (
          <a key={format} class="button quiet" href={address(format!)} download=""><Icon name="download" />{label}</a>
        ))}
        <span class="dim small">In the files places count within the box.</span>
      </div>
    </>
  );
}

interface Places {
  query: [number, number];
  subject: [number, number];
}

/** Where an alignment is in its records; its own places count in the stretches as they were aligned, a reversed one from its end. */
function placesOf({ query_from, query_to, subject_from, subject_to }: AlignedPair, { query, subject, strand }: Chosen): Places {
  const [first, last] = [query_from ?? 1, query_to ?? 1];
  return {
    query: strand === "-" ? [query.to - last + 1, query.to - first + 1] : [query.from + first - 1, query.from + last - 1],
    subject: [subject.from + (subject_from ?? 1) - 1, subject.from + (subject_to ?? 1) - 1],
  };
}

/** The corners of an alignment's path, query and subject in turn, in places of the genomes whose records begin there. */
export function pathOf(pair: AlignedPair, chosen: Chosen, [query, subject]: [number, number]): number[] | undefined {
  if (!pair.cigar || pair.align_len === null) return undefined;
  const places = placesOf(pair, chosen);
  const back = chosen.strand === "-";
  let [x, y] = [query + (back ? places.query[1] : places.query[0] - 1), subject + places.subject[0] - 1];
  const path = [x, y];
  for (const [, times, kind] of pair.cigar.matchAll(/(\d+)([=XMID])/g)) {
    if (kind !== "D") x += back ? -Number(times) : Number(times);
    if (kind !== "I") y += Number(times);
    path.push(x, y);
  }
  return path;
}
