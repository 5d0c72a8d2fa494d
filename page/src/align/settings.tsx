// How pairs are aligned: what the server's parameters say, as far as it counts for the letters that are there.
import { boot } from "../api";
import { ChoiceField, NumberField, type Faults, type Values } from "../fields";
import { Panel } from "../parts";
import { CHOICES, choicesOf, ENDS, endsOf, FIELDS, FREE, numbersOf } from "./fields";
import type { Letters } from "./types";

interface Props {
  values: Values;
  faults: Faults;
  /** What the letters are, or look like. */
  letters: Letters;
  onChange(values: Values): void;
}

export function Settings({ values, faults, letters, onChange }: Props) {
  const set = (name: string, text: string) => onChange({ ...values, [name]: text });
  const field = { values, faults, set };
  const choice = (name: string) => <ChoiceField key={name} name={name} known={CHOICES[name]!} {...field} />;
  const numbers = numbersOf(values, letters);
  const number = (name: string) => numbers[name] && <NumberField key={name} name={name} known={numbers[name]} {...field} />;
  const [pairing, mode, alphabet, ...others] = choicesOf(letters);
  return (
    <Panel title="Parameters">
      <div class="fields">
        {choice(pairing!)}
        {choice(mode!)}
        {values.mode === FREE && <Ends values={values} fault={faults.free_ends} set={set} />}
        {choice(alphabet!)}
        {!values.alphabet && <p class="dim small letters-note">Taken for {letters === "dna" ? "DNA" : "proteins"}.</p>}
        {letters === "protein" && <Matrix values={values} fault={faults.matrix} onChange={onChange} />}
        {number("match")}
        {number("mismatch")}
        {number("gap_open")}
        {number("gap_extend")}
        {others.map(choice)}
        {number("best")}
        {number("query_apart")}
        {number("subject_apart")}
      </div>
      {letters === "dna" && <TableOfScores values={values} fault={faults.table} set={set} />}
      <label class="field title-field">
        <span>Name of this alignment</span>
        <input value={values.title ?? ""} maxLength={200} placeholder="optional" onInput={(event) => set("title", event.currentTarget.value)} />
      </label>
    </Panel>
  );
}

interface FieldProps {
  values: Values;
  fault: string | undefined;
  set(name: string, text: string): void;
}

/** The ends at which letters may be left out at no cost. */
function Ends({ values, fault, set }: FieldProps) {
  const chosen = endsOf(values);
  const toggle = (end: string) => set("free_ends", ENDS.map(([name]) => name).filter((name) => (name === end) !== chosen.includes(name)).join(" "));
  return (
    <fieldset class="field span ends" title={FIELDS.about.free_ends}>
      <legend>Free ends; without any it is global</legend>
      {ENDS.map(([end, label]) => (
        <label key={end}><input type="checkbox" checked={chosen.includes(end)} onChange={() => toggle(end)} />{label}</label>
      ))}
      {fault && <span class="fault">{fault}</span>}
    </fieldset>
  );
}

/** Another matrix has other gap costs. */
function Matrix({ values, fault, onChange }: { values: Values; fault: string | undefined; onChange(values: Values): void }) {
  const usual = FIELDS.usual.protein.matrix ?? "";
  const pick = (matrix: string) => onChange({ ...values, matrix: matrix === usual ? "" : matrix, gap_open: "", gap_extend: "" });
  return (
    <label class="field span">
      <span>Matrix</span>
      <select name="matrix" title={FIELDS.about.matrix} value={values.matrix || usual} onChange={(event) => pick(event.currentTarget.value)}>
        {boot.parameters.matrices.map(({ matrix }) => <option key={matrix}>{matrix}</option>)}
      </select>
      {fault && <span class="fault">{fault}</span>}
    </label>
  );
}

function TableOfScores({ values, fault, set }: FieldProps) {
  return (
    <details class="more" open={Boolean(values.table)}>
      <summary>A table of scores, in place of match and mismatch</summary>
      <label class="field">
        <span>4 or 15 letters in the first line, then a row for each letter of the query: the letter, and its scores</span>
        <textarea class="scores" name="table" rows={6} spellcheck={false} autocomplete="off" maxLength={10_000} aria-invalid={Boolean(fault)} value={values.table ?? ""} onInput={(event) => set("table", event.currentTarget.value)} />
        {fault && <span class="fault">{fault}</span>}
      </label>
    </details>
  );
}
