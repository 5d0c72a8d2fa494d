// The rows on paper: text in blocks, in the order and as the filters leave them.
import { useMemo } from "preact/hooks";
import { count, percentText, plural } from "../numbers";
import { Blocks, byProperty, fitting, GAP, inColumns, PRINTED_COLUMNS, PRINTED_LETTERS, type LookOf } from "../result/blocks";
import { hexOf, letterInks, OTHER, SAME, type Scheme } from "./colours";
import type { Row } from "./load";

interface Props {
  query: Uint8Array;
  name: string;
  rows: Row[];
  scheme: Scheme;
}

/** In light colours, as the drawing has them. */
const LOOKS: { [scheme in Scheme]: LookOf } = { property: byProperty(false), identity: byIdentity() };

function byIdentity(): LookOf {
  const [other, same] = letterInks("identity", false);
  const looks = { same: { background: hexOf(SAME, false), color: same }, other: { background: hexOf(OTHER, false), color: other } };
  return (letter, isSame) => (letter === "-" ? GAP : isSame ? looks.same : looks.other);
}

export function Paper({ query, name, rows, scheme }: Props) {
  const shown = useMemo(() => rows.slice(0, fitting(rows, PRINTED_LETTERS)).map((row) => ({ row, ...inColumns(row.query_from - 1, row.text, (at) => row.text[at]! >= "a") })), [rows]);
  return (
    <div class="anchored">
      <p class="legend"><span><i class="swatch swatch-inserted" />letters between two of the query's, left out</span></p>
      {shown.length < rows.length && <p class="anchored-note">The first {count(shown.length)} of {plural(rows.length, "row")} are printed: the files have all.</p>}
      <Blocks
        name={name}
        query={new TextDecoder().decode(query)}
        rows={shown}
        columns={PRINTED_COLUMNS}
        lookOf={LOOKS[scheme]}
        keyOf={({ row }) => String(row.rank)}
        identityOf={({ row }) => percentText(row.identity)}
        named={({ row }) => row.accession}
      />
    </div>
  );
}
