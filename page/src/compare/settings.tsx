// How genomes are compared: which of the server's parameters the form has, in which order, and which of them count.
import { ChoiceField, faultsIn, sentOf, TypedField, type Faults, type Labels, type Preset, type Values } from "../fields";
import { parameter } from "../api";
import { Settings } from "../form/settings";

export const LABELS: Labels = {
  word: "Word, letters",
  min_length: "Length at least",
  min_identity: "Identity at least, %",
  max_frequency: "Seeds of a word at most",
  x_drop: "Cut HSPs where the score falls by more than",
  sensitivity: "Sensitivity",
  strands: "Strands",
  extension: "Extension",
  gapped: "Gaps",
  match: "Match",
  mismatch: "Mismatch",
  gap_open: "Gap open",
  gap_extend: "Gap extend",
};
const OF_GAPS = ["match", "mismatch", "gap_open", "gap_extend"];

const PRESETS: Preset[] = [
  { name: "Standard", about: "Genomes of related species: stretches of 100 letters, 60 % equal", values: {} },
  {
    name: "Same species",
    about: "Strains: stretches of 1,000 letters and more, 90 % equal and more",
    values: { min_length: "1000", min_identity: "90" },
  },
  {
    name: "Distant",
    about: "Other genera: words of 16, stretches of 50 letters and more; takes longer",
    values: { word: "16", min_length: "50" },
  },
  { name: "With gaps", about: "As Standard, and each stretch aligned exactly, with gaps; takes longer", values: { gapped: "exact" } },
];

/** The fields that count with these values; blocks are not cut. */
export const namesOf = ({ extension, gapped }: Values): string[] =>
  Object.keys(LABELS).filter((name) => (name !== "x_drop" || extension !== "blocks") && (gapped === "exact" || !OF_GAPS.includes(name)));

/** What is wrong with each field's text. */
export function faultsOf(values: Values): Faults {
  const faults = faultsIn(namesOf(values), values);
  if (values.extension === "blocks" && values.word && values.word !== "32") faults.word = "blocks go with words of 32";
  return faults;
}

/** The fields of a request. */
export const valuesOf = (values: Values): { [name: string]: unknown } => sentOf([...namesOf(values), "title"], values);

interface Props {
  values: Values;
  faults: Faults;
  onChange(values: Values): void;
}

export function CompareSettings(props: Props) {
  return (
    <Settings kind="compare" noun="comparison" labels={LABELS} presets={PRESETS} {...props}>
      {(shared) => (
        <div class="fields">
          {namesOf(props.values).map((name) => parameter(name)?.values.length
            ? <ChoiceField key={name} {...shared} name={name} span />
            : <TypedField key={name} {...shared} name={name} span={name === "x_drop"} />)}
        </div>
      )}
    </Settings>
  );
}
