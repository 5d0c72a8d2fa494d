// How genomes are compared: every parameter of a comparison with its default; only what differs is sent.
import { Panel } from "../parts";

/** Each field as text; empty means the default. */
export interface Values {
  [name: string]: string;
}

interface Numeric {
  label: string;
  /** What an empty field stands for. */
  empty: string;
  least: number;
  most: number;
  whole: boolean;
  about: string;
}

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

interface Choice {
  label: string;
  about: string;
  /** The first one is the default. */
  values: [string, string][];
}

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
  const faults: { [name: string]: string } = {};
  for (const [name, { least, most, whole }] of Object.entries(numericOf(values))) {
    const text = values[name];
    const value = Number(text);
    if (!text) continue;
    if (!Number.isFinite(value) || (whole && !Number.isInteger(value))) faults[name] = whole ? "a whole number" : "a number";
    else if (value < least) faults[name] = `at least ${least}`;
    else if (value > most) faults[name] = `at most ${most.toLocaleString("en-US")}`;
  }
  if (values.extension === "blocks" && values.word && values.word !== "32") faults.word = "blocks go with words of 32";
  return faults;
}

/** The fields of a request. */
export function valuesOf(values: Values): { [name: string]: unknown } {
  const numbers = numericOf(values);
  const entries = Object.entries(values).filter(([name, text]) => text !== (FIRST[name] ?? "") && (name in numbers || name in CHOICES || name === "title"));
  return Object.fromEntries(entries.map(([name, text]) => [name, name in numbers ? Number(text) : text]));
}

interface Props {
  values: Values;
  faults: { [name: string]: string };
  onChange(values: Values): void;
}

export function Settings({ values, faults, onChange }: Props) {
  const set = (name: string, text: string) => onChange({ ...values, [name]: text });
  const number = (name: string, { label, empty, about }: Numeric) => (
    <label key={name} class={name === "x_drop" ? "field span" : "field"}>
      <span>{label}</span>
      <input
        inputMode="decimal"
        autocomplete="off"
        name={name}
        placeholder={empty}
        title={about}
        value={values[name] ?? ""}
        aria-invalid={Boolean(faults[name])}
        aria-describedby={faults[name] ? `fault-${name}` : undefined}
        onInput={(event) => set(name, event.currentTarget.value.trim())}
      />
      {faults[name] && <span class="fault" id={`fault-${name}`}>{faults[name]}</span>}
    </label>
  );
  const choice = (name: string) => {
    const { label, about, values: known } = CHOICES[name]!;
    return (
      <label key={name} class="field span">
        <span>{label}</span>
        <select title={about} name={name} value={values[name] || known[0]![0]} onChange={(event) => set(name, event.currentTarget.value === known[0]![0] ? "" : event.currentTarget.value)}>
          {known.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
        </select>
        {faults[name] && <span class="fault">{faults[name]}</span>}
      </label>
    );
  };
  return (
    <Panel title="Parameters">
      <div class="fields">
        {numbersOf(values).map(([name, known]) => number(name, known))}
        {Object.keys(CHOICES).map(choice)}
        {values.gapped === "exact" && Object.entries(OF_GAPS).map(([name, known]) => number(name, known))}
      </div>
      <label class="field title-field">
        <span>Name of this comparison</span>
        <input value={values.title ?? ""} maxLength={200} placeholder="optional" onInput={(event) => set("title", event.currentTarget.value)} />
      </label>
    </Panel>
  );
}
