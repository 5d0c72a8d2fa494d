// What paragraphs for papers say of every exact search, be it for hits or for an MSA.
import { boot } from "../api";
import { day } from "../numbers";

export const STATISTICS: { [method: string]: string } = {
  table: "E-values were computed with published Karlin-Altschul parameters and finite-size correction",
  "karlin-altschul": "E-values were computed by the Karlin-Altschul formula with effective lengths",
  simulated: "E-values were computed with simulated Karlin-Altschul parameters and finite-size correction",
  fitted: "E-values were computed from an extreme-value distribution fitted to the scores of all subjects by regression on the logarithm of their lengths",
  none: "Hits were ranked by raw score; no E-values were computed",
};

export const ADJUSTED = "E-values were adjusted to the composition and the repeats of the aligned stretches. ";

/** How every sequence was scored. */
export const scoredText = ({ matrix, gap_open, gap_extend }: { matrix: string; gap_open: number; gap_extend: number }): string =>
  `Every sequence was scored by the exact Smith-Waterman algorithm with affine gaps, without heuristics: ${matrix}, a gap of n residues costing ${gap_open} + ${gap_extend}n. `;

export function softwareText({ version, commit }: { version: string; commit: string }): string {
  return `Shardwater ${version}${commit === "unknown" ? "" : `, commit ${commit.slice(0, 12)}`}`;
}

/** Databases with their titles and versions. */
export function databasesText(databases: { name: string; version: string }[]): string {
  const names = databases.map(({ name, version }) => {
    const known = boot.databases.find((each) => each.name === name && each.version === version);
    const title = known?.title ? ` (${known.title})` : "";
    return `${name}${title}, version ${version}${known ? `, built ${day(known.created_at)}` : ""}`;
  });
  return names.join(", and ") + (names.length > 1 ? " as one" : "");
}
