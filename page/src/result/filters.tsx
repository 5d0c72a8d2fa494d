// The fields that filter hits or rows, and what stands where none is left.
import { Icon } from "../parts";
import { isNumber, type Wanted } from "./filter";

export function Filters({ wanted, of, onChange }: { wanted: Wanted; of: string; onChange(wanted: Wanted): void }) {
  const field = (name: "evalue" | "identity" | "coverage", label: string, placeholder: string) => (
    <label class="filter">
      <span>{label}</span>
      <input inputMode="decimal" autocomplete="off" placeholder={placeholder} value={wanted[name]} aria-invalid={!isNumber(wanted[name])} onInput={(event) => onChange({ ...wanted, [name]: event.currentTarget.value.trim() })} />
    </label>
  );
  const wrong = (["evalue", "identity", "coverage"] as const).find((name) => !isNumber(wanted[name]));
  return (
    <div class="filters" role="search" aria-label={`Filter the ${of}`}>
      <input type="search" aria-label="Words in accession, title or organism" title="Words in accession, title or organism" placeholder={`Find in ${of}`} value={wanted.words} onInput={(event) => onChange({ ...wanted, words: event.currentTarget.value })} />
      {field("evalue", "E ≤", "any")}
      {field("identity", "Identity ≥", "0 %")}
      {field("coverage", "Coverage ≥", "0 %")}
      {wanted.taxon && <button type="button" class="chip" title="Show all organisms again" onClick={() => onChange({ ...wanted, taxon: undefined })}>{wanted.taxon.name} alone <Icon name="stop" /></button>}
      {wrong && <span class="fault" role="alert">A number is needed, such as {wrong === "evalue" ? "1e-5" : "50"}.</span>}
    </div>
  );
}

export function NoneLeft({ one, onAll }: { one: string; onAll(): void }) {
  const all = (event: MouseEvent) => {
    // The button goes with what it says: the keyboard goes on in the fields.
    (event.currentTarget as HTMLElement).closest(".panel")?.querySelector("input")?.focus();
    onAll();
  };
  return <p class="dim none-left">No {one} passes these filters. <button type="button" class="link" onClick={all}>Show all</button></p>;
}
