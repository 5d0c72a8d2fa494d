// What is drawn on the plot's two canvases: HSPs and axes below; box, path and the chosen HSP above.
import { paletteOf } from "../palette";
import { saveBlob } from "../parts";
import { paintAxes, paintBorders, type AxisInks, type Sides } from "./axes";
import type { Area, Hsps } from "./hsps";
import { paintHsps, trace, type Inks } from "./paint";
import { toX, toY, type Frame, type Size } from "./view";

const WEIGHT = 1.8;

/** What is below, and follows the view. */
export interface Base {
  sides: Sides;
  hsps: Hsps;
  /** 1 of each HSP that is drawn. */
  shown: Uint8Array;
  view: Area;
}

/** What is above. */
export interface Over {
  hsps: Hsps;
  view: Area;
  /** The HSP that is chosen, or -1. */
  marked: number;
  box: Area | undefined;
  /** Places of an alignment's corners, query and subject in turn. */
  path: number[] | undefined;
}

export interface PlotInks extends AxisInks {
  strands: Inks;
  mark: string;
}

export function inksOf(holder: HTMLElement, dark: boolean): PlotInks {
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

export function drawBase(element: HTMLCanvasElement, size: Size, frame: Frame, { sides, hsps, shown, view }: Base, inks: PlotInks, every: number): void {
  const [canvas, scale] = cleared(element, size);
  paintBorders(canvas, frame, view, sides, inks);
  canvas.resetTransform();
  const fine = { left: frame.left * scale, top: frame.top * scale, width: frame.width * scale, height: frame.height * scale };
  paintHsps(canvas, fine, view, hsps, shown, inks.strands, WEIGHT * scale, every);
  canvas.scale(scale, scale);
  paintAxes(canvas, frame, view, sides, inks);
}

export function drawOver(element: HTMLCanvasElement, size: Size, frame: Frame, { hsps, view, marked, box, path }: Over, inks: PlotInks): void {
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
    for (const [ink, weight] of [[inks.mark, 8], [inks.ground, 5], [inks.strands[hsps.reverse[marked] as 0 | 1], 3]] as const) {
      canvas.strokeStyle = ink;
      canvas.lineWidth = weight;
      canvas.beginPath();
      trace(canvas, frame, view, hsps, marked);
      canvas.stroke();
    }
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
  picture.toBlob((blob) => blob && saveBlob(name, blob));
}
