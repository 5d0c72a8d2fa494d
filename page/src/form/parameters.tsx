// How to search: presets, and every parameter that the server publishes.
import { boot, parameter } from "../api";
import { Panel } from "../parts";
import { activePreset, hasOwnCosts, PRESETS, recommended, valueOf, type Values } from "./values";

interface Props {
  values: Values;
  faults: { [name: string]: string };
  onChange(values: Values): void;
}

export function Parameters({ values, faults, onChange }: Props) {
  const set = (name: string, text: string) => onChange({ ...values, [name]: text });
  const active = activePreset(values);
  const field = { values, faults, set };
  const unscored = valueOf(values, "statistics") === "none";
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
            onClick={() => onChange({ ...preset.values, title: values.title ?? "" })}
          >
            {preset.name}
          </button>
        ))}
      </div>
      <p class="dim preset-about">{active ? active.about : "Settings of your own"}</p>
      <div class="fields">
        <label class="field">
          <span>Matrix</span>
          <select value={valueOf(values, "matrix")} onChange={(event) => onChange({ ...values, matrix: event.currentTarget.value, gap_open: "", gap_extend: "" })}>
            {boot.parameters.matrices.map(({ matrix }) => <option key={matrix}>{matrix}</option>)}
          </select>
        </label>
        <GapCosts values={values} onChange={onChange} />
        {hasOwnCosts(values) && <NumberField {...field} name="gap_open" label="Gap open" />}
        {hasOwnCosts(values) && <NumberField {...field} name="gap_extend" label="Gap extend" />}
        <NumberField {...field} name="evalue" label="E-value at most" disabled={unscored} />
        <NumberField {...field} name="max_target_seqs" label="Hits at most" />
      </div>
      <details class="more" open={["statistics", "alignments", "min_bits", "min_identity", "min_query_coverage"].some((name) => values[name])}>
        <summary>More parameters</summary>
        <div class="fields">
          <label class="field span">
            <span>Statistics</span>
            <select value={valueOf(values, "statistics")} onChange={(event) => set("statistics", event.currentTarget.value)}>
              {parameter("statistics")?.values.map(({ value, label }) => (
                <option key={value} value={value} disabled={hasOwnCosts(values) && ["table", "karlin-altschul"].includes(value)}>{label}</option>
              ))}
            </select>
          </label>
          <NumberField {...field} name="alignments" label="Alignments for the best" />
          <NumberField {...field} name="min_bits" label="Bits at least" disabled={unscored} />
          <NumberField {...field} name="min_identity" label="Identity at least, %" />
          <NumberField {...field} name="min_query_coverage" label="Coverage at least, %" />
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
  set(name: string, text: string): void;
}

function NumberField({ name, label, values, faults, disabled, set }: FieldProps) {
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
        placeholder={usual === null || usual === undefined ? "any" : Number(usual).toLocaleString("en-US")}
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

/** The pairs with published statistics, and any other where a method does without them. */
function GapCosts({ values, onChange }: { values: Values; onChange(values: Values): void }) {
  const matrix = valueOf(values, "matrix");
  const pairs = boot.parameters.matrices.find((each) => each.matrix === matrix)?.gap_costs ?? [];
  const usual = recommended(matrix);
  const chosen = hasOwnCosts(values) ? "other" : `${values.gap_open || usual?.gap_open}/${values.gap_extend || usual?.gap_extend}`;
  const methods = parameter("statistics")?.values.map(({ value }) => value) ?? [];
  const choose = (text: string) => {
    if (text === "other") {
      const free = methods.includes("fitted") ? "fitted" : "none";
      return onChange({ ...values, gap_open: "10", gap_extend: "3", statistics: free });
    }
    const [open = "", extend = ""] = text.split("/");
    const isUsual = text === `${usual?.gap_open}/${usual?.gap_extend}`;
    onChange({ ...values, gap_open: isUsual ? "" : open, gap_extend: isUsual ? "" : extend });
  };
  return (
    <label class="field">
      <span>Gap open, extend</span>
      <select value={chosen} title={parameter("gap_open")?.description} onChange={(event) => choose(event.currentTarget.value)}>
        {pairs.map((pair) => (
          <option key={`${pair.gap_open}/${pair.gap_extend}`} value={`${pair.gap_open}/${pair.gap_extend}`}>
            {pair.gap_open}, {pair.gap_extend}{pair.recommended ? " (usual)" : ""}
          </option>
        ))}
        <option value="other">other…</option>
      </select>
    </label>
  );
}
