// The dot plot: one canvas for what changes with the view, one above it for what follows the pointer.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { paletteOf } from "../palette";
import { useRested, useWidth } from "../parts";
import { usePrinting } from "../printing";
import { useDark } from "../theme";
import { paintAxes, paintBorders, type AxisInks } from "./axes";
import { listen, type Asked } from "./gestures";
import type { Genome } from "./genomes";
import type { Area, Hsps } from "./hsps";
import { nearest, paintHsps, trace, type Inks } from "./paint";
import { readout } from "./readout";
import { areaBetween, fromX, fromY, moved, toX, toY, wholeOf, zoomed, type Frame, type Point, type Size } from "./view";

const LEFT = 72;
const BOTTOM = 44;
const TOP = 8;
const RIGHT = 12;
/** How far from the pointer an HSP may be, in pixels. */
const REACH = 12;
const KEY_SHARE = 0.15;
const KEY_ZOOM = 1.5;
const WEIGHT = 1.8;
const FRAME_MS = 12;
const RESTED_MS = 100;

export interface Sides {
  query: Genome;
  subject: Genome;
}

interface Props {
  sides: Sides;
  hsps: Hsps;
  /** 1 of each HSP that is drawn. */
  shown: Uint8Array;
  view: Area;
  /** The HSP that is chosen, or -1. */
  marked: number;
  box: Area | undefined;
  /** Places of an alignment's corners, query and subject in turn. */
  path: number[] | undefined;
  boxing: boolean;
  label: string;
  onView(view: Area): void;
  onMark(row: number): void;
  onBox(box: Area | undefined, done: boolean): void;
}

