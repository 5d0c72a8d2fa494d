// The table's rows: all of them where they are some hundred, or go to a printer; of thousands only those in view.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Hit, Search } from "../api";
import { usePrinting } from "../printing";
import type { Shown } from "./columns";
import type { Part } from "./load";
import { HitRow } from "./row";
import { useRows } from "./virtual";

/** The browser's own search and its printing know nothing of rows that are not there. */
const MOST_DRAWN = 500;

interface Props {
  hits: Hit[];
  columns: Shown[];
  /** The place of the first hit that chance might give; -1 for none. */
  edge: number;
  part: Part;
  search: Search;
  open: ReadonlySet<number>;
  selected: ReadonlySet<number>;
  /** Set here: brings a hit into view. */
  jump: { current: (hit: Hit) => void };
  onOpen(rank: number): void;
  onSelect(rank: number): void;
}

export function Rows(props: Props) {
  const printing = usePrinting();
  return printing || props.hits.length <= MOST_DRAWN ? <AllRows {...props} /> : <RowsInView {...props} />;
}

function AllRows({ jump, ...props }: Props) {
  const list = useRef<HTMLDivElement>(null);
  jump.current = (hit) => list.current?.children[props.hits.indexOf(hit)]?.scrollIntoView({ block: "center" });
  return (
    <div role="rowgroup" ref={list} class="hit-list">
      {props.hits.map((hit, index) => (
        <div key={hit.rank} class="hit" role="presentation"><Row {...props} hit={hit} index={index} /></div>
      ))}
    </div>
  );
}

function RowsInView({ jump, ...props }: Props) {
  const { hits } = props;
  const [height, setHeight] = useState(rowHeight());
  // The row that has the focus stays, however far one scrolls: with it the keyboard's place in the list would go.
  const [focused, setFocused] = useState<number>();
  const held = useMemo(() => hits.findIndex((hit) => hit.rank === focused), [hits, focused]);
  const [virtualizer, list] = useRows({ count: hits.length, height, keyOf: (index) => hits[index]?.rank ?? index, held });
  useEffect(() => {
    const look = () => setHeight(rowHeight());
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  useEffect(() => virtualizer.measure(), [height]);
  jump.current = (hit) => virtualizer.scrollToIndex(hits.indexOf(hit), { align: "center" });
  const margin = virtualizer.options.scrollMargin;
  return (
    <div role="rowgroup" ref={list} class="hit-list in-view" style={{ height: `${virtualizer.getTotalSize()}px` }}>
      {virtualizer.getVirtualItems().map((item) => {
        const hit = hits[item.index];
        if (!hit) return null;
        return (
          <div
            key={hit.rank}
            ref={virtualizer.measureElement}
            data-index={item.index}
            class="hit"
            role="presentation"
            onFocusIn={() => setFocused(hit.rank)}
            style={{ transform: `translateY(${item.start - margin}px)` }}
          >
            <Row {...props} hit={hit} index={item.index} />
          </div>
        );
      })}
    </div>
  );
}

function Row({ hit, index, columns, edge, part, search, open, selected, onOpen, onSelect }: Omit<Props, "jump"> & { hit: Hit; index: number }) {
  return (
    <HitRow
      hit={hit}
      columns={columns}
      isEdge={index === edge}
      place={index + 2}
      part={part}
      search={search}
      open={open.has(hit.rank)}
      selected={selected.has(hit.rank)}
      onOpen={() => onOpen(hit.rank)}
      onSelect={() => onSelect(hit.rank)}
    />
  );
}

/** As result.css has it: on a narrow screen a hit takes two lines. */
const rowHeight = (): number => (matchMedia("(max-width: 760px)").matches ? 64 : 36);
