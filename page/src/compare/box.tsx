// A box of the plot as two stretches, chosen by pointer or by numbers, and aligned exactly.
import { useEffect, useMemo, useRef } from "preact/hooks";
import { about, amount, count } from "../numbers";
import { useBoxEstimate } from "./box-estimate";
import { lengthOf, rangeOf, requestName, stretchOf, type Genome, type Stretch } from "./genomes";
import { rowsIn, scoreOf, type Area, type Hsps } from "./hsps";
import { numberIn, useTyped } from "./number-field";
import type { Sides } from "./axes";

export interface Chosen {
  query: Stretch;
  subject: Stretch;
  /** `-`: the query's reverse complement is aligned. */
  strand: "+" | "-";
  /** Somebody chose the strand; else it is that of the HSPs. */
  byHand?: boolean;
}

/** As app/requests/stretches.py has it. */
const MOST_LETTERS = 1 << 24;

/** A box as the server is asked for it. */
export interface BoxRequest {
  query: { record: string; from: number; to: number };
  subject: { record: string; from: number; to: number };
  strand: "+" | "-";
}

export function requestOf({ query, subject }: Sides, chosen: Chosen): BoxRequest {
  const named = (genome: Genome, { record, from, to }: Stretch) => ({ record: requestName(genome, record), from, to });
  return { query: named(query, chosen.query), subject: named(subject, chosen.subject), strand: chosen.strand };
}

/** The strand whose HSPs score more in an area. */
export function strandOf(hsps: Hsps, shown: Uint8Array, area: Area): Chosen["strand"] {
  const scores = [0, 0];
  for (const row of rowsIn(hsps, shown, area, hsps.count).rows) {
    scores[hsps.reverse[row]!]! += scoreOf(hsps, row) * Math.min(1, area.width / hsps.length[row]!);
  }
  return scores[1]! > scores[0]! ? "-" : "+";
}

/** The stretches of an area, one record on either side, the one that has most of it; and its strand. */
export function chosenOf({ query, subject }: Sides, hsps: Hsps, shown: Uint8Array, area: Area): Chosen {
  return {
    query: stretchOf(query, area.x, area.x + area.width),
    subject: stretchOf(subject, area.y, area.y + area.height),
    strand: strandOf(hsps, shown, area),
  };
}

/** The area of two stretches; nothing where there is none. */
export function areaOf({ query, subject }: Sides, chosen: Pick<Chosen, "query" | "subject">): Area | undefined {
  const [across, up] = [rangeOf(query, chosen.query), rangeOf(subject, chosen.subject)];
  if (!across || !up || !(across[1] > across[0] && up[1] > up[0])) return undefined;
  return { x: across[0], y: up[0], width: across[1] - across[0], height: up[1] - up[0] };
}

interface Props {
  /** The comparison. */
  id: string;
  sides: Sides;
  chosen: Chosen;
  sending: boolean;
  /** Each time that this grows the fields are gone to. */
  typing: number;
  onChange(chosen: Chosen): void;
  onAlign(chosen: Chosen): void;
  onDrop(): void;
}

export function BoxForm({ id, sides, chosen, sending, typing, onChange, onAlign, onDrop }: Props) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (typing) form.current?.querySelector<HTMLElement>("select, input")?.focus();
  }, [typing]);
  const fault = faultOf(sides.query, chosen.query) ?? faultOf(sides.subject, chosen.subject);
  const cells = sizeOf(chosen.query) * sizeOf(chosen.subject);
  const asked = useMemo(() => (fault ? undefined : requestOf(sides, chosen)), [sides, chosen, fault]);
  const { seconds, refusal } = useBoxEstimate(id, asked);
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
        <select value={chosen.strand} onChange={(event) => onChange({ ...chosen, strand: event.currentTarget.value as Chosen["strand"], byHand: true })}>
          <option value="+">forward</option>
          <option value="-">reverse</option>
        </select>
      </label>
      <div class="row box-send">
        <button type="submit" class="primary" disabled={Boolean(fault ?? refusal) || sending}>{sending ? "Sending…" : "Align exactly"}</button>
        <button type="button" class="quiet" onClick={onDrop}>Drop the box</button>
        {fault || refusal ? <span class="fault" role="alert">{fault ?? refusal}</span> : <span class="dim" aria-live="polite">{amount(cells)} cells{seconds !== undefined && `, with the score map ${seconds === 0 ? "no wait" : about(seconds)}`}</span>}
      </div>
    </form>
  );
}

const sizeOf = ({ from, to }: Stretch): number => Math.max(0, to - from + 1);

function faultOf(genome: Genome, { record, from, to }: Stretch): string | undefined {
  const length = lengthOf(genome, record);
  if (!Number.isInteger(from) || !Number.isInteger(to)) return "A place is a whole number, as 1200 or 1,200.";
  if (from < 1 || to > length) return `${genome.labels[record]} has places 1 to ${count(length)}.`;
  if (to < from) return "A stretch ends where it begins, or later.";
  return to - from >= MOST_LETTERS ? `A stretch has ${count(MOST_LETTERS)} letters at most.` : undefined;
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
      <NumberField value={stretch[which]} onChange={(value) => onChange({ ...stretch, [which]: value })} />
    </label>
  );
  return (
    <fieldset class="stretch">
      <legend>{name}</legend>
      {genome.names.length > 1 ? (
        <label class="field record">
          <span>record</span>
          <select value={stretch.record} onChange={(event) => onChange({ ...stretch, record: Number(event.currentTarget.value) })}>
            {genome.labels.map((label, place) => <option key={place} value={place}>{label}</option>)}
          </select>
        </label>
      ) : (
        <span class="field record"><span>record</span><span class="ellipsis" title={genome.labels[0]}>{genome.labels[0]}</span></span>
      )}
      {number("from")}
      {number("to")}
    </fieldset>
  );
}

/** A whole number as it is typed: what is none stays as it was typed, and counts as NaN. */
function NumberField({ value, onChange }: { value: number; onChange(value: number): void }) {
  const [text, setText] = useTyped(value, numberIn);
  return (
    <input
      inputMode="numeric"
      autocomplete="off"
      value={text}
      aria-invalid={Number.isNaN(value)}
      onInput={(event) => {
        setText(event.currentTarget.value);
        onChange(numberIn(event.currentTarget.value));
      }}
    />
  );
}
