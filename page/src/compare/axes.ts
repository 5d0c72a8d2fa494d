// What stands around the plot: records' borders and names, and ticks that count within each record.
import { plural } from "../numbers";
import { recordAt, type Genome } from "./genomes";
import type { Area } from "./hsps";
import { toX, toY, type Frame } from "./view";

/** Pixels between two ticks at least, and between their texts, across and upwards; and between two borders. */
const TICK_PX = 78;
const APART_PX = 10;
const LINE_PX = 13;
const BORDER_PX = 3;
/** Pixels of a record that has a name; of one that does not fit, letters at least. */
const NAMED_PX = 34;
const LEAST_LETTERS = 5;

interface Piece {
  record: number;
  /** Places in the genome, as far as they are in view. */
  from: number;
  to: number;
}

/** The records in view that are wide enough to be told apart, and what is seen of each. */
function piecesOf(genome: Genome, from: number, to: number, least: number): Piece[] {
  const pieces: Piece[] = [];
  for (let record = recordAt(genome, from); record < genome.names.length && genome.offsets[record]! < to; record += 1) {
    const piece = { record, from: Math.max(from, genome.offsets[record]!), to: Math.min(to, genome.offsets[record + 1]!) };
    if (piece.to - piece.from >= least) pieces.push(piece);
  }
  return pieces;
}

/** Borders between records in view; of those that lie too close to be told apart the first. */
export function bordersOf(genome: Genome, from: number, size: number, pixels: number): number[] {
  const borders: number[] = [];
  let last = -BORDER_PX;
  for (let record = recordAt(genome, from) + 1; record < genome.names.length && genome.offsets[record]! < from + size; record += 1) {
    const pixel = Math.floor(((genome.offsets[record]! - from) / size) * pixels);
    if (pixel < last + BORDER_PX) continue;
    borders.push(genome.offsets[record]!);
    last = pixel;
  }
  return borders;
}

interface Tick {
  /** In the genome. */
  place: number;
  text: string;
}

/** Round numbers of each record, as far as there is room; where all records are too short for that, of all together. */
export function ticksOf(genome: Genome, from: number, size: number, pixels: number): Tick[] {
  const step = roundUp((size / pixels) * TICK_PX);
  const ticks = ticksOfRecords(genome, from, size, step);
  return ticks.length > 1 || recordAt(genome, from) === recordAt(genome, from + size - 1) ? ticks : ticksOfAll(from, size, step);
}

function ticksOfAll(from: number, size: number, step: number): Tick[] {
  const first = Math.ceil(from / step);
  return Array.from({ length: Math.floor((from + size) / step) - first + 1 }, (_, number) => ({ place: (first + number) * step, text: lettersText((first + number) * step, step) }));
}

function ticksOfRecords(genome: Genome, from: number, size: number, step: number): Tick[] {
  return piecesOf(genome, from, from + size, step).flatMap((piece) => {
    const before = genome.offsets[piece.record]!;
    const ticks: Tick[] = [];
    for (let at = Math.ceil((piece.from - before) / step) * step; at <= piece.to - before; at += step) ticks.push({ place: before + at, text: lettersText(at, step) });
    // A tick at a border belongs to two records.
    return ticks.filter(({ place }) => place === 0 || place > before || piece.from > before);
  });
}

/** 1, 2 or 5 times a power of ten, not less than this. */
function roundUp(least: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
  return [1, 2, 5, 10].map((times) => times * power).find((size) => size >= least) ?? 10 * power;
}

/** A number of letters in bp, kb or Mb, with the digits that a step of so many needs. */
export function lettersText(letters: number, step = 1): string {
  if (letters === 0) return "0";
  for (const [size, unit] of [[1e6, "Mb"], [1e3, "kb"]] as const) {
    if (step * 100 < size || letters < size) continue;
    const digits = Math.max(0, Math.ceil(Math.log10(size / step)));
    return `${(letters / size).toFixed(digits)} ${unit}`;
  }
  return letters.toLocaleString("en-US");
}

export interface AxisInks {
  ink: string;
  dim: string;
  line: string;
  ground: string;
}

export interface Sides {
  query: Genome;
  subject: Genome;
}

