// How MSAs are built: the server's parameters in the form's order, and what is sent of them.
import { parameter } from "../api";
import { ChoiceField, faultsIn, sentOf, TypedField, type Faults, type Labels, type Preset, type Values } from "../fields";
import { recordOf, type Check } from "../fasta";
import { Settings } from "../form/settings";

export const LABELS: Labels = {
  iterations: "Rounds at most",
  max_sequences: "Sequences at most",
  evalue: "E-value of a row",
  inclusion_evalue: "E-value for the profile",
  filter: "Filter",
  pairing: "Chains",
};
const NAMES = Object.keys(LABELS);
const PRESETS: Preset[] = [
  { name: "Standard", about: "Three rounds, rows up to E = 0.1, filtered: as structure predictors take them", values: {} },
  { name: "Deep", about: "Six rounds and up to 100,000 rows: for small families; look at the rounds for other families", values: { iterations: "6", max_sequences: "100000" } },
  { name: "Close relatives", about: "One round, rows up to E = 1e-10: for a family without its cousins", values: { iterations: "1", evalue: "1e-10" } },
  { name: "Everything", about: "Up to a million rows and no filter: to count, or to filter elsewhere", values: { max_sequences: "1000000", filter: "none" } },
];
/** Of a complex. */
const MOST_CHAINS = 100;

/** The body of a request. */
export function requestOf(text: string, check: Check, databases: string[], values: Values): { [name: string]: unknown } {
  const paired = values.pairing ? [{ chains: check.records.map((_, place) => recordOf(text, place + 1)) }] : text;
  return { queries: paired, databases, ...sentOf([...NAMES, "title"], values) };
}

/** What is wrong with the values, and with so many records for them. */
export function faultsOf(values: Values, records: number): Faults {
  const faults = faultsIn(NAMES, values);
  if (values.pairing && records > MOST_CHAINS) faults.pairing = `a complex has at most ${MOST_CHAINS} chains`;
  return faults;
}

interface Props {
  values: Values;
  faults: Faults;
  onChange(values: Values): void;
}

export function MsaSettings(props: Props) {
  return (
    <Settings kind="msa" noun="MSA" labels={LABELS} presets={PRESETS} {...props}>
      {(shared) => (
        <div class="fields">
          {NAMES.map((name) => parameter(name)?.values.length ? <ChoiceField key={name} {...shared} name={name} span /> : <TypedField key={name} {...shared} name={name} />)}
        </div>
      )}
    </Settings>
  );
}
