// What can be taken away: the stored result in every format, whole or for selected hits. Nothing is searched anew.
import { useState } from "preact/hooks";
import { boot, type Search } from "../api";
import { calledAfter, safe } from "../file-name";
import { FigureEntries, type Figure } from "../figure";
import { Files, Menu } from "../menu";
import { count, plural } from "../numbers";
import { rangesOf } from "./filter";
import type { Part } from "./load";

export type Scope = { kind: "search" } | { kind: "query"; query: number } | { kind: "hits"; query: number; ranks: ReadonlySet<number>; shown?: boolean };

const FORMATS: { format: string; label: string }[] = [
  { format: "fasta", label: "Whole sequences, FASTA" },
  { format: "tab", label: "Table, tab-separated (BLAST 6)" },
  { format: "csv", label: "Table, CSV for spreadsheets" },
  { format: "parquet", label: "Table, Parquet" },
  { format: "pairwise", label: "Pairwise alignments, text" },
  { format: "xml", label: "BLAST XML" },
  { format: "blast-json", label: "BLAST JSON" },
  { format: "sam", label: "SAM" },
  { format: "aligned-fasta", label: "Aligned to the query, FASTA" },
  { format: "stockholm", label: "Aligned to the query, Stockholm" },
  { format: "a3m", label: "Aligned to the query, A3M" },
  { format: "json", label: "JSON" },
];

/** Of several queries programs would read these as one alignment. */
const OF_ONE_QUERY = ["aligned-fasta", "a3m"];

interface Own {
  label: string;
  save(): void;
}

interface Props {
  search: string;
  /** What may be taken: the first one, unless another is chosen. */
  scopes: Scope[];
  label: string;
  /** What the page itself makes of it: aligned parts. */
  own?(scope: Scope): Own[];
  figures?: Figure[];
}

export function Downloads({ label, ...props }: Props) {
  return <Menu label={label}>{(close) => <Entries {...props} close={close} />}</Menu>;
}

function Entries({ search, scopes, own, figures = [], close }: Omit<Props, "label"> & { close(): void }) {
  const [place, setPlace] = useState(0);
  const scope = scopes[place] ?? scopes[0]!;
  const known = FORMATS.filter(({ format }) => boot.info.formats.includes(format) && (scope.kind !== "search" || !OF_ONE_QUERY.includes(format)));
  return (
    <>
      <li class="menu-head">
        {scopes.length === 1
          ? scopeText(scope)
          : scopes.map((each, at) => (
            <label key={each.kind} class="row"><input type="radio" name="scope" checked={each === scope} onChange={() => setPlace(at)} />{scopeText(each)}</label>
          ))}
      </li>
      <Files files={known.map(({ format, label }) => [label, resultsAt(search, scope, format)])} close={close} />
      {own?.(scope).map((each) => (
        <li key={each.label}><button type="button" onClick={() => { each.save(); close(); }}>{each.label}</button></li>
      ))}
      {figures.length > 0 && <FigureEntries figures={figures} close={close} />}
    </>
  );
}

function scopeText(scope: Scope): string {
  if (scope.kind === "search") return "All queries";
  if (scope.kind === "query") return "All hits of this query";
  if (!scope.shown) return plural(scope.ranks.size, "selected hit");
  return scope.ranks.size === 1 ? "The hit shown" : `The ${count(scope.ranks.size)} hits shown`;
}

function resultsAt(search: string, scope: Scope, format: string): string {
  // Who opens a table by a click sees to no formula in a stranger's header.
  const style = format === "csv" ? "&spreadsheet=true" : "";
  const address = `/v1/searches/${search}/results?format=${format}${style}`;
  if (scope.kind === "search") return address;
  const query = `${address}&query=${scope.query}`;
  return scope.kind === "query" ? query : `${query}&hits=${rangesOf(scope.ranks)}`;
}

/** Where a picture of a query's result is; more: what else is asked for. */
export const figureAt = (search: string, query: number, name: string, more = ""): string =>
  `/v1/searches/${search}/figures/${name}.svg?query=${query}${more}`;

/** The name of a file that the page makes, as the server names those that it sends: by title, query and choice. */
export function fileName(search: Search, part: Part, selected: boolean, ending: string): string {
  const parts = [calledAfter(search), `${part.number}_${safe(part.one.query.id)}`, ...(selected ? ["selected"] : [])];
  return `${parts.join(".")}.${ending}`;
}
