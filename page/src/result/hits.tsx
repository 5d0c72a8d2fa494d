// The hits of a query: a drawing, a table that sorts and filters, and the alignment of each where it is opened.
import type { ComponentChildren } from "preact";
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { at, type Hit, type Search } from "../api";
import { SHORT_PEPTIDE } from "../form/values";
import { LongList } from "../long-list";
import { Menu } from "../menu";
import { count, plural } from "../numbers";
import { Icon, Panel, save, useRested, useWidth } from "../parts";
import { usePaperWidth, usePrinting } from "../printing";
import { useDark } from "../theme";
import { Trouble } from "../trouble";
import { MOST_AT_ONCE, useAligner, type Aligner } from "./align-hits";
import { Anchored } from "./anchored";
import { choices, chosenColumns, columnsOf, keepColumns, type Shown } from "./columns";
import { Downloads, figureAt, fileName, type Scope } from "./downloads";
import { ANY, arrange, hiddenUnaligned, isFiltered, nextOrder, rangesOf, type Column, type Order } from "./filter";
import { Filters, NoneLeft } from "./filters";
import type { Part } from "./load";
import { namedOf } from "./named";
import { NextRound } from "./next-round";
import { Organisms } from "./organisms";
import { CLASSES, Drawing, heightOf, STEP, TOP } from "./overview";
import { HitRow } from "./row";
import { keepScores, keepView, scoresShown, viewOf } from "./view";

const DRAWN = 50;
/** Hits that are drawn before somebody asks for more: as many as leave room for rows of the table on the first screen. */
const DRAWN_FIRST = 12;
const DRAWN_LEAST = 4;
const BESIDES = 566;
/** Of the paper's width, as print.css has it; the rest is for names. */
const DRAWN_SHARE = 0.6;
/** Of hits that are ticked, on the server's picture. */
const MOST_DRAWN = 200;
const RESTED_MS = 80;
/** Of a row, as result.css has them, on a narrow screen without and with a line for the organism. */
const HEIGHT = 34;
const NARROW_HEIGHTS = [64, 83] as const;
const rankOf = ({ rank }: Hit): number => rank;
/** From here on chance alone is not unlikely to give such a score in one of a thousand searches. */
const SURE = 0.001;

interface HitsProps {
  search: Search;
  part: Part;
  figure: ComponentChildren;
  /** The rank of a hit to show. */
  target: number | undefined;
  /** Hits that go to a printer, where those of all queries do. */
  most: number | undefined;
}

