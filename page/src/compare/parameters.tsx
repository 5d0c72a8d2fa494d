// How the genomes were compared: every parameter with the value that was used.
import { count } from "../numbers";
import { Panel } from "../parts";
import { CHOICES, numericOf } from "./settings";
import type { Comparison } from "./types";

export function ParametersPanel({ parameters }: { parameters: Comparison["parameters"] }) {
  const used = parameters as unknown as { [name: string]: number | string | null };
  const numbers = numericOf({ extension: parameters.extension, gapped: parameters.gapped });
  const rows = [
    ...Object.entries(numbers).map(([name, { label, empty }]) => [name, label, (used[name] || name !== "x_drop") && typeof used[name] === "number" ? count(used[name]) : empty] as const),
    ...Object.entries(CHOICES).map(([name, { label, values }]) => [name, label, values.find(([value]) => value === used[name])?.[1]] as const),
  ];
  return (
    <Panel title="Parameters" class="parameters">
      <div class="scroll" tabIndex={0} role="region" aria-label="Parameters of this comparison">
        <table class="plain">
          <thead><tr><th>Parameter</th><th>Value</th><th>Name in the interface</th></tr></thead>
          <tbody>
            {rows.filter(([name, , value]) => name in used && value !== undefined).map(([name, label, value]) => (
              <tr key={name}><td>{label}</td><td>{value}</td><td class="mono dim">{name}</td></tr>
            ))}
            {parameters.regions?.map(({ side, record, from, to }) => (
              <tr key={`${side} ${record} ${from}`}><td>Region of the {side}</td><td>{record}:{count(from)}–{count(to)}</td><td class="mono dim">regions</td></tr>
            ))}
          </tbody>
        </table>
      </div>
    </Panel>
  );
}
