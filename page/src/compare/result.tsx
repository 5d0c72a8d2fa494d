// A finished comparison: the plot, the list of what is in view, and a box of it aligned exactly.
import { useEffect, useMemo, useState } from "preact/hooks";
import { absolute, at, boot, postJson, problemOf, type Problem } from "../api";
import { count, moment, plural } from "../numbers";
import { CopyButton, Panel, useRested } from "../parts";
import { Trouble } from "../trouble";
import { Aligned, pathOf } from "./aligned";
import { areaOf, BoxForm, chosenOf, type Chosen } from "./box";
import { Downloads } from "./downloads";
import { rangeOf } from "./genomes";
import { MOST_ROWS, rowsIn, type Area, type Hsps } from "./hsps";
import { hashOf, lookOf, wholeView, type Look } from "./link";
import { useHsps } from "./load";
import { ANY, isFiltered, LONGEST_FIRST, passing, type Order, type Wanted } from "./order";
import { Plot, type Sides } from "./plot";
import { Certificate, hspsOf, SummaryPanel } from "./summary";
import { isCut, Table } from "./table";
import type { AlignedPair, AlignmentJob, Block, Comparison, Summary } from "./types";
import { around, isWhole, wholeOf, zoomed } from "./view";

const RESTED_MS = 120;

export function ResultPage({ comparison, summary }: { comparison: Comparison; summary: Summary }) {
  const { loaded, share, problem } = useHsps(comparison.id, hspsOf(summary));
  const title = comparison.title || "Comparison";
  useEffect(() => {
    document.title = `${title} - Shardwater`;
  }, [title]);
  return (
    <div class="result">
      <div class="result-head">
        <div>
          <h1>{title}</h1>
          <p class="dim">
            {plural(summary.query.records, "record")} against {count(summary.subject.records)} · {moment(comparison.created_at)} · kept until {moment(comparison.expires_at)}
            {boot.user && <> · opens for <strong>{boot.user}</strong> alone</>}
          </p>
        </div>
        <div class="row no-print">
          <a class="button" href={at("/compare")}>New comparison</a>
          <Downloads comparison={comparison} />
        </div>
      </div>
      <Certificate comparison={comparison} summary={summary} />
      {problem && <Trouble problem={problem} />}
      {!loaded && !problem && <Panel><p role="status">Loading the HSPs…</p><progress max={1} value={share} aria-label="Share of the HSPs that is here" /></Panel>}
      {loaded && <Explorer comparison={comparison} summary={summary} sides={loaded.sides} hsps={loaded.hsps} />}
    </div>
  );
}

interface ExplorerProps {
  comparison: Comparison;
  summary: Summary;
  sides: Sides;
  hsps: Hsps;
}

function Explorer({ comparison, summary, sides, hsps }: ExplorerProps) {
  const whole = useMemo(() => ({ width: sides.query.letters, height: sides.subject.letters }), [sides]);
  const [{ view, wanted }, setLook] = useLook(whole);
  const [order, setOrder] = useState<Order>(LONGEST_FIRST);
  const [marked, setMarked] = useState(-1);
  const [box, setBox] = useState<Area>();
  const [chosen, setChosen] = useState<Chosen>();
  const [boxing, setBoxing] = useState(false);
  const { aligning, path, align, found, close, sending, problem } = useAlignment(comparison.id, sides);
  const shown = useMemo(() => passing(hsps, wanted), [hsps, wanted.length, wanted.identity, wanted.strand]);
  const setView = (next: Area) => setLook({ view: next, wanted });
  const choose = (area: Area | undefined, done: boolean) => {
    setBox(area);
    if (!done) return;
    setBoxing(false);
    setChosen(area && chosenOf(sides, hsps, shown, area));
  };
  const show = (row: number) => {
    setMarked(row);
    const area = { x: hsps.query[row]!, y: hsps.subject[row]!, width: hsps.length[row]!, height: hsps.length[row]! };
    setView(around(whole, area));
  };
  const showBlock = (block: Block) => {
    const [query, subject] = [rangeOf(sides.query, { record: block.query, from: block.query_from, to: block.query_to }), rangeOf(sides.subject, { record: block.subject, from: block.subject_from, to: block.subject_to })];
    if (query && subject) setView(around(whole, { x: query[0], y: subject[0], width: query[1] - query[0], height: subject[1] - subject[0] }));
    document.querySelector<HTMLElement>(".dotplot")?.scrollIntoView({ block: "center" });
  };
  const change = (next: Chosen) => {
    setChosen(next);
    setBox(areaOf(sides, next));
  };
  const [forward, reverse] = ["+", "-"].map((strand) => summary.strands.find((each) => each.strand === strand)?.hsps ?? 0) as [number, number];
  return (
    <>
      <div class="compare-body">
        <Panel class="plot-panel">
          <div class="plot-tools no-print">
            <div class="row">
              <button type="button" class="square" aria-label="Zoom in" onClick={() => setView(zoomed(whole, view, 2))}>+</button>
              <button type="button" class="square" aria-label="Zoom out" onClick={() => setView(zoomed(whole, view, 0.5))}>−</button>
              <button type="button" disabled={isWhole(whole, view)} onClick={() => setView(wholeOf(whole))}>Show all</button>
              <button type="button" class="chip" aria-pressed={boxing} onClick={() => setBoxing(!boxing)}>Draw a box</button>
              <button type="button" class="chip" onClick={() => choose(zoomed(whole, view, 2), true)}>Box by numbers</button>
            </div>
            <CopyButton text={absolute(`/comparisons/${comparison.id}`) + hashOf({ view, wanted }, whole)} label="Copy link to this view" />
          </div>
          <Plot
            sides={sides}
            hsps={hsps}
            shown={shown}
            view={view}
            marked={marked}
            box={box}
            path={path}
            boxing={boxing}
            label={`Dot plot of ${count(hsps.count)} HSPs, query from left to right, subject upwards`}
            onView={setView}
            onMark={setMarked}
            onBox={choose}
          />
          <p class="legend">
            <span><i class="swatch swatch-forward" />{count(forward)} forward</span>
            <span><i class="swatch swatch-reverse" />{count(reverse)} reverse</span>
            {hsps.count === MOST_ROWS && <span>the first {count(MOST_ROWS)} are drawn</span>}
          </p>
          {chosen && <BoxForm sides={sides} chosen={chosen} sending={sending} onChange={change} onAlign={align} onDrop={() => choose(undefined, true)} />}
          {problem && <Trouble problem={problem} />}
        </Panel>
        <List hsps={hsps} sides={sides} shown={shown} view={view} wanted={wanted} order={order} marked={marked} onWanted={(next) => setLook({ view, wanted: next })} onOrder={setOrder} onShow={show} />
      </div>
      {aligning && <Aligned key={aligning.job.id} {...aligning} onPair={found} onClose={close} />}
      <SummaryPanel summary={summary} onShow={showBlock} />
    </>
  );
}

