// How to search: presets, and every parameter that the server publishes.
import { useState } from "preact/hooks";
import { boot, parameter } from "../api";
import { Panel } from "../parts";
import { activePreset, hasOwnCosts, PRESETS, recommended, valueOf, type Values } from "./values";

const OTHER = "other";
const ORDERS = { evalue: "lowest E-value first", score: "highest score first" };
/** Methods that need published parameters of the gap costs. */
const PUBLISHED = ["table", "karlin-altschul"];

/** Whether any database knows taxa, each of which stands for all that descends from it. */
const hasTaxa = Boolean(parameter("taxids")) && boot.databases.some(({ taxonomy }) => taxonomy !== undefined && taxonomy !== "none");

interface Props {
  values: Values;
  faults: { [name: string]: string };
  onChange(values: Values): void;
}

export function Parameters({ values, faults, onChange }: Props) {
  // The fields stay while one types costs that happen to be published; `before` is the method that had to go for them.
  const [own, setOwn] = useState<{ before?: string }>();
  const isOwn = own !== undefined || hasOwnCosts(values);
  const set = (name: string, text: string) => onChange({ ...values, [name]: text });
  const active = activePreset(values);
  const field = { values, faults, set };
  const method = valueOf(values, "statistics");
  const unscored = method === "none";
  const pick = (costs: string) => {
    if (costs === OTHER) {
      const needed = PUBLISHED.includes(method);
      setOwn(needed ? { before: values.statistics ?? "" } : {});
      return onChange({ ...values, gap_open: "10", gap_extend: "3", ...(needed && { statistics: withoutPublished() }) });
    }
    const [open = "", extend = ""] = costs.split("/");
    const usual = recommended(valueOf(values, "matrix"));
    const isUsual = costs === `${usual?.gap_open}/${usual?.gap_extend}`;
    setOwn(undefined);
    // Whoever has chosen another method meanwhile keeps that.
    const back = own?.before !== undefined && method === withoutPublished() && { statistics: own.before };
    onChange({ ...values, gap_open: isUsual ? "" : open, gap_extend: isUsual ? "" : extend, ...back });
  };
  return (
    <Panel title="Parameters">
      <div class="presets" role="group" aria-label="Presets">
        {PRESETS.map((preset) => (
          <button
            key={preset.name}
            type="button"
            class="chip"
            title={preset.about}
            aria-pressed={preset === active}
            onClick={() => { setOwn(undefined); onChange({ ...preset.values, title: values.title ?? "" }); }}
          >
            {preset.name}
          </button>
        ))}
      </div>
      <p class="dim preset-about">{active ? active.about : "Settings of your own"}</p>
      <div class="fields">
        <label class="field">
          <span>Matrix</span>
          <select value={valueOf(values, "matrix")} onChange={(event) => { setOwn(undefined); onChange({ ...values, matrix: event.currentTarget.value, gap_open: "", gap_extend: "" }); }}>
            {boot.parameters.matrices.map(({ matrix }) => <option key={matrix}>{matrix}</option>)}
          </select>
        </label>
        <GapCosts values={values} isOwn={isOwn} onPick={pick} />
        {isOwn && <NumberField {...field} name="gap_open" label="Gap open" />}
        {isOwn && <NumberField {...field} name="gap_extend" label="Gap extend" />}
        <NumberField {...field} name="evalue" label="E-value at most" disabled={unscored} />
        <NumberField {...field} name="max_target_seqs" label="Hits at most" />
      </div>
      <details class="more" open={["statistics", "composition", "order", "alignments", "max_hsps", "min_bits", "min_identity", "min_query_coverage", "taxids", "negative_taxids", "query_loc", "iterations", "inclusion_evalue"].some((name) => values[name])}>
        <summary>More parameters</summary>
        <div class="fields">
          <Choice {...field} name="statistics" label="Statistics" without={hasOwnCosts(values) ? PUBLISHED : []} />
          <Choice {...field} name="composition" label="Composition" without={[]} />
          <Choice {...field} name="order" label="Order" without={[]} words={ORDERS} />
          <NumberField {...field} name="alignments" label="Alignments for the best" />
          {parameter("max_hsps") && <NumberField {...field} name="max_hsps" label="Alignments of a hit" />}
          <NumberField {...field} name="min_bits" label="Bits at least" disabled={unscored} />
          <NumberField {...field} name="min_identity" label="Identity at least, %" />
          <NumberField {...field} name="min_query_coverage" label="Coverage at least, %" />
          {hasTaxa && <NumberField {...field} name="taxids" label="Organisms (taxids)" placeholder="all, or as 9606,10090" />}
          {hasTaxa && <NumberField {...field} name="negative_taxids" label="But not (taxids)" placeholder="none, or as 562" />}
          {parameter("query_loc") && <NumberField {...field} name="query_loc" label="Part of each query" placeholder="all, or as 5-40" />}
          {parameter("iterations") && <NumberField {...field} name="iterations" label="Rounds, with profiles" />}
          {parameter("inclusion_evalue") && <NumberField {...field} name="inclusion_evalue" label="E-value for a profile" />}
        </div>
      </details>
      <label class="field title-field">
        <span>Name of this search</span>
        <input value={values.title ?? ""} maxLength={200} placeholder="optional" onInput={(event) => set("title", event.currentTarget.value)} />
      </label>
    </Panel>
  );
}

