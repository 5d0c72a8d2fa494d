// How a job is done, to the right of every form: presets, fields, what they are for, and a name.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { Faults, Labels, Preset, Shared, Values } from "../fields";
import { read, write } from "../history";
import { Panel } from "../parts";

const EXPLAINED = "shardwater:explained";

interface Props {
  /** How /help calls the form. */
  kind: "search" | "align" | "compare" | "msa";
  /** What gets the name. */
  noun: string;
  labels: Labels;
  presets: Preset[];
  values: Values;
  faults: Faults;
  onChange(values: Values): void;
  onPreset?(): void;
  children(shared: Shared): ComponentChildren;
}

export function Settings({ kind, noun, labels, presets, values, faults, onChange, onPreset, children }: Props) {
  const [explained, setExplained] = useState(read(EXPLAINED, false));
  const set = (name: string, text: string) => onChange({ ...values, [name]: text });
  const active = presets.find((preset) => Object.keys({ ...values, ...preset.values }).every((name) => name === "title" || (values[name] ?? "") === (preset.values[name] ?? "")));
  const take = (preset: Preset) => {
    onPreset?.();
    onChange({ ...preset.values, title: values.title ?? "" });
  };
  const explain = (on: boolean) => {
    setExplained(on);
    write(EXPLAINED, on);
  };
  const aside = (
    <label class="switch">
      <input type="checkbox" role="switch" checked={explained} onChange={(event) => explain(event.currentTarget.checked)} />
      <span>Explain</span>
    </label>
  );
  return (
    <Panel title="Parameters" aside={aside} class={explained ? "settings explaining" : "settings"}>
      <div class="presets" role="group" aria-label="Presets">
        {presets.map((preset) => <button key={preset.name} type="button" class="chip" aria-pressed={preset === active} onClick={() => take(preset)}>{preset.name}</button>)}
      </div>
      {explained ? (
        <dl class="explained preset-about">{presets.map(({ name, about }) => <div key={name}><dt>{name}</dt><dd>{about}</dd></div>)}</dl>
      ) : (
        <p class="dim preset-about">{active ? active.about : "Settings of your own"}</p>
      )}
      {children({ kind, explained, labels, values, faults, set })}
      <div class="field title-field">
        <label class="label" for="field-title">Name of this {noun}</label>
        <input id="field-title" value={values.title ?? ""} maxLength={200} placeholder="optional" onInput={(event) => set("title", event.currentTarget.value)} />
      </div>
    </Panel>
  );
}
