// One row in full: what it is, its figures, and its letters beside the query's, insertions included.
import { at } from "../api";
import { bitsText, count, evalueText, percentText } from "../numbers";
import { AlignmentText, type Shown } from "../result/alignment";
import { Links } from "../result/links";
import type { Row } from "./load";

interface Props {
  row: Row;
  query: Uint8Array;
  name: string;
  /** Of which one the row's sequence is. */
  databases: string[];
  onClose(): void;
}

export function Detail({ row, query, name, databases, onClose }: Props) {
  const { accession, title, organism, hsps } = row;
  const [hsp] = hsps;
  // Of several databases it is not told which one has it.
  const database = databases.length === 1 ? databases[0] : undefined;
  return (
    <section class="detail msa-detail" aria-label="Chosen row">
      <p class="detail-title">{accession} {title} <span class="dim">{count(row.length)} residues{organism && `, ${organism}`}</span></p>
      <p class="detail-facts">
        <span>Rank <b>{count(row.rank)}</b></span>
        <span>Score <b>{count(row.score)}</b></span>
        <span>Bits <b>{bitsText(row.bits)}</b></span>
        <span>E-value <b>{evalueText(row.evalue)}</b></span>
        <span>Identity <b>{percentText(row.identity)} %</b></span>
        <span>Coverage <b>{percentText(row.query_coverage)} %</b></span>
        <span>Query <b>{row.query_from}–{row.query_to}</b></span>
        {hsp && <span>Subject <b>{hsp.hit_from}–{hsp.hit_to}</b></span>}
      </p>
      {row.text && <AlignmentText hsp={alignedOf(row, query)} label={`Alignment of ${name} with ${accession}`} />}
      <div class="row detail-links">
        {database && <a class="button" href={at(`/v1/databases/${encodeURIComponent(database)}/sequences/${encodeURIComponent(accession)}?format=fasta`)} download={`${accession.replace(/[^\w.-]+/g, "_")}.fasta`}>Sequence, FASTA</a>}
        <Links of={row} />
        <button type="button" class="quiet" onClick={onClose}>Close</button>
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
