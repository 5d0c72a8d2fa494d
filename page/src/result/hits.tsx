// The hits of a query: a drawing, a table that sorts and filters, and the alignment of each where it is opened.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Hit, Search } from "../api";
import { count, plural } from "../numbers";
import { Panel, save, useRested, useWidth } from "../parts";
import { useDark } from "../theme";
import { Downloads, fileName, type Scope } from "./downloads";
import { ANY, arrange, hiddenUnaligned, isFiltered, nextOrder, type Column, type Order } from "./filter";
import { Filters, NoneLeft } from "./filters";
import type { Part } from "./load";
import { CLASSES, Drawing, heightOf, saveDrawing } from "./overview";
import { Rows } from "./rows";
import { keepView, viewOf } from "./view";

const DRAWN = 50;
const RESTED_MS = 80;

const COLUMNS: { column: Column; label: string; class: string }[] = [
  { column: "rank", label: "#", class: "num" },
  { column: "accession", label: "Accession and title", class: "" },
  { column: "score", label: "Score", class: "num hide-narrow" },
  { column: "bits", label: "Bits", class: "num" },
  { column: "evalue", label: "E-value", class: "num" },
  { column: "identity", label: "Identity %", class: "num" },
  { column: "query_coverage", label: "Coverage %", class: "num" },
  { column: "length", label: "Length", class: "num hide-narrow" },
];

interface HitsProps {
  search: Search;
  part: Part;
  figure: ComponentChildren;
  /** The rank of a hit to show. */
  target: number | undefined;
}

export function Hits({ search, part, figure, target }: HitsProps) {
  const [first] = useState(() => viewOf(search.id, part.number));
  const [wanted, setWanted] = useState(first.wanted);
  const [order, setOrder] = useState(first.order);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(first.open));
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set(first.selected));
  const rested = useRested(wanted, RESTED_MS);
  const hits = useMemo(() => arrange(part.hits, rested, order), [part.hits, rested, order]);
  const unaligned = useMemo(() => hiddenUnaligned(part.hits, rested), [part.hits, rested]);
  const jump = useRef<(hit: Hit) => void>(() => undefined);
  useEffect(() => keepView(search.id, part.number, { wanted, order, open: [...open], selected: [...selected] }), [wanted, order, open, selected]);
  const show = (hit: Hit) => {
    setOpen(new Set([...open, hit.rank]));
    jump.current(hit);
  };
  useTarget(target === undefined ? undefined : part.hits[target - 1], (hit) => {
    if (hits.includes(hit)) return show(hit);
    // A filter hides it.
    setWanted(ANY);
    return undefined;
  }, hits);
  const toggle = (set: ReadonlySet<number>, rank: number) => {
    const next = new Set(set);
    if (!next.delete(rank)) next.add(rank);
    return next;
  };
  if (part.hits.length === 0) return <>{figure}<Panel title="Hits"><NoHits /></Panel></>;
  const scope: Scope = selected.size
    ? { kind: "hits", query: part.number, ranks: new Set(selected) }
    : { kind: "query", query: part.number };
  const chosen = selected.size ? part.hits.filter((hit) => selected.has(hit.rank)) : part.hits;
  const aligned = chosen.filter((hit) => hit.hsps.length > 0);
  const lack = aligned.length < chosen.length ? ` (${count(aligned.length)} of ${plural(chosen.length, "hit")})` : "";
  const name = (ending: string) => fileName(search, part, selected.size > 0, ending);
  const own = [
    { label: `Aligned parts, FASTA${lack}`, save: () => saveAligned(name("aligned.fasta"), aligned) },
    {
      label: "Overview drawing, SVG",
      save: () => saveDrawing(name("svg"), part.one.query.length, (selected.size ? chosen : hits).slice(0, DRAWN), part.one.query.id),
    },
  ];
  return (
    <>
      <div class={figure ? "figures" : ""}>
        <Overview part={part} hits={hits} onPick={show} />
        {figure}
      </div>
      <Panel class="hits">
        <div class="toolbar">
          <h2>Hits</h2>
          <Filters wanted={wanted} of="hits" onChange={setWanted} />
          <span class="dim" role="status">
            {isFiltered(rested) ? `${count(hits.length)} of ${plural(part.hits.length, "hit")}` : plural(part.hits.length, "hit")}
            {unaligned > 0 && `; ${count(unaligned)} hidden because they are not aligned`}
            {!part.complete && ", loading more…"}
          </span>
          <div class="toolbar-end">
            {selected.size > 0 && <button type="button" class="quiet" onClick={() => setSelected(new Set())}>{count(selected.size)} selected, clear</button>}
            <Downloads search={search.id} scope={scope} own={own} label={selected.size ? "Download selected" : "Download"} />
          </div>
          {target !== undefined && part.complete && !part.hits[target - 1] && <p class="warn">This query has {plural(part.hits.length, "hit")}: there is no number {target}.</p>}
        </div>
        <div class="hit-table" role="table" aria-label="Hits" aria-rowcount={hits.length + 1}>
          <Head
            order={order}
            onOrder={(column) => setOrder(nextOrder(order, column))}
            all={hits.length > 0 && hits.every((hit) => selected.has(hit.rank))}
            onAll={(on) => setSelected(withAll(selected, hits, on))}
          />
          <Rows
            hits={hits}
            part={part}
            search={search}
            open={open}
            selected={selected}
            jump={jump}
            onOpen={(rank) => setOpen(toggle(open, rank))}
            onSelect={(rank) => setSelected(toggle(selected, rank))}
          />
        </div>
        {hits.length === 0 && <NoneLeft one="hit" onAll={() => setWanted(ANY)} />}
      </Panel>
    </>
  );
}