/** Lines between records, below the HSPs. */
export function paintBorders(canvas: CanvasRenderingContext2D, frame: Frame, view: Area, { query, subject }: Sides, inks: AxisInks): void {
  canvas.fillStyle = inks.ground;
  canvas.fillRect(frame.left, frame.top, frame.width, frame.height);
  canvas.fillStyle = inks.line;
  for (const border of bordersOf(query, view.x, view.width, frame.width)) canvas.fillRect(Math.round(toX(frame, view, border)), frame.top, 1, frame.height);
  for (const border of bordersOf(subject, view.y, view.height, frame.height)) canvas.fillRect(frame.left, Math.round(toY(frame, view, border)), frame.width, 1);
}

/** The frame, ticks and names; lengths in pixels of CSS, which the canvas is scaled to. */
export function paintAxes(canvas: CanvasRenderingContext2D, frame: Frame, view: Area, { query, subject }: Sides, inks: AxisInks): void {
  const bottom = frame.top + frame.height;
  canvas.strokeStyle = inks.dim;
  canvas.lineWidth = 1;
  canvas.strokeRect(frame.left - 0.5, frame.top - 0.5, frame.width + 1, frame.height + 1);
  canvas.font = "11px system-ui, sans-serif";
  canvas.fillStyle = inks.dim;
  canvas.textBaseline = "middle";
  let last = -Infinity;
  canvas.textAlign = "left";
  for (const { place, text } of ticksOf(query, view.x, view.width, frame.width)) {
    const x = toX(frame, view, place);
    const width = canvas.measureText(text).width;
    const left = Math.min(frame.left + frame.width - width, Math.max(frame.left, x - width / 2));
    canvas.fillRect(Math.round(x), bottom, 1, 5);
    // A record's first tick may be next to the last one of the record before.
    if (left < last + APART_PX) continue;
    canvas.fillText(text, left, bottom + 13);
    last = left + width;
  }
  last = Infinity;
  canvas.textAlign = "right";
  for (const { place, text } of ticksOf(subject, view.y, view.height, frame.height)) {
    const y = Math.min(bottom - 5, Math.max(frame.top + 5, toY(frame, view, place)));
    canvas.fillRect(frame.left - 5, Math.round(toY(frame, view, place)), 5, 1);
    if (y > last - LINE_PX) continue;
    canvas.fillText(text, frame.left - 8, y);
    last = y;
  }
  paintNames(canvas, frame, view, { query, subject }, inks);
}

function paintNames(canvas: CanvasRenderingContext2D, frame: Frame, view: Area, { query, subject }: Sides, inks: AxisInks): void {
  canvas.font = "600 11.5px system-ui, sans-serif";
  canvas.fillStyle = inks.ink;
  canvas.textAlign = "center";
  for (const { text, place } of namesOf(canvas, query, view.x, view.width, frame.width)) canvas.fillText(text, toX(frame, view, place), frame.top + frame.height + 31);
  for (const { text, place } of namesOf(canvas, subject, view.y, view.height, frame.height)) {
    canvas.save();
    canvas.translate(10, toY(frame, view, place));
    canvas.rotate(-Math.PI / 2);
    canvas.fillText(text, 0, 0);
    canvas.restore();
  }
}

/** Names of the records in view that have room for them, and their middles; where none has, how many records there are. */
function namesOf(canvas: CanvasRenderingContext2D, genome: Genome, from: number, size: number, pixels: number): Tick[] {
  const scale = pixels / size;
  const names = piecesOf(genome, from, from + size, NAMED_PX / scale)
    .map((piece) => ({ text: fitted(canvas, genome.labels[piece.record]!, (piece.to - piece.from) * scale - 6), place: (piece.from + piece.to) / 2 }))
    .filter(({ text }) => text);
  const records = recordAt(genome, from + size - 1) - recordAt(genome, from) + 1;
  return names.length || records === 1 ? names : [{ text: plural(records, "record"), place: from + size / 2 }];
}

/** As much of a text as so many pixels hold; nothing where that says nothing. */
function fitted(canvas: CanvasRenderingContext2D, text: string, pixels: number): string {
  if (canvas.measureText(text).width <= pixels) return text;
  let length = Math.min(text.length, Math.floor(pixels / 5));
  while (length > 0 && canvas.measureText(`${text.slice(0, length)}…`).width > pixels) length -= 1;
  return length >= LEAST_LETTERS ? `${text.slice(0, length)}…` : "";
}
