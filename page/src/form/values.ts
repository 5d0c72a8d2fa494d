// What the form holds, and the request that it makes: only what differs from the server's defaults is sent.
import { boot, namesIn, parameter, type SearchRequest } from "../api";
import { positionsOf } from "./profile";

/** Each field as text; empty means the server's default. */
export interface Values {
  [name: string]: string;
}

export interface Preset {
  name: string;
  about: string;
  values: Values;
}

/** What the server's warning of short queries advises, with the gap costs of the matrix: -task blastp-short. */
export const SHORT_PEPTIDE: Preset = {
  name: "Short peptide",
  about: "PAM30, E ≤ 20,000, highest score first: what is identical comes before anything else",
  values: { matrix: "PAM30", evalue: "20000", order: "score" },
};

/** Settings that belong together; what a preset leaves out goes back to its default. */
const SUGGESTED: Preset[] = [
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

export const PRESETS = /* @__PURE__ */ SUGGESTED.filter(
  ({ values }) => !values.matrix || boot.parameters.matrices.some(({ matrix }) => matrix === values.matrix),
);

export const FIELDS = /* @__PURE__ */ [
  "matrix", "gap_open", "gap_extend", "statistics", "composition", "order", "evalue", "max_target_seqs", "alignments", "max_hsps", "min_bits",
  "min_identity", "min_query_coverage", "taxids", "negative_taxids", "query_loc", "iterations", "inclusion_evalue", "title",
].filter((name) => parameter(name));

/** The costs that the server takes when none are named. */
export function recommended(matrix: string): { gap_open: number; gap_extend: number } | undefined {
  const known = boot.parameters.matrices.find((each) => each.matrix === matrix)?.gap_costs ?? [];
  return known.find((pair) => pair.recommended) ?? known[0];
}

export const valueOf = (values: Values, name: string): string =>
  values[name] || String(parameter(name)?.default ?? "");

export function activePreset(values: Values): Preset | undefined {
  const relevant = FIELDS.filter((name) => name !== "title");
  return PRESETS.find((preset) => relevant.every((name) => (values[name] ?? "") === (preset.values[name] ?? "")));
}

/** Whether gap costs without published statistics are asked for. */
export function hasOwnCosts(values: Values): boolean {
  if (!values.gap_open && !values.gap_extend) return false;
  const known = boot.parameters.matrices.find((each) => each.matrix === valueOf(values, "matrix"))?.gap_costs ?? [];
  return !known.some((pair) => String(pair.gap_open) === values.gap_open && String(pair.gap_extend) === values.gap_extend);
}

/** Numbers that have to be above their least. */
const ABOVE = ["evalue", "inclusion_evalue"];

const RANGE = /^([1-9]\d*)-([1-9]\d*)$/;

function rangeFault(text: string): string | undefined {
  const [, first, last] = RANGE.exec(text) ?? [];
  if (first === undefined) return "as 5-40";
  return Number(first) > Number(last) ? "its end is before its start" : undefined;
}

const taxidsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** What is wrong with a field's text by the server's own bounds, or nothing. */
export function faultOf(name: string, text: string): string | undefined {
  const known = parameter(name);
  if (text && name === "query_loc") return rangeFault(text);
  if (known?.type === "array") return taxidsOf(text).every((taxid) => /^[1-9]\d{0,9}$/.test(taxid)) ? undefined : "numbers, as 9606,10090";
  if (!text || !known || known.type === "string") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || text.trim() === "") return "a number";
  if (known.type === "integer" && !Number.isInteger(value)) return "a whole number";
  const { minimum, maximum } = known;
  if (minimum !== null && minimum !== undefined && (value < minimum || (ABOVE.includes(name) && value === 0))) {
    return ABOVE.includes(name) ? "more than 0" : `at least ${minimum}`;
  }
  return maximum !== null && maximum !== undefined && value > maximum ? `at most ${maximum.toLocaleString("en-US")}` : undefined;
}

export function faultsOf(values: Values): { [name: string]: string } {
  const faults: { [name: string]: string } = {};
  for (const name of FIELDS) {
    const fault = faultOf(name, values[name] ?? "");
    if (fault) faults[name] = fault;
  }
  return faults;
}

export function requestOf(text: string, database: string, values: Values): SearchRequest {
  const names = namesIn(database);
  const searched = names.length > 1 ? { databases: names } : { database };
  const request: SearchRequest = { [positionsOf(text) === undefined ? "sequence" : "pssm"]: text, ...searched };
  // The page draws the distribution of all scores where the server counts it.
  if (parameter("score_distribution")) request.score_distribution = true;
  for (const name of FIELDS) {
    const value = values[name];
    const unscored = valueOf(values, "statistics") === "none" && (name === "evalue" || name === "min_bits");
    if (!value || unscored) continue;
    const type = parameter(name)?.type;
    request[name] = type === "array" ? taxidsOf(value).map(Number) : type === "string" ? value : Number(value);
  }
  return request;
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
