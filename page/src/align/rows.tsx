// The table's rows: all of them where they are some hundred, or go to a printer; of thousands only those in view.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count } from "../numbers";
import { usePrinting } from "../printing";
import { useRows } from "../result/virtual";
import type { Row } from "./load";
import { PairRow } from "./row";
import type { Alignment } from "./types";

/** The browser's own search and its printing know nothing of rows that are not there. */
const MOST_DRAWN = 500;
const MOST_PRINTED = 10_000;

interface Props {
  job: Alignment;
  rows: Row[];
  /** Places of rows. */
  open: ReadonlySet<number>;
  /** Set here: brings a row into view. */
  jump: { current: (row: Row) => void };
  onOpen(place: number): void;
}

export function Rows(props: Props) {
  const printing = usePrinting();
  return printing || props.rows.length <= MOST_DRAWN ? <AllRows {...props} /> : <RowsInView {...props} />;
}

function AllRows({ job, rows, open, jump, onOpen }: Props) {
  const list = useRef<HTMLDivElement>(null);
  jump.current = (row) => list.current?.children[rows.indexOf(row)]?.scrollIntoView({ block: "center" });
  return (
    <>
      <div role="rowgroup" ref={list} class="hit-list">
        {rows.slice(0, MOST_PRINTED).map((row, index) => (
          <div key={row.place} class="hit" role="presentation">
            <PairRow job={job} row={row} index={index + 2} open={open.has(row.place)} onOpen={() => onOpen(row.place)} />
          </div>
        ))}
      </div>
      {rows.length > MOST_PRINTED && <p class="dim">The first {count(MOST_PRINTED)} of {count(rows.length)} are printed: the files have all.</p>}
    </>
  );
}

function RowsInView({ job, rows, open, jump, onOpen }: Props) {
  const [height, setHeight] = useState(rowHeight());
  // The row that has the focus stays, however far one scrolls: with it the keyboard's place in the list would go.
  const [focused, setFocused] = useState<number>();
  const held = useMemo(() => rows.findIndex(({ place }) => place === focused), [rows, focused]);
  const [virtualizer, list] = useRows({ count: rows.length, height, keyOf: (index) => rows[index]?.place ?? -index, held });
  useEffect(() => {
    const look = () => setHeight(rowHeight());
    addEventListener("resize", look);
    return () => removeEventListener("resize", look);
  }, []);
  useEffect(() => virtualizer.measure(), [height]);
  jump.current = (row) => virtualizer.scrollToIndex(rows.indexOf(row), { align: "center" });
  const margin = virtualizer.options.scrollMargin;
  return (
    <div role="rowgroup" ref={list} class="hit-list in-view" style={{ height: `${virtualizer.getTotalSize()}px` }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const row = rows[index];
        return row && (
          <div
            key={row.place}
            ref={virtualizer.measureElement}
            data-index={index}
            class="hit"
            role="presentation"
            onFocusIn={() => setFocused(row.place)}
            style={{ transform: `translateY(${start - margin}px)` }}
          >
            <PairRow job={job} row={row} index={index + 2} open={open.has(row.place)} onOpen={() => onOpen(row.place)} />
          </div>
        );
      })}
    </div>
  );
}

/** As align.css has it: on a narrow screen a pair takes three lines. */
const rowHeight = (): number => (matchMedia("(max-width: 760px)").matches ? 86 : 36);
