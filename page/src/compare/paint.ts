// HSPs as pixels: few are drawn smooth; many are added up pixel by pixel, and what is out of view costs nothing.
import { eachRun, rowsIn, type Area, type Hsps } from "./hsps";
import { toX, toY, type Frame } from "./view";

/** Up to so many HSPs in view are drawn by the canvas itself, with smooth edges. */
const SMOOTH = 4000;
/** How opaque the pixel of a short HSP is at least, among very many. */
const FAINTEST = 0.16;
/** Pixels for each HSP below which they are drawn one pixel wide. */
const CROWDED = 4;

/** Of forward and reverse HSPs, as a canvas takes them: opaque. */
export type Inks = [string, string];

/** Draw the HSPs of a view into its frame, in pixels, not those of CSS; of very many each so-manieth. */
export function paintHsps(canvas: CanvasRenderingContext2D, frame: Frame, view: Area, hsps: Hsps, shown: Uint8Array, inks: Inks, weight: number, every: number): void {
  const { rows, all } = rowsIn(hsps, shown, view, SMOOTH);
  if (all) return paintSmooth(canvas, frame, view, hsps, rows, inks, weight);
  const width = Math.round(frame.width);
  const height = Math.round(frame.height);
  const sums = sumUp({ width, height }, view, hsps, shown, every);
  const pixels = coloured(sums, inks);
  if (sums.count < pixels.length / CROWDED) widened(pixels, width);
  const picture = new ImageData(width, height);
  new Uint32Array(picture.data.buffer).set(pixels);
  const layer = new OffscreenCanvas(width, height);
  layer.getContext("2d")!.putImageData(picture, 0, 0);
  // Over what is there, which putImageData would take away.
  canvas.drawImage(layer, Math.round(frame.left), Math.round(frame.top));
}

function paintSmooth(canvas: CanvasRenderingContext2D, frame: Frame, view: Area, hsps: Hsps, rows: Int32Array, inks: Inks, weight: number): void {
  canvas.save();
  canvas.beginPath();
  canvas.rect(frame.left, frame.top, frame.width, frame.height);
  canvas.clip();
  canvas.lineWidth = weight;
  canvas.lineCap = "round";
  for (const strand of [0, 1] as const) {
    canvas.strokeStyle = inks[strand];
    canvas.beginPath();
    for (const row of rows) if (hsps.reverse[row] === strand) trace(canvas, frame, view, hsps, row);
    canvas.stroke();
  }
  canvas.restore();
}

/** The line of an HSP, added to the canvas's path. */
export function trace(canvas: CanvasRenderingContext2D, frame: Frame, view: Area, hsps: Hsps, row: number): void {
  const [x, y, across, up] = [hsps.query[row]!, hsps.subject[row]!, hsps.across[row]!, hsps.up[row]!];
  const [from, to] = hsps.reverse[row] ? [y + up, y] : [y, y + up];
  canvas.moveTo(toX(frame, view, x), toY(frame, view, from));
  canvas.lineTo(toX(frame, view, x + across), toY(frame, view, to));
}

interface Size {
  width: number;
  height: number;
}

/** How strongly each strand is on each pixel: in letters, as shares of a pixel's diagonal. */
export interface Sums {
  forward: Float32Array;
  reverse: Float32Array;
  /** HSPs that may be in view. */
  count: number;
}

