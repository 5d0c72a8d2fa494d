// The form of a comparison: two genomes, parameters, and what it will take.
import { useMemo, useState } from "preact/hooks";
import { boot } from "../api";
import { textsOf, type Values } from "../fields";
import { asked } from "../form/asked";
import { estimateText } from "../form/estimate";
import { JobForm, useJob } from "../form/shell";
import { remember } from "../history";
import { amount } from "../numbers";
import { checkDna } from "./dna";
import { listsOf, opened, useDraft } from "./draft";
import { rearranged } from "./example";
import { asText, nameOf, sourceOf } from "./genome";
import { GenomeInput } from "./genome-input";
import { useLists } from "./lists";
import { CompareSettings, faultsOf, LABELS, valuesOf } from "./settings";
import type { Comparison, ComparisonEstimate } from "./types";

const OF_DNA = boot.databases.filter(({ alphabet }) => alphabet === "dna");
const PLACED = ["query", "subject", ...Object.keys(LABELS)];

export function ComparePage() {
  const [draft] = useState(() => opened("comparison", asked({ fields: [...Object.keys(LABELS), "title"], others: ["query", "subject"] }), ["query", "subject"], () => checkDna));
  const [values, setValues] = useState<Values>(draft.values);
  const lists = useLists(draft, "genome", "dna", () => job.setProblem(undefined), {
    kind: "comparisons",
    fill: ({ parameters, title }: Comparison) => {
      setValues({ ...textsOf(Object.keys(LABELS), parameters), title });
      return { lost: parameters.regions?.length ? ["Regions alone were compared, which this form cannot ask for: it compares whole genomes."] : [] };
    },
    fail: (problem) => job.setProblem(problem),
  });
  const [query, subject] = [lists.query.genome, lists.subject.genome];
  const faults = faultsOf(values);
  const request = useMemo(() => {
    const [one, other] = [sourceOf(query, "query"), sourceOf(subject, "subject")];
    if (!one || !other || Object.keys(faultsOf(values)).length > 0) return undefined;
    return { query: one, subject: other, ...valuesOf(values) };
  }, [query, subject, values]);
  const job = useJob<ComparisonEstimate>("/comparisons", request, PLACED);
  const { estimate, against } = job;
  const wrong = { ...against, ...faults };
  useDraft("comparison", useMemo(() => ({ query, subject, values }), [query, subject, values]));
  const send = () => {
    if (request) void job.send<Comparison>(request, (made) => remember("comparisons", made, `${nameOf(query, "query")} and ${nameOf(subject, "subject")}`, estimate ? lettersText(estimate) : "", listsOf(query, subject)));
  };
  const set = (next: Values) => {
    job.setProblem(undefined);
    setValues(next);
  };
  const example = () => {
    const [one, other] = rearranged();
    lists.query.onChange(asText(one));
    lists.subject.onChange(asText(other));
  };
  return (
    <JobForm
      {...job}
      heading="New comparison"
      verb="Compare"
      notes={lists.notes}
      missing={lists.missing}
      faults={wrong}
      labels={LABELS}
      estimate={estimate ? estimateText(lettersText(estimate), "compared", estimate) : ""}
      onSend={send}
      onFiles={lists.onFiles}
      side={<CompareSettings values={values} faults={wrong} onChange={set} />}
    >
      <GenomeInput {...lists.query} name="Query" databases={OF_DNA} refused={against.query} onExample={example} />
      <GenomeInput {...lists.subject} name="Subject" databases={OF_DNA} refused={against.subject} />
    </JobForm>
  );
}

/** Letters of both genomes, once each. */
const lettersText = ({ letters, parameters }: ComparisonEstimate): string => `${amount(letters / (parameters.strands === "both" ? 2 : 1))} letters`;
