// Fields of a form whose defaults the page knows: numbers as text, and choices from a list.

/** Each field as text; empty means the default. */
export interface Values {
  [name: string]: string;
}

export interface Faults {
  [name: string]: string;
}

export interface Numeric {
  label: string;
  /** What an empty field stands for. */
  empty: string;
  least: number;
  most: number;
  whole: boolean;
  /** Whether it has to be more than the least. */
  above?: boolean;
  about: string;
}

export interface Choice {
  label: string;
  about: string;
  /** The first one is the default. */
  values: [string, string][];
}

/** What is wrong with each number's text. */
export function faultsIn(numbers: { [name: string]: Numeric }, values: Values): Faults {
  const faults: Faults = {};
  for (const [name, { least, most, whole, above }] of Object.entries(numbers)) {
    const text = values[name];
    const value = Number(text);
    if (!text) continue;
    if (!Number.isFinite(value) || (whole && !Number.isInteger(value))) faults[name] = whole ? "a whole number" : "a number";
    else if (above && value <= least) faults[name] = `more than ${least}`;
    else if (value < least) faults[name] = `at least ${least}`;
    else if (value > most) faults[name] = `at most ${most.toLocaleString("en-US")}`;
  }
  return faults;
}

/** The parameters of an earlier job as fields have them: what differs from the defaults. */
export function textsOf(numbers: { [name: string]: Numeric }, choices: { [name: string]: Choice }, parameters: object): Values {
  const usual = [...Object.entries(numbers).map(([name, { empty }]) => [name, empty]), ...Object.entries(choices).map(([name, { values }]) => [name, values[0]![0]])];
  const used = parameters as { [name: string]: unknown };
  return Object.fromEntries(usual.flatMap(([name, otherwise]) => (used[name!] === null || used[name!] === undefined || String(used[name!]) === otherwise ? [] : [[name, String(used[name!])]])));
}

interface Props<T> {
  name: string;
  known: T;
  values: Values;
  faults: Faults;
  set(name: string, text: string): void;
}

export function NumberField({ name, known, values, faults, set, span = false }: Props<Numeric> & { span?: boolean }) {
  return (
    <label class={span ? "field span" : "field"}>
      <span>{known.label}</span>
      <input
        inputMode="decimal"
        autocomplete="off"
        name={name}
        placeholder={known.empty}
        title={known.about}
        value={values[name] ?? ""}
        aria-invalid={Boolean(faults[name])}
        aria-describedby={faults[name] ? `fault-${name}` : undefined}
        onInput={(event) => set(name, event.currentTarget.value.trim())}
      />
      {faults[name] && <span class="fault" id={`fault-${name}`}>{faults[name]}</span>}
    </label>
  );
}

export function ChoiceField({ name, known, values, faults, set }: Props<Choice>) {
  const usual = known.values[0]![0];
  return (
    <label class="field span">
      <span>{known.label}</span>
      <select title={known.about} name={name} value={values[name] || usual} onChange={(event) => set(name, event.currentTarget.value === usual ? "" : event.currentTarget.value)}>
        {known.values.map(([value, text]) => <option key={value} value={value}>{text}</option>)}
      </select>
      {faults[name] && <span class="fault">{faults[name]}</span>}
    </label>
  );
}
