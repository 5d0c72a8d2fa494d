// A form of any kind: its inputs, what is wrong, the button with what the job will take, and the settings beside them.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { at, boot, postJson, problemOf, type Problem } from "../api";
import type { Faults, Labels } from "../fields";
import { Icon, Notes, sendByKeys, useRested } from "../parts";
import { Recent } from "../recent";
import { Trouble, useProblem } from "../trouble";
import { againstOf, useEstimate, type Wait } from "./estimate";

const RESTED_MS = 150;

/** A request on its way: what it would take, what the server has against it, and how it is sent. */
export function useJob<E extends Wait>(path: string, request: object | undefined, fields: string[]) {
  const [problem, setProblem] = useProblem(boot.problem);
  const [sending, setSending] = useState(false);
  const rested = useRested(request, RESTED_MS);
  const asked = useEstimate<E>(`/v1${path}:estimate`, rested);
  const { estimate, refusal } = rested === request ? asked : {};
  const refused = problem ?? refusal;
  const against = refused && request ? againstOf(refused, request) : {};
  const send = async <J extends { id: string }>(wanted: object, keep: (job: J) => void) => {
    if (sending || refusal) return;
    setSending(true);
    setProblem(undefined);
    try {
      const job = await postJson<J>(`/v1${path}`, wanted);
      keep(job);
      location.assign(at(`${path}/${job.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  return {
    rested,
    estimate,
    refusal,
    against,
    /** What has no place beside a field. */
    trouble: fields.some((name) => name in against) ? undefined : (refused ?? asked.problem),
    ready: request !== undefined && !refusal,
    sending,
    send,
    setProblem,
  };
}

interface Props {
  heading: string;
  /** What the button says. */
  verb: string;
  notes?: string[];
  trouble: Problem | undefined;
  ready: boolean;
  sending: boolean;
  estimate: string;
  /** What is still to be added, if anything is. */
  missing: string | false;
  /** What is wrong with fields, and what these are called. */
  faults: Faults;
  labels: Labels;
  onSend(): void;
  /** Files that are dropped beside an input. */
  onFiles(files: File[]): void;
  side: ComponentChildren;
  /** Beside the button, and below it. */
  beside?: ComponentChildren;
  below?: ComponentChildren;
  children: ComponentChildren;
}

export function JobForm({ heading, verb, notes = [], trouble, ready, sending, estimate, missing, faults, labels, onSend, onFiles, side, beside, below, children }: Props) {
  const [over, setOver] = useState(false);
  const wrong = Object.keys(labels).find((name) => faults[name]);
  return (
    <form
      class={over ? "form over" : "form"}
      aria-label={heading}
      onKeyDown={sendByKeys}
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
      // Anywhere on the form: beside an input, the browser would leave the page for the file.
      onDragOver={(event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false);
        if (!event.dataTransfer?.files.length) return;
        event.preventDefault();
        onFiles([...event.dataTransfer.files]);
      }}
    >
      <h1 class="visually-hidden">{heading}</h1>
      <div class="form-main">
        <Notes notes={notes} />
        {children}
        {trouble && <Trouble problem={trouble} />}
      </div>
      <div class="form-send">
        <div class="send">
          <button type="submit" class="primary" disabled={!ready || sending} title="Ctrl+Enter"><Icon name="search" />{sending ? "Sending…" : verb}</button>
          <p class="estimate" aria-live="polite">{missing || (wrong ? `${labels[wrong]}: ${faults[wrong]}` : estimate)}</p>
          {beside}
        </div>
        {below}
        <Recent />
      </div>
      <div class="form-side">{side}</div>
    </form>
  );
}
