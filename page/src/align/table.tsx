// The pairs of a result: a table that sorts and filters, and the alignment of each where it is opened.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { boot } from "../api";
import { calledAfter } from "../file-name";
import { read, write } from "../history";
import { LongList } from "../long-list";
import { count, plural } from "../numbers";
import { Icon, Panel, save, useRested } from "../parts";
import { isNumber } from "../result/filter";
import { NoneLeft } from "../result/filters";
import { columnsOf, MOST_ROWS, type Row } from "./load";
import { ANY, arrange, BY_PLACE, isFiltered, nextOrder, type Column, type Order, type Wanted } from "./order";
import { PairRow } from "./row";
import type { Alignment } from "./types";

const RESTED_MS = 80;
/** Of a row, as align.css has them. */
const HEIGHTS: [number, number] = [36, 86];
const placeOf = ({ place }: Row): number => place;

interface View {
  wanted: Wanted;
  order: Order;
  /** Places of rows. */
  open: number[];
}

const COLUMNS: { column: Column; label: string; class: string; report?: "ends" | "alignment" }[] = [
  { column: "place", label: "#", class: "num pair-number" },
  { column: "query", label: "Query", class: "pair-query" },
  { column: "subject", label: "Subject", class: "pair-subject" },
  { column: "score", label: "Score", class: "num pair-score" },
  { column: "identity", label: "Identity %", class: "num pair-identity", report: "alignment" },
  { column: "gaps", label: "Gaps", class: "num pair-gaps", report: "alignment" },
  { column: "align_len", label: "Length", class: "num pair-length", report: "alignment" },
  { column: "query_from", label: "In the query", class: "num pair-place", report: "ends" },
  { column: "subject_from", label: "In the subject", class: "num pair-place", report: "ends" },
];

/** The pair that an address names: #17. */
const pairIn = (hash: string): number | undefined => (/^#\d{1,9}$/.test(hash) ? Number(hash.slice(1)) : undefined);

export function Table({ job, rows }: { job: Alignment; rows: Row[] }) {
  const key = `shardwater:${boot.root}:pairs:${job.id}`;
  const [first] = useState<View>(() => ({ wanted: ANY, order: BY_PLACE, open: rows.length === 1 ? [placeOf(rows[0]!)] : [], ...read<Partial<View>>(key, {}, sessionStorage) }));
  const [wanted, setWanted] = useState(first.wanted);
  const [order, setOrder] = useState(first.order);
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set(first.open));
  const rested = useRested(wanted, RESTED_MS);
  const shown = useMemo(() => arrange(rows, rested, order), [rows, rested, order]);
  const jump = useRef<(row: Row) => void>(() => undefined);
  useEffect(() => write(key, { wanted, order, open: [...open] }, sessionStorage), [wanted, order, open]);
  const missing = useTarget(rows, (row) => {
    setWanted(ANY);
    setOrder(BY_PLACE);
    setOpen((before) => new Set([...before, row.place]));
    jump.current(row);
  });
  const toggle = (place: number) => {
    const next = new Set(open);
    if (!next.delete(place)) next.add(place);
    setOpen(next);
  };
  const all = job.certificate?.pairs ?? 0;
  const cut = rows.length === MOST_ROWS || (rows.at(-1)?.pair ?? 0) < all;
  return (
    <Panel class="hits pairs">
      <div class="toolbar">
        <h2>Pairs</h2>
        <Filters wanted={wanted} job={job} onChange={setWanted} />
        <span class="dim" role="status">
          {isFiltered(rested) ? `${count(shown.length)} of ${plural(rows.length, nounOf(job))}` : plural(rows.length, nounOf(job))}
          {cut && `: the first of ${plural(all, "pair")}, the files have all`}
        </span>
        {isFiltered(rested) && shown.length > 0 && <button type="button" class="quiet" onClick={() => save(`${calledAfter(job)}.shown.tsv`, "text/tab-separated-values", tableOf(job, shown))}><Icon name="download" />Table of these</button>}
        {missing !== undefined && <p class="warn">There is no pair {count(missing)} in this list.</p>}
      </div>
      <div class={`hit-table pair-table pairs-${job.parameters.report}`} role="table" aria-label="Pairs" aria-rowcount={shown.length + 1}>
        <Head job={job} order={order} onOrder={(column) => setOrder(nextOrder(order, column))} />
        <LongList rows={shown} keyOf={placeOf} heights={HEIGHTS} jump={jump}>
          {(row, place) => <PairRow job={job} row={row} index={place + 2} open={open.has(row.place)} onOpen={() => toggle(row.place)} />}
        </LongList>
      </div>
      {shown.length === 0 && rows.length > 0 && <NoneLeft one={nounOf(job)} onAll={() => setWanted(ANY)} />}
    </Panel>
  );
}

