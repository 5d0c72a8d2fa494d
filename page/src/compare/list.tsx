// The HSPs in view, and the filter that plot and list share.
import { useMemo } from "preact/hooks";
import { count, plural } from "../numbers";
import { Panel, useRested } from "../parts";
import type { Sides } from "./axes";
import { nounOf, rowsIn, type Area, type Hsps } from "./hsps";
import { numberIn, useTyped } from "./number-field";
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
        <Filter label="Length ≥" placeholder="any" mode="numeric" value={wanted.length} onChange={(length) => onWanted({ ...wanted, length })} />
        <Filter label="Identity ≥" placeholder="0 %" mode="decimal" value={wanted.identity} onChange={(identity) => onWanted({ ...wanted, identity })} />
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

interface FilterProps {
  label: string;
  placeholder: string;
  mode: "numeric" | "decimal";
  value: string;
  onChange(value: string): void;
}

/** A least number; what is none filters nothing, and is said to be none. */
function Filter({ label, placeholder, mode, value, onChange }: FilterProps) {
  const percent = mode === "decimal";
  const read = (text: string) => wantedOf(text, percent) ?? "";
  const [text, setText] = useTyped(value, read);
  const fault = wantedOf(text, percent) === undefined;
  const typed = (next: string) => {
    setText(next);
    onChange(read(next));
  };
  return (
    <>
      <label class="filter"><span>{label}</span><input inputMode={mode} autocomplete="off" placeholder={placeholder} value={text} aria-invalid={fault} onInput={(event) => typed(event.currentTarget.value)} /></label>
      {fault && <span class="fault" role="alert">“{text}” is no number.</span>}
    </>
  );
}

/** What a field's text asks for: nothing where it is empty, undefined where it is no number. */
function wantedOf(text: string, percent: boolean): string | undefined {
  const plain = percent ? text.replace(/%\s*$/, "") : text;
  if (plain.trim() === "") return "";
  const number = numberIn(plain);
  return Number.isNaN(number) ? undefined : String(number);
}
