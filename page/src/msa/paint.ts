// The rows in view as pixels: a line of colours for each row, repeated as high as it is, and letters over them.
import type { Colours } from "./colours";
import type { Row } from "./load";

export interface Zoom {
  width: number;
  height: number;
}

/** Sizes of a letter in pixels of the page; letters are written from some width on, names from some height on. */
export const ZOOMS: Zoom[] = [
  { width: 1, height: 1 },
  { width: 2, height: 2 },
  { width: 3, height: 4 },
  { width: 5, height: 7 },
  { width: 8, height: 12 },
  { width: 11, height: 16 },
  { width: 15, height: 21 },
];
export const FIRST_ZOOM = 5;
const LETTERED = 8;
const NAMED = 12;
const RULER = 18;
/** By how much the names of members stand behind that of their representative. */
const INDENT = 12;
const FONT = 'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace';

export interface Inks {
  panel: string;
  raised: string;
  ink: string;
  dim: string;
  line: string;
  mark: string;
}

/** What is drawn. */
export interface Scene {
  query: Uint8Array;
  rows: Row[];
  zoom: Zoom;
  colours: Colours;
  inks: Inks;
  /** The selected row's place, -1 for none. */
  chosen: number;
  name: string;
}

export interface Window {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** Pixels left of the columns, for names, and above the rows, for numbers and the query. */
export const gutterOf = (zoom: Zoom, width: number): number => (zoom.height >= NAMED ? Math.min(190, Math.round(width * 0.3)) : 0);
export const headOf = (zoom: Zoom): number => RULER + Math.max(8, zoom.height) + 2;

/** Draw what the window shows of the scene, which begins at its left and top. */
export function paint(canvas: HTMLCanvasElement, scene: Scene, window: Window): void {
  const ratio = devicePixelRatio || 1;
  const [across, down] = [Math.round(window.width * ratio), Math.round(window.height * ratio)];
  if (across === 0 || down === 0) return;
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const context = canvas.getContext("2d", { alpha: false })!;
  const { zoom, rows, query } = scene;
  const [gutter, head] = [gutterOf(zoom, window.width), headOf(zoom)];
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.fillStyle = scene.inks.panel;
  context.fillRect(0, 0, across, down);
  const columns = columnsAt(across, gutter, window.left, zoom.width, ratio, query.length);
  const first = Math.floor(window.top / zoom.height);
  const last = Math.min(rows.length, Math.ceil((window.top + window.height - head) / zoom.height));
  const begin = Math.round(head * ratio);
  if (last > first && down > begin) {
    const image = imageOf(context, across, down - begin);
    const pixels = new Uint32Array(image.data.buffer);
    pixels.fill(scene.colours.outside);
    for (let place = first; place < last; place += 1) {
      const from = Math.max(0, Math.round((place * zoom.height - window.top) * ratio));
      const to = Math.min(down - begin, Math.round(((place + 1) * zoom.height - window.top) * ratio));
      if (from < to) line(pixels, from * across, across, columns, rows[place]!.letters, rows[place]!.query_from - 1, query, scene.colours);
      for (let y = from + 1; y < to; y += 1) pixels.copyWithin(y * across, from * across, (from + 1) * across);
    }
    context.putImageData(image, 0, begin);
  }
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  const stretch = { first: Math.floor(window.left / zoom.width), last: Math.min(query.length, Math.ceil((window.left + window.width - gutter) / zoom.width)) };
  const seen = { gutter, head, stretch, first, last };
  if (zoom.width >= LETTERED) writeLetters(context, scene, window, seen, ratio);
  if (gutter > 0) writeNames(context, scene, window, seen);
  writeHead(context, scene, window, seen, ratio);
  if (scene.chosen >= first && scene.chosen < last) {
    context.save();
    context.beginPath();
    context.rect(0, head, window.width, window.height - head);
    context.clip();
    context.strokeStyle = scene.inks.mark;
    context.lineWidth = 2;
    context.strokeRect(1, head + scene.chosen * zoom.height - window.top, window.width - 2, Math.max(3, zoom.height));
    context.restore();
  }
}

let image: ImageData | undefined;

/** The same one as before, where it is as large: to make one of millions of pixels takes as long as to draw them. */
function imageOf(context: CanvasRenderingContext2D, width: number, height: number): ImageData {
  if (image?.width !== width || image.height !== height) image = context.createImageData(width, height);
  return image;
}

interface Seen {
  gutter: number;
  head: number;
  /** Columns and rows, half-open. */
  stretch: { first: number; last: number };
  first: number;
  last: number;
}

/** The column that each pixel of a line shows; -1 for none. */
function columnsAt(across: number, gutter: number, left: number, width: number, ratio: number, count: number): Int32Array {
  const columns = new Int32Array(across).fill(-1);
  for (let x = Math.round(gutter * ratio); x < across; x += 1) {
    const column = Math.floor((x / ratio - gutter + left) / width);
    if (column >= count) break;
    columns[x] = column;
  }
  return columns;
}

function line(pixels: Uint32Array, at: number, across: number, columns: Int32Array, letters: Uint8Array, start: number, query: Uint8Array, { same, other, outside }: Colours): void {
  const length = letters.length;
  for (let x = 0; x < across; x += 1) {
    const column = columns[x]!;
    const place = column - start;
    if (column < 0 || place < 0 || place >= length) {
      pixels[at + x] = outside;
      continue;
    }
    const code = letters[place]!;
    pixels[at + x] = (code === query[column] ? same : other)[code]!;
  }
}

const glyphs = new Map<string, HTMLCanvasElement>();

/** Each capital in one ink, side by side: to copy a letter is far quicker than to write it. */
function glyphsOf({ width, height }: Zoom, ink: string, ratio: number): HTMLCanvasElement {
  const key = `${width} ${ink} ${ratio}`;
  const known = glyphs.get(key);
  if (known) return known;
  const sheet = document.createElement("canvas");
  sheet.width = Math.ceil(width * ratio) * 26;
  sheet.height = Math.ceil(height * ratio);
  const context = sheet.getContext("2d")!;
  context.font = fontOf(height, ratio);
  context.fillStyle = ink;
  context.textAlign = "center";
  context.textBaseline = "middle";
  for (let letter = 0; letter < 26; letter += 1) context.fillText(String.fromCharCode(65 + letter), (letter + 0.5) * Math.ceil(width * ratio), sheet.height / 2 + ratio / 2);
  glyphs.set(key, sheet);
  return sheet;
}

const fontOf = (height: number, ratio = 1): string => `${Math.min(14, height - 2) * ratio}px ${FONT}`;

function writeLetters(context: CanvasRenderingContext2D, scene: Scene, window: Window, { gutter, head, stretch, first, last }: Seen, ratio: number): void {
  const { query, rows, zoom } = scene;
  const [other, same] = scene.colours.ink.map((ink) => glyphsOf(zoom, ink, ratio)) as [HTMLCanvasElement, HTMLCanvasElement];
  const [width, height] = [Math.ceil(zoom.width * ratio), Math.ceil(zoom.height * ratio)];
  context.save();
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.beginPath();
  context.rect(gutter * ratio, head * ratio, window.width * ratio, window.height * ratio);
  context.clip();
  for (let place = first; place < last; place += 1) {
    const { letters, query_from: from } = rows[place]!;
    const y = Math.round((head + place * zoom.height - window.top) * ratio);
    for (let column = Math.max(stretch.first, from - 1), end = Math.min(stretch.last, from - 1 + letters.length); column < end; column += 1) {
      const code = letters[column - from + 1]!;
      if (code === 0) continue;
      const x = Math.round((gutter + column * zoom.width - window.left) * ratio);
      context.drawImage(code === query[column] ? same : other, (code - 65) * width, 0, width, height, x, y, width, height);
    }
  }
  context.restore();
}

function writeNames(context: CanvasRenderingContext2D, { rows, zoom, inks }: Scene, window: Window, { gutter, head, first, last }: Seen): void {
  context.save();
  context.fillStyle = inks.panel;
  context.fillRect(0, head, gutter, window.height);
  context.beginPath();
  context.rect(0, head, gutter - 6, window.height);
  context.clip();
  context.font = `${Math.min(12.5, zoom.height - 2)}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  for (let place = first; place < last; place += 1) {
    const { accession, representative } = rows[place]!;
    context.fillStyle = representative ? inks.dim : inks.ink;
    const x = isBelowItsOwn(rows, place) ? 6 + INDENT : 6;
    context.fillText(fitting(context, accession, gutter - 6 - x), x, head + (place + 0.5) * zoom.height - window.top);
  }
  context.restore();
}

/** Whether a member's row stands below its representative's, with other members of it between them at most. */
function isBelowItsOwn(rows: Row[], place: number): boolean {
  const { representative } = rows[place]!;
  let above = place - 1;
  while (representative && rows[above]?.representative === representative) above -= 1;
  return Boolean(representative) && rows[above]?.accession === representative;
}

/** A name as far as there is room: both of its ends, which tell names of a family apart; of sp|P0A6N4|EFP_ECOLI from the accession on, and all of that. */
function fitting(context: CanvasRenderingContext2D, name: string, room: number): string {
  const widest = context.measureText(name).width;
  const [, known = name, accession = ""] = /^\w+\|(([^|]+)\|.*)/.exec(name) ?? [];
  let [shown, kept] = [name, Math.ceil((name.length * room) / widest)];
  while (kept > 0 && context.measureText(shown).width > room) {
    kept -= 1;
    const head = Math.min(kept, Math.max(accession.length, Math.ceil(kept / 2)));
    shown = `${known.slice(0, head)}…${known.slice(known.length - kept + head)}`;
  }
  return shown;
}

/** Numbers of positions, and the query below them, which stay where they are. */
function writeHead(context: CanvasRenderingContext2D, scene: Scene, window: Window, { gutter, head, stretch }: Seen, ratio: number): void {
  const { zoom, query, inks, colours } = scene;
  context.fillStyle = inks.raised;
  context.fillRect(0, 0, window.width, head);
  context.save();
  context.beginPath();
  context.rect(gutter, 0, window.width, head);
  context.clip();
  const height = head - RULER - 2;
  for (let column = stretch.first; column < stretch.last; column += 1) {
    const pixel = colours.same[query[column]!]!;
    context.fillStyle = `rgb(${pixel & 255} ${(pixel >> 8) & 255} ${(pixel >> 16) & 255})`;
    context.fillRect(gutter + column * zoom.width - window.left, RULER, zoom.width, height);
  }
  context.fillStyle = inks.dim;
  context.font = "11px system-ui, sans-serif";
  context.textBaseline = "middle";
  const step = [10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((size) => size * zoom.width >= 55) ?? 10_000;
  for (let position = Math.max(step, Math.floor(stretch.first / step) * step); position <= stretch.last; position += step) {
    const x = gutter + (position - 0.5) * zoom.width - window.left;
    context.textAlign = "center";
    context.fillText(String(position), x, 8);
    context.fillRect(x - 0.5, 14, 1, 4);
  }
  context.restore();
  if (zoom.width >= LETTERED) {
    writeLetters(context, { ...scene, rows: [{ letters: query, query_from: 1 } as Row] }, { ...window, top: 0 }, { gutter, head: RULER, stretch, first: 0, last: 1 }, ratio);
  }
  if (gutter > 0) {
    context.fillStyle = inks.raised;
    context.fillRect(0, 0, gutter, head);
    context.save();
    context.beginPath();
    context.rect(0, 0, gutter - 6, head);
    context.clip();
    context.fillStyle = inks.ink;
    context.font = `600 ${Math.min(12.5, zoom.height - 2)}px system-ui, sans-serif`;
    context.textAlign = "left";
    context.textBaseline = "middle";
    context.fillText(fitting(context, scene.name, gutter - 12), 6, RULER + height / 2);
    context.restore();
  }
  context.fillStyle = inks.line;
  context.fillRect(0, head - 1, window.width, 1);
}

/** How many rows and columns one pixel of the whole is made of, at most. */
const SAMPLES = 4;

/** All rows in one picture: each pixel has the mean colour of some of the letters that it stands for. */
export function paintWhole(canvas: HTMLCanvasElement, { rows, query, colours }: Pick<Scene, "rows" | "query" | "colours">, width: number, height: number): void {
  Object.assign(canvas, { width, height });
  if (width === 0 || rows.length === 0) return;
  const context = canvas.getContext("2d", { alpha: false })!;
  const image = context.createImageData(width, height);
  const [rowsEach, columnsEach] = [rows.length / height, query.length / width];
  const [down, across] = [rowsEach, columnsEach].map((each) => Math.max(1, Math.min(SAMPLES, Math.round(each)))) as [number, number];
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      let [red, green, blue] = [0, 0, 0];
      for (let i = 0; i < down; i += 1) {
        const { letters, query_from: from } = rows[Math.floor((y + i / down) * rowsEach)]!;
        for (let j = 0; j < across; j += 1) {
          const column = Math.floor((x + j / across) * columnsEach);
          const code = letters[column - from + 1];
          const pixel = code === undefined ? colours.outside : (code === query[column] ? colours.same : colours.other)[code]!;
          red += pixel & 255;
          green += (pixel >> 8) & 255;
          blue += (pixel >> 16) & 255;
        }
      }
      const at = 4 * (y * width + x);
      image.data[at] = red / (down * across);
      image.data[at + 1] = green / (down * across);
      image.data[at + 2] = blue / (down * across);
      image.data[at + 3] = 255;
    }
  }
  context.putImageData(image, 0, 0);
}
