// Pictures to take away: each as the SVG that the server draws, or as a PNG that is drawn from that very file.
import { useState } from "preact/hooks";
import { ask, at, problemOf } from "./api";
import { saveBlob } from "./parts";
import { Trouble, useProblem } from "./trouble";

/** Pixels of a PNG for each of the SVG. */
const SCALE = 2;
/** A large MSA is counted before it is drawn. */
const MOST_S = 120;

export interface Figure {
  label: string;
  /** Where the SVG is. */
  path: string;
}

/** Pictures as entries of a menu. */
export function FigureEntries({ figures, close }: { figures: Figure[]; close(): void }) {
  return (
    <>
      <li class="menu-head">Pictures</li>
      {figures.flatMap(({ label, path }) => [
        <li key={`${label}.svg`}><a href={at(path)} download="" onClick={close}>{label}, SVG</a></li>,
        <li key={`${label}.png`}><Png label={`${label}, PNG`} path={path} done={close} /></li>,
      ])}
    </>
  );
}

/** A picture's links beside what it shows. */
export function FigureLinks({ label, path }: Figure) {
  return (
    <>
      <a class="button" href={at(path)} download="">{label}, SVG</a>
      <Png label={`${label}, PNG`} path={path} />
    </>
  );
}

function Png({ label, path, done }: Figure & { done?(): void }) {
  const [drawing, setDrawing] = useState(false);
  const [problem, setProblem] = useProblem(undefined, () => void draw());
  const draw = async () => {
    if (drawing) return;
    setDrawing(true);
    setProblem(undefined);
    try {
      await savePng(path);
      done?.();
    } catch (error) {
      setProblem(problemOf(error));
    }
    setDrawing(false);
  };
  return (
    <>
      <button type="button" aria-busy={drawing} onClick={() => void draw()}>{label}</button>
      {problem && <Trouble problem={problem} />}
    </>
  );
}

/** Save what an SVG of the server looks like, under its name. */
async function savePng(path: string): Promise<void> {
  // What the browser then draws is this answer, from its cache.
  const reply = await ask(path, { most: MOST_S });
  await reply.text();
  const image = new Image();
  image.src = at(path);
  await image.decode();
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: SCALE * image.naturalWidth, height: SCALE * image.naturalHeight });
  canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
  const picture = await new Promise<Blob | null>((take) => canvas.toBlob(take));
  if (!picture) throw new Error("The browser cannot draw a picture of this size.");
  const name = /filename="([^"]*)\.svg"/.exec(reply.headers.get("content-disposition") ?? "");
  saveBlob(`${name?.[1] ?? "figure"}.png`, picture);
}
