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

interface Props {
  label: string;
  icon?: "download" | "columns";
  children(close: () => void): ComponentChildren;
}

export function Menu({ label, icon = "download", children }: Props) {
  const { open, setOpen, box } = useDropdown();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (open) box.current!.lastElementChild!.scrollIntoView({ block: "nearest" });
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
