// The head of every result: what it is called, of when it is, and what can be done with all of it.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { absolute, at, boot } from "./api";
import { Delete } from "./confirm";
import { KINDS, type Kind } from "./history";
import { moment } from "./numbers";
import { CopyButton } from "./parts";
import { PrintButton } from "./print-button";

interface Props {
  kind: Kind;
  job: { id: string; created_at: string; expires_at: string };
  title: string;
  /** What it is of. */
  about: ComponentChildren;
  /** The part of the address that is shown now. */
  place?: string;
  /** Of the form that it came from. */
  form: string;
  /** What prints it; what is shown is all there is, where nothing else is given. */
  print?: ComponentChildren;
  /** What can be downloaded. */
  children: ComponentChildren;
}

export function ResultHead({ kind, job, title, about, place = "", form, print = <PrintButton />, children }: Props) {
  useEffect(() => {
    document.title = `${title} - Shardwater`;
  }, [title]);
  const address = absolute(`/${kind}/${job.id}`) + place;
  return (
    <div class="result-head">
      <div>
        <h1 title={title}>{title}</h1>
        <p class="dim">
          {about} · {moment(job.created_at)}{" · kept until "}{moment(job.expires_at)}
          {boot.user && <> · opens for <strong>{boot.user}</strong> alone</>}
        </p>
        <p class="on-paper dim">{address}</p>
      </div>
      <div class="row no-print">
        <CopyButton text={address} label="Copy link" />
        {print}
        <a class="button" href={at(`${form}?edit=${job.id}`)}>Edit {KINDS[kind]}</a>
        <Delete kind={kind} id={job.id} title={title} done={() => location.assign(at("/history"))} />
        {children}
      </div>
    </div>
  );
}
