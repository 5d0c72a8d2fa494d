// An MSA of a query that was searched with, from the databases that it was searched in.
import { useState } from "preact/hooks";
import { askJson, at, postJson, ProblemError, problemOf, type Problem, type Search, type SearchRequest } from "../api";
import { recordOf } from "../fasta";
import type { Msas } from "../msa/types";
import { recentOf } from "../recent-jobs";
import { Trouble, useProblem } from "../trouble";
import type { Part } from "./load";

const NO_SEQUENCE: Problem = {
  type: "about:blank",
  title: "There is no sequence to begin with",
  status: 422,
  detail: "This search was made with a profile, and an MSA is built of a sequence.",
  retryable: false,
};

export function BuildMsa({ search, part }: { search: Search; part: Part }) {
  const [problem, setProblem] = useProblem();
  const [sending, setSending] = useState(false);
  const build = async () => {
    setSending(true);
    setProblem(undefined);
    try {
      const { sequence } = await askJson<SearchRequest>(`/v1/searches/${search.id}/request`);
      if (!sequence) throw new ProblemError(NO_SEQUENCE);
      const { databases, database } = part.whole;
      const names = (databases?.length ? databases : [database]).map(({ name }) => name);
      const msas = await postJson<Msas>("/v1/msas", { queries: recordOf(sequence, part.number), databases: names });
      recentOf("msas").remember(msas, part.one.query.id);
      location.assign(at(`/msas/${msas.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  return (
    <>
      <div class="no-print"><button type="button" disabled={sending} title="Search in rounds with profiles of what is found, and align all of it with this query" onClick={() => void build()}>{sending ? "Sending…" : "Build an MSA"}</button></div>
      {problem && <Trouble problem={problem} />}
    </>
  );
}
