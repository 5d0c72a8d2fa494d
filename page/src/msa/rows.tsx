// The rows of an MSA: drawn, filtered, put in an order, and one of them in full.
import { useMemo, useState } from "preact/hooks";
import { count, evalueText, percentText, plural } from "../numbers";
import { Panel, useRested } from "../parts";
import { usePrinting } from "../printing";
import { ANY, arrange, BY_RANK, isFiltered, orderBy, type Column } from "../result/filter";
import { Filters, NoneLeft } from "../result/filters";
import { useDark } from "../theme";
import { Canvas } from "./canvas";
import { GROUPS, hexOf, OTHER, SAME, type Scheme } from "./colours";
import { Detail } from "./detail";
import type { Row, Rows } from "./load";
import { FIRST_ZOOM, ZOOMS } from "./paint";
import { Paper } from "./paper";
import type { Searched } from "./types";

const RESTED_MS = 80;

/** Which rows are shown where clusters have members: all, those that are no members, or those of the cluster of an accession, which has no blank. */
const ALL = "";
const ALONE = " ";
const inCluster = (cluster: string) => ({ accession, representative }: Row) => cluster === ALL || (cluster === ALONE ? !representative : (representative || accession) === cluster);

const ORDERS: { column: Column; label: string }[] = [
  { column: "rank", label: "best first" },
  { column: "identity", label: "identity" },
  { column: "query_coverage", label: "coverage" },
  { column: "evalue", label: "E-value" },
  { column: "organism", label: "organism" },
  { column: "accession", label: "accession" },
];

export const FIRST_LOOK = { scheme: "property" as Scheme, zoom: FIRST_ZOOM, wanted: ANY, cluster: ALL, order: BY_RANK };
/** How rows are shown, and which: the same of one chain after the other. */
export type Look = typeof FIRST_LOOK;

/** Why there are no rows. */
const NO_ROWS = "Nothing was found but the query itself. A higher E-value or another database may have more.";
const NO_PAIRS = "No organism has rows of as many chains as pairs need. More databases, a higher E-value, or pairs of organisms that two chains have may give some.";

interface Props {
  found: Rows;
  /** The query's id. */
  name: string;
  paired: boolean;
  /** Whether a warning beside them tells why none are paired. */
  told: boolean;
  look: Look;
  onLook(look: Look): void;
}

