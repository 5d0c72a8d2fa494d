// Small parts that every view uses.
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { QueryWarning } from "./api";

const WARNINGS_SHOWN = 3;

const PATHS = {
  check: "M3.5 8.5l3 3 6-7",
  chevron: "M6 3.5L10.5 8 6 12.5",
  columns: "M2.5 3h11v10h-11zM6.2 3v10m3.6-10v10",
  copy: "M5.5 5.5h7v8h-7zM3.5 10.5v-8h7",
  download: "M8 2.5v8m-3.5-3.5L8 10.5 11.5 7M3 13.5h10",
  external: "M9 3h4v4m0-4L7.5 8.5M11.5 9.5v3.5H3V4.5h3.5",
  file: "M4 1.5h5l3 3v10H4zM9 1.5v3h3",
  moon: "M13 9.5A5.5 5.5 0 116.5 3 4.5 4.5 0 0013 9.5z",
  print: "M4.5 6V2.5h7V6M4.5 11.5h-2V6h11v5.5h-2M4.5 9.5h7v4h-7z",
  search: "M7 12A5 5 0 107 2a5 5 0 000 10zm3.5-1.5L14 14",
  sun: "M8 5.2a2.8 2.8 0 100 5.6 2.8 2.8 0 000-5.6zM8 1v1.6m0 10.8V15M1 8h1.6m10.8 0H15M3 3l1.2 1.2m7.6 7.6L13 13M3 13l1.2-1.2m7.6-7.6L13 3",
  stop: "M4 4l8 8m0-8l-8 8",
  warning: "M8 2l6.5 11.5h-13zM8 6.5v3.2m0 1.6v.2",
};

export function Icon({ name }: { name: keyof typeof PATHS }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}

export function Panel(props: { title?: string; aside?: ComponentChildren; class?: string; id?: string; children: ComponentChildren }) {
  return (
    <section class={`panel ${props.class ?? ""}`} id={props.id}>
      {props.title && (
        <div class="panel-head">
          <h2>{props.title}</h2>
          {props.aside}
        </div>
      )}
      {props.children}
    </section>
  );
}

const CUT_FROM = 24;
const KEPT_END = 9;

/** An identifier, whose end tells as much as its beginning: where there is no room for a long one its middle goes. */
export function Id({ text }: { text: string }) {
  if (text.length <= CUT_FROM) return <>{text}</>;
  return (
    <span class="id" title={text}>
      <span class="visually-hidden">{text}</span>
      <span aria-hidden="true">{text.slice(0, -KEPT_END)}</span>
      <span aria-hidden="true">{text.slice(-KEPT_END)}</span>
    </span>
  );
}

/** What the page has to say about what it was asked for; nothing is refused. */
export function Notes({ notes }: { notes: string[] }) {
  if (notes.length === 0) return null;
  return (
    <div class="notes" role="status">
      <Icon name="warning" />
      <div>{notes.map((note) => <p key={note}>{note}</p>)}</div>
    </div>
  );
}

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** What is odd about queries, which are searched all the same; of several queries with each one's number. */
export function Warnings({ warnings, many }: { warnings: QueryWarning[]; many: boolean }) {
  const shown = warnings.slice(0, WARNINGS_SHOWN);
  const notes = shown.map(({ query, detail }) => (many ? `Query ${query}: ${detail}.` : `${capital(detail)}.`));
  if (warnings.length > shown.length) notes.push(`${warnings.length - shown.length} more queries have warnings.`);
  return <Notes notes={notes} />;
}

export function CopyButton({ text, label = "Copy" }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <button type="button" class="quiet" onClick={() => void copy(text).then(setCopied)}>
      <Icon name={copied ? "check" : "copy"} />
      <span aria-live="polite">{copied ? "Copied" : label}</span>
    </button>
  );
}

/** Plain HTTP has no clipboard interface, and labs do run plain HTTP. */
async function copy(text: string): Promise<boolean> {
  if (navigator.clipboard) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Refused: the older way may still do.
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** Save a text as a file. */
export const save = (name: string, type: string, text: string): void => saveBlob(name, new Blob([text], { type }));

/** Save what the page has made as a file. */
export function saveBlob(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/** Control and Enter send a form, wherever in it the cursor is. */
export function sendByKeys(event: KeyboardEvent & { currentTarget: HTMLFormElement }): void {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.requestSubmit();
}

/** The width of an element, followed as it changes. */
export function useWidth<T extends HTMLElement>(): [{ current: T | null }, number] {
  const box = useRef<T>(null);
  const [width, setWidth] = useState(0);
  // Before the first drawing, which would else be of no width.
  useLayoutEffect(() => {
    if (!box.current) return;
    setWidth(box.current.clientWidth);
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  return [box, width];
}

/** A list that is scrolled to its current entry whenever that is another one; the page stays where it is. */
export function useCurrent<T extends HTMLElement>(current: number): { current: T | null } {
  const list = useRef<T>(null);
  useEffect(() => {
    const [box, entry] = [list.current, list.current?.querySelector("[aria-current]")].map((each) => each?.getBoundingClientRect());
    if (box && entry && (entry.top < box.top || entry.bottom > box.bottom)) list.current!.scrollTop += entry.top - box.top - (box.height - entry.height) / 2;
  }, [current]);
  return list;
}

/** A value that lags behind until it has rested for so long. */
export function useRested<T>(value: T, milliseconds: number): T {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return rested;
}
