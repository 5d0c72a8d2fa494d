// An HSP in words: where it is in both genomes, how alike both sides are.
import { count, percentText, plural } from "../numbers";
import { stretchOf, type Genome } from "./genomes";
import { identityOf, type Hsps } from "./hsps";

/** A stretch as `chr1` and `1,201–1,500`. */
export function stretchTexts(genome: Genome, from: number, length: number): [string, string] {
  const { record, from: first, to: last } = stretchOf(genome, from, from + length);
  return [genome.labels[record]!, `${count(first)}–${count(last)}`];
}

const stretchText = (genome: Genome, from: number, length: number): string => stretchTexts(genome, from, length).join(" ");

export function readout(hsps: Hsps, { query, subject }: { query: Genome; subject: Genome }, row: number): string {
  const places = `${stretchText(query, hsps.query[row]!, hsps.across[row]!)} ↔ ${stretchText(subject, hsps.subject[row]!, hsps.up[row]!)}`;
  const length = plural(hsps.length[row]!, hsps.score ? "column" : "letter");
  return `${places}, ${hsps.reverse[row] ? "reverse" : "forward"}, ${percentText(identityOf(hsps, row))} % of ${length}`;
}
