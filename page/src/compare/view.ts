// What part of the plot is looked at, and how that moves: query to the right, subject upwards, in letters.
import type { Area } from "./hsps";

/** Letters that a view has at least, along either side. */
const LEAST = 40;

export interface Size {
  width: number;
  height: number;
}

/** A view within the whole, as near as can be to the one that is wanted. */
export function within(whole: Size, view: Area): Area {
  const width = Math.min(whole.width, Math.max(Math.min(LEAST, whole.width), view.width));
  const height = Math.min(whole.height, Math.max(Math.min(LEAST, whole.height), view.height));
  return {
    width,
    height,
    x: Math.min(whole.width - width, Math.max(0, view.x)),
    y: Math.min(whole.height - height, Math.max(0, view.y)),
  };
}

export const wholeOf = ({ width, height }: Size): Area => ({ x: 0, y: 0, width, height });

/** So many times nearer, about a point of the view: shares of its width from the left, of its height from below. */
export function zoomed(whole: Size, view: Area, times: number, across = 0.5, up = 0.5): Area {
  const wanted = { width: view.width / times, height: view.height / times };
  const { width, height } = within(whole, { ...view, ...wanted });
  return within(whole, { x: view.x + across * (view.width - width), y: view.y + up * (view.height - height), width, height });
}

/** The middle of a view in whole letters: half of it along either side, or so many letters. */
export function middleOf(view: Area, most: number): Area {
  const [width, height] = [Math.ceil(Math.min(view.width / 2, most)), Math.ceil(Math.min(view.height / 2, most))];
  return { x: Math.floor(view.x + (view.width - width) / 2), y: Math.floor(view.y + (view.height - height) / 2), width, height };
}

/** Moved by shares of its own width and height. */
export const moved = (whole: Size, view: Area, across: number, up: number): Area =>
  within(whole, { ...view, x: view.x + across * view.width, y: view.y + up * view.height });

/** A view with some room around an area, in the proportions of the whole. */
export function around(whole: Size, area: Area): Area {
  const share = 1.6 * Math.max(area.width / whole.width, area.height / whole.height);
  const [width, height] = [share * whole.width, share * whole.height];
  return within(whole, { width, height, x: area.x + (area.width - width) / 2, y: area.y + (area.height - height) / 2 });
}

export const isWhole = (whole: Size, view: Area): boolean => view.width >= whole.width && view.height >= whole.height;

/** Where the plot lies in its canvas, in pixels, and how letters become pixels of it. */
export interface Frame extends Size {
  left: number;
  top: number;
}

export const toX = (frame: Frame, view: Area, place: number): number => frame.left + ((place - view.x) / view.width) * frame.width;
export const toY = (frame: Frame, view: Area, place: number): number => frame.top + (1 - (place - view.y) / view.height) * frame.height;
export const fromX = (frame: Frame, view: Area, x: number): number => view.x + ((x - frame.left) / frame.width) * view.width;
export const fromY = (frame: Frame, view: Area, y: number): number => view.y + (1 - (y - frame.top) / frame.height) * view.height;

/** The area between two points of the canvas, cut at the view's borders. */
export function areaBetween(frame: Frame, view: Area, from: Point, to: Point): Area {
  const inside = (place: number, least: number, size: number) => Math.min(least + size, Math.max(least, place));
  const xs = [from.x, to.x].map((x) => inside(fromX(frame, view, x), view.x, view.width));
  const ys = [from.y, to.y].map((y) => inside(fromY(frame, view, y), view.y, view.height));
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

export interface Point {
  x: number;
  y: number;
}
