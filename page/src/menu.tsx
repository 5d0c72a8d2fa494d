// A button with a list below it: Escape, and whatever is pressed elsewhere, closes it.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { at } from "./api";
import { Icon } from "./parts";

/** Whether what a button shows is open, and the box of both. */
export function useDropdown() {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  // At once: a key may follow the click before the next frame.
  useLayoutEffect(() => {
    if (!open) return;
    const close = (event: Event) => {
      if (!box.current?.contains(event.target as Node)) setOpen(false);
    };
    const escape = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      setOpen(false);
      box.current?.querySelector("button")?.focus();
    };
    addEventListener("pointerdown", close);
    addEventListener("focusin", close);
    addEventListener("keydown", escape);
    return () => {
      removeEventListener("pointerdown", close);
      removeEventListener("focusin", close);
      removeEventListener("keydown", escape);
    };
  }, [open]);
  return { open, setOpen, box };
}

/** Pixels between a list and the window's edge, and those that a list has in any case. */
const MARGIN = 8;
const LEAST = 120;

/** Opens a list where the window has more room for it, no longer than that room: the page does not scroll. */
function place(list: HTMLElement, button: HTMLElement) {
  const { top, bottom, height } = button.getBoundingClientRect();
  const [above, below] = [top - MARGIN, innerHeight - bottom - MARGIN];
  const upwards = list.offsetHeight > below && above > below;
  list.style.maxHeight = `${Math.max(LEAST, (upwards ? above : below) - MARGIN)}px`;
  if (upwards) list.style.translate = `0 ${-(list.offsetHeight + height + MARGIN)}px`;
}

interface Props {
  label: string;
  icon?: "download" | "columns";
  children(close: () => void): ComponentChildren;
}

export function Menu({ label, icon = "download", children }: Props) {
  const { open, setOpen, box } = useDropdown();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (open) place(box.current!.lastElementChild as HTMLElement, button.current!);
  }, [open]);
  const close = () => {
    // What was pressed goes with the list.
    if (box.current?.contains(document.activeElement)) button.current?.focus();
    setOpen(false);
  };
  return (
    <div class="menu" ref={box}>
      <button ref={button} type="button" aria-expanded={open} onClick={() => setOpen(!open)}><Icon name={icon} />{label}</button>
      {open && <ul class="menu-list" aria-label={label}>{children(close)}</ul>}
    </div>
  );
}

/** A file of the server's: what it is, and where. */
export type File = [label: string, path: string];

/** Files as entries of a menu. */
export const Files = ({ files, close }: { files: File[]; close(): void }) => (
  <>{files.map(([label, path]) => <li key={path}><a href={at(path)} download="" onClick={close}>{label}</a></li>)}</>
);
