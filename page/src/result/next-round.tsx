// One more round by hand: a profile of the query and the hits that are ticked, and a search with it.
import { useState } from "preact/hooks";
import { ask, at, postJson, problemOf, type Search, type SearchRequest } from "../api";
import { sentOf, textsOf } from "../fields";
import { rememberSearch } from "../history";
import { plural } from "../numbers";
import { Trouble, useProblem } from "../trouble";
import { rangesOf } from "./filter";
import type { Part } from "./load";

const LONGEST_TITLE = 200;
/** Of a profile, as the server has it. */
const MOST_HITS = 500;

interface Props {
  search: Search;
  part: Part;
  /** Ranks. */
  selected: ReadonlySet<number>;
}

export function NextRound({ search, part, selected }: Props) {
  const [problem, setProblem] = useProblem();
  const [sending, setSending] = useState(false);
  const go = async () => {
    setSending(true);
    setProblem(undefined);
    try {
      const profile = await ask(`/v1/searches/${search.id}/pssm?query=${part.number}&format=json&hits=${rangesOf(selected)}`);
      const { parameters, databases, database } = part.whole;
      const names = (databases?.length ? databases : [database]).map(({ name }) => name);
      const title = `${part.one.query.id} and its hits ${rangesOf(selected)}`.slice(0, LONGEST_TITLE);
      // The part of the query that was searched is all that the profile has, and this is a round of its own.
      const { query_loc: _, iterations: __, ...same } = sentOf(Object.keys(parameters), textsOf(Object.keys(parameters), parameters));
      const request = { ...same, title, pssm: await profile.text(), databases: names, score_distribution: true } as SearchRequest;
      const next = await postJson<Search>("/v1/searches", request);
      rememberSearch(next, request, [part.one.query]);
      location.assign(at(`/searches/${next.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  const unaligned = part.hits.filter(({ rank, hsps }) => selected.has(rank) && hsps.length === 0).length;
  const why = selected.size > MOST_HITS ? `A profile is made of ${MOST_HITS} hits at most.` : unaligned > 0 ? `${plural(unaligned, "hit")} of these ${unaligned > 1 ? "are" : "is"} not aligned.` : "";
  return (
    <>
      <button type="button" disabled={sending || why !== ""} title={why || "Make a profile of the query and these hits, and search with it"} onClick={() => void go()}>{sending ? "Sending…" : "Next round"}</button>
      {problem && <Trouble problem={problem} />}
    </>
  );
}
