// The rows in view, out of thousands: TanStack's virtual core for the window's own scrolling, as a hook.
import { defaultRangeExtractor, observeWindowOffset, observeWindowRect, Virtualizer, windowScroll, type VirtualizerOptions } from "@tanstack/virtual-core";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";

type WindowVirtualizer = Virtualizer<Window, HTMLElement>;

interface Rows {
  count: number;
  height: number;
  keyOf(index: number): number;
  /** A row that is drawn wherever it is; -1 for none. */
  held: number;
}

/** The virtualizer of a list, and the ref of the element that holds it. */
export function useRows({ count, height, keyOf, held }: Rows): [WindowVirtualizer, { current: HTMLDivElement | null }] {
  const list = useRef<HTMLDivElement>(null);
  const [margin, setMargin] = useState(0);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const options: VirtualizerOptions<Window, HTMLElement> = {
    count,
    estimateSize: () => height,
    getItemKey: keyOf,
    overscan: 12,
    rangeExtractor: (range) => withHeld(defaultRangeExtractor(range), held),
    scrollMargin: margin,
    getScrollElement: () => window,
    observeElementRect: observeWindowRect,
    observeElementOffset: observeWindowOffset,
    scrollToFn: windowScroll,
    initialOffset: () => scrollY,
    onChange: () => redraw(0),
  };
  const [virtualizer] = useState<WindowVirtualizer>(() => new Virtualizer<Window, HTMLElement>(options));
  virtualizer.setOptions(options);
  useEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  // Whatever stands above the list may grow or shrink.
  useEffect(() => {
    const look = () => setMargin(Math.round((list.current?.getBoundingClientRect().top ?? 0) + scrollY));
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    look();
    return () => observer.disconnect();
  }, []);
  return [virtualizer, list];
}

/** Rows in their order, one of them from elsewhere. */
function withHeld(rows: number[], held: number): number[] {
  return held < 0 || rows.includes(held) ? rows : [...rows, held].sort((a, b) => a - b);
}
