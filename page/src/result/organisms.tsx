// Which organisms a query's hits are of, the one with the best hit first.
import { useMemo, useState } from "preact/hooks";
import type { Hit } from "../api";
import { bitsText, count, evalueText, plural } from "../numbers";
import { Panel } from "../parts";
import { usePrinting } from "../printing";
import { namedOf } from "./named";

const SHOWN = 8;

interface Organism {
  name: string;
  hits: number;
  best: Hit;
}

/** Hits are in the order of their ranks. */
function organismsOf(hits: Hit[]): Organism[] {
  const found = new Map<string, Organism>();
  for (const hit of hits) {
    const { organism: name } = namedOf(hit);
    const known = found.get(name);
    if (known) known.hits += 1;
    else if (name) found.set(name, { name, hits: 1, best: hit });
  }
  return [...found.values()];
}

/** onPick: shows the hits of one. */
export function Organisms({ hits, onPick }: { hits: Hit[]; onPick(name: string): void }) {
  const [all, setAll] = useState(false);
  const printing = usePrinting();
  const found = useMemo(() => organismsOf(hits), [hits]);
  if (found.length === 0) return null;
  const unknown = hits.length - found.reduce((sum, each) => sum + each.hits, 0);
  return (
    <Panel title={plural(found.length, "organism")} class="organisms">
      <div class="scroll" tabIndex={0} role="region" aria-label="Organisms of the hits">
        <table class="plain">
          <thead><tr><th>Organism</th><th class="num">Hits</th><th class="num">Best bits</th><th class="num">Best E-value</th><th>Best hit</th></tr></thead>
          <tbody>
            {(all || printing ? found : found.slice(0, SHOWN)).map(({ name, hits: number, best }) => (
              <tr key={name}>
                <td><button type="button" class="link" title="Show its hits alone" onClick={() => onPick(name)}>{name}</button></td>
                <td class="num">{count(number)}</td>
                <td class="num">{bitsText(best.bits)}</td>
                <td class="num">{evalueText(best.evalue)}</td>
                <td class="mono">{best.accession}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {found.length > SHOWN && <p class="small"><button type="button" class="link no-print" aria-expanded={all} onClick={() => setAll(!all)}>{all ? `The first ${SHOWN} alone` : `All ${count(found.length)}`}</button></p>}
      {unknown > 0 && <p class="dim small">{plural(unknown, "hit names", "hits name")} none.</p>}
    </Panel>
  );
}
