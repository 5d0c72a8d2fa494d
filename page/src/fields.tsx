// Fields of a form. Defaults, bounds, values and explanations are the server's parameters'; the page has labels and their order.
import type { ComponentChildren } from "preact";
import { at, parameter } from "./api";

/** Each field as text; empty means the default. */
export interface Values {
  [name: string]: string;
}

export interface Faults {
  [name: string]: string;
}

/** Settings that belong together; what a preset leaves out goes back to its default. */
export interface Preset {
  name: string;
  about: string;
  values: Values;
}

/** What each field is called. */
export interface Labels {
  [name: string]: string;
}

const partsOf = (text: string): string[] => text.split(/[\s,]+/).filter(Boolean);

/** What is wrong with a number's text by the server's own bounds, or nothing; of other texts the server's estimate says it. */
function faultOf(name: string, text: string): string | undefined {
  const known = parameter(name);
  if (!text || !known || !["integer", "number"].includes(known.type)) return undefined;
  const value = Number(text);
  if (known.type === "integer" && !Number.isInteger(value)) return "a whole number";
  if (!Number.isFinite(value)) return "a number";
  const { minimum, maximum, exclusive_minimum: above } = known;
  if (typeof minimum === "number" && (above ? value <= minimum : value < minimum)) return `${above ? "more than" : "at least"} ${minimum}`;
  return typeof maximum === "number" && value > maximum ? `at most ${maximum.toLocaleString("en-US")}` : undefined;
}

/** What is wrong with each of these fields' text. */
export function faultsIn(names: string[], values: Values): Faults {
  const found = names.flatMap((name) => {
    const fault = faultOf(name, values[name] ?? "");
    return fault ? [[name, fault]] : [];
  });
  return Object.fromEntries(found) as Faults;
}

/** The fields of a request: those of these that say something, as what the server takes. */
export function sentOf(names: string[], values: Values): { [name: string]: unknown } {
  const sent: { [name: string]: unknown } = {};
  for (const name of names) {
    const text = values[name];
    const known = parameter(name);
    if (!text || !known) continue;
    if (known.type === "array") sent[name] = known.values.length > 0 ? partsOf(text) : partsOf(text).map(Number);
    else sent[name] = known.type === "string" ? text : Number(text);
  }
  return sent;
}

/** The parameters of an earlier job as fields have them: what differs from what an empty one stands for. */
export function textsOf(names: string[], parameters: object, usual = (name: string) => String(parameter(name)?.default ?? "")): Values {
  const used = parameters as { [name: string]: unknown };
  const texts = names.map((name): [string, string] => [name, String(used[name] ?? "")]);
  return Object.fromEntries(texts.filter(([name, text]) => text && text !== usual(name)));
}

/** What a field has, or else stands for. */
export const valueOf = (values: Values, name: string): string => values[name] || String(parameter(name)?.default ?? "");

/** A value of a list in words. */
export const wordsOf = (name: string, value: unknown): string | undefined => parameter(name)?.values.find((known) => known.value === value)?.label;

/** What all fields of a form have in common. */
export interface Shared {
  /** How /help calls the form. */
  kind: string;
  /** Whether the sentences about the fields are shown. */
  explained: boolean;
  labels: Labels;
  values: Values;
  faults: Faults;
  set(name: string, text: string): void;
}

interface Props extends Shared {
  name: string;
  /** The parameter that it is of, where that has another name. */
  of?: string;
  span?: boolean;
}

/** What describes a field: the server's sentence, also where it is not shown, and what is wrong. */
export const describedBy = (name: string, faults: Faults): string => `about-${name}${faults[name] ? ` fault-${name}` : ""}`;

/** A field with its label, its fault and what the server says it is for. group: of several boxes. */
export function Field({ kind, explained, labels, faults, name, of = name, span, group, children }: Props & { group?: boolean; children: ComponentChildren }) {
  const label = labels[name];
  return (
    <div class={span ? "field span" : "field"}>
      {group ? <span class="label" id={`label-${name}`}>{label}</span> : <label class="label" for={`field-${name}`}>{label}</label>}
      {children}
      {faults[name] && <span class="fault" id={`fault-${name}`}>{faults[name]}</span>}
      <p class="explained" hidden={!explained}>
        <span id={`about-${name}`}>{parameter(of)?.summary}</span>{" "}
        <a href={at(`/help#${kind}-${of}`)}>More<span class="visually-hidden"> about {label}</span></a>
      </p>
    </div>
  );
}

interface TypedProps extends Props {
  /** What stands in an empty field, where that is not the server's default. */
  empty?: string | undefined;
  disabled?: boolean;
}

/** A number, or a short text. */
export function TypedField({ empty, disabled = false, ...props }: TypedProps) {
  const { name, values, set } = props;
  const faults = disabled ? {} : props.faults;
  const usual = parameter(name)?.default;
  return (
    <Field {...props} faults={faults}>
      <input
        id={`field-${name}`}
        inputMode="decimal"
        autocomplete="off"
        name={name}
        disabled={disabled}
        placeholder={empty ?? (typeof usual === "number" ? String(usual) : "any")}
        value={disabled ? "" : (values[name] ?? "")}
        aria-invalid={Boolean(faults[name])}
        aria-describedby={describedBy(name, faults)}
        onInput={(event) => set(name, event.currentTarget.value.trim())}
      />
    </Field>
  );
}

/** A value and its words; one that is off cannot be chosen now. */
export interface Choice {
  value: string;
  label: string;
  off?: boolean;
}

interface ChoiceProps extends Props {
  /** In place of the server's. */
  choices?: Choice[];
  /** What is chosen where nothing is said, in place of the server's default. */
  usual?: string | undefined;
  /** What a choice does besides, or in place of setting the field. */
  onPick?(value: string): void;
}

/** A value of a list. */
export function ChoiceField({ choices, usual, onPick, ...props }: ChoiceProps) {
  const { name, values, faults, set } = props;
  const known = choices ?? parameter(name)?.values ?? [];
  const first = usual ?? String(parameter(name)?.default ?? "");
  const pick = (value: string) => set(name, value === first ? "" : value);
  return (
    <Field {...props}>
      <select
        id={`field-${name}`}
        name={name}
        value={values[name] || first}
        aria-invalid={Boolean(faults[name])}
        aria-describedby={describedBy(name, faults)}
        onChange={(event) => (onPick ?? pick)(event.currentTarget.value)}
      >
        {known.map(({ value, label, off }: Choice) => <option key={value} value={value} disabled={off}>{label}</option>)}
      </select>
    </Field>
  );
}