export function Hits({ search, part: loaded, figure, target, most }: HitsProps) {
  const { hits: known, align, pending, progress, cancel, problem } = useAligner(search, loaded);
  const part = useMemo(() => ({ ...loaded, hits: known }), [loaded, known]);
  const [first] = useState(() => viewOf(search.id, part.number));
  const [wanted, setWanted] = useState(first.wanted);
  const [order, setOrder] = useState(first.order);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(first.open));
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set(first.selected));
  const [chosenHere, setColumns] = useState(chosenColumns);
  const [anchored, setAnchored] = useState(first.anchored ?? false);
  const rested = useRested(wanted, RESTED_MS);
  const hits = useMemo(() => arrange(part.hits, rested, order), [part.hits, rested, order]);
  const unaligned = useMemo(() => hiddenUnaligned(part.hits, rested), [part.hits, rested]);
  const [scores, setScores] = useState(scoresShown);
  const printing = usePrinting();
  const list = useRef<HTMLDivElement>(null);
  const jump = useRef<(hit: Hit) => void>(() => undefined);
  useEffect(() => {
    if (most === undefined) keepView(search.id, part.number, { wanted, order, open: [...open], selected: [...selected], anchored });
  }, [wanted, order, open, selected, anchored]);
  /** What is to be shown as soon as the table is there. */
  const later = useRef<Hit | undefined>(undefined);
  const show = (hit: Hit) => {
    setOpen(new Set([...open, hit.rank]));
    setAnchored(false);
    if (anchored) later.current = hit;
    else jump.current(hit);
  };
  useLayoutEffect(() => {
    if (!anchored && later.current) jump.current(later.current);
    later.current = undefined;
  }, [anchored]);
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
  // Of one database alone the head tells it.
  const several = (part.whole.databases?.length ?? 0) > 1;
  const has = useCallback((column: Column) => (column === "database" ? several : (HAS[column]?.(part.hits) ?? true)), [part.hits]);
  const columns = useMemo(() => columnsOf(chosenHere, has), [chosenHere, has]);
  const edge = edgeOf(hits, order);
  const aligned = hits.filter(({ hsps }) => hsps.length).map(({ rank }) => rank);
  if (part.hits.length === 0) return <><Panel title="Hits"><NoHits search={search} part={part} /></Panel>{figure}</>;
  const whole: Scope = { kind: "query", query: part.number };
  const scopes: Scope[] = selected.size ? [{ kind: "hits", query: part.number, ranks: selected }] : [whole];
  if (!selected.size && isFiltered(rested) && hits.length) scopes.unshift({ kind: "hits", query: part.number, ranks: new Set(hits.map((hit) => hit.rank)), shown: true });
  const own = (scope: Scope) => {
    const chosen = scope.kind === "hits" ? part.hits.filter((hit) => scope.ranks.has(hit.rank)) : part.hits;
    const aligned = chosen.filter((hit) => hit.hsps.length > 0);
    const lack = aligned.length < chosen.length ? ` (${count(aligned.length)} of ${plural(chosen.length, "hit")})` : "";
    return [{ label: `Aligned parts without gaps, FASTA${lack}`, save: () => saveAligned(fileName(search, part, scope.kind === "hits", "parts.fasta"), aligned) }];
  };
  const drawn = selected.size ? part.hits.filter((hit) => selected.has(hit.rank)).slice(0, MOST_DRAWN) : hits.slice(0, DRAWN);
  // These are what it has where none are named.
  const usual = !selected.size && drawn.length === Math.min(DRAWN, part.hits.length) && drawn.every((hit, place) => hit.rank === place + 1);
  const figures = [
    ...(drawn.length ? [{ label: "Hits along the query", path: figureAt(search.id, part.number, "hits", usual ? "" : `&hits=${rangesOf(drawn.map(({ rank }) => rank))}`) }] : []),
    ...(part.one.distribution ? [{ label: "Score distribution", path: figureAt(search.id, part.number, "scores") }] : []),
  ];
  const shownFigure = (scores || printing) && figure;
  return (
    <>
      <div class={shownFigure ? "figures" : "figures alone"}>
        <Overview part={part} hits={hits} onPick={show} align={pending.size ? undefined : align}>
          {figure && <button type="button" class="chip no-print" aria-expanded={scores} onClick={() => { setScores(!scores); keepScores(!scores); }}>Score distribution</button>}
        </Overview>
        {shownFigure}
      </div>
      <Panel class="hits">
        <div class="toolbar">
          <h2 class="visually-hidden">Hits</h2>
          <div class="tabs no-print" role="group" aria-label="How hits are shown">
            <button type="button" aria-pressed={!anchored} onClick={() => setAnchored(false)}>Table</button>
            <button type="button" aria-pressed={anchored} aria-label="Aligned to the query" onClick={() => setAnchored(true)}>Aligned</button>
          </div>
          <Filters wanted={wanted} of="hits" onChange={setWanted} />
          <span class="dim" role="status">
            {isFiltered(rested) ? `${count(hits.length)} of ${plural(part.hits.length, "hit")}` : plural(part.hits.length, "hit")}
            {unaligned.length > 0 && `; ${count(unaligned.length)} not aligned yet`}
            {!part.complete && ", loading more…"}
          </span>
          {unaligned.length > 0 && align && pending.size === 0 && <button type="button" class="link" onClick={() => align(unaligned)}>{alignText(unaligned)}</button>}
          <div class="toolbar-end">
            {selected.size > 0 && <NextRound search={search} part={part} selected={selected} />}
            {selected.size > 0 && <button type="button" class="quiet" onClick={() => setSelected(new Set())}>{count(selected.size)} selected, clear</button>}
            {/* One or the other: the tools stay on one line when a hit is opened. */}
            {!anchored && (aligned.some((rank) => !open.has(rank)) ? (
              <button type="button" class="quiet" onClick={() => setOpen(new Set(aligned))}>Open all</button>
            ) : (
              open.size > 0 && <button type="button" class="quiet" onClick={() => setOpen(new Set())}>Close all</button>
            ))}
            {!anchored && <Columns chosen={chosenHere} has={has} onChange={(next) => { setColumns(next); keepColumns(next); }} />}
            <Downloads search={search.id} scopes={scopes} own={own} figures={figures} label={selected.size ? "Download selected" : "Download"} />
          </div>
          {pending.size > 0 && (
            <p class="row wide no-print">
              <span role="status">Aligning {plural(pending.size, "hit")}… {Math.floor(progress * 100)} %</span>
              <button type="button" class="quiet" onClick={cancel}><Icon name="stop" />Cancel</button>
            </p>
          )}
          {problem && <Trouble problem={problem} />}
          {target !== undefined && part.complete && !part.hits[target - 1] && <p class="warn">This query has {plural(part.hits.length, "hit")}: there is no number {target}.</p>}
        </div>
        {anchored && hits.length > 0 && <Anchored hits={most === undefined ? hits : hits.slice(0, most)} part={part} search={search} onShow={show} />}
        {!anchored && <div ref={list} class="hit-table" role="table" aria-label="Hits" aria-rowcount={hits.length + 1} style={tracksOf(columns)}>
          <Head
            columns={columns}
            order={order}
            onOrder={(column) => setOrder(nextOrder(order, column))}
            all={hits.length > 0 && hits.every((hit) => selected.has(hit.rank))}
            onAll={(on) => setSelected(withAll(selected, hits, on))}
          />
          <LongList rows={hits} keyOf={rankOf} heights={[HEIGHT, NARROW_HEIGHTS[columns.some(({ column }) => column === "organism") ? 1 : 0]]} jump={jump} most={most}>
            {(hit, place) => (
              <HitRow
                hit={hit}
                columns={columns}
                isEdge={place === edge}
                place={place + 2}
                part={part}
                search={search}
                open={open.has(hit.rank)}
                selected={selected.has(hit.rank)}
                onAlign={align && (() => align([hit, ...inSight(list.current, hits)]))}
                pending={pending.has(hit.rank)}
                busy={pending.size > 0}
                onOpen={() => setOpen(toggle(open, hit.rank))}
                onSelect={() => setSelected(toggle(selected, hit.rank))}
              />
            )}
          </LongList>
        </div>}
        {hits.length === 0 && <NoneLeft one="hit" onAll={() => setWanted(ANY)} />}
      </Panel>
      <Organisms search={search.id} query={part.number} hits={part.hits} onPick={(next) => { setWanted(next); list.current?.scrollIntoView(); }} />
    </>
  );
}

