// Bins of scores as bars on a logarithmic scale, those of the hits before them, and the curve that chance would give.
import { useMemo, useState } from "preact/hooks";
import { count, plural } from "../numbers";
import { useWidth } from "../parts";
import { usePaperWidth } from "../printing";
import { ticksOf } from "./overview";

const HEIGHT = 172;
const LEFT = 58;
const RIGHT = 10;
const TOP = 8;
const BOTTOM = 38;
/** A logarithm has no zero: what is below is not drawn, and the axis begins under a bar of one. */
const LEAST = 0.5;
const GAP_SHARE = 0.1;
/** Bars thinner than this are drawn together. */
const LEAST_BAR = 5;

/** Bins, and of each its subjects, its hits, and what is expected. */
export interface Bins {
  /** Scores in a bin. */
  width: number;
  counts: number[];
  hits: number[];
  expected: number[] | null;
}

interface Props {
  /** The bins, so many at most. */
  binsOf(most: number): Bins;
  label: string;
}

export function Histogram({ binsOf, label }: Props) {
  const [box, room] = useWidth<HTMLDivElement>();
  const width = usePaperWidth(room);
  const [at, setAt] = useState<number>();
  const inner = Math.max(1, width - LEFT - RIGHT);
  const bins = useMemo(() => binsOf(Math.max(1, Math.floor(inner / LEAST_BAR))), [binsOf, inner]);
  const last = bins.counts.length - 1;
  const move = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left - LEFT;
    setAt(x < 0 || x > inner ? undefined : Math.min(last, Math.floor((x / inner) * (last + 1))));
  };
  const key = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    setAt(Math.max(0, Math.min(last, at === undefined ? 0 : at + step)));
  };
  return (
    <div class="plot-box">
      <div ref={box} class="plot" tabIndex={0} role="group" aria-label="Score distribution; arrow keys go from bar to bar" onPointerMove={move} onPointerLeave={() => setAt(undefined)} onKeyDown={key} onBlur={() => setAt(undefined)}>
        {width > LEFT + RIGHT && <Drawing bins={bins} width={width} at={at !== undefined && at <= last ? at : undefined} label={label} />}
      </div>
      <p class="histogram-readout" aria-live="polite">{at === undefined || at > last ? "" : readout(bins, at)}</p>
    </div>
  );
}

function Drawing({ bins, width, at, label }: { bins: Bins; width: number; at: number | undefined; label: string }) {
  const { counts, hits, expected } = bins;
  const most = Math.max(10, 1.5 * Math.max(...counts, ...(expected ?? [])));
  const each = (width - LEFT - RIGHT) / counts.length;
  const floor = HEIGHT - BOTTOM;
  const x = (bin: number) => LEFT + bin * each;
  const y = (value: number) => floor - (Math.log(value / LEAST) / Math.log(most / LEAST)) * (floor - TOP);
  const bar = (value: number, bin: number, kind: string) =>
    value < 1 ? null : <rect key={`${kind}${bin}`} class={kind} x={x(bin) + (each * GAP_SHARE) / 2} width={each * (1 - GAP_SHARE)} y={y(value)} height={floor - y(value)} />;
  const decades = Array.from({ length: Math.floor(Math.log10(most)) + 1 }, (_, power) => 10 ** power);
  const scores = counts.length * bins.width;
  return (
    <svg class="drawing histogram" role="img" aria-label={label} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
      {decades.map((value) => (
        <g key={value}>
          <line class="grid" x1={LEFT} x2={width - RIGHT} y1={y(value)} y2={y(value)} />
          <text x={LEFT - 6} y={y(value) + 4} text-anchor="end">{count(value)}</text>
        </g>
      ))}
      {at !== undefined && <rect class="at" x={x(at)} width={each} y={TOP} height={floor - TOP} />}
      {counts.map((value, bin) => bar(value, bin, "bar-all"))}
      {hits.map((value, bin) => bar(value, bin, "bar-hit"))}
      {expected && <path class="curve" d={curveOf(expected, (bin) => x(bin + 0.5), y)} />}
      <line class="axis" x1={LEFT} x2={width - RIGHT} y1={floor} y2={floor} />
      {ticksOf(scores, width - LEFT).slice(1, -1).map((tick) => <text key={tick} x={x(tick / bins.width)} y={floor + 15} text-anchor="middle">{tick}</text>)}
      <text x={(LEFT + width - RIGHT) / 2} y={HEIGHT - 5} text-anchor="middle">score</text>
      <text transform={`translate(12 ${(TOP + floor) / 2}) rotate(-90)`} text-anchor="middle">subjects, logarithmic</text>
    </svg>
  );
}

/** It is broken where next to nothing is expected. */
function curveOf(expected: number[], x: (bin: number) => number, y: (value: number) => number): string {
  const shown = (bin: number) => (expected[bin] ?? 0) >= LEAST;
  return expected.map((value, bin) => (shown(bin) ? `${shown(bin - 1) ? "L" : "M"}${x(bin).toFixed(1)} ${y(value).toFixed(1)}` : "")).join("");
}

function readout({ width, counts, hits, expected }: Bins, bin: number): string {
  const [first, last] = [bin * width, (bin + 1) * width - 1];
  const chance = expected && `, ${amountOf(expected[bin] ?? 0)} by chance`;
  return `Score ${first === last ? first : `${first} to ${last}`}: ${plural(counts[bin] ?? 0, "subject")}, ${plural(hits[bin] ?? 0, "hit")}${chance ?? ""}`;
}

const amountOf = (value: number): string => (value >= 10 ? count(Math.round(value)) : value.toPrecision(2));
