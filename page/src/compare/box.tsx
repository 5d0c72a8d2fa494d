// A box of the plot as two stretches, chosen by pointer or by numbers, and aligned exactly.
import { useEffect, useRef } from "preact/hooks";
import { amount, count } from "../numbers";
import { rangeOf, stretchOf, type Genome, type Stretch } from "./genomes";
import { rowsIn, scoreOf, type Area, type Hsps } from "./hsps";
import type { Sides } from "./axes";

export interface Chosen {
  query: Stretch;
  subject: Stretch;
  /** `-`: the query's reverse complement is aligned. */
  strand: "+" | "-";
}

/** The stretches of an area, one record on either side, the one that has most of it; and the strand whose HSPs score more there. */
export function chosenOf({ query, subject }: Sides, hsps: Hsps, shown: Uint8Array, area: Area): Chosen {
  const scores = [0, 0];
  for (const row of rowsIn(hsps, shown, area, hsps.count).rows) {
    scores[hsps.reverse[row]!]! += scoreOf(hsps, row) * Math.min(1, area.width / hsps.length[row]!);
  }
  return {
    query: stretchOf(query, area.x, area.x + area.width),
    subject: stretchOf(subject, area.y, area.y + area.height),
    strand: scores[1]! > scores[0]! ? "-" : "+",
  };
}

/** The area of two stretches; nothing where there is none. */
export function areaOf({ query, subject }: Sides, chosen: Chosen): Area | undefined {
  const [across, up] = [rangeOf(query, chosen.query), rangeOf(subject, chosen.subject)];
  if (!across || !up || across[1] <= across[0] || up[1] <= up[0]) return undefined;
  return { x: across[0], y: up[0], width: across[1] - across[0], height: up[1] - up[0] };
}

interface Props {
  sides: Sides;
  chosen: Chosen;
  sending: boolean;
  /** Each time that this grows the fields are gone to. */
  typing: number;
  onChange(chosen: Chosen): void;
  onAlign(chosen: Chosen): void;
  onDrop(): void;
}

export function BoxForm({ sides, chosen, sending, typing, onChange, onAlign, onDrop }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (typing) form.current?.querySelector<HTMLElement>("select, input")?.focus();
  }, [typing]);
  const fault = faultOf(sides.query, chosen.query) ?? faultOf(sides.subject, chosen.subject);
  const cells = lengthOf(chosen.query) * lengthOf(chosen.subject);
  const submit = (event: Event) => {
    event.preventDefault();
    if (!fault && !sending) onAlign(chosen);
  };
  return (
    <form ref={form} class="box-form" aria-label="Box to align" onSubmit={submit}>
      <StretchFields name="Query" genome={sides.query} stretch={chosen.query} onChange={(query) => onChange({ ...chosen, query })} />
      <StretchFields name="Subject" genome={sides.subject} stretch={chosen.subject} onChange={(subject) => onChange({ ...chosen, subject })} />
      <label class="field">
        <span>Strand</span>
        <select value={chosen.strand} onChange={(event) => onChange({ ...chosen, strand: event.currentTarget.value as Chosen["strand"] })}>
          <option value="+">forward</option>
          <option value="-">reverse</option>
        </select>
      </label>
      <div class="row box-send">
        <button type="submit" class="primary" disabled={Boolean(fault) || sending}>{sending ? "Sending…" : "Align exactly"}</button>
        <button type="button" class="quiet" onClick={onDrop}>Drop the box</button>
        {fault ? <span class="fault" role="alert">{fault}</span> : <span class="dim">{amount(cells)} cells</span>}
      </div>
    </form>
  );
}

const lengthOf = ({ from, to }: Stretch): number => Math.max(0, to - from + 1);

function faultOf(genome: Genome, { record, from, to }: Stretch): string | undefined {
  const number = genome.names.indexOf(record);
  if (number < 0) return "There is no such record.";
  const length = genome.offsets[number + 1]! - genome.offsets[number]!;
  if (!Number.isInteger(from) || !Number.isInteger(to) || from < 1 || to > length) return `${record} has places 1 to ${count(length)}.`;
  return to < from ? "A stretch ends where it begins, or later." : undefined;
}

interface FieldsProps {
  name: string;
  genome: Genome;
  stretch: Stretch;
  onChange(stretch: Stretch): void;
}

function StretchFields({ name, genome, stretch, onChange }: FieldsProps) {
  const number = (which: "from" | "to") => (
    <label class="field">
      <span>{which}</span>
      <input inputMode="numeric" autocomplete="off" value={String(stretch[which])} onInput={(event) => onChange({ ...stretch, [which]: Number(event.currentTarget.value.replace(/[\s,]/g, "")) })} />
    </label>
  );
  return (
    <fieldset class="stretch">
      <legend>{name}</legend>
      {genome.names.length > 1 ? (
        <label class="field record">
          <span>record</span>
          <select value={stretch.record} onChange={(event) => onChange({ ...stretch, record: event.currentTarget.value })}>
            {genome.names.map((each) => <option key={each}>{each}</option>)}
          </select>
        </label>
      ) : (
        <span class="field record"><span>record</span><span class="ellipsis" title={stretch.record}>{stretch.record}</span></span>
      )}
      {number("from")}
      {number("to")}
    </fieldset>
  );
}
