// How genomes are compared: every parameter of a comparison with its default; only what differs is sent.
import { ChoiceField, NumberField, faultsIn, type Choice, type Numeric, type Values } from "../fields";
import { Panel } from "../parts";

const NUMBERS: { [name: string]: Numeric } = {
  word: { label: "Word, letters", empty: "32", least: 8, most: 32, whole: true, about: "Equal letters that a shared stretch has in a row somewhere: shorter words find more distant relatives" },
  min_length: { label: "Length at least", empty: "100", least: 1, most: 2 ** 29, whole: true, about: "Letters of an HSP" },
  min_identity: { label: "Identity at least, %", empty: "60", least: 0, most: 100, whole: false, about: "Equal letters of an HSP in per cent" },
  max_frequency: { label: "Seeds of a word at most", empty: "any", least: 1, most: 2 ** 29, whole: true, about: "Fewer for genomes full of repeats" },
  x_drop: { label: "Cut HSPs where the score falls by more than", empty: "never", least: 0, most: 1e9, whole: true, about: "An HSP ends where letters that differ have taken so much of its score; empty or 0: never" },
};
const OF_GAPS: { [name: string]: Numeric } = {
  match: { label: "Match", empty: "2", least: 1, most: 1000, whole: true, about: "Of two equal letters" },
  mismatch: { label: "Mismatch", empty: "-3", least: -1000, most: -1, whole: true, about: "Of two other letters" },
  gap_open: { label: "Gap open", empty: "5", least: 0, most: 1000, whole: true, about: "A gap of n letters costs gap open + n times gap extend" },
  gap_extend: { label: "Gap extend", empty: "2", least: 0, most: 1000, whole: true, about: "See gap open" },
};

export const CHOICES: { [name: string]: Choice } = {
  sensitivity: { label: "Sensitivity", about: "Which seeds of repeated words are followed", values: [["sensitive", "sensitive: all seeds"], ["fast", "fast: few seeds of repeats"], ["hyperfast", "hyperfast: main syntenies only"]] },
  strands: { label: "Strands", about: "Of the subject", values: [["both", "both"], ["forward", "forward alone"]] },
  extension: { label: "Extension", about: "How a seed becomes an HSP", values: [["letters", "letter by letter"], ["blocks", "blocks of 32, as GPUGECKO"]] },
  gapped: { label: "Gaps", about: "Whether each HSP is aligned with gaps", values: [["none", "none: HSPs alone"], ["exact", "align each HSP's box exactly"]] },
};

/** What a form begins with, and what is not sent: of these fields empty is 0, not the default. */
export const FIRST: Values = { x_drop: "1000" };

/** Blocks are not cut. */
const numbersOf = ({ extension }: Values): [string, Numeric][] => Object.entries(NUMBERS).filter(([name]) => name !== "x_drop" || extension !== "blocks");

/** The fields that count with these values. */
export function numericOf(values: Values): { [name: string]: Numeric } {
  return { ...Object.fromEntries(numbersOf(values)), ...(values.gapped === "exact" ? OF_GAPS : {}) };
}

/** What is wrong with each field's text. */
export function faultsOf(values: Values): { [name: string]: string } {
  const faults = faultsIn(numericOf(values), values);
  if (values.extension === "blocks" && values.word && values.word !== "32") faults.word = "blocks go with words of 32";
  return faults;
}

/** The fields of a request. */
export function valuesOf(values: Values): { [name: string]: unknown } {
  const numbers = numericOf(values);
  const isNumber = (name: string) => Object.hasOwn(numbers, name);
  const entries = Object.entries(values).filter(([name, text]) => text !== (FIRST[name] ?? "") && (isNumber(name) || Object.hasOwn(CHOICES, name) || name === "title"));
  return Object.fromEntries(entries.map(([name, text]) => [name, isNumber(name) ? Number(text) : text]));
}

interface Props {
  values: Values;
  faults: { [name: string]: string };
  onChange(values: Values): void;
}

export function Settings({ values, faults, onChange }: Props) {
  const set = (name: string, text: string) => onChange({ ...values, [name]: text });
  const number = (name: string, known: Numeric) => <NumberField key={name} {...{ name, known, values, faults, set }} span={name === "x_drop"} />;
  return (
    <Panel title="Parameters">
      <div class="fields">
        {numbersOf(values).map(([name, known]) => number(name, known))}
        {Object.entries(CHOICES).map(([name, known]) => <ChoiceField key={name} {...{ name, known, values, faults, set }} />)}
        {values.gapped === "exact" && Object.entries(OF_GAPS).map(([name, known]) => number(name, known))}
      </div>
      <label class="field title-field">
        <span>Name of this comparison</span>
        <input value={values.title ?? ""} maxLength={200} placeholder="optional" onInput={(event) => set("title", event.currentTarget.value)} />
      </label>
    </Panel>
  );
}
