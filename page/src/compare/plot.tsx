// The dot plot: one canvas for what changes with the view, one above it for what follows the pointer.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import { useRested, useWidth } from "../parts";
import { usePaperWidth, usePrinting } from "../printing";
import { useDark } from "../theme";
import { drawBase, drawOver, inksOf, type Base, type Over } from "./draw";
import { listen, type Asked } from "./gestures";
import type { Area } from "./hsps";
import { useRow } from "./marked";
import { nearest } from "./paint";
import { readout } from "./readout";
import { areaBetween, fromX, fromY, moved, wholeOf, zoomed, type Frame, type Point, type Size } from "./view";

const LEFT = 72;
const BOTTOM = 44;
const TOP = 8;
const RIGHT = 12;
/** How far from the pointer an HSP may be, in pixels. */
const REACH = 12;
/** Pixels of what stands below the plot and is to be seen with it. */
const BELOW = 76;
/** Of the paper's width: the plot is square there, with its legend on one page. */
const PAPER_SHARE = 0.9;
const KEY_SHARE = 0.15;
const KEY_ZOOM = 1.5;
const FRAME_MS = 12;
const RESTED_MS = 100;

interface Props extends Base, Over {
  boxing: boolean;
  label: string;
  onView(view: Area): void;
  onMark(row: number): void;
  onBox(box: Area | undefined, done: boolean): void;
  /** The middle of the view is to be the box. */
  onMiddle(): void;
  /** What stands right below the plot. */
  children: ComponentChildren;
}

export function Plot(props: Props) {
  const { sides, hsps, shown, view, marked, box, path, label } = props;
  const [holder, room] = useWidth<HTMLDivElement>();
  const width = usePaperWidth(room, PAPER_SHARE);
  const [hovered, setHovered] = useRow(hsps);
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const dark = useDark();
  const printing = usePrinting();
  const whole = useMemo(() => ({ width: sides.query.letters, height: sides.subject.letters }), [sides]);
  const height = useMemo(() => (printing ? width - LEFT - RIGHT + TOP + BOTTOM : heightOf(width, holder.current)), [width, printing]);
  const size = { width, height };
  const frame: Frame = { left: LEFT, top: TOP, width: Math.max(1, width - LEFT - RIGHT), height: size.height - TOP - BOTTOM };
  const [every, timed] = usePace(view);
  useLayoutEffect(() => {
    if (width > 0) timed(() => drawBase(base.current!, size, frame, props, inksOf(holder.current!, dark), every));
  }, [sides, hsps, shown, view, every, width, size.height, dark, printing]);
  useLayoutEffect(() => {
    if (width > 0) drawOver(over.current!, size, frame, { ...props, marked: hovered >= 0 ? hovered : marked }, inksOf(holder.current!, dark));
  }, [hsps, view, width, size.height, dark, hovered, marked, box, path]);

  // Several events may come before the next drawing: each goes on from what the last one asked for.
  const latest = useRef(view);
  latest.current = view;
  const go = (next: Area) => {
    latest.current = next;
    props.onView(next);
  };
  const now = useRef<Asked>(undefined as unknown as Asked);
  const near = (at: Point) => {
    const place = { x: fromX(frame, view, at.x), y: fromY(frame, view, at.y) };
    return nearest(hsps, shown, place, { width: (REACH * view.width) / frame.width, height: (REACH * view.height) / frame.height });
  };
  const shares = (at: Point) => [(at.x - frame.left) / frame.width, 1 - (at.y - frame.top) / frame.height] as const;
  now.current = {
    hover: (at) => setHovered(at ? near(at) : -1),
    move: (across, down) => go(moved(whole, latest.current, -across / frame.width, down / frame.height)),
    zoom: (times, at) => go(zoomed(whole, latest.current, times, ...shares(at))),
    point: (at) => props.onMark(near(at)),
    box: (from, to, done) => props.onBox(areaBetween(frame, view, from, to), done),
    boxing: () => props.boxing,
  };
  useEffect(() => {
    const asked: Asked = {
      hover: (at) => now.current.hover(at),
      move: (across, down) => now.current.move(across, down),
      zoom: (times, at) => now.current.zoom(times, at),
      point: (at) => now.current.point(at),
      box: (from, to, done) => now.current.box(from, to, done),
      boxing: () => now.current.boxing(),
    };
    return listen(over.current!, asked);
  }, []);
  const key = (event: KeyboardEvent) => {
    const next = viewByKey(event, whole, latest.current);
    if (next) go(next);
    else if (event.key === "b") props.onMiddle();
    else if (event.key === "Escape") props.onBox(undefined, true);
    else return;
    event.preventDefault();
  };
  const told = hovered >= 0 ? hovered : marked;
  return (
    <>
      <div
        ref={holder}
        class={props.boxing ? "dotplot boxing" : "dotplot"}
        style={{ height: `${size.height}px` }}
        tabIndex={0}
        role="application"
        aria-roledescription="dot plot"
        aria-label={label}
        aria-describedby="plot-keys"
        onKeyDown={key}
      >
        <canvas ref={base} aria-hidden="true" />
        <canvas ref={over} class="over" aria-hidden="true" />
      </div>
      {props.children}
      <p class="readout" aria-live="polite">{told >= 0 ? readout(hsps, sides, told) : "\u00a0"}</p>
      <p class="dim small no-print" id="plot-keys">
        Drag to move, wheel or pinch to zoom, Shift and drag for a box to align. By keys: arrows move, + and − zoom, 0 shows all, B chooses the
        middle as a box, Escape drops it.
      </p>
    </>
  );
}

/** While the plot moves, each so-manieth HSP is drawn where all would take longer than a frame; all of them once it rests. */
function usePace(view: Area): [number, (draw: () => void) => void] {
  const whole = useRef(0);
  const moving = useRested(view, RESTED_MS) !== view;
  const every = moving ? Math.max(1, Math.round(whole.current / FRAME_MS)) : 1;
  const timed = (draw: () => void) => {
    const begin = performance.now();
    draw();
    whole.current = (performance.now() - begin) * every;
  };
  return [every, timed];
}

/** Pixels: all of it is seen at once, and its legend, on the page's first screen where that has room. */
function heightOf(width: number, holder: HTMLElement | null): number {
  const above = holder ? holder.getBoundingClientRect().top + scrollY : 0;
  return Math.round(Math.max(300, Math.min(680, width * 0.82, innerHeight - above - BELOW)));
}

/** The view after a key; nothing for keys of something else. */
function viewByKey(event: KeyboardEvent, whole: Size, view: Area): Area | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) return undefined;
  switch (event.key) {
    case "ArrowLeft": return moved(whole, view, -KEY_SHARE, 0);
    case "ArrowRight": return moved(whole, view, KEY_SHARE, 0);
    case "ArrowUp": return moved(whole, view, 0, KEY_SHARE);
    case "ArrowDown": return moved(whole, view, 0, -KEY_SHARE);
    case "+": case "=": return zoomed(whole, view, KEY_ZOOM);
    case "-": case "_": return zoomed(whole, view, 1 / KEY_ZOOM);
    case "0": case "Home": return wholeOf(whole);
    default: return undefined;
  }
}
