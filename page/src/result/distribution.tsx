// Every score of the database as a histogram, with the curve that chance alone would give and the hits marked.
import { useLayoutEffect, useState } from "preact/hooks";
import uPlot from "uplot";
import type { Counts } from "../api";
import { count } from "../numbers";
import { paletteOf } from "../palette";
import { Panel, useWidth } from "../parts";
import { useDark } from "../theme";
import type { Part } from "./load";

const HEIGHT = 230;
/** Bars thinner than this are drawn together. */
const BAR_PX = 5;

export function Distribution({ part, counts }: { part: Part; counts: Counts }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [far, setFar] = useState(false);
  const dark = useDark();
  const near = edgeOfChance(counts);
  const shown = far ? counts.counts.length : Math.min(near, counts.counts.length);
  // With the page, also when that is drawn for paper.
  useLayoutEffect(() => {
    if (!box.current || width === 0) return;
    const plot = draw(box.current, width, dark, wider(counts, hitsPerBin(part, counts), shown, Math.ceil((shown * BAR_PX) / width)));
    return () => plot.destroy();
  }, [counts, width, dark, part.hits.length, shown]);
  const total = counts.counts.reduce((sum, each) => sum + each, 0);
  const beyond = part.hits.filter((hit) => hit.score >= near * counts.bin_width).length;
  const aside = counts.counts.length > near && (
    <button type="button" class="chip" aria-pressed={far} onClick={() => setFar(!far)}>All scores</button>
  );
  return (
    <Panel title="Scores of all subjects" aside={aside} class="distribution">
      <div ref={box} class="plot" role="img" aria-label={`Histogram of ${count(total)} scores; ${count(part.hits.length)} are hits`} />
      <p class="legend">
        <span><i class="swatch swatch-all" />{count(total)} subjects</span>
        <span><i class="swatch swatch-hit" />hits of this list</span>
        {counts.expected && <span><i class="swatch swatch-line" />expected by chance, fitted</span>}
        {!far && beyond > 0 && <span>{count(beyond)} of the hits lie further right</span>}
      </p>
    </Panel>
  );
}

/** What is drawn: bins, and of each its subjects, its hits, and what is expected. */
interface Bins {
  width: number;
  counts: number[];
  hits: number[];
  expected: number[] | null;
}

/** The first `shown` bins, so many at a time added up. */
function wider({ bin_width, counts, expected }: Counts, hits: number[], shown: number, times: number): Bins {
  const add = (values: number[]) =>
    Array.from({ length: Math.ceil(shown / times) }, (_, bin) =>
      values.slice(bin * times, (bin + 1) * times).reduce((sum, each) => sum + each, 0),
    );
  return { width: bin_width * times, counts: add(counts), hits: add(hits), expected: expected && add(expected) };
}

function hitsPerBin(part: Part, { bin_width, counts }: Counts): number[] {
  const bins = new Array<number>(counts.length).fill(0);
  for (const hit of part.hits) {
    const bin = Math.min(counts.length - 1, Math.floor(hit.score / bin_width));
    bins[bin] = (bins[bin] ?? 0) + 1;
  }
  return bins;
}

/** The bin past which chance explains nothing, and as much again to show that. */
function edgeOfChance({ counts, expected }: Counts): number {
  const usual = expected ?? counts;
  const last = usual.findLastIndex((each) => each >= 0.5);
  return Math.max(20, Math.ceil(last * 1.8));
}

const decades = (_: uPlot, splits: number[]): (number | null)[] =>
  splits.map((value) => (Number.isInteger(Math.log10(value)) ? value : null));

function draw(box: HTMLDivElement, width: number, dark: boolean, bins: Bins): uPlot {
  const colour = paletteOf(box, dark);
  // A logarithm has no zero.
  const atLeast = (values: number[], least: number) => values.map((value) => (value >= least ? value : null));
  const data: uPlot.AlignedData = [
    bins.counts.map((_, bin) => (bin + 0.5) * bins.width),
    atLeast(bins.counts, 1),
    atLeast(bins.hits, 1),
    atLeast(bins.expected ?? bins.counts.map(() => 0), 0.1),
  ];
  const bars = uPlot.paths.bars?.({ size: [0.9, 60], align: 0 });
  const axis = {
    stroke: colour("--dim"),
    font: "11px system-ui, sans-serif",
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1, size: 4 },
  };
  const logarithmic = { ...axis, grid: { ...axis.grid, filter: decades }, ticks: { ...axis.ticks, filter: decades } };
  const options: uPlot.Options = {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { points: { show: false }, y: false },
    scales: { x: { time: false, range: [0, bins.counts.length * bins.width] }, y: { distr: 3, log: 10, range: (_, __, most) => [0.5, Math.max(10, most * 1.5)] } },
    axes: [
      { ...axis, label: "raw score", labelFont: "11px system-ui, sans-serif", labelSize: 16, size: 30 },
      { ...logarithmic, size: 52, filter: decades, values: (_, splits) => splits.map((value) => (value ? count(value) : "")) },
    ],
    series: [
      {},
      { paths: bars, fill: colour("--bar"), stroke: "transparent", width: 0, points: { show: false } },
      { paths: bars, fill: colour("--accent"), stroke: "transparent", width: 0, points: { show: false } },
      { stroke: colour("--curve"), width: 2, points: { show: false } },
    ],
  };
  return new uPlot(options, data, box);
}