/** The hits shown selected or not; those that a filter hides stay as they are. */
function withAll(selected: ReadonlySet<number>, shown: Hit[], on: boolean): Set<number> {
  const next = new Set(selected);
  for (const { rank } of shown) {
    if (on) next.add(rank);
    else next.delete(rank);
  }
  return next;
}

/** Show a hit once, as soon as it is there to be shown. */
function useTarget(hit: Hit | undefined, show: (hit: Hit) => void, hits: Hit[]): void {
  const shown = useRef<Hit | undefined>(undefined);
  useLayoutEffect(() => {
    if (!hit || shown.current === hit) return;
    if (hits.includes(hit)) shown.current = hit;
    show(hit);
  }, [hit, hits]);
}

function NoHits() {
  return (
    <p>
      No subject passes the thresholds. Every sequence was compared, so there is nothing to find under these parameters: raise the E-value, lower
      the other thresholds, or try a matrix for more distant relatives.
    </p>
  );
}

function Overview({ part, hits, onPick }: { part: Part; hits: Hit[]; onPick(hit: Hit): void }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const dark = useDark();
  const drawn = hits.filter((hit) => hit.hsps.length > 0).slice(0, DRAWN);
  const { query } = part.one;
  const label = `Hits along ${query.id}, ${query.length} residues: the ${drawn.length} first of the table`;
  const legend = drawn.some((hit) => hit.bits !== null) && (
    <p class="legend">
      <span class="dim">bits</span>
      {CLASSES.map((each) => <span key={each.from}><i class="swatch" style={{ background: dark ? each.dark : each.light }} />{each.label}</span>)}
    </p>
  );
  return (
    <Panel title="Hits along the query" aside={legend} class="overview">
      <div ref={box} style={{ minHeight: `${heightOf(drawn.length)}px` }}>{width > 0 && <Drawing length={query.length} hits={drawn} width={width} dark={dark} label={label} onPick={onPick} />}</div>
      {hits.length > drawn.length && drawn.length === DRAWN && <p class="dim small">The first {DRAWN} hits of the table below.</p>}
    </Panel>
  );
}

function Head({ order, onOrder, all, onAll }: { order: Order; onOrder(column: Column): void; all: boolean; onAll(on: boolean): void }) {
  return (
    <div role="rowgroup" class="hit-head">
      <div role="row" class="hit-row" aria-rowindex={1}>
        <span role="columnheader"><input type="checkbox" aria-label="Select all hits shown" checked={all} onChange={(event) => onAll(event.currentTarget.checked)} /></span>
        {COLUMNS.map((each) => (
          <span
            key={each.column}
            role="columnheader"
            class={each.class}
            aria-sort={order.column === each.column ? (order.descending ? "descending" : "ascending") : "none"}
          >
            <button type="button" class="sort" onClick={() => onOrder(each.column)}>
              {each.label}<span aria-hidden="true" class="sort-mark">{order.column === each.column ? (order.descending ? "↓" : "↑") : ""}</span>
            </button>
          </span>
        ))}
      </div>
    </div>
  );
}

function saveAligned(name: string, hits: Hit[]): void {
  const records = hits.flatMap((hit) => hit.hsps.map((hsp) => {
    const letters = hsp.hseq.replaceAll("-", "").replace(/.{60}(?=.)/g, "$&\n");
    return `>${hit.accession}/${hsp.hit_from}-${hsp.hit_to} ${hit.title}\n${letters}\n`;
  }));
  save(name, "text/x-fasta", records.join(""));
}
