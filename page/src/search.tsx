// A search's page, and how a search is sent once more.
import { useState } from "preact/hooks";
import { askJson, at, boot, postJson, problemOf, type Search, type SearchRequest } from "./api";
import { checkFasta } from "./fasta";
import { rememberSearch } from "./history";
import { JobPage, type Kind } from "./job";
import { ResultPage } from "./result/page";
import { Trouble, useProblem } from "./trouble";

const SEARCH: Kind<Search> = {
  noun: "search",
  doing: "Searching",
  parts: "Shards done",
  phases: { scoring: "Comparing with all sequences", aligning: "Aligning the best hits", merging: "Putting the result together" },
  listed: "searches",
  form: "/",
  another: "New search",
  advice: {
    "shard-failed": "Nothing is wrong with the request. Run it again; if it fails once more, send fewer or shorter queries, and tell the server's operator the search's id.",
    "search-timeout": "The search took longer than this server allows. Send fewer or shorter queries at a time, or ask its operator for a higher limit.",
  },
  again: (id, kept) => <Again id={id} kept={kept} />,
  result: (search, lost) => <ResultPage search={search} lost={lost} />,
};

export const SearchPage = () => <JobPage kind={SEARCH} first={boot.search} />;

/** Send a request once more, and go to its page. */
function Again({ id, kept }: { id: string; kept: SearchRequest | undefined }) {
  const [problem, setProblem] = useProblem();
  const [sending, setSending] = useState(false);
  const run = async () => {
    setSending(true);
    try {
      const request = kept ?? (await askJson<SearchRequest>(`/v1/searches/${id}/request`));
      const search = await postJson<Search>("/v1/searches", request);
      rememberSearch(search, request, checkFasta(request.sequence ?? "").records);
      location.assign(at(`/searches/${search.id}`));
    } catch (error) {
      setProblem(problemOf(error));
      setSending(false);
    }
  };
  return (
    <>
      {problem && <Trouble problem={problem} />}
      <button type="button" class="primary" disabled={sending} onClick={() => void run()}>{sending ? "Sending…" : "Run it again"}</button>
      {!kept && <a class="button" href={at(`/?edit=${id}`)}>Edit and search</a>}
    </>
  );
}