/** What is looked at, as the address has it; the address follows once it has rested. */
function useLook(whole: { width: number; height: number }): [Look, (look: Look) => void] {
  const [look, setLook] = useState<Look>(() => lookOf(location.hash, whole));
  const rested = useRested(look, RESTED_MS);
  useEffect(() => {
    const hash = hashOf(rested, whole);
    if (hash !== location.hash) history.replaceState(null, "", hash || location.pathname);
  }, [rested]);
  useEffect(() => {
    const changed = () => setLook(location.hash ? lookOf(location.hash, whole) : wholeView(whole));
    addEventListener("hashchange", changed);
    return () => removeEventListener("hashchange", changed);
  }, [whole]);
  return [look, setLook];
}

interface Aligning {
  job: AlignmentJob;
  chosen: Chosen;
}

/** A box that is aligned: its job, and once that is done its path over the plot. */
function useAlignment(id: string, sides: Sides) {
  const [aligning, setAligning] = useState<Aligning>();
  const [path, setPath] = useState<number[]>();
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const align = (chosen: Chosen) => {
    setSending(true);
    setProblem(undefined);
    setPath(undefined);
    postJson<AlignmentJob>(`/v1/comparisons/${id}:align`, chosen)
      .then((job) => setAligning({ job, chosen }), (error: unknown) => setProblem(problemOf(error)))
      .finally(() => setSending(false));
  };
  const found = (pair: AlignedPair) => {
    if (!aligning) return;
    const { query, subject } = aligning.chosen;
    const before = [rangeOf(sides.query, { ...query, from: 1, to: 1 })?.[0] ?? 0, rangeOf(sides.subject, { ...subject, from: 1, to: 1 })?.[0] ?? 0] as [number, number];
    setPath(pathOf(pair, aligning.chosen, before));
  };
  const close = () => {
    setAligning(undefined);
    setPath(undefined);
  };
  return { aligning, path, align, found, close, sending, problem };
}

interface ListProps {
  hsps: Hsps;
  sides: Sides;
  shown: Uint8Array;
  view: Area;
  wanted: Wanted;
  order: Order;
  marked: number;
  onWanted(wanted: Wanted): void;
  onOrder(order: Order): void;
  onShow(row: number): void;
}

function List({ hsps, sides, shown, view, wanted, order, marked, onWanted, onOrder, onShow }: ListProps) {
  // Only once the plot rests: of a million it takes longer than a frame.
  const rested = useRested(view, RESTED_MS);
  const { rows } = useMemo(() => rowsIn(hsps, shown, rested, hsps.count), [hsps, shown, rested]);
  const table = useMemo(
    () => <Table hsps={hsps} sides={sides} rows={rows} order={order} marked={marked} onOrder={onOrder} onShow={onShow} />,
    [hsps, sides, rows, order, marked],
  );
  return (
    <Panel class="hsp-panel">
      <div class="filters" role="search" aria-label="Filter the HSPs">
        <label class="filter"><span>Length ≥</span><input inputMode="numeric" autocomplete="off" placeholder="any" value={wanted.length} onInput={(event) => onWanted({ ...wanted, length: numberOf(event.currentTarget.value) })} /></label>
        <label class="filter"><span>Identity ≥</span><input inputMode="decimal" autocomplete="off" placeholder="0 %" value={wanted.identity} onInput={(event) => onWanted({ ...wanted, identity: numberOf(event.currentTarget.value) })} /></label>
        <label class="filter">
          <span>Strand</span>
          <select value={wanted.strand} onChange={(event) => onWanted({ ...wanted, strand: event.currentTarget.value as Wanted["strand"] })}>
            <option value="">both</option>
            <option value="+">forward</option>
            <option value="-">reverse</option>
          </select>
        </label>
        {isFiltered(wanted) && <button type="button" class="link" onClick={() => onWanted(ANY)}>Show all</button>}
      </div>
      <p class="dim small" role="status">
        {rows.length === hsps.count ? plural(rows.length, "HSP") : `${count(rows.length)} of ${plural(hsps.count, "HSP")} in this view`}
        {isCut(rows) && ": the first 200,000 are listed, zoom in for others"}
      </p>
      {table}
    </Panel>
  );
}

/** What of a field's text is a number. */
const numberOf = (text: string): string => (/^\d{0,9}(\.\d{0,4})?$/.test(text.trim()) ? text.trim() : "");

