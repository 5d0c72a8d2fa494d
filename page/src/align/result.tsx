// A finished job of pairs: its certificate, the table, and how to do it again.
import { useEffect, useState } from "preact/hooks";
import { at, boot } from "../api";
import { Delete } from "../confirm";
import { titleOf } from "../history";
import { moment, plural } from "../numbers";
import { Panel } from "../parts";
import { PrintButton } from "../print-button";
import { Trouble } from "../trouble";
import { useRowsOf, type Row } from "./load";
import { Methods } from "./methods";
import { Certificate, ParametersPanel } from "./summary";
import { Table } from "./table";
import type { Alignment } from "./types";

export function ResultPage({ alignment: job }: { alignment: Alignment }) {
  const { rows, share, problem } = useRowsOf(job);
  const [known] = useState(() => titleOf(job));
  const title = known || (rows ? nameOf(rows) : "Alignments");
  useEffect(() => {
    document.title = `${title} - Shardwater`;
  }, [title]);
  return (
    <div class="result">
      <div class="result-head">
        <div>
          <h1>{title}</h1>
          <p class="dim">
            {plural(job.certificate?.pairs ?? 0, "pair")} · {moment(job.created_at)} · kept until {moment(job.expires_at)}
            {boot.user && <> · opens for <strong>{boot.user}</strong> alone</>}
          </p>
        </div>
        <div class="row no-print">
          <PrintButton />
          <a class="button" href={at("/align")}>New alignment</a>
          <Delete kind="alignments" id={job.id} title={title} done={() => location.assign(at("/history"))} />
        </div>
      </div>
      <Certificate job={job} />
      {problem && <Trouble problem={problem} />}
      {!rows && !problem && <Panel class="pairs-room"><span role="status">Loading the pairs…</span><progress max={1} value={share} aria-label="Share of the list that is here" /></Panel>}
      {rows && <Table job={job} rows={rows} />}
      {rows && <ParametersPanel job={job} />}
      {rows && <Methods job={job} />}
    </div>
  );
}

/** Of a job that nobody has named: its first pair. */
const nameOf = ([first]: Row[]): string => (first ? `${first.query} and ${first.subject}` : "Alignments");
