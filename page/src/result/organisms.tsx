// Which organisms a query's hits are of: the one with the best hit first, or by lineage where the database knows it.
import { useMemo, useState } from "preact/hooks";
import type { Hit, HitTaxa, HitTaxon } from "../api";
import { bitsText, count, evalueText, plural } from "../numbers";
import { Panel } from "../parts";
import { usePrinting } from "../printing";
import { useAnswer } from "../trouble";
import { ANY, type Wanted } from "./filter";
import { namedOf } from "./named";

const SHOWN = 8;
const TAXA_SHOWN = 20;

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

interface Props {
  search: string;
  query: number;
  hits: Hit[];
  /** Shows the hits of one. */
  onPick(wanted: Wanted): void;
}

export function Organisms({ search, query, hits, onPick }: Props) {
  const [byLineage, setByLineage] = useState(false);
  const found = useMemo(() => organismsOf(hits), [hits]);
  const placed = useMemo(() => hits.some(({ taxid }) => taxid), [hits]);
  const { items: taxa, without_taxid: without = 0 } = useAnswer<HitTaxa>(placed ? `/v1/searches/${search}/taxa?query=${query}` : undefined) ?? {};
  if (found.length === 0) return null;
  const unknown = hits.length - found.reduce((sum, each) => sum + each.hits, 0);
  const choice = taxa?.some(({ parent }) => parent !== null) && (
    <div class="tabs no-print" role="group" aria-label="How organisms are listed">
      <button type="button" aria-pressed={!byLineage} onClick={() => setByLineage(false)}>Best first</button>
      <button type="button" aria-pressed={byLineage} onClick={() => setByLineage(true)}>By lineage</button>
    </div>
  );
  const tree = byLineage && taxa;
  return (
    <Panel title={tree ? "Organisms" : plural(found.length, "organism")} aside={choice} class="organisms">
      {tree ? <Lineages taxa={tree} onPick={onPick} /> : <List found={found} onPick={onPick} />}
      {tree ? without > 0 && <p class="dim small">{plural(without, "hit has", "hits have")} no taxid.</p> : unknown > 0 && <p class="dim small">{plural(unknown, "hit names", "hits name")} none.</p>}
    </Panel>
  );
}

function List({ found, onPick }: { found: Organism[]; onPick(wanted: Wanted): void }) {
  const [all, setAll] = useState(false);
  const printing = usePrinting();
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Organisms of the hits">
        <table class="plain">
          <thead><tr><th>Organism</th><th class="num">Hits</th><th class="num">Best bits</th><th class="num">Best E-value</th><th>Best hit</th></tr></thead>
          <tbody>
            {(all || printing ? found : found.slice(0, SHOWN)).map(({ name, hits: number, best }) => (
              <tr key={name}>
                <td><button type="button" class="link" title="Show its hits alone" onClick={() => onPick({ ...ANY, words: name })}>{name}</button></td>
                <td class="num">{count(number)}</td>
                <td class="num">{bitsText(best.bits)}</td>
                <td class="num">{evalueText(best.evalue)}</td>
                <td class="mono">{best.accession}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <More all={all} first={SHOWN} of={found.length} onAll={setAll} />
    </>
  );
}

/** Each taxon after the one that it descends from, set in by a step. */
function Lineages({ taxa, onPick }: { taxa: HitTaxon[]; onPick(wanted: Wanted): void }) {
  const [all, setAll] = useState(false);
  const printing = usePrinting();
  const depths = useMemo(() => {
    const found = new Map<number, number>();
    for (const { taxid, parent } of taxa) found.set(taxid, parent === null ? 0 : found.get(parent)! + 1);
    return found;
  }, [taxa]);
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label="Lineages of the hits">
        <table class="plain">
          <thead><tr><th>Taxon</th><th>Rank</th><th class="num">Hits</th><th class="num">Best hit</th></tr></thead>
          <tbody>
            {(all || printing ? taxa : taxa.slice(0, TAXA_SHOWN)).map(({ taxid, name, rank, hits, ranks }) => {
              const called = name || `taxon ${taxid}`;
              return (
                <tr key={taxid}>
                  <td style={{ paddingLeft: `${8 + 16 * depths.get(taxid)!}px` }}><button type="button" class="link" title="Show its hits alone" onClick={() => onPick({ ...ANY, taxon: { name: called, ranks } })}>{called}</button></td>
                  <td class="dim">{rank}</td>
                  <td class="num">{count(hits)}</td>
                  <td class="num">{parseInt(ranks, 10)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </div>
      <More all={all} first={TAXA_SHOWN} of={taxa.length} onAll={setAll} />
    </>
  );
}

function More({ all, first, of, onAll }: { all: boolean; first: number; of: number; onAll(all: boolean): void }) {
  if (of <= first) return null;
  return <p class="small"><button type="button" class="link no-print" aria-expanded={all} onClick={() => onAll(!all)}>{all ? `The first ${first} alone` : `All ${count(of)}`}</button></p>;
}
