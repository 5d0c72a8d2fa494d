// A comparison's page: waiting, its result, or why there is none.
import { boot } from "../api";
import { JobPage, type Kind } from "../job";
import { ResultPage } from "./result";
import type { Comparison } from "./types";

const COMPARISON: Kind<Comparison> = {
  noun: "comparison",
  doing: "Comparing",
  parts: "Parts done",
  phases: { scoring: "Finding shared stretches", aligning: "Aligning with gaps", merging: "Putting the list together" },
  listed: "comparisons",
  form: "/compare",
  another: "New comparison",
  result: (comparison, lost) => comparison.summary && <ResultPage comparison={comparison} summary={comparison.summary} lost={lost} />,
};

export const ComparisonPage = () => <JobPage kind={COMPARISON} first={boot.comparison} />;
