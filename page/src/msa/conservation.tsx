// What each column has: a drawing along the query, and the same in numbers for those who cannot see it.
import { useMemo, useState } from "preact/hooks";
import { count, percentText, plural } from "../numbers";
import { Panel, useWidth } from "../parts";
import { usePaperWidth } from "../printing";
import { ticksOf } from "../result/overview";
import { Trouble, useAsked } from "../trouble";
import type { Columns } from "./types";

const HEIGHT = 132;
const BOTTOM = 18;
const MOST_POINTS = 1000;
const MOST_LINES = 200;
const MOST_BITS = Math.log2(20);

export function ConservationPanel({ path }: { path: string }) {
  const { answer: columns, problem } = useAsked<Columns>(path);
  return (
    <Panel title="Coverage and conservation" class="conservation">
      {columns ? (columns.rows > 1 ? <Drawing columns={columns} /> : <p>Nothing is aligned to the query.</p>) : problem ? <Trouble problem={problem} /> : <div class="conservation-room"><p class="dim" role="status">Counting…</p></div>}
    </Panel>
  );
}

/** Of some columns: the first and the last position, and means. */
interface Bin {
  first: number;
  last: number;
  /** Rows with a letter there besides the query. */
  depth: number;
  /** The share of them with the query's letter, and bits; none where only the query has a letter. */
  identity?: number;
  entropy?: number;
}

/** The columns of some positions, from 0. */
function binOf({ depth, identical, entropy }: Columns, from: number, to: number): Bin {
  const sum = (values: number[]) => values.slice(from, to).reduce((all, each) => all + each, 0);
  const size = to - from;
  // The query is a row of each column.
  const others = sum(depth) - size;
  const figures = others > 0 && { identity: (sum(identical) - size) / others, entropy: sum(entropy) / depth.slice(from, to).filter((each) => each > 1).length };
  return { first: from + 1, last: to, depth: others / size, ...figures };
}

/** Columns put together, so many at most. */
function binsOf(columns: Columns, most: number): Bin[] {
  const length = columns.depth.length;
  const step = Math.ceil(length / most);
  return Array.from({ length: Math.ceil(length / step) }, (_, place) => binOf(columns, place * step, Math.min(length, (place + 1) * step)));
}

function Drawing({ columns }: { columns: Columns }) {
  const [box, room] = useWidth<HTMLDivElement>();
  const width = usePaperWidth(room);
  const [at, setAt] = useState<number>();
  const bins = useMemo(() => binsOf(columns, MOST_POINTS), [columns]);
  const length = columns.depth.length;
  const deepest = useMemo(() => columns.depth.reduce((most, each) => Math.max(most, each - 1), 1), [columns]);
  const x = (position: number) => (position / length) * width;
  const y = (share: number) => HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - 6);
  // It is broken where there is nothing to draw.
  const steps = (share: (bin: Bin) => number | undefined) => bins.map((bin, place) => {
    const [height, before] = [share(bin), bins[place - 1]];
    return height === undefined ? "" : `${before && share(before) !== undefined ? "L" : "M"}${x(bin.first - 1).toFixed(1)} ${y(height).toFixed(1)}H${x(bin.last).toFixed(1)}`;
  }).join("");
  const mean = binOf(columns, 0, length).depth;
  const label = `${plural(columns.rows - 1, "row")} besides the query; ${Math.round(mean)} in a column on average, ${deepest} at most. The table below has the numbers.`;
  return (
    <>
      <div
        ref={box}
        class="conservation-room"
        onPointerMove={(event) => setAt(Math.max(0, Math.min(length - 1, Math.floor(((event.clientX - event.currentTarget.getBoundingClientRect().left) / Math.max(1, width)) * length))))}
        onPointerLeave={() => setAt(undefined)}
      >
        {width > 0 && (
          <svg class="drawing" role="img" aria-label={label} width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`}>
            <path class="depth" d={`${steps((bin) => bin.depth / deepest)}V${y(0)}H0Z`} />
            <path class="line-identity" d={steps(({ identity }) => identity)} />
            <path class="line-conserved" d={steps(({ entropy }) => entropy === undefined ? undefined : 1 - entropy / MOST_BITS)} />
            {at !== undefined && <line class="at" x1={x(at + 0.5)} x2={x(at + 0.5)} y1={0} y2={HEIGHT - BOTTOM} />}
            {ticksOf(length, width).map((tick) => (
              <text key={tick} class="tick" x={x(tick - 0.5)} y={HEIGHT - 4} text-anchor={x(tick) < 20 ? "start" : x(tick) > width - 20 ? "end" : "middle"}>{tick}</text>
            ))}
          </svg>
        )}
      </div>
      <p class="legend">
        <span><i class="swatch swatch-depth" />rows with a letter, {count(deepest)} at most</span>
        <span><i class="swatch swatch-identity" />share with the query's letter</span>
        <span><i class="swatch swatch-conserved" />conservation: 1 − entropy / log2 20</span>
        <span class="readout">{at !== undefined && binText(binOf(columns, at, at + 1), columns.residues[at]!)}</span>
      </p>
      <Numbers columns={columns} />
    </>
  );
}

const binText = ({ first, depth, identity, entropy }: Bin, residue: string): string =>
  `Position ${first}, ${residue}: ${plural(depth, "row")}${identity === undefined ? "" : `, ${percentText(100 * identity)} % with this letter, entropy ${entropy!.toFixed(2)} bits`}`;

function Numbers({ columns }: { columns: Columns }) {
  const [open, setOpen] = useState(false);
  const bins = useMemo(() => (open ? binsOf(columns, MOST_LINES) : []), [columns, open]);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary class="dim">In numbers</summary>
      {open && (
        <div class="scroll conservation-numbers" tabIndex={0} role="region" aria-label="Columns in numbers">
          <table class="plain">
            <thead><tr><th>Position</th><th>Query</th><th class="num">Rows</th><th class="num">The query's letter, %</th><th class="num">Entropy, bits</th></tr></thead>
            <tbody>
              {bins.map((bin) => (
                <tr key={bin.first}>
                  <td>{bin.first === bin.last ? count(bin.first) : `${count(bin.first)}–${count(bin.last)}`}</td>
                  <td class="mono">{columns.residues.slice(bin.first - 1, bin.last)}</td>
                  <td class="num">{count(Math.round(bin.depth))}</td>
                  <td class="num">{percentText(bin.identity && 100 * bin.identity)}</td>
                  <td class="num">{bin.entropy?.toFixed(2) ?? "–"}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </details>
  );
}
