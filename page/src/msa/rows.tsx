// The rows of an MSA: drawn, filtered, put in an order, and one of them in full.
import { useMemo, useState } from "preact/hooks";
import { count, evalueText, percentText, plural } from "../numbers";
import { Panel, useRested } from "../parts";
import { ANY, arrange, BY_RANK, isFiltered, nextOrder, type Column } from "../result/filter";
import { Filters, NoneLeft } from "../result/filters";
import { useDark } from "../theme";
import { Canvas } from "./canvas";
import { GROUPS, hexOf, OTHER, SAME, type Scheme } from "./colours";
import { Detail } from "./detail";
import type { Row, Rows } from "./load";
import { FIRST_ZOOM, ZOOMS } from "./paint";
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

interface Props {
  found: Rows;
  /** The query's id. */
  name: string;
  paired: boolean;
}

export function RowsPanel({ found, name, paired }: Props) {
  const [scheme, setScheme] = useState<Scheme>("property");
  const [zoom, setZoom] = useState(FIRST_ZOOM);
  const [wanted, setWanted] = useState(ANY);
  const [cluster, setCluster] = useState(ALL);
  const [order, setOrder] = useState(BY_RANK);
  const [chosen, setChosen] = useState<Row>();
  const [pointed, setPointed] = useState<{ place: number; column: number }>();
  const rested = useRested(wanted, RESTED_MS);
  const rows = useMemo(() => arrange(found.rows.filter(inCluster(cluster)), rested, order), [found, cluster, rested, order]);
  const members = useMemo(() => membersOf(found.rows), [found]);
  const place = useMemo(() => (chosen ? rows.indexOf(chosen) : -1), [rows, chosen]);
  const said = chosen && place >= 0 ? chosenText(chosen, place, rows.length) : "";
  const all = plural(found.rows.length, "row");
  if (found.rows.length === 0) return <Panel title="Rows"><p>{paired ? "No organism has rows of as many chains as pairs need." : "Nothing was found but the query itself. A higher E-value or another database may have more."}</p></Panel>;
  const own = chosen && (chosen.representative || chosen.accession);
  return (
    <Panel class="msa-rows">
      <div class="toolbar">
        <h2>Rows</h2>
        <Filters wanted={wanted} of="rows" onChange={setWanted} />
        <span class="dim" role="status">{isFiltered(rested) || cluster !== ALL ? `${count(rows.length)} of ${all}` : all}{found.cut && ", the first ones; the files have all"}</span>
      </div>
      <div class="toolbar msa-tools no-print">
        <label class="filter">
          <span>Order</span>
          <select value={order.column} onChange={(event) => setOrder(nextOrder(BY_RANK, event.currentTarget.value as Column))}>
            {ORDERS.map(({ column, label }) => <option key={column} value={column}>{label}</option>)}
          </select>
        </label>
        {members.size > 0 && (
          <label class="filter">
            <span>Clusters</span>
            <select value={cluster} onChange={(event) => setCluster(event.currentTarget.value)}>
              <option value={ALL}>representatives and members</option>
              <option value={ALONE}>representatives alone</option>
              {cluster.trim() && <option value={cluster}>that of {cluster}</option>}
            </select>
          </label>
        )}
        <div class="tabs" role="group" aria-label="Colours">
          <button type="button" aria-pressed={scheme === "property"} onClick={() => setScheme("property")}>By property</button>
          <button type="button" aria-pressed={scheme === "identity"} onClick={() => setScheme("identity")}>By identity</button>
        </div>
        <div class="row" role="group" aria-label="Size">
          <button type="button" class="square" aria-label="Smaller" disabled={zoom === 0} onClick={() => setZoom(zoom - 1)}>−</button>
          <button type="button" class="square" aria-label="Larger" disabled={zoom === ZOOMS.length - 1} onClick={() => setZoom(zoom + 1)}>+</button>
        </div>
        <Legend scheme={scheme} />
      </div>
      {rows.length > 0 ? (
        <Canvas
          query={found.query}
          name={name}
          rows={rows}
          scheme={scheme}
          zoom={zoom}
          chosen={place}
          label={`${plural(rows.length, "row")} aligned to ${name}, ${found.query.length} positions`}
          onZoom={setZoom}
          onChoose={(next) => setChosen(rows[next])}
          onPoint={setPointed}
        />
      ) : (
        <NoneLeft one="row" onAll={() => { setWanted(ANY); setCluster(ALL); }} />
      )}
      <p class="readout msa-readout">{pointed ? pointText(found.query, rows, pointed) : said || "\u00a0"}</p>
      <p class="visually-hidden" role="status">{said}</p>
      <p class="dim small no-print" id="msa-keys">
        Click a row for its figures. By keys: up and down choose a row, left and right move, + and − change the size, 0 shows the most at once. Ctrl
        and the wheel change the size at the pointer.
      </p>
      {chosen && (
        <Detail
          row={chosen}
          query={found.query}
          name={name}
          databases={databasesOf(found.searched)}
          members={members.get(chosen.accession) ?? 0}
          alone={cluster === own}
          onCluster={() => setCluster(cluster === own ? ALL : own!)}
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

function pointText(query: Uint8Array, rows: Row[], { place, column }: { place: number; column: number }): string {
  const own = `Position ${column + 1}, ${String.fromCharCode(query[column]!)}`;
  const row = rows[place];
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
