// The HSPs as a list beside the plot, in a box that scrolls.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { LongList } from "../long-list";
import { count, percentText } from "../numbers";
import { identityOf, scoreOf, type Hsps } from "./hsps";
import { nextOrder, sorted, type Column, type Order } from "./order";
import type { Sides } from "./axes";
import { stretchTexts } from "./readout";

/** Of a row, as comparison.css has it. */
const HEIGHTS: [number, number] = [46, 46];
/** Browsers draw nothing some ten million pixels down. */
const MOST_LISTED = 200_000;
/** On paper: about two pages. */
const MOST_PRINTED = 50;
const same = (row: number): number => row;

const COLUMNS: { column: Column; label: string }[] = [
  { column: "query", label: "Query" },
  { column: "subject", label: "Subject" },
  { column: "length", label: "Length" },
  { column: "identity", label: "Identity %" },
  { column: "score", label: "Score" },
];

interface Props {
  hsps: Hsps;
  sides: Sides;
  /** Those that are listed, in no order. */
  rows: Int32Array;
  order: Order;
  marked: number;
  onOrder(order: Order): void;
  /** An HSP is to be shown in the plot. */
  onShow(row: number): void;
}

export function Table({ hsps, sides, rows, order, marked, onOrder, onShow }: Props) {
  const listed = useMemo(() => sorted(hsps, rows, order).subarray(0, MOST_LISTED), [hsps, rows, order]);
  const box = useRef<HTMLDivElement>(null);
  const jump = useRef<(row: number) => void>(() => undefined);
  useEffect(() => {
    if (marked >= 0) jump.current(marked);
  }, [marked, listed]);
  return (
    <div ref={box} class="hsp-scroll" role="table" aria-label={hsps.score ? "Alignments" : "HSPs"} aria-rowcount={listed.length + 1} tabIndex={0}>
      <div role="rowgroup" class="hsp-head">
        <div role="row" class="hsp-row" aria-rowindex={1}>
          {COLUMNS.map(({ column, label }) => (
            <span key={column} role="columnheader" class={`hsp-${column}`} aria-sort={order.column !== column ? "none" : order.descending ? "descending" : "ascending"}>
              <button type="button" class="sort" onClick={() => onOrder(nextOrder(order, column))}>
                {label}<span aria-hidden="true" class="sort-mark">{order.column !== column ? "" : order.descending ? "↓" : "↑"}</span>
              </button>
            </span>
          ))}
        </div>
      </div>
      <LongList rows={listed} keyOf={same} heights={HEIGHTS} jump={jump} box={box} most={MOST_PRINTED} class="hsp-list">
        {(row, place) => <Row hsps={hsps} sides={sides} row={row} place={place} marked={row === marked} onShow={onShow} />}
      </LongList>
    </div>
  );
}

export const isCut = (rows: Int32Array): boolean => rows.length > MOST_LISTED;

interface RowProps {
  hsps: Hsps;
  sides: Sides;
  row: number;
  place: number;
  marked: boolean;
  onShow(row: number): void;
}

function Row({ hsps, sides: { query, subject }, row, place, marked, onShow }: RowProps) {
  const length = hsps.length[row]!;
  const reverse = Boolean(hsps.reverse[row]);
  return (
    <div role="row" class={marked ? "hsp-row marked" : "hsp-row"} aria-rowindex={place + 2}>
      <span role="cell" class="hsp-query">
        <button type="button" class="hsp-show" aria-pressed={marked} onClick={() => onShow(row)}>
          <i class={reverse ? "strand strand-reverse" : "strand strand-forward"} aria-hidden="true" />
          <Stretch texts={stretchTexts(query, hsps.query[row]!, hsps.across[row]!)} />
        </button>
      </span>
      <span role="cell" class="hsp-subject"><Stretch texts={stretchTexts(subject, hsps.subject[row]!, hsps.up[row]!)} /><span class="visually-hidden">{reverse ? " reverse" : " forward"}</span></span>
      <span role="cell" class="hsp-length num">{count(length)}</span>
      <span role="cell" class="hsp-identity num">{percentText(identityOf(hsps, row))}</span>
      <span role="cell" class="hsp-score num">{count(scoreOf(hsps, row))}</span>
    </div>
  );
}

/** A long name gives way to its places. */
function Stretch({ texts: [record, places] }: { texts: [string, string] }) {
  return <><span class="ellipsis" title={record}>{record}</span> <span class="places">{places}</span></>;
}
