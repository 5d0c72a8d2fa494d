// How pairs are aligned: the server's parameters, as far as they count for the letters that are there.
import { boot, parameter } from "../api";
import { ChoiceField, describedBy, Field, TypedField, type Faults, type Shared, type Values } from "../fields";
import { Settings } from "../form/settings";
import { emptyOf, endsOf, FREE, LABELS, namesOf, PRESETS, usualOf } from "./fields";
import type { Letters } from "./types";

interface Props {
  values: Values;
  faults: Faults;
  /** What the letters are, or look like. */
  letters: Letters;
  onChange(values: Values): void;
}

export function AlignSettings({ letters, ...props }: Props) {
  const { values, onChange } = props;
  const fields = namesOf(values, letters).filter((name) => name !== "table");
  const field = (shared: Shared, name: string) => {
    const known = parameter(name);
    if (name === "free_ends") return <Ends key={name} {...shared} />;
    if (name === "mode") return <ChoiceField key={name} {...shared} name={name} span usual={usualOf(name, letters)} choices={[...(known?.values ?? []), { value: FREE, label: "some ends are free…" }]} />;
    if (name === "alphabet") return <Alphabet key={name} {...shared} letters={letters} />;
    if (name === "matrix") return <Matrix key={name} {...shared} usual={usualOf(name, letters)} onChange={onChange} />;
    if (known?.values.length) return <ChoiceField key={name} {...shared} name={name} span />;
    return <TypedField key={name} {...shared} name={name} empty={emptyOf(name, values, letters)} />;
  };
  return (
    <Settings kind="align" noun="alignment" labels={LABELS} presets={PRESETS} {...props}>
      {(shared) => (
        <>
          <div class="fields">{fields.map((name) => field(shared, name))}</div>
          {letters === "dna" && <TableOfScores {...shared} />}
        </>
      )}
    </Settings>
  );
}

function Alphabet({ letters, ...shared }: Shared & { letters: Letters }) {
  return (
    <>
      <ChoiceField {...shared} name="alphabet" span choices={[{ value: "", label: "as they look" }, ...(parameter("alphabet")?.values ?? [])]} />
      {!shared.values.alphabet && !shared.faults.alphabet && <p class="dim small letters-note">Taken for {letters === "dna" ? "DNA" : "proteins"}.</p>}
    </>
  );
}

/** The ends at which letters may be left out at no cost. */
function Ends(shared: Shared) {
  const chosen = endsOf(shared.values);
  const ends = parameter("free_ends")?.values ?? [];
  const toggle = (end: string) => shared.set("free_ends", ends.map(({ value }) => value).filter((value) => (value === end) !== chosen.includes(value)).join(" "));
  return (
    <Field {...shared} name="free_ends" span group>
      <div class="ends" role="group" aria-labelledby="label-free_ends" aria-describedby={describedBy("free_ends", shared.faults)}>
        {ends.map(({ value, label }) => (
          <label key={value}><input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />{label}</label>
        ))}
      </div>
    </Field>
  );
}

/** Another matrix has other gap costs. */
function Matrix({ usual, onChange, ...shared }: Shared & { usual: string; onChange(values: Values): void }) {
  const pick = (matrix: string) => onChange({ ...shared.values, matrix: matrix === usual ? "" : matrix, gap_open: "", gap_extend: "" });
  return <ChoiceField {...shared} name="matrix" span usual={usual} choices={boot.parameters.matrices.map(({ matrix }) => ({ value: matrix, label: matrix }))} onPick={pick} />;
}

function TableOfScores(shared: Shared) {
  const { values, faults, set } = shared;
  return (
    <details class="more" open={Boolean(values.table)}>
      <summary>A table of scores, in place of match and mismatch</summary>
      <Field {...shared} name="table">
        <p class="dim small">4 or 15 letters in the first line, then a row for each letter of the query: the letter, and its scores</p>
        <textarea id="field-table" class="scores" name="table" rows={6} spellcheck={false} autocomplete="off" maxLength={10_000} aria-invalid={Boolean(faults.table)} aria-describedby={describedBy("table", faults)} value={values.table ?? ""} onInput={(event) => set("table", event.currentTarget.value)} />
      </Field>
    </details>
  );
}
