// Mouse, touch, wheel and keys on the plot, as what they ask for.
import type { Point } from "./view";

/** Pixels that a pointer may move while it is held and still only points. */
const STILL = 4;
const WHEEL = 0.0016;

export interface Asked {
  hover(at: Point | undefined): void;
  /** By pixels of the canvas. */
  move(across: number, down: number): void;
  zoom(times: number, at: Point): void;
  point(at: Point): void;
  /** A box as it is drawn, and once it is. */
  box(from: Point, to: Point, done: boolean): void;
  /** Whether a drag draws a box, rather than moves the plot. */
  boxing(): boolean;
}

/** Listen on the canvas; returns how to stop. */
export function listen(canvas: HTMLElement, asked: Asked): () => void {
  const held = new Map<number, Point>();
  let begin: Point | undefined;
  let boxing = false;
  let still = true;
  const at = (event: MouseEvent): Point => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const down = (event: PointerEvent) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    held.set(event.pointerId, at(event));
    begin = at(event);
    still = held.size === 1;
    boxing = held.size === 1 && (event.shiftKey || asked.boxing());
    asked.hover(undefined);
  };
  const move = (event: PointerEvent) => {
    const now = at(event);
    const before = held.get(event.pointerId);
    if (!before || !begin) return event.pointerType === "touch" ? undefined : asked.hover(now);
    if (held.size === 2) pinch(event.pointerId, before, now);
    else if (still && Math.hypot(now.x - begin.x, now.y - begin.y) <= STILL) return;
    else if (boxing) asked.box(begin, now, false);
    else asked.move(now.x - before.x, now.y - before.y);
    still = false;
    held.set(event.pointerId, now);
  };
  const pinch = (pointer: number, before: Point, now: Point) => {
    const other = [...held].find(([id]) => id !== pointer)?.[1];
    if (!other) return;
    const apart = (point: Point) => Math.max(20, Math.hypot(point.x - other.x, point.y - other.y));
    asked.move((now.x - before.x) / 2, (now.y - before.y) / 2);
    asked.zoom(apart(now) / apart(before), { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 });
  };
  const up = (event: PointerEvent) => {
    if (!held.delete(event.pointerId) || !begin) return;
    if (still) asked.point(at(event));
    else if (boxing) asked.box(begin, at(event), true);
    boxing = false;
    still = false;
  };
  const wheel = (event: WheelEvent) => {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1);
    asked.zoom(Math.exp(-Math.max(-400, Math.min(400, pixels)) * WHEEL), at(event));
  };
  const leave = () => asked.hover(undefined);
  const double = (event: MouseEvent) => asked.zoom(2, at(event));
  canvas.addEventListener("pointerdown", down);
  canvas.addEventListener("pointermove", move);
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", up);
  canvas.addEventListener("pointerleave", leave);
  canvas.addEventListener("dblclick", double);
  canvas.addEventListener("wheel", wheel, { passive: false });
  return () => {
    canvas.removeEventListener("pointerdown", down);
    canvas.removeEventListener("pointermove", move);
    canvas.removeEventListener("pointerup", up);
    canvas.removeEventListener("pointercancel", up);
    canvas.removeEventListener("pointerleave", leave);
    canvas.removeEventListener("dblclick", double);
    canvas.removeEventListener("wheel", wheel);
  };
}
