// Every score of the database as a histogram, with the curve that chance alone would give and the hits marked.
import { useCallback, useMemo, useState } from "preact/hooks";
import type { Counts, Search } from "../api";
import { count, plural } from "../numbers";
import { Panel } from "../parts";
import { Histogram, type Bins } from "./histogram";
import type { Part } from "./load";
import { keepView, viewOf } from "./view";

export function Distribution({ search, part, counts }: { search: Search; part: Part; counts: Counts }) {
  const [far, setFar] = useState(() => viewOf(search.id, part.number).far ?? false);
  const near = edgeOfChance(counts);
  const shown = far ? counts.counts.length : Math.min(near, counts.counts.length);
  const hits = useMemo(() => hitsPerBin(part, counts), [counts, part.hits]);
  const binsOf = useCallback((most: number) => wider(counts, hits, shown, Math.ceil(shown / most)), [counts, hits, shown]);
  const total = counts.counts.reduce((sum, each) => sum + each, 0);
  const beyond = part.hits.filter((hit) => hit.score >= near * counts.bin_width).length;
  const choose = () => {
    setFar(!far);
    keepView(search.id, part.number, { far: !far });
  };
  const aside = counts.counts.length > near && <button type="button" class="chip" aria-pressed={far} onClick={choose}>All scores</button>;
  return (
    <Panel title="Score distribution" aside={aside} class="distribution">
      <Histogram binsOf={binsOf} label={`Histogram of ${count(total)} scores; ${count(part.hits.length)} are hits`} />
      <p class="legend">
        <span><i class="swatch swatch-all" />{count(total)} subjects</span>
        <span><i class="swatch swatch-hit" />hits</span>
        {counts.expected && <span><i class="swatch swatch-line" />expected by chance</span>}
        {!far && beyond > 0 && <span>{plural(beyond, "hit")} off the scale</span>}
      </p>
    </Panel>
  );
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