/** These rows as a file, which no request would name one by one. */
function tableOf(job: Alignment, rows: Row[]): string {
  const columns = ["pair", ...columnsOf(job)] as (keyof Row)[];
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ""))].map((line) => `${line.join("\t")}\n`).join("");
}

/** What a row is. */
const nounOf = ({ parameters }: Alignment): string => (parameters.best > 1 ? "alignment" : "pair");

/** Show the pair that the address names, now and whenever it names another; the number of one that is not there. */
function useTarget(rows: Row[], show: (row: Row) => void): number | undefined {
  const [missing, setMissing] = useState<number>();
  useEffect(() => {
    const look = () => {
      const pair = pairIn(location.hash);
      const row = rows.find((each) => each.pair === pair);
      setMissing(pair !== undefined && !row ? pair : undefined);
      if (row) show(row);
    };
    look();
    addEventListener("hashchange", look);
    return () => removeEventListener("hashchange", look);
  }, [rows]);
  return missing;
}

interface FiltersProps {
  wanted: Wanted;
  job: Alignment;
  onChange(wanted: Wanted): void;
}

function Filters({ wanted, job, onChange }: FiltersProps) {
  const field = (name: keyof Wanted, label: string, placeholder: string) => (
    <label class="filter">
      <span>{label}</span>
      <input inputMode="decimal" autocomplete="off" placeholder={placeholder} value={wanted[name]} aria-invalid={!isNumber(wanted[name])} onInput={(event) => onChange({ ...wanted, [name]: event.currentTarget.value.trim() })} />
    </label>
  );
  const wrong = [wanted.score, wanted.identity, wanted.length].some((text) => !isNumber(text));
  const aligned = job.parameters.report === "alignment";
  return (
    <div class="filters" role="search" aria-label="Filter the pairs">
      <input type="search" aria-label="Words in the names of query or subject" placeholder="Find in names" value={wanted.words} onInput={(event) => onChange({ ...wanted, words: event.currentTarget.value })} />
      {field("score", "Score ≥", "any")}
      {aligned && field("identity", "Identity ≥", "0 %")}
      {aligned && field("length", "Length ≥", "any")}
      {wrong && <span class="fault" role="alert">A number is needed, such as 50.</span>}
    </div>
  );
}

function Head({ job, order, onOrder }: { job: Alignment; order: Order; onOrder(column: Column): void }) {
  const { report } = job.parameters;
  const known = COLUMNS.filter((each) => !each.report || report === "alignment" || report === each.report);
  return (
    <div role="rowgroup" class="hit-head">
      <div role="row" class="pair-row" aria-rowindex={1}>
        {known.map((each) => (
          <span key={each.column} role="columnheader" class={each.class} aria-sort={order.column !== each.column ? "none" : order.descending ? "descending" : "ascending"}>
            <button type="button" class="sort" onClick={() => onOrder(each.column)}>
              {each.label}<span aria-hidden="true" class="sort-mark">{order.column !== each.column ? "" : order.descending ? "↓" : "↑"}</span>
            </button>
          </span>
        ))}
      </div>
    </div>
  );
}
