// What can be taken away: the stored result in every format, whole or for selected hits. Nothing is searched anew.
import { at, boot, type Search } from "../api";
import { FigureEntries, type Figure } from "../figure";
import { Menu } from "../menu";
import { plural } from "../numbers";
import { rangesOf } from "./filter";
import type { Part } from "./load";

export type Scope = { kind: "search" } | { kind: "query"; query: number } | { kind: "hits"; query: number; ranks: Set<number> };

const FORMATS: { format: string; label: string }[] = [
  { format: "fasta", label: "Whole sequences, FASTA" },
  { format: "tab", label: "Table, tab-separated (BLAST 6)" },
  { format: "csv", label: "Table, CSV for spreadsheets" },
  { format: "parquet", label: "Table, Parquet" },
  { format: "pairwise", label: "Pairwise alignments, text" },
  { format: "xml", label: "BLAST XML" },
  { format: "blast-json", label: "BLAST JSON" },
  { format: "sam", label: "SAM" },
  { format: "json", label: "JSON" },
];

const LONGEST_NAME = 60;

interface Props {
  search: string;
  scope: Scope;
  label: string;
  /** What the page itself makes: aligned parts. */
  own?: { label: string; save(): void }[];
  figures?: Figure[];
}

export function Downloads({ search, scope, label, own = [], figures = [] }: Props) {
  const known = FORMATS.filter(({ format }) => boot.info.formats.includes(format));
  return (
    <Menu label={label}>
      {(close) => (
        <>
          <li class="menu-head">{scopeText(scope)}</li>
          {known.map((format) => (
            <li key={format.format}>
              <a href={resultsAt(search, scope, format.format)} download="" onClick={close}>{format.label}</a>
            </li>
          ))}
          {own.map((each) => (
            <li key={each.label}><button type="button" onClick={() => { each.save(); close(); }}>{each.label}</button></li>
          ))}
          {figures.length > 0 && <FigureEntries figures={figures} close={close} />}
        </>
      )}
    </Menu>
  );
}

function scopeText(scope: Scope): string {
  if (scope.kind === "search") return "All queries";
  return scope.kind === "query" ? "All hits of this query" : plural(scope.ranks.size, "selected hit");
}

function resultsAt(search: string, scope: Scope, format: string): string {
  // Who opens a table by a click sees to no formula in a stranger's header.
  const style = format === "csv" ? "&spreadsheet=true" : "";
  const address = at(`/v1/searches/${search}/results?format=${format}${style}`);
  if (scope.kind === "search") return address;
  const query = `${address}&query=${scope.query}`;
  return scope.kind === "query" ? query : `${query}&hits=${rangesOf(scope.ranks)}`;
}

/** Where a picture of a query's result is; more: what else is asked for. */
export const figureAt = (search: string, query: number, name: string, more = ""): string =>
  `/v1/searches/${search}/figures/${name}.svg?query=${query}${more}`;

/** The name of a file that the page makes, as the server names those that it sends: by title, query and choice. */
export function fileName(search: Search, part: Part, selected: boolean, ending: string): string {
  const parts = [safe(search.title) || search.id, `${part.number}_${safe(part.one.query.id)}`, ...(selected ? ["selected"] : [])];
  return `${parts.join(".")}.${ending}`;
}

/** A text as part of a file's name, on every system. */
function safe(text: string): string {
  const plain = text.normalize("NFKD").replace(/[^\x20-\x7e]/g, "").replace(/[^A-Za-z0-9.-]+/g, "_");
  return plain.slice(0, LONGEST_NAME).replace(/^[._-]+/, "").replace(/[._-]$/, "");
}