interface FieldProps {
  name: string;
  label: string;
  values: Values;
  faults: { [name: string]: string };
  disabled?: boolean;
  placeholder?: string;
  set(name: string, text: string): void;
}

function NumberField({ name, label, values, faults, disabled, placeholder, set }: FieldProps) {
  const fault = disabled ? undefined : faults[name];
  const usual = parameter(name)?.default;
  return (
    <label class="field">
      <span>{label}</span>
      <input
        inputMode="decimal"
        autocomplete="off"
        name={name}
        disabled={disabled}
        placeholder={placeholder ?? (usual === null || usual === undefined ? "any" : Number(usual).toLocaleString("en-US"))}
        title={parameter(name)?.description}
        value={disabled ? "" : (values[name] ?? "")}
        aria-invalid={Boolean(fault)}
        aria-describedby={fault ? `fault-${name}` : undefined}
        onInput={(event) => set(name, event.currentTarget.value.trim())}
      />
      {fault && <span class="fault" id={`fault-${name}`}>{fault}</span>}
    </label>
  );
}

interface ChoiceProps extends Omit<FieldProps, "faults" | "disabled" | "placeholder"> {
  /** Values that cannot be chosen now. */
  without: string[];
  /** What is shown for values, where the server has no words for them. */
  words?: { [value: string]: string };
}

/** A parameter with a list of values, if the server knows it. */
function Choice({ name, label, values, without, words = {}, set }: ChoiceProps) {
  const known = parameter(name);
  if (!known) return null;
  return (
    <label class="field span">
      <span>{label}</span>
      <select title={known.description} value={valueOf(values, name)} onChange={(event) => set(name, event.currentTarget.value)}>
        {known.values.map(({ value, label: text }) => <option key={value} value={value} disabled={without.includes(value)}>{words[value] ?? text}</option>)}
      </select>
    </label>
  );
}

/** A method that any gap costs will do for. */
const withoutPublished = (): string => (parameter("statistics")?.values.some(({ value }) => value === "fitted") ? "fitted" : "none");

interface CostsProps {
  values: Values;
  isOwn: boolean;
  onPick(costs: string): void;
}

/** The pairs with published statistics, and any other where a method does without them. */
function GapCosts({ values, isOwn, onPick }: CostsProps) {
  const matrix = valueOf(values, "matrix");
  const pairs = boot.parameters.matrices.find((each) => each.matrix === matrix)?.gap_costs ?? [];
  const usual = recommended(matrix);
  const chosen = isOwn ? OTHER : `${values.gap_open || usual?.gap_open}/${values.gap_extend || usual?.gap_extend}`;
  return (
    <label class="field">
      <span>Gap open, extend</span>
      <select value={chosen} title={parameter("gap_open")?.description} onChange={(event) => onPick(event.currentTarget.value)}>
        {pairs.map((pair) => (
          <option key={`${pair.gap_open}/${pair.gap_extend}`} value={`${pair.gap_open}/${pair.gap_extend}`}>
            {pair.gap_open}, {pair.gap_extend}{pair.recommended ? " (usual)" : ""}
          </option>
        ))}
        <option value={OTHER}>other…</option>
      </select>
    </label>
  );
}
