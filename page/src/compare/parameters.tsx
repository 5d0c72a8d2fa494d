// How the genomes were compared: every parameter with the value that was used.
import { wordsOf } from "../fields";
import { count } from "../numbers";
import { Panel } from "../parts";
import { LABELS, namesOf } from "./settings";
import type { Comparison } from "./types";

export function ParametersPanel({ parameters }: { parameters: Comparison["parameters"] }) {
  const used = parameters as unknown as { [name: string]: number | string | null };
  const rows = namesOf({ extension: parameters.extension, gapped: parameters.gapped }).filter((name) => name in used);
  return (
    <Panel title="Parameters" class="parameters">
      <div class="scroll" tabIndex={0} role="region" aria-label="Parameters of this comparison">
        <table class="plain">
          <thead><tr><th>Parameter</th><th>Value</th><th>Name in the interface</th></tr></thead>
          <tbody>
            {rows.map((name) => <tr key={name}><td>{LABELS[name]}</td><td>{shown(name, used[name])}</td><td class="mono dim">{name}</td></tr>)}
            {parameters.regions?.map(({ side, record, from, to }) => (
              <tr key={`${side} ${record} ${from}`}><td>Region of the {side}</td><td>{record}:{count(from)}–{count(to)}</td><td class="mono dim">regions</td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}

function shown(name: string, value: number | string | null | undefined): string | undefined {
  if (typeof value !== "number") return wordsOf(name, value) ?? "any";
  return value === 0 && name === "x_drop" ? "never" : count(value);
}