export function RowsPanel({ found, name, paired, told, look, onLook }: Props) {
  const { scheme, zoom, wanted, order } = look;
  const set = (changed: Partial<Look>) => onLook({ ...look, ...changed });
  const [chosen, setChosen] = useState<Row>();
  const printing = usePrinting();
  const [pointed, setPointed] = useState<{ place: number; column: number }>();
  const rested = useRested(wanted, RESTED_MS);
  const members = useMemo(() => membersOf(found.rows), [found]);
  // Another chain may have no such cluster.
  const cluster = members.has(look.cluster) || (look.cluster === ALONE && members.size > 0) ? look.cluster : ALL;
  const rows = useMemo(() => arrange(found.rows.filter(inCluster(cluster)), rested, order), [found, cluster, rested, order]);
  const place = useMemo(() => (chosen ? rows.indexOf(chosen) : -1), [rows, chosen]);
  const said = chosen && place >= 0 ? chosenText(chosen, place, rows.length) : "";
  const all = plural(found.rows.length, "row");
  if (found.rows.length === 0) return <Panel title="Rows"><p>{!paired ? NO_ROWS : told ? "There are no paired rows." : NO_PAIRS}</p></Panel>;
  const own = chosen && (chosen.representative || chosen.accession);
  return (
    <Panel class="msa-rows">
      <div class="toolbar">
        <h2>Rows</h2>
        <Filters wanted={wanted} of="rows" onChange={(next) => set({ wanted: next })} />
        <span class="dim" role="status">{isFiltered(rested) || cluster !== ALL ? `${count(rows.length)} of ${all}` : all}{found.cut && ", the first ones; the files have all"}</span>
      </div>
      <div class="toolbar msa-tools">
        <label class="filter">
          <span>Order</span>
          <select value={order.column} onChange={(event) => set({ order: orderBy(event.currentTarget.value as Column) })}>
            {ORDERS.map(({ column, label }) => <option key={column} value={column}>{label}</option>)}
          </select>
        </label>
        {members.size > 0 && (
          <label class="filter">
            <span>Clusters</span>
            <select value={cluster} onChange={(event) => set({ cluster: event.currentTarget.value })}>
              <option value={ALL}>representatives and members</option>
              <option value={ALONE}>representatives alone</option>
              {cluster.trim() && <option value={cluster}>that of {cluster}</option>}
            </select>
          </label>
        )}
        <div class="tabs" role="group" aria-label="Colours">
          <button type="button" aria-pressed={scheme === "property"} onClick={() => set({ scheme: "property" })}>By property</button>
          <button type="button" aria-pressed={scheme === "identity"} onClick={() => set({ scheme: "identity" })}>By identity</button>
        </div>
        <div class="row" role="group" aria-label="Size">
          <button type="button" class="square" aria-label="Smaller" disabled={zoom === 0} onClick={() => set({ zoom: zoom - 1 })}>−</button>
          <button type="button" class="square" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => set({ zoom: zoom + 1 })}>+</button>
        </div>
        <Legend scheme={scheme} />
      </div>
      <p class={`readout msa-readout${said ? "" : " no-print"}`}>{pointed ? pointText(found.query, name, rows, pointed) : said || "Point at a letter to see where it is; click a row for its figures."}</p>
      <p class="visually-hidden" role="status">{said}</p>
      {rows.length > 0 ? (
        <Canvas
          query={found.query}
          name={name}
          rows={rows}
          scheme={scheme}
          zoom={zoom}
          chosen={place}
          label={`${plural(rows.length, "row")} aligned to ${name}, ${found.query.length} positions`}
          onZoom={(next) => set({ zoom: next })}
          onChoose={(next) => {
            setChosen(rows[next]);
            setPointed(undefined);
          }}
          onPoint={setPointed}
        />
      ) : (
        <NoneLeft one="row" onAll={() => set({ wanted: ANY, cluster: ALL })} />
      )}
      {printing && rows.length > 0 && <Paper query={found.query} name={name} rows={rows} scheme={scheme} />}
      <p class="dim small no-print" id="msa-keys">
        By keys: up and down choose a row, left and right move, + and − change the size, 0 shows the most at once. Ctrl and the wheel change the
        size at the pointer.
      </p>
      {chosen && (
        <Detail
          row={chosen}
          query={found.query}
          name={name}
          databases={databasesOf(found.searched)}
          members={members.get(chosen.accession) ?? 0}
          alone={cluster === own}
          onCluster={() => set({ wanted: ANY, cluster: cluster === own ? ALL : own! })}
          onClose={() => setChosen(undefined)}
        />
      )}
    </Panel>
  );
}

/** How many rows each representative stands for. */
function membersOf(rows: Row[]): Map<string, number> {
  const members = new Map<string, number>();
  for (const { representative } of rows) if (representative) members.set(representative, (members.get(representative) ?? 0) + 1);
  return members;
}

const databasesOf = (searched: Searched | null): string[] => searched?.databases.map(({ name }) => name) ?? [];

function pointText(query: Uint8Array, name: string, rows: Row[], { place, column }: { place: number; column: number }): string {
  const row = rows[place];
  if (column < 0) return row ? chosenText(row, place, rows.length) : name;
  const own = `Position ${column + 1}, ${String.fromCharCode(query[column]!)}`;
  if (!row) return own;
  if (!row.text) return `${own}: ${row.accession}`;
  const at = column + 1 - row.query_from;
  const code = row.letters[at];
  return `${own}: ${code === undefined ? "outside the alignment" : code ? String.fromCharCode(code) : "a gap"} in ${row.accession}${row.organism ? `, ${row.organism}` : ""}`;
}

function chosenText({ accession, title, text, identity, query_coverage: coverage, evalue, representative }: Row, place: number, rows: number): string {
  if (!text) return `Row ${place + 1} of ${rows}: ${accession}`;
  const of = representative ? `, member of the cluster of ${representative}` : "";
  return `Row ${place + 1} of ${rows}: ${accession} ${title}${of}, identity ${percentText(identity)} %, coverage ${percentText(coverage)} %, E-value ${evalueText(evalue)}`;
}

function Legend({ scheme }: { scheme: Scheme }) {
  const dark = useDark();
  return (
    <p class="legend">
      {(scheme === "property" ? GROUPS : [SAME, OTHER]).map((group) => (
        <span key={group.label}><i class="swatch" style={{ background: hexOf(group, dark) }} />{group.label}{group.letters.length > 1 && <span class="mono"> {group.letters}</span>}</span>
      ))}
    </p>
  );
}
