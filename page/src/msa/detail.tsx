// One row in full: what it is, its figures, and its letters beside the query's, insertions included.
import { bitsText, count, evalueText, percentText, plural } from "../numbers";
import { AlignmentText, type Shown } from "../result/alignment";
import { Links, SequenceLink } from "../result/links";
import type { Row } from "./load";

interface Props {
  row: Row;
  query: Uint8Array;
  name: string;
  /** Of which one the row's sequence is. */
  databases: string[];
  /** Rows that it stands for. */
  members: number;
  /** Whether its cluster alone is shown. */
  alone: boolean;
  onCluster(): void;
  onClose(): void;
}

export function Detail({ row, query, name, databases, members, alone, onCluster, onClose }: Props) {
  const { accession, title, organism, representative, hsps } = row;
  const [hsp] = hsps;
  // Of several databases it is not told which one has it; members are not found by their accessions.
  const database = databases.length === 1 && !representative ? databases[0] : undefined;
  const close = (
    <button
      type="button"
      class="quiet"
      onClick={(event) => {
        // The button goes with the row's figures: the keyboard goes on in the drawing.
        event.currentTarget.closest(".panel")?.querySelector<HTMLElement>(".msa-scroll")?.focus();
        onClose();
      }}
    >
      Close
    </button>
  );
  if (!row.text) return <section class="detail msa-detail" aria-label="Chosen row"><p>None of this chain's rows is of this pair's organism.</p>{close}</section>;
  return (
    <section class="detail msa-detail" aria-label="Chosen row">
      <p class="detail-title"><bdi>{accession} {title}</bdi> <span class="dim">{count(row.length)} residues{organism && <>, <bdi>{organism}</bdi></>}</span></p>
      <p class="detail-facts">
        <span>Row in the files <b>{count(row.rank)}</b></span>
        <span>Score <b>{count(row.score)}</b></span>
        <span>Bits <b>{bitsText(row.bits)}</b></span>
        <span>E-value <b>{evalueText(row.evalue)}</b></span>
        <span>Identity <b>{percentText(row.identity)} %</b></span>
        <span>Coverage <b>{percentText(row.query_coverage)} %</b></span>
        <span>Query <b>{row.query_from}–{row.query_to}</b></span>
        {hsp && <span>Subject <b>{hsp.hit_from}–{hsp.hit_to}</b></span>}
      </p>
      {(representative || members > 0) && (
        <p class="detail-cluster">
          {representative ? <>Member of the cluster of <b><bdi>{representative}</bdi></b>, which was searched in its place.</> : <>Representative of a cluster with {plural(members, "other row")} here.</>}{" "}
          <button type="button" class="link no-print" onClick={onCluster}>{alone ? "Show all rows" : "Show this cluster alone"}</button>
        </p>
      )}
      <AlignmentText hsp={alignedOf(row, query)} label={`Alignment of ${name} with ${accession}`} />
      <div class="row detail-links">
        {database && <SequenceLink database={database} accession={accession} />}
        <Links of={row} />
        {close}
      </div>
    </section>
  );
}

/** A row of A3M as an alignment with the query. */
export function alignedOf({ text, query_from, query_to, hsps }: Row, query: Uint8Array): Shown {
  let [qseq, hseq, midline] = ["", "", ""];
  let position = query_from - 1;
  for (const letter of text) {
    const inserted = letter >= "a";
    const own = inserted ? "-" : String.fromCharCode(query[position]!);
    if (!inserted) position += 1;
    qseq += own;
    hseq += letter.toUpperCase();
    midline += own === letter ? letter : " ";
  }
  return { query_from, query_to, hit_from: hsps[0]!.hit_from, hit_to: hsps[0]!.hit_to, align_len: text.length, qseq, hseq, midline };
}
