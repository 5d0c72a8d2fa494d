// The HSPs as a list beside the plot, in a box that scrolls: rows of one height, of which those in view are drawn.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { count, percentText, plural } from "../numbers";
import { usePrinting } from "../printing";
import { identityOf, nounOf, scoreOf, type Hsps } from "./hsps";
import { nextOrder, sorted, type Column, type Order } from "./order";
import type { Sides } from "./axes";
import { stretchTexts } from "./readout";

/** As compare.css has it. */
const HEIGHT = 46;
const BEYOND = 6;
/** Browsers draw nothing some ten million pixels down. */
const MOST_LISTED = 200_000;
const PRINTED = 100;

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
  const printing = usePrinting();
  const [scroller, range, toRow] = useRange(listed.length);
  const [focused, setFocused] = useState(-1);
  useEffect(() => {
    const place = marked < 0 ? -1 : listed.indexOf(marked);
    if (place >= 0) toRow(place);
  }, [marked, listed]);
  const [from, to] = printing ? [0, Math.min(PRINTED, listed.length)] : range;
  const places = Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);
  // With the row that has the focus the keyboard's place in the list would go.
  if (focused >= 0 && focused < listed.length && !places.includes(focused) && !printing) places.push(focused);
  return (
    <div ref={scroller} class="hsp-scroll" role="table" aria-label={hsps.score ? "Alignments" : "HSPs"} aria-rowcount={listed.length + 1} tabIndex={0}>
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
      <div role="rowgroup" class="hsp-list" style={{ height: `${(printing ? to : listed.length) * HEIGHT}px` }} onFocusOut={() => setFocused(-1)}>
        {places.map((place) => (
          <Row key={listed[place]} hsps={hsps} sides={sides} row={listed[place]!} place={place} marked={listed[place] === marked} onShow={onShow} onFocus={() => setFocused(place)} />
        ))}
      </div>
      {printing && listed.length > to && <p class="dim">The first {PRINTED} of {plural(rows.length, nounOf(hsps))} in this view.</p>}
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
  onFocus(): void;
}

function Row({ hsps, sides: { query, subject }, row, place, marked, onShow, onFocus }: RowProps) {
  const length = hsps.length[row]!;
  const reverse = Boolean(hsps.reverse[row]);
  return (
    <div role="row" class={marked ? "hsp-row marked" : "hsp-row"} aria-rowindex={place + 2} style={{ transform: `translateY(${place * HEIGHT}px)` }}>
      <span role="cell" class="hsp-query">
        <button type="button" class="hsp-show" aria-pressed={marked} onClick={() => onShow(row)} onFocus={onFocus}>
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

/** The rows that the box shows of so many, and how to bring one into view. */
function useRange(rows: number): [{ current: HTMLDivElement | null }, [number, number], (place: number) => void] {
  const scroller = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState<[number, number]>([0, 0]);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const look = () => {
      const first = Math.max(0, Math.floor(box.scrollTop / HEIGHT) - BEYOND);
      setRange([first, Math.min(rows, first + Math.ceil(box.clientHeight / HEIGHT) + 2 * BEYOND)]);
    };
    const observer = new ResizeObserver(look);
    observer.observe(box);
    box.addEventListener("scroll", look, { passive: true });
    look();
    return () => {
      observer.disconnect();
      box.removeEventListener("scroll", look);
    };
  }, [rows]);
  const toRow = (place: number) => {
    const box = scroller.current;
    if (!box) return;
    const [top, bottom] = [place * HEIGHT, (place + 2) * HEIGHT];
    if (top < box.scrollTop || bottom > box.scrollTop + box.clientHeight) box.scrollTop = top - box.clientHeight / 2;
  };
  return [scroller, range, toRow];
}
