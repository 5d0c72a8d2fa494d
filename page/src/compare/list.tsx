// The HSPs in view, and the filter that plot and list share.
import { useMemo } from "preact/hooks";
import { count, plural } from "../numbers";
import { Panel, useRested } from "../parts";
import type { Sides } from "./axes";
import { nounOf, rowsIn, type Area, type Hsps } from "./hsps";
import { ANY, isFiltered, type Order, type Wanted } from "./order";
import { isCut, Table } from "./table";

const RESTED_MS = 120;

interface ListProps {
  hsps: Hsps;
  sides: Sides;
  /** Why there may be none. */
  none: string;
  shown: Uint8Array;
  view: Area;
  wanted: Wanted;
  order: Order;
  marked: number;
  onWanted(wanted: Wanted): void;
  onOrder(order: Order): void;
  onShow(row: number): void;
}

export function List({ hsps, sides, none, shown, view, wanted, order, marked, onWanted, onOrder, onShow }: ListProps) {
  // Only once the plot rests: of a million it takes longer than a frame.
  const rested = useRested(view, RESTED_MS);
  const { rows } = useMemo(() => rowsIn(hsps, shown, rested, hsps.count), [hsps, shown, rested]);
  const table = useMemo(
    () => <Table hsps={hsps} sides={sides} rows={rows} order={order} marked={marked} onOrder={onOrder} onShow={onShow} />,
    [hsps, sides, rows, order, marked],
  );
  return (
    <Panel class="hsp-panel">
      <div class="filters" role="search" aria-label={`Filter the ${nounOf(hsps)}s`}>
        <label class="filter"><span>Length ≥</span><input inputMode="numeric" autocomplete="off" placeholder="any" value={wanted.length} onInput={(event) => onWanted({ ...wanted, length: numberOf(event.currentTarget.value) })} /></label>
        <label class="filter"><span>Identity ≥</span><input inputMode="decimal" autocomplete="off" placeholder="0 %" value={wanted.identity} onInput={(event) => onWanted({ ...wanted, identity: numberOf(event.currentTarget.value) })} /></label>
        <label class="filter">
          <span>Strand</span>
          <select value={wanted.strand} onChange={(event) => onWanted({ ...wanted, strand: event.currentTarget.value as Wanted["strand"] })}>
            <option value="">both</option>
            <option value="+">forward</option>
            <option value="-">reverse</option>
          </select>
        </label>
        {isFiltered(wanted) && <button type="button" class="link" onClick={() => onWanted(ANY)}>Show all</button>}
      </div>
      <p class="dim small" role="status">
        {rows.length === hsps.count ? plural(rows.length, nounOf(hsps)) : `${count(rows.length)} of ${plural(hsps.count, nounOf(hsps))} in this view`}
        {hsps.count === 0 && none && `. ${none}`}
        {isCut(rows) && ": the first 200,000 are listed, zoom in for others"}
      </p>
      {table}
    </Panel>
  );
}

/** What of a field's text is a number. */
const numberOf = (text: string): string => (/^\d{0,9}(\.\d{0,4})?$/.test(text.trim()) ? text.trim() : "");

