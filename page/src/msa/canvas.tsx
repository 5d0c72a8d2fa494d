// The rows on a canvas that stays where it is while the box around it scrolls over their whole extent.
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { useWidth } from "../parts";
import { paletteOf } from "../palette";
import { useDark } from "../theme";
import { coloursOf, type Scheme } from "./colours";
import type { Row } from "./load";
import { gutterOf, headOf, paint, paintWhole, ZOOMS, type Inks, type Scene } from "./paint";

const MAP_HEIGHT = 64;
const HIGHEST = 560;

interface Props {
  query: Uint8Array;
  name: string;
  rows: Row[];
  scheme: Scheme;
  /** The place of a size in ZOOMS. */
  zoom: number;
  /** The selected row's place; -1 for none. */
  chosen: number;
  label: string;
  onZoom(zoom: number): void;
  onChoose(place: number): void;
  /** What the pointer is at: a row's place, -1 for the query, and a column, -1 for its name; nothing once it has left. */
  onPoint(at?: { place: number; column: number }): void;
}

export function Canvas(props: Props) {
  const { query, rows, scheme, chosen, label } = props;
  const zoom = ZOOMS[props.zoom]!;
  const [holder, width] = useWidth<HTMLDivElement>();
  const scroller = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const map = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const dark = useDark();
  const [gutter, head] = [gutterOf(zoom, width), headOf(zoom)];
  const size = { width: gutter + query.length * zoom.width, height: head + rows.length * zoom.height };
  const height = Math.min(HIGHEST, Math.max(120, size.height + 16));
  const scene = useRef<Scene>(undefined as unknown as Scene);

  /** Where the box was, at which size, and the point that stays where it is when that changes: the pointer, or the middle. */
  const drawn = useRef({ left: 0, top: 0, zoom, gutter, head });
  const kept = useRef<{ x: number; y: number } | undefined>(undefined);
  useLayoutEffect(() => {
    const [box, before] = [scroller.current!, drawn.current];
    if (before.zoom === zoom) return;
    const { x, y } = kept.current ?? { x: (box.clientWidth + before.gutter) / 2, y: (box.clientHeight + before.head) / 2 };
    kept.current = undefined;
    box.scrollLeft = ((before.left + x - before.gutter) / before.zoom.width) * zoom.width - x + gutter;
    box.scrollTop = ((before.top + y - before.head) / before.zoom.height) * zoom.height - y + head;
  }, [zoom]);

  const draw = () => {
    const box = scroller.current;
    if (!box || !canvas.current || !frame.current || width === 0) return;
    const window = { left: box.scrollLeft, top: box.scrollTop, width: box.clientWidth, height: box.clientHeight };
    drawn.current = { left: window.left, top: window.top, zoom, gutter, head };
    // As large as the box is now: it has other bars and another height with other rows.
    Object.assign(canvas.current.style, { width: `${window.width}px`, height: `${window.height}px` });
    paint(canvas.current, scene.current, window);
    // Which part of the whole is seen.
    const share = (pixels: number, whole: number) => `${Math.min(100, Math.max(0, (100 * pixels) / Math.max(1, whole)))}%`;
    Object.assign(frame.current.style, {
      left: share(window.left, size.width - gutter),
      width: share(window.width - gutter, size.width - gutter),
      top: share(window.top, size.height - head),
      height: share(window.height - head, size.height - head),
    });
  };
  const latest = useRef(draw);
  latest.current = draw;
  useLayoutEffect(() => {
    if (!holder.current) return;
    scene.current = { query, rows, zoom, colours: coloursOf(scheme, dark), inks: inksOf(holder.current, dark), chosen, name: props.name };
    draw();
  }, [query, rows, zoom, scheme, dark, chosen, width, height]);
  useLayoutEffect(() => {
    if (map.current) paintWhole(map.current, { rows, query, colours: coloursOf(scheme, dark) }, Math.min(width, Math.max(1, query.length * 4)), Math.min(MAP_HEIGHT, Math.max(1, rows.length)));
  }, [query, rows, scheme, dark, width]);
  useEffect(() => {
    const box = scroller.current!;
    let asked = 0;
    const scrolled = () => {
      asked ||= requestAnimationFrame(() => {
        asked = 0;
        latest.current();
      });
    };
    box.addEventListener("scroll", scrolled, { passive: true });
    return () => {
      box.removeEventListener("scroll", scrolled);
      cancelAnimationFrame(asked);
    };
  }, []);

  const zoomTo = (next: number, at?: { x: number; y: number }) => {
    if (!ZOOMS[next]) return;
    kept.current = at;
    props.onZoom(next);
  };
  useLayoutEffect(() => {
    const box = scroller.current!;
    const row = rows[chosen];
    if (!row) return;
    const top = chosen * zoom.height;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top + zoom.height > box.scrollTop + box.clientHeight - head) box.scrollTop = top + zoom.height - box.clientHeight + head;
    const left = (row.query_from - 1) * zoom.width;
    if (row.text && (left > box.scrollLeft + box.clientWidth - gutter || row.query_to * zoom.width < box.scrollLeft)) box.scrollLeft = left;
  }, [chosen, rows]);

  const placeAt = (event: MouseEvent) => {
    const box = scroller.current!;
    const bounds = box.getBoundingClientRect();
    const [x, y] = [event.clientX - bounds.left, event.clientY - bounds.top];
    const place = y < head ? -1 : Math.floor((y - head + box.scrollTop) / zoom.height);
    return { x, y, place, column: x < gutter ? -1 : Math.floor((x - gutter + box.scrollLeft) / zoom.width) };
  };
  const turn = useRef<(event: WheelEvent) => void>(() => undefined);
  turn.current = (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    zoomTo(props.zoom + (event.deltaY < 0 ? 1 : -1), placeAt(event));
  };
  useEffect(() => {
    const wheel = (event: WheelEvent) => turn.current(event);
    const box = scroller.current!;
    // A handler of the framework's could not keep the browser from zooming the page.
    box.addEventListener("wheel", wheel, { passive: false });
    return () => box.removeEventListener("wheel", wheel);
  }, []);
  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current!.clientHeight - head) / zoom.height));
    const steps: { [key: string]: number } = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -rows.length, End: rows.length };
    const step = steps[event.key];
    if (step !== undefined) props.onChoose(Math.max(0, Math.min(rows.length - 1, (chosen < 0 ? (step > 0 ? -1 : 0) : chosen) + step)));
    else if (event.key === "+" || event.key === "=") zoomTo(props.zoom + 1);
    else if (event.key === "-" || event.key === "_") zoomTo(props.zoom - 1);
    else if (event.key === "0") zoomTo(0);
    else if (event.key === "Escape") props.onChoose(-1);
    else return;
    event.preventDefault();
  };
  const goTo = (event: PointerEvent) => {
    if (event.buttons !== 1) return;
    const bounds = map.current!.getBoundingClientRect();
    const box = scroller.current!;
    box.scrollLeft = ((event.clientX - bounds.left) / bounds.width) * (size.width - gutter) - (box.clientWidth - gutter) / 2;
    box.scrollTop = ((event.clientY - bounds.top) / bounds.height) * (size.height - head) - (box.clientHeight - head) / 2;
  };
  return (
    <div ref={holder} class="msa-drawing">
      <div
        class="msa-map"
        aria-hidden="true"
        style={{ height: `${MAP_HEIGHT}px` }}
        onPointerDown={(event) => { event.currentTarget.setPointerCapture(event.pointerId); goTo(event); }}
        onPointerMove={goTo}
      >
        <canvas ref={map} />
        <div ref={frame} class="msa-frame" />
      </div>
      <div
        ref={scroller}
        class="msa-scroll"
        style={{ height: `${height}px` }}
        tabIndex={0}
        role="application"
        aria-roledescription="alignment"
        aria-label={label}
        aria-describedby="msa-keys"
        onKeyDown={key}
        onClick={(event) => {
          const { place } = placeAt(event);
          props.onChoose(place < rows.length ? place : -1);
        }}
        onPointerMove={(event) => {
          const { place, column } = placeAt(event);
          props.onPoint(place < rows.length && column < query.length ? { place, column } : undefined);
        }}
        onPointerLeave={() => props.onPoint()}
      >
        <div style={{ width: `${size.width}px`, height: `${size.height}px` }}>
          <canvas ref={canvas} class="msa-canvas" aria-hidden="true" />
        </div>
      </div>
    </div>
  );
}

function inksOf(holder: HTMLElement, dark: boolean): Inks {
  const colour = paletteOf(holder, dark);
  return { panel: colour("--plot"), raised: colour("--raised"), ink: colour("--ink"), dim: colour("--dim"), line: colour("--line"), mark: colour("--mark") };
}