export function Plot(props: Props) {
  const { sides, hsps, shown, view, marked, box, path, label } = props;
  const [holder, width] = useWidth<HTMLDivElement>();
  const [hovered, setHovered] = useState(-1);
  const base = useRef<HTMLCanvasElement>(null);
  const over = useRef<HTMLCanvasElement>(null);
  const dark = useDark();
  const printing = usePrinting();
  const whole = useMemo(() => ({ width: sides.query.letters, height: sides.subject.letters }), [sides]);
  const size = { width, height: heightOf(width) };
  const frame: Frame = { left: LEFT, top: TOP, width: Math.max(1, width - LEFT - RIGHT), height: size.height - TOP - BOTTOM };
  const [every, timed] = usePace(view);
  useLayoutEffect(() => {
    if (width > 0) timed(() => drawBase(base.current!, size, frame, props, inksOf(holder.current!, dark), every));
  }, [sides, hsps, shown, view, every, width, size.height, dark, printing]);
  useLayoutEffect(() => {
    if (width > 0) drawOver(over.current!, size, frame, { ...props, marked: hovered >= 0 ? hovered : marked }, inksOf(holder.current!, dark));
  }, [hsps, view, width, size.height, dark, hovered, marked, box, path]);

  const now = useRef<Asked>(undefined as unknown as Asked);
  const near = (at: Point) => {
    const place = { x: fromX(frame, view, at.x), y: fromY(frame, view, at.y) };
    return nearest(hsps, shown, place, { width: (REACH * view.width) / frame.width, height: (REACH * view.height) / frame.height });
  };
  const shares = (at: Point) => [(at.x - frame.left) / frame.width, 1 - (at.y - frame.top) / frame.height] as const;
  now.current = {
    hover: (at) => setHovered(at ? near(at) : -1),
    move: (across, down) => props.onView(moved(whole, view, -across / frame.width, down / frame.height)),
    zoom: (times, at) => props.onView(zoomed(whole, view, times, ...shares(at))),
    point: (at) => props.onMark(near(at)),
    box: (from, to, done) => props.onBox(areaBetween(frame, view, from, to), done),
    boxing: () => props.boxing,
  };
  useEffect(() => {
    const latest: Asked = {
      hover: (at) => now.current.hover(at),
      move: (across, down) => now.current.move(across, down),
      zoom: (times, at) => now.current.zoom(times, at),
      point: (at) => now.current.point(at),
      box: (from, to, done) => now.current.box(from, to, done),
      boxing: () => now.current.boxing(),
    };
    return listen(over.current!, latest);
  }, []);
  const key = (event: KeyboardEvent) => {
    const next = viewByKey(event, whole, view);
    if (next) props.onView(next);
    else if (event.key === "b") props.onBox(zoomed(whole, view, 2), true);
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

/** Pixels: all of it is seen at once. */
const heightOf = (width: number): number => Math.round(Math.max(300, Math.min(680, width * 0.82, innerHeight * 0.7)));

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

interface PlotInks extends AxisInks {
  strands: Inks;
  mark: string;
}

function inksOf(holder: HTMLElement, dark: boolean): PlotInks {
  const ink = paletteOf(holder, dark);
  return {
    ink: ink("--ink"),
    dim: ink("--dim"),
    line: ink("--line"),
    ground: ink("--plot"),
    strands: [ink("--forward"), ink("--reverse")],
    mark: ink("--mark"),
  };
}

/** A canvas of this size, cleared, that counts in pixels of CSS; and its scale. */
function cleared(canvas: HTMLCanvasElement, { width, height }: Size): [CanvasRenderingContext2D, number] {
  const scale = Math.min(2, Math.max(1, devicePixelRatio));
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const context = canvas.getContext("2d")!;
  context.resetTransform();
  context.clearRect(0, 0, across, down);
  context.scale(scale, scale);
  return [context, scale];
}

function drawBase(element: HTMLCanvasElement, size: Size, frame: Frame, { sides, hsps, shown, view }: Props, inks: PlotInks, every: number): void {
  const [canvas, scale] = cleared(element, size);
  paintBorders(canvas, frame, view, sides, inks);
  canvas.resetTransform();
  const fine = { left: frame.left * scale, top: frame.top * scale, width: frame.width * scale, height: frame.height * scale };
  paintHsps(canvas, fine, view, hsps, shown, inks.strands, WEIGHT * scale, every);
  canvas.scale(scale, scale);
  paintAxes(canvas, frame, view, sides, inks);
}

function drawOver(element: HTMLCanvasElement, size: Size, frame: Frame, { hsps, view, marked, box, path }: Props, inks: PlotInks): void {
  const [canvas] = cleared(element, size);
  canvas.beginPath();
  canvas.rect(frame.left, frame.top, frame.width, frame.height);
  canvas.clip();
  if (box) {
    const [left, top] = [toX(frame, view, box.x), toY(frame, view, box.y + box.height)];
    const [width, height] = [toX(frame, view, box.x + box.width) - left, toY(frame, view, box.y) - top];
    canvas.fillStyle = inks.mark;
    canvas.globalAlpha = 0.14;
    canvas.fillRect(left, top, width, height);
    canvas.globalAlpha = 1;
    canvas.strokeStyle = inks.mark;
    canvas.lineWidth = 1.5;
    canvas.strokeRect(left, top, width, height);
  }
  canvas.lineCap = canvas.lineJoin = "round";
  canvas.strokeStyle = inks.mark;
  if (path) {
    canvas.lineWidth = 2;
    canvas.setLineDash([6, 4]);
    canvas.beginPath();
    for (let at = 0; at < path.length; at += 2) canvas.lineTo(toX(frame, view, path[at]!), toY(frame, view, path[at + 1]!));
    canvas.stroke();
    canvas.setLineDash([]);
  }
  if (marked >= 0) {
    canvas.lineWidth = 5;
    canvas.beginPath();
    trace(canvas, frame, view, hsps, marked);
    canvas.stroke();
  }
}

/** What is seen now, as a picture. */
export function savePicture(name: string): void {
  const canvas = document.querySelector<HTMLCanvasElement>(".dotplot canvas");
  if (!canvas) return;
  const picture = document.createElement("canvas");
  Object.assign(picture, { width: canvas.width, height: canvas.height });
  const context = picture.getContext("2d")!;
  context.fillStyle = getComputedStyle(canvas.closest(".panel")!).backgroundColor;
  context.fillRect(0, 0, picture.width, picture.height);
  context.drawImage(canvas, 0, 0);
  picture.toBlob((blob) => {
    if (!blob) return;
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  });
}
