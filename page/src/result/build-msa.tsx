// An MSA of a query that was searched with, from the databases that it was searched in.
import { useState } from "preact/hooks";
import { askJson, at, postJson, ProblemError, problemOf, type Problem, type Search, type SearchRequest } from "../api";
import { isHeader, recordOf } from "../fasta";
import { settingsOf } from "../form/values";
import { aboutQueries, remember } from "../history";
import type { Msas } from "../msa/types";
import { Trouble, useProblem } from "../trouble";
import type { Part } from "./load";

const NO_SEQUENCE: Problem = {
  type: "about:blank",
  title: "There is no sequence to begin with",
  status: 422,
  detail: "This search was made with a profile, and an MSA is built of a sequence.",
  retryable: false,
};

/** What a search can be told that changes its hits, and an MSA cannot, or is not. */
const UNTOLD: { [name: string]: string } = {
  taxids: "organisms",
  negative_taxids: "organisms left out",
  matrix: "matrix",
  gap_open: "gap costs",
  gap_extend: "gap costs",
  evalue: "E-value",
  min_bits: "least bits",
  min_identity: "least identity",
  min_query_coverage: "least coverage",
  iterations: "rounds",
  inclusion_evalue: "E-value for the profile",
};

/** A record's part, as 5-40: from the first to the last of its letters. */
export function cut(record: string, part: string): string {
  const lines = record.split(/\r\n?|\n/);
  const header = isHeader(lines[0]!) ? `${lines.shift()}\n` : "";
  const [first, last] = part.split("-").map(Number);
  return header + lines.join("").replace(/\s/g, "").slice(first! - 1, last);
}

export function BuildMsa({ search, part }: { search: Search; part: Part }) {
  const [problem, setProblem] = useProblem();
  const [sending, setSending] = useState(false);
  const { parameters } = part.whole;
  const { query_loc: searched, mask } = parameters;
  const lost = new Set(Object.keys(settingsOf(parameters)).flatMap((name) => UNTOLD[name] ?? []));
  if (mask && mask !== "none") lost.add("mask");
  const build = async () => {
    setSending(true);
    setProblem(undefined);
    try {
      const { sequence } = await askJson<SearchRequest>(`/v1/searches/${search.id}/request`);
      if (!sequence) throw new ProblemError(NO_SEQUENCE);
      const record = recordOf(sequence, part.number);
      const { databases, database } = part.whole;
      const names = (databases?.length ? databases : [database]).map(({ name }) => name);
      const msas = await postJson<Msas>("/v1/msas", { queries: searched ? cut(record, searched) : record, databases: names });
      remember("msas", msas, part.one.query.id, aboutQueries(1, names));
      location.assign(at(`/msas/${msas.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  return (
    <>
      <div class="no-print"><button type="button" disabled={sending} title="Search in rounds with profiles of what is found, and align all of it with this query" onClick={() => void build()}>{sending ? "Sending…" : "Build an MSA"}</button></div>
      {(searched || lost.size > 0) && (
        <p class="dim wide no-print">
          {searched && `An MSA is built of ${searched} alone. `}
          {lost.size > 0 && `An MSA does not take over this search's ${[...lost].join(", ")}.`}
        </p>
      )}
      {problem && <Trouble problem={problem} />}
    </>
  );
}
