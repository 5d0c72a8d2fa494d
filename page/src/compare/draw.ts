// What is drawn on the plot's two canvases: HSPs and axes below; box, path and the chosen HSP above.
import { plural } from "../numbers";
import { paletteOf } from "../palette";
import { saveBlob } from "../parts";
import { paintAxes, paintBorders, type AxisInks, type Sides } from "./axes";
import type { Genome } from "./genomes";
import type { Area, Hsps } from "./hsps";
import { paintHsps, trace, type Inks } from "./paint";
import { toX, toY, type Frame, type Size } from "./view";

const WEIGHT = 1.8;
/** Pixels of a picture for each of CSS, as of all pictures; and its room in these around the plot. */
const SCALE = 2;
const HEAD = 36;
const SIDE = 20;
const FOOT = 48;

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

/** What is seen now. */
let seen: { size: Size; frame: Frame; base: Base } | undefined;

/** A canvas of this size, cleared, that counts in pixels of CSS; and its scale. */
function cleared(canvas: HTMLCanvasElement, { width, height }: Size, scale = Math.min(2, Math.max(1, devicePixelRatio))): [CanvasRenderingContext2D, number] {
  const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
  if (canvas.width !== across || canvas.height !== down) Object.assign(canvas, { width: across, height: down });
  const context = canvas.getContext("2d")!;
  context.resetTransform();
  context.clearRect(0, 0, across, down);
  context.scale(scale, scale);
  return [context, scale];
}

export function drawBase(element: HTMLCanvasElement, size: Size, frame: Frame, base: Base, inks: PlotInks, every: number): void {
  seen = { size, frame, base };
  paintBase(cleared(element, size), frame, base, inks, every);
}

function paintBase([canvas, scale]: [CanvasRenderingContext2D, number], frame: Frame, { sides, hsps, shown, view }: Base, inks: PlotInks, every: number): void {
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

/** What is seen now, as a picture in light colours, with the page's title, the sides' names and the legend. */
export function savePicture(name: string): void {
  const holder = document.querySelector<HTMLElement>(".dotplot");
  if (!seen || !holder) return;
  const { size, frame, base } = seen;
  const inks = inksOf(holder, false);
  const plot = document.createElement("canvas");
  paintBase(cleared(plot, size, SCALE), frame, base, inks, 1);
  const picture = document.createElement("canvas");
  const [width, height] = [SIDE + size.width, HEAD + size.height + FOOT];
  const [canvas] = cleared(picture, { width, height }, SCALE);
  canvas.fillStyle = "#fff";
  canvas.fillRect(0, 0, width, height);
  canvas.drawImage(plot, SIDE, HEAD, size.width, size.height);
  canvas.fillStyle = inks.ink;
  canvas.textAlign = "center";
  canvas.font = "16px system-ui, sans-serif";
  canvas.fillText(document.querySelector("h1")?.textContent ?? "", width / 2, 24, width - 2 * SIDE);
  canvas.font = "12px system-ui, sans-serif";
  const middle = SIDE + frame.left + frame.width / 2;
  canvas.fillText(`query: ${named(base.sides.query)}`, middle, HEAD + size.height + 8, frame.width);
  canvas.save();
  canvas.translate(14, HEAD + frame.top + frame.height / 2);
  canvas.rotate(-Math.PI / 2);
  canvas.fillText(`subject: ${named(base.sides.subject)}`, 0, 0, frame.height);
  canvas.restore();
  paintLegend(canvas, SIDE + frame.left, height - 16, inks);
  picture.toBlob((blob) => blob && saveBlob(name, blob));
}

const named = ({ names }: Genome): string => (names.length === 1 ? names[0]! : plural(names.length, "record"));

/** The words of the legend below the plot, of which the first two have a strand's colour. */
function paintLegend(canvas: CanvasRenderingContext2D, left: number, middle: number, { strands, ink }: PlotInks): void {
  canvas.textAlign = "left";
  canvas.textBaseline = "middle";
  let x = left;
  document.querySelectorAll(".plot-panel .legend > span").forEach(({ textContent }, place) => {
    const strand = strands[place];
    if (strand) {
      canvas.fillStyle = strand;
      canvas.fillRect(x, middle - 2, 18, 3);
      x += 24;
    }
    canvas.fillStyle = ink;
    canvas.fillText(textContent ?? "", x, middle);
    x += canvas.measureText(textContent ?? "").width + 20;
  });
}