/** The hits whose rows are on the screen. */
function inSight(list: HTMLElement | null, hits: Hit[]): Hit[] {
  const rows = [...(list?.querySelectorAll<HTMLElement>("[data-place]") ?? [])].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
  return rows.flatMap(({ dataset }) => hits[Number(dataset.place)] ?? []);
}

/** What aligns hits that have no alignment, in words. */
const alignText = (unaligned: Hit[]): string => (unaligned.length > MOST_AT_ONCE ? `Align the first ${MOST_AT_ONCE}` : `Align ${plural(unaligned.length, "hit")}`);

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
  const shown = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (!hit || shown.current === hit.rank) return;
    if (hits.includes(hit)) shown.current = hit.rank;
    show(hit);
  }, [hit, hits]);
}

/** Where the E-values pass SURE in a list that is ordered by them; -1 where they do not. */
function edgeOf(hits: Hit[], { column, descending }: Order): number {
  if (descending || !["rank", "evalue"].includes(column)) return -1;
  const edge = hits.findIndex(({ evalue }) => evalue !== null && evalue > SURE);
  return edge > 0 ? edge : -1;
}

/** What not all hits have. */
const HAS: { [column in Column]?: (hits: Hit[]) => boolean } = {
  organism: (hits) => hits.some((hit) => namedOf(hit).organism),
  bits: (hits) => hits.some(({ bits }) => bits !== null),
  evalue: (hits) => hits.some(({ evalue }) => evalue !== null),
};

function tracksOf(columns: Shown[]): { [name: string]: string } {
  return {
    "--columns": `40px ${columns.map(({ wide }) => wide).join(" ")}`,
    "--paper-columns": columns.map(({ paper }) => paper).join(" "),
  };
}

function Columns({ chosen, has, onChange }: { chosen: Column[]; has(column: Column): boolean; onChange(chosen: Column[]): void }) {
  const toggled = (column: Column) => (chosen.includes(column) ? chosen.filter((each) => each !== column) : [...chosen, column]);
  return (
    <Menu label="Columns" icon="columns">
      {() => choices(has).map(({ column, label }) => (
        <li key={column}>
          <label class="menu-choice"><input type="checkbox" checked={chosen.includes(column)} onChange={() => onChange(toggled(column))} />{label}</label>
        </li>
      ))}
    </Menu>
  );
}