/** Add up the HSPs in view: a line's pixels one by one, what is shorter than a pixel on the one that it is in. */
export function sumUp({ width, height }: Size, view: Area, hsps: Hsps, shown: Uint8Array, every: number): Sums {
  const { query, subject, reverse } = hsps;
  const sums: Sums = { forward: new Float32Array(width * height), reverse: new Float32Array(width * height), count: 0 };
  const right = width / view.width;
  const up = height / view.height;
  eachRun(hsps, view, (first, last) => {
    // No call and no object for each of a million: they are most of a frame's time.
    for (let row = first; row < last; row += every) {
      if (!shown[row]) continue;
      const back = reverse[row] === 1;
      const layer = back ? sums.reverse : sums.forward;
      const across = hsps.across[row]! * right;
      const rise = hsps.up[row]! * up;
      const x = (query[row]! - view.x) * right;
      const y = (subject[row]! - view.y) * up;
      const steps = across > rise ? across : rise;
      sums.count += 1;
      if (steps < 1) {
        if (x >= 0 && y >= 0 && x < width && y < height) layer[(height - 1 - (y | 0)) * width + (x | 0)]! += steps * every;
        continue;
      }
      const begin = back ? y + rise : y;
      const slope = back ? -rise : rise;
      // Only the part in view is walked, however long the line is.
      const from = Math.ceil(steps * Math.max(0, -x / across, back ? (begin - height) / rise : -begin / rise));
      const to = Math.floor(steps * Math.min(1, (width - x) / across, back ? begin / rise : (height - begin) / rise));
      for (let step = from; step <= to; step += 1) {
        const column = Math.floor(x + (step / steps) * across);
        const line = height - 1 - Math.floor(begin + (step / steps) * slope);
        if (column >= 0 && column < width && line >= 0 && line < height) layer[line * width + column]! += 1;
      }
    }
  });
  return sums;
}

/** Colours for the sums: each HSP is seen, and where they crowd, more of them are seen more. */
export function coloured({ forward, reverse, count }: Sums, inks: Inks): Uint32Array {
  const pixels = new Uint32Array(forward.length);
  const [one, other] = [channelsOf(inks[0]), channelsOf(inks[1])];
  const least = Math.min(1, Math.max(FAINTEST, (FAINTEST * forward.length) / (count + 1)));
  for (let place = 0; place < pixels.length; place += 1) {
    const all = forward[place]! + reverse[place]!;
    if (all === 0) continue;
    const share = reverse[place]! / all;
    const red = one[0] + share * (other[0] - one[0]);
    const green = one[1] + share * (other[1] - one[1]);
    const blue = one[2] + share * (other[2] - one[2]);
    pixels[place] = ((255 * Math.min(1, least + all)) << 24) | (blue << 16) | (green << 8) | red;
  }
  return pixels;
}

/** Two pixels wide and high, where there is room between the HSPs. */
function widened(pixels: Uint32Array, width: number): void {
  for (let place = pixels.length - 1; place > width; place -= 1) {
    if (pixels[place] === 0) pixels[place] = pixels[place - 1]! || pixels[place - width]!;
  }
}

/** The nearest HSP to a place within so many letters of both axes' scales, or -1. */
export function nearest(hsps: Hsps, shown: Uint8Array, place: { x: number; y: number }, reach: Size): number {
  let best = -1;
  let least = 1;
  const area = { x: place.x - reach.width, y: place.y - reach.height, width: 2 * reach.width, height: 2 * reach.height };
  eachRun(hsps, area, (first, last) => {
    for (let row = first; row < last; row += 1) {
      if (!shown[row]) continue;
      const distance = distanceTo(hsps, row, place, reach);
      if (distance >= least) continue;
      least = distance;
      best = row;
    }
  });
  return best;
}

/** From a place to an HSP's line, in units of the reach; both axes are scaled to it first. */
function distanceTo(hsps: Hsps, row: number, place: { x: number; y: number }, reach: Size): number {
  const rise = hsps.up[row]!;
  const [across, up] = [hsps.across[row]! / reach.width, (hsps.reverse[row] ? -rise : rise) / reach.height];
  const x = (place.x - hsps.query[row]!) / reach.width;
  const y = (place.y - hsps.subject[row]! - (hsps.reverse[row] ? rise : 0)) / reach.height;
  const along = Math.min(1, Math.max(0, (x * across + y * up) / (across * across + up * up)));
  return Math.hypot(x - along * across, y - along * up);
}

/** A colour as `rgb(1, 2, 3)`. */
function channelsOf(ink: string): [number, number, number] {
  const [red = 0, green = 0, blue = 0] = (ink.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue];
}
