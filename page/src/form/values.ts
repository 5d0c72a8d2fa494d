// What the form holds, and the request that it makes: only what differs from the server's defaults is sent.
import { boot, namesIn, parameter, type SearchRequest } from "../api";
import { sentOf, valueOf, type Labels, type Preset, type Values } from "../fields";
import { positionsOf } from "./profile";

/** What the server's warning of short queries advises, with the gap costs of the matrix: -task blastp-short. */
export const SHORT_PEPTIDE: Preset = {
  name: "Short peptide",
  about: "PAM30, E ≤ 20,000, highest score first: what is identical comes before anything else",
  values: { matrix: "PAM30", evalue: "20000", order: "score" },
};

export const PRESETS: Preset[] = [
  { name: "Standard", about: "BLOSUM62, E ≤ 10, the best 100", values: {} },
  {
    name: "Confident",
    about: "Only homologues beyond doubt: E ≤ 1e-5, at least half of the query covered",
    values: { evalue: "1e-5", min_query_coverage: "50" },
  },
  {
    name: "Distant relatives",
    about: "BLOSUM45 for old relationships, the best 500 with all their alignments",
    values: { matrix: "BLOSUM45", max_target_seqs: "500", alignments: "500" },
  },
  SHORT_PEPTIDE,
  { name: "Everything", about: "The best 10,000 subjects, E ≤ 10", values: { max_target_seqs: "10000" } },
];

/** The fields that only some need, in their order. */
export const MORE: Labels = {
  statistics: "Statistics",
  composition: "Composition",
  order: "Order",
  alignments: "Alignments for the best",
  max_hsps: "Alignments of a hit",
  min_bits: "Bits at least",
  min_identity: "Identity at least, %",
  min_query_coverage: "Coverage at least, %",
  taxids: "Organisms (taxids)",
  negative_taxids: "But not (taxids)",
  query_loc: "Part of each query",
  iterations: "Rounds, with profiles",
  inclusion_evalue: "E-value for a profile",
};

/** All fields of the form. */
export const LABELS: Labels = {
  matrix: "Matrix",
  gap_open: "Gap open",
  gap_extend: "Gap extend",
  evalue: "E-value at most",
  max_target_seqs: "Hits at most",
  ...MORE,
};

export const FIELDS = /* @__PURE__ */ [...Object.keys(LABELS), "title"];

/** The costs that the server takes when none are named. */
export function recommended(matrix: string): { gap_open: number; gap_extend: number } | undefined {
  const known = boot.parameters.matrices.find((each) => each.matrix === matrix)?.gap_costs ?? [];
  return known.find((pair) => pair.recommended) ?? known[0];
}

/** Whether gap costs without published statistics are asked for. */
export function hasOwnCosts(values: Values): boolean {
  if (!values.gap_open && !values.gap_extend) return false;
  const known = boot.parameters.matrices.find((each) => each.matrix === valueOf(values, "matrix"))?.gap_costs ?? [];
  return !known.some((pair) => String(pair.gap_open) === values.gap_open && String(pair.gap_extend) === values.gap_extend);
}

export function requestOf(text: string, database: string, values: Values): SearchRequest {
  const names = namesIn(database);
  const searched = names.length > 1 ? { databases: names } : { database };
  const unscored = values.statistics === "none" ? ["evalue", "min_bits"] : [];
  return {
    [positionsOf(text) === undefined ? "sequence" : "pssm"]: text,
    ...searched,
    // The page draws the distribution of all scores.
    score_distribution: true,
    ...sentOf(FIELDS.filter((name) => !unscored.includes(name)), values),
  };
}

/** The form's fields of a request, as an earlier search or another site's form has it. */
export function valuesOf(request: { [name: string]: unknown }): Values {
  const values: Values = {};
  for (const name of FIELDS) {
    const value = request[name];
    if (value !== undefined && value !== null && value !== "") values[name] = String(value);
  }
  return values;
}

/** The same of a result's parameters, for other queries: what differs from the server's defaults. */
export function settingsOf(parameters: { [name: string]: unknown }): Values {
  const values = valuesOf(parameters);
  delete values.query_loc;
  const usual = recommended(valueOf(values, "matrix"));
  if (String(usual?.gap_open) === values.gap_open && String(usual?.gap_extend) === values.gap_extend) {
    delete values.gap_open;
    delete values.gap_extend;
  }
  for (const [name, value] of Object.entries(values)) if (String(parameter(name)?.default) === value) delete values[name];
  return values;
}