function NoHits({ search, part }: { search: Search; part: Part }) {
  const { distribution, query, warnings } = part.one;
  const isShort = warnings?.some(({ code }) => code === "short-query");
  const best = distribution ? distribution.counts.findLastIndex((subjects) => subjects > 0) : -1;
  const short = new URLSearchParams({ edit: search.id, ...SHORT_PEPTIDE.values });
  return (
    <>
      <p>
        No hits. Every sequence was compared; none met the cutoffs. Raise the E-value cutoff, lower the other cutoffs, or choose a matrix for more
        distant relatives.
      </p>
      {distribution && best >= 0 && <p>The best score of any subject is {distribution.bin_width === 1 ? best : `${best * distribution.bin_width} or a little more`}.</p>}
      {isShort && <p>The query has {plural(query.length, "residue")}: too few for an alignment to stand out. <em>{SHORT_PEPTIDE.name}</em> finds what is identical.</p>}
      <div class="row">
        {isShort && <a class="button primary" href={at(`/?${short}`)}>Try as a short peptide</a>}
        <a class="button" href={at(`/?edit=${search.id}`)}>Edit search</a>
      </div>
    </>
  );
}

interface OverviewProps {
  part: Part;
  hits: Hit[];
  onPick(hit: Hit): void;
  align: Aligner["align"];
  children: ComponentChildren;
}

function Overview({ part, hits, onPick, align, children }: OverviewProps) {
  const [box, room] = useWidth<HTMLDivElement>();
  const width = usePaperWidth(room, DRAWN_SHARE);
  const [all, setAll] = useState(false);
  const [first] = useState(() => Math.max(DRAWN_LEAST, Math.min(DRAWN_FIRST, Math.floor((innerHeight - BESIDES) / STEP))));
  const dark = useDark();
  const able = hits.filter((hit) => hit.hsps.length > 0);
  const aligned = able.slice(0, DRAWN);
  const drawn = all ? aligned : aligned.slice(0, first);
  const { query } = part.one;
  const label = `Hits along ${query.id}, ${query.length} residues: the ${drawn.length} first of the table`;
  const legend = drawn.some((hit) => hit.bits !== null) && (
    <p class="legend">
      <span class="dim">bits</span>
      {CLASSES.map((each) => <span key={each.from}><i class="swatch" style={{ background: dark ? each.dark : each.light }} />{each.label}</span>)}
    </p>
  );
  const more = aligned.length > first && (
    <button type="button" class="chip no-print" aria-expanded={all} onClick={() => setAll(!all)}>{all ? `First ${first} only` : able.length > DRAWN ? `First ${DRAWN}` : `All ${able.length}`}</button>
  );
  return (
    <Panel title="Hits along the query" aside={<div class="row">{legend}{children}{more}</div>} class="overview">
      {able.length === 0 && <p class="dim">{hits.length === 0 ? "No hit passes the filters." : "These hits are not aligned yet. Align them to draw them here."} {hits.length > 0 && align && <button type="button" class="link no-print" onClick={() => align(hits.slice(0, DRAWN))}>{alignText(hits.slice(0, DRAWN))}</button>}</p>}
      <div class="overview-rows" hidden={able.length === 0} style={{ minHeight: `${heightOf(drawn.length)}px` }}>
        {/* The table below has the same names as buttons. */}
        <ol class="overview-names" aria-hidden="true" style={{ paddingTop: `${TOP}px` }}>
          {drawn.map((hit) => <li key={hit.rank} style={{ height: `${STEP}px`, lineHeight: `${STEP}px` }} title={`${hit.accession} ${hit.title}`} onClick={() => onPick(hit)}><span class="mono">{hit.accession}</span> {namedOf(hit).title}</li>)}
        </ol>
        <div ref={box}>{width > 0 && <Drawing length={query.length} hits={drawn} width={width} dark={dark} label={label} onPick={onPick} />}</div>
      </div>
    </Panel>
  );
}

interface HeadProps {
  columns: Shown[];
  order: Order;
  onOrder(column: Column): void;
  all: boolean;
  onAll(on: boolean): void;
}

function Head({ columns, order, onOrder, all, onAll }: HeadProps) {
  return (
    <div role="rowgroup" class="hit-head">
      <div role="row" class="hit-row" aria-rowindex={1}>
        <span role="columnheader"><input type="checkbox" aria-label="Select all hits shown" checked={all} onChange={(event) => onAll(event.currentTarget.checked)} /></span>
        {columns.map((each) => (
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
