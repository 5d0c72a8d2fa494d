// How MSAs are built: every parameter of POST /v1/msas with its default; only what differs is sent.
import { ChoiceField, faultsIn, NumberField, type Choice, type Faults, type Numeric, type Values } from "../fields";
import { recordOf, type Check } from "../fasta";
import { Panel } from "../parts";

const NUMBERS: { [name: string]: Numeric } = {
  iterations: { label: "Rounds at most", empty: "3", least: 1, most: 20, whole: true, about: "Each but the first searches with a profile of what the one before has found; it ends earlier where nothing new is found" },
  max_sequences: { label: "Sequences at most", empty: "10000", least: 1, most: 1_000_000, whole: true, about: "Of each chain, before the filter" },
  evalue: { label: "E-value of a row", empty: "0.1", least: 0, most: Number.MAX_VALUE, whole: false, above: true, about: "The largest" },
  inclusion_evalue: { label: "E-value for the profile", empty: "0.002", least: 0, most: 10, whole: false, above: true, about: "The largest of a row that is in the profile of the next round" },
};
/** Of a complex. */
const MOST_CHAINS = 100;
const CHOICES: { [name: string]: Choice } = {
  filter: { label: "Filter", about: "Of many rows those are kept that are unlike each other (HHsuite's rule)", values: [["diverse", "keep what is unlike each other"], ["none", "keep all rows"]] },
  pairing: {
    label: "Chains",
    about: "Rows of several chains that are of one organism can be paired, as predictors of complexes need them",
    values: [["none", "each record alone"], ["greedy", "one complex: pair organisms that two chains have"], ["complete", "one complex: pair organisms that all chains have"]],
  },
};

/** The body of a request. */
export function requestOf(text: string, check: Check, databases: string[], values: Values): { [name: string]: unknown } {
  const paired = values.pairing ? [{ chains: check.records.map((_, place) => recordOf(text, place + 1)) }] : text;
  const entries = Object.entries(values).filter(([name, value]) => value && (Object.hasOwn(NUMBERS, name) || Object.hasOwn(CHOICES, name) || name === "title"));
  return { queries: paired, databases, ...Object.fromEntries(entries.map(([name, value]) => [name, Object.hasOwn(NUMBERS, name) ? Number(value) : value])) };
}

/** What is wrong with the values, and with so many records for them. */
export function faultsOf(values: Values, records: number): Faults {
  const faults = faultsIn(NUMBERS, values);
  if (values.pairing && records > MOST_CHAINS) faults.pairing = `a complex has at most ${MOST_CHAINS} chains`;
  return faults;
}

interface Props {
  values: Values;
  faults: Faults;
  onChange(values: Values): void;
}

export function Settings({ values, faults, onChange }: Props) {
  const set = (name: string, text: string) => onChange({ ...values, [name]: text });
  return (
    <Panel title="Parameters">
      <div class="fields">
        {Object.entries(NUMBERS).map(([name, known]) => <NumberField key={name} {...{ name, known, values, faults, set }} />)}
        {Object.entries(CHOICES).map(([name, known]) => <ChoiceField key={name} {...{ name, known, values, faults, set }} />)}
      </div>
      <label class="field title-field">
        <span>Name of this MSA</span>
        <input value={values.title ?? ""} maxLength={200} placeholder="optional" onInput={(event) => set("title", event.currentTarget.value)} />
      </label>
    </Panel>
  );
}
