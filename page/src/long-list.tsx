// A list of any length. Some hundred rows are all drawn, and so are those that go to a printer; of more only those in view.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";
import { count } from "./numbers";
import { usePrinting } from "./printing";

/** The browser's own search knows nothing of rows that are not there. */
const MOST_DRAWN = 500;
export const MOST_PRINTED = 10_000;
/** Rows that are drawn before it is known which are in view. */
const FIRST_DRAWN = 30;
/** Pixels on both sides of what is in view. */
const BEYOND = 400;
const NARROW = "(max-width: 760px)";

interface Props<T> {
  rows: ArrayLike<T>;
  /** What stays a row's own in every order. */
  keyOf(row: T): number;
  /** Pixels of a row on a wide screen and on a narrow one, as the style sheets have them; rows that differ are measured. */
  heights: [number, number];
  /** Set here: brings a row into view, as soon as it is in the list. */
  jump: { current: (row: T) => void };
  /** What scrolls, where that is not the window. */
  box?: { current: HTMLElement | null };
  /** How many rows go to a printer. */
  most?: number;
  class?: string;
  children(row: T, place: number): ComponentChildren;
}

export function LongList<T>({ rows, keyOf, heights, jump, box, most = MOST_PRINTED, class: kind = "", children }: Props<T>) {
  const printing = usePrinting();
  const list = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [[first, last], setRange] = useState([0, FIRST_DRAWN]);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  // The row that has the focus stays, however far one scrolls: with it the keyboard's place in the list would go.
  const [focused, setFocused] = useState<number>();
  const [goal, setGoal] = useState<number>();
  const held = useMemo(() => placeOf(rows, keyOf, focused), [rows, focused]);
  const goalPlace = useMemo(() => placeOf(rows, keyOf, goal), [rows, goal]);
  const measured = useMemo(() => new Map<number, number>(), [width]);
  const tops = useMemo(() => topsOf(rows, keyOf, heights[matchMedia(NARROW).matches ? 1 : 0], measured), [rows, width]);
  const isWhole = printing || rows.length <= MOST_DRAWN;
  jump.current = (row) => setGoal(keyOf(row));

  const look = () => {
    if (isWhole || !list.current) return;
    setWidth(list.current.clientWidth);
    if (measure(list.current, rows, keyOf, tops, measured)) redraw(0);
    const { top } = list.current.getBoundingClientRect();
    const window = box?.current?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight };
    const from = rowAt(tops, Math.max(0, window.top) - top - BEYOND);
    const to = rowAt(tops, Math.min(innerHeight, window.bottom) - top + BEYOND) + 1;
    setRange((before) => (before[0] === from && before[1] === to ? before : [from, to]));
  };
  const latest = useRef(look);
  latest.current = look;
  useLayoutEffect(look);
  useLayoutEffect(() => {
    const row = list.current?.querySelector(`[data-place="${goalPlace}"]`);
    if (!row) return;
    bring(row.firstElementChild ?? row, box?.current);
    setGoal(undefined);
    look();
  }, [goal, goalPlace]);
  useEffect(() => {
    const now = () => latest.current();
    // The list grows where a row is opened, and moves where something above it does.
    const observer = new ResizeObserver(now);
    observer.observe(list.current!);
    observer.observe(document.body);
    addEventListener("scroll", now, { capture: true, passive: true });
    addEventListener("resize", now);
    return () => {
      observer.disconnect();
      removeEventListener("scroll", now, { capture: true });
      removeEventListener("resize", now);
    };
  }, []);

  const entry = (place: number) => {
    const row = rows[place]!;
    const key = keyOf(row);
    return <div key={key} data-place={place} class="hit" role="presentation" onFocusIn={() => setFocused(key)}>{children(row, place)}</div>;
  };
  const shown = printing ? Math.min(most, rows.length) : rows.length;
  return (
    <>
      <div role="rowgroup" ref={list} class={`hit-list ${kind}`}>
        {isWhole ? Array.from({ length: shown }, (_, place) => entry(place)) : inFlow(tops, placesOf(first, Math.min(last, rows.length), [held, goalPlace]), entry)}
      </div>
      {shown < rows.length && <p class="dim">Printed: the first {count(shown)} of {count(rows.length)}. The page and its downloads have all.</p>}
    </>
  );
}

/** The place of the row with a key; -1 for none. */
function placeOf<T>(rows: ArrayLike<T>, keyOf: (row: T) => number, key: number | undefined): number {
  return key === undefined ? -1 : Array.prototype.findIndex.call(rows, (row: T) => keyOf(row) === key);
}

/** Where each row begins, in pixels below the list's top, and where the last one ends. */
function topsOf<T>(rows: ArrayLike<T>, keyOf: (row: T) => number, height: number, measured: Map<number, number>): Float64Array {
  const tops = new Float64Array(rows.length + 1);
  for (let place = 0; place < rows.length; place += 1) tops[place + 1] = tops[place]! + ((measured.size && measured.get(keyOf(rows[place]!))) || height);
  return tops;
}

/** The row at a height; the first or the last one beyond the list. */
function rowAt(tops: Float64Array, height: number): number {
  let [low, high] = [0, Math.max(0, tops.length - 2)];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tops[middle]! <= height) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Correct the tops by the rows that are drawn; whether there was anything to correct. */
function measure<T>(list: HTMLElement, rows: ArrayLike<T>, keyOf: (row: T) => number, tops: Float64Array, measured: Map<number, number>): boolean {
  const more = new Map<number, number>();
  for (const { dataset, offsetHeight } of list.children as Iterable<HTMLElement> & HTMLCollection) {
    const place = Number(dataset.place ?? -1);
    if (place < 0 || place >= rows.length || Math.abs(offsetHeight - tops[place + 1]! + tops[place]!) < 1) continue;
    more.set(place, offsetHeight - tops[place + 1]! + tops[place]!);
    measured.set(keyOf(rows[place]!), offsetHeight);
  }
  let sum = 0;
  for (let place = Math.min(...more.keys()); place < rows.length; place += 1) tops[place + 1]! += sum += more.get(place) ?? 0;
  return more.size > 0;
}

/** Places in their order, some of them from elsewhere; -1 is none. */
function placesOf(first: number, last: number, others: number[]): number[] {
  const places = new Set(others.filter((place) => place >= 0));
  for (let place = first; place < last; place += 1) places.add(place);
  return [...places].sort((a, b) => a - b);
}

/** Rows with what is not drawn between them as room: in the page's own flow the browser keeps what is read where it is. */
function inFlow(tops: Float64Array, places: number[], entry: (place: number) => ComponentChildren): ComponentChildren[] {
  // Nothing that stays changes its order: a row that is moved loses the focus.
  const room = (key: string, from: number, to: number) => <div key={key} style={{ height: `${tops[to]! - tops[from]!}px` }} />;
  const parts = places.flatMap((place, at) => {
    const next = places[at + 1];
    return next === undefined || next === place + 1 ? [entry(place)] : [entry(place), room(`after ${place}`, place + 1, next)];
  });
  return [room("above", 0, places[0] ?? 0), ...parts, room("below", (places.at(-1) ?? -1) + 1, tops.length - 1)];
}

/** Scroll to a row: the window always, a box where the row is not to be seen in it, or is below its head. */
function bring(row: Element, box: HTMLElement | null | undefined): void {
  if (!box) return row.scrollIntoView({ block: "center" });
  const [seen, own] = [box.getBoundingClientRect(), row.getBoundingClientRect()];
  if (own.top < seen.top + own.height || own.bottom > seen.bottom) box.scrollTop += own.top - seen.top - seen.height / 2;
}
