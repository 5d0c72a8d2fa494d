// A box's score map: the best local score of each piece of one stretch with each piece of the other, as a picture.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask, at, ended, problemOf, type Problem } from "../api";
import { follow } from "../follow";
import { count } from "../numbers";
import { paletteOf } from "../palette";
import { Icon, useWidth } from "../parts";
import { Trouble } from "../trouble";
import { useDark } from "../theme";
import type { Chosen } from "./box";
import type { Stretch } from "./genomes";
import type { AlignmentJob } from "./types";

const MOST_PX = 384;

interface Scores {
  /** Pieces along the query, and along the subject. */
  across: number;
  up: number;
  /** Row after row of the subject's pieces, in the order of both stretches as they are in their records. */
  values: Float64Array;
  most: number;
  /** What pieces that are not alike score. */
  chance: number;
}

interface Props {
  job: AlignmentJob;
  chosen: Chosen;
  names: [string, string];
  /** Corners of the alignment's path, query and subject in turn, in places of their records from 0. */
  path: number[] | undefined;
  /** The job has ended in any way. */
  onEnd(): void;
}

export function ScoreMap({ job, chosen, names, path, onEnd }: Props) {
  const [now, setNow] = useState(job);
  const [scores, setScores] = useState<Scores>();
  const [problem, setProblem] = useState<Problem>();
  useEffect(() => {
    const changed = (news: AlignmentJob) => {
      setNow(news);
      if (ended(news)) onEnd();
      if (news.state === "succeeded") load(news.id, chosen.strand === "-").then(setScores, (error: unknown) => setProblem(problemOf(error)));
    };
    if (ended(job)) return changed(job);
    return follow("/v1/alignments", job, { changed, lost: setProblem });
  }, [job.id]);
  const wrong = problem ?? now.error;
  if (wrong) return <Trouble problem={wrong} />;
  if (!scores) {
    const cancel = () => ask(`/v1/alignments/${now.id}:cancel`, { method: "POST" }).catch((error: unknown) => setProblem(problemOf(error)));
    return (
      <div class="row">
        <p class="dim" role="status">{now.state === "cancelled" ? "The score map was cancelled." : `Score map… ${Math.floor(now.progress * 100)} %`}</p>
        {!ended(now) && <button type="button" class="quiet" onClick={() => void cancel()}><Icon name="stop" />Cancel the map</button>}
      </div>
    );
  }
  return <Picture id={now.id} scores={scores} chosen={chosen} names={names} path={path} />;
}

async function load(id: string, backwards: boolean): Promise<Scores> {
  const text = await (await ask(`/v1/alignments/${id}/results?format=tab&columns=query,subject,score`)).text();
  const pieces = text.split("\n").filter((line) => line && !line.startsWith("#")).map((line) => line.split("\t").map(Number) as [number, number, number]);
  const [across, up] = pieces[pieces.length - 1]!;
  const values = new Float64Array(across * up);
  for (const [query, subject, score] of pieces) values[(subject - 1) * across + (backwards ? across - query : query - 1)] = score;
  const sorted = values.slice().sort();
  return { across, up, values, most: sorted[sorted.length - 1]!, chance: sorted[sorted.length >> 1]! };
}

/** The places of a piece in its record, from 1. */
function pieceOf({ from, to }: Stretch, piece: number, pieces: number): [number, number] {
  const size = to - from + 1;
  return [from + Math.floor((size * piece) / pieces), from + Math.floor((size * (piece + 1)) / pieces) - 1];
}

function Picture({ id, scores, chosen, names, path }: Omit<Props, "job" | "onEnd"> & { id: string; scores: Scores }) {
  const { across, up, values, most } = scores;
  const [holder, width] = useWidth<HTMLElement>();
  const canvas = useRef<HTMLCanvasElement>(null);
  const dark = useDark();
  const [piece, setPiece] = useState(values.indexOf(most));
  const side = Math.min(MOST_PX, width);
  useLayoutEffect(() => {
    if (side > 0) draw(canvas.current!, side, scores, chosen, path, paletteOf(holder.current!, dark));
  }, [side, scores, path, dark]);
  const look = (event: PointerEvent) => {
    const box = canvas.current!.getBoundingClientRect();
    const [x, y] = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height].map((share) => Math.min(0.999, Math.max(0, share))) as [number, number];
    setPiece((up - 1 - Math.floor(y * up)) * across + Math.floor(x * across));
  };
  const [query, subject] = [pieceOf(chosen.query, piece % across, across), pieceOf(chosen.subject, Math.floor(piece / across), up)];
  return (
    <figure ref={holder} class="score-map">
      <canvas ref={canvas} role="img" aria-label={`Score map: ${across} by ${up} pieces, the highest score ${count(most)}`} onPointerMove={look} onPointerLeave={() => setPiece(values.indexOf(most))} />
      <figcaption class="small">
        <b>Score map</b>: {count(values[piece]!)} is the best local score of {names[0]} {count(query[0])}–{count(query[1])} with {names[1]} {count(subject[0])}–{count(subject[1])}{piece === values.indexOf(most) && ", the highest"}.{" "}
        <span class="dim">Query to the right, subject upwards, in {across} × {up} pieces; what is not alike scores about {count(scores.chance)}.</span>{" "}
        <a href={at(`/v1/alignments/${id}/results?format=tab&columns=query,subject,score`)} download="">Scores</a>
      </figcaption>
    </figure>
  );
}

function draw(canvas: HTMLCanvasElement, side: number, { across, up, values, most, chance }: Scores, { query, subject }: Chosen, path: number[] | undefined, ink: (name: string) => string): void {
  const scale = Math.min(2, Math.max(1, devicePixelRatio));
  Object.assign(canvas, { width: Math.round(side * scale), height: Math.round(side * scale) });
  Object.assign(canvas.style, { width: `${side}px`, height: `${side}px` });
  const context = canvas.getContext("2d")!;
  const [width, height] = [canvas.width / across, canvas.height / up];
  // Where nothing is alike, chance is not to look like much.
  const range = Math.max(1, most - chance, 2 * chance);
  context.fillStyle = ink("--plot");
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = ink("--accent");
  for (let piece = 0; piece < values.length; piece += 1) {
    // A root: what scores little stays apart from what is only chance.
    context.globalAlpha = Math.sqrt(Math.max(0, values[piece]! - chance) / range);
    const [column, line] = [piece % across, up - 1 - Math.floor(piece / across)];
    const [left, top] = [Math.round(column * width), Math.round(line * height)];
    context.fillRect(left, top, Math.round((column + 1) * width) - left, Math.round((line + 1) * height) - top);
  }
  context.globalAlpha = 1;
  if (!path) return;
  context.strokeStyle = ink("--mark");
  context.lineWidth = 1.5 * scale;
  context.setLineDash([5 * scale, 4 * scale]);
  context.beginPath();
  for (let corner = 0; corner < path.length; corner += 2) {
    const x = (path[corner]! - query.from + 1) / (query.to - query.from + 1);
    const y = (path[corner + 1]! - subject.from + 1) / (subject.to - subject.from + 1);
    context.lineTo(x * canvas.width, (1 - y) * canvas.height);
  }
  context.stroke();
}
