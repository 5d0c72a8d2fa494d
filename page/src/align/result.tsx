// A finished job of pairs: its certificate, the table, and how to do it again.
import { useState } from "preact/hooks";
import type { Problem } from "../api";
import { titleOf } from "../history";
import { MOST_PRINTED } from "../long-list";
import { count, plural } from "../numbers";
import { Panel } from "../parts";
import { PrintButton } from "../print-button";
import { ResultHead } from "../result-head";
import { Trouble, useLost } from "../trouble";
import { Downloads } from "./downloads";
import { namedPairs, useRowsOf, type Row } from "./load";
import { Methods } from "./methods";
import { Certificate } from "./summary";
import { Table } from "./table";
import type { Alignment } from "./types";

/** So many rows fill more pages than one expects. */
const MANY = 500;

export function ResultPage({ alignment: job, lost }: { alignment: Alignment; lost(problem: Problem): void }) {
  const { rows, share, problem } = useRowsOf(job);
  useLost(problem, lost);
  const [known] = useState(() => titleOf(job));
  const title = known || (rows ? nameOf(rows, job.certificate?.pairs ?? 0) : "Alignments");
  return (
    <div class="result">
      <ResultHead kind="alignments" job={job} title={title} about={plural(job.certificate?.pairs ?? 0, "pair")} form="/align" print={<PrintButton label={rows && rows.length > MANY ? `Print ${count(Math.min(rows.length, MOST_PRINTED))} rows` : "Print"} />}><Downloads job={job} /></ResultHead>
      <Certificate job={job} />
      {problem && <Trouble problem={problem} />}
      {!rows && !problem && <Panel class="pairs-room"><span role="status">Loading the pairs…</span><progress max={1} value={share} aria-label="Share of the list that is here" /></Panel>}
      {rows && <Table job={job} rows={rows} />}
      {rows && <Methods job={job} />}
    </div>
  );
}

/** Of a job that nobody has named: its first pair, and how many others there are. */
const nameOf = ([first]: Row[], pairs: number): string => (first ? namedPairs(first.query, first.subject, pairs) : "Alignments");
