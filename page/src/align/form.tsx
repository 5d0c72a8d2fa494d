// The form for pairs: two lists of sequences, how they are aligned, and what it will take.
import { useEffect, useMemo, useState } from "preact/hooks";
import { boot } from "../api";
import { checkLetters, DNA } from "../compare/dna";
import { listsOf, opened, useDraft } from "../compare/draft";
import { asText, nameOf, sourceOf } from "../compare/genome";
import { GenomeInput as ListInput, type Words } from "../compare/genome-input";
import { useLists } from "../compare/lists";
import type { Values } from "../fields";
import { estimateText } from "../form/estimate";
import { JobForm, useJob } from "../form/shell";
import { remember } from "../history";
import { amount, plural } from "../numbers";
import { faultsOf, LABELS, valuesOf } from "./fields";
import { lettersOf } from "./letters";
import { namedPairs } from "./load";
import { AlignSettings } from "./settings";
import { askedHere, earlier } from "./start";
import type { Alignment, AlignmentEstimate, Letters } from "./types";

const PLACED = ["queries", "subjects", ...Object.keys(LABELS)];
const ANY = { stranger: /[^A-Z* \t\v\f]/i, of: "proteins or DNA" };
const PROTEIN = { ...ANY, of: "proteins" };

/** An example. */
const ALPHA = `>sp|P69905|HBA_HUMAN Hemoglobin subunit alpha OS=Homo sapiens
MVLSPADKTNVKAAWGKVGAHAGEYGAEALERMFLSFPTTKTYFPHFDLSHGSAQVKGHG
KKVADALTNAVAHVDDMPNALSALSDLHAHKLRVDPVNFKLLSHCLLVTLAAHLPAEFTP
AVHASLDKFLASVSTVLTSKYR
`;
const BETA = `>sp|P68871|HBB_HUMAN Hemoglobin subunit beta OS=Homo sapiens
MVHLTPEEKSAVTALWGKVNVDEVGGEALGRLLVVYPWTQRFFESFGDLSTPDAVMGNPK
VKAHGKKVLGAFSDGLAHLDNLKGTFATLSELHCDKLHVDPENFRLLGNVLVCVLAHHFG
KEFTPPVQAAYQKVVAGVANALAHKYH
`;

const WORDS: Words = {
  label: "sequences in FASTA",
  placeholder: "Paste proteins or DNA: FASTA, FASTQ or one bare sequence. Or drop a file here, plain or gzip, of any size that this server takes; two files fill both lists.",
  letters: "Proteins or DNA, in either case; one sequence or many.",
};

/** Letters of the alphabet that was chosen, of any where none was. */
const checkOf = ({ alphabet }: Values) => (text: string) => checkLetters(text, alphabet === "dna" ? DNA : alphabet === "protein" ? PROTEIN : ANY);

export function AlignPage() {
  const [filled] = useState(() => opened("alignment", askedHere(), ["queries", "subjects"], checkOf));
  const [values, setValues] = useState<Values>(filled.values);
  const lists = useLists(filled, "list", values.alphabet ?? "", () => job.setProblem(undefined), {
    kind: "alignments",
    fill: (made: Alignment) => {
      const found = earlier(made);
      setValues(found);
      return { check: checkOf(found) };
    },
    fail: (problem) => job.setProblem(problem),
  });
  const [queries, subjects] = [lists.query.genome, lists.subject.genome];
  // Of files and records the server alone knows what they look like.
  const [look, setLook] = useState<Letters>("protein");
  const letters = lettersOf(values, [queries, subjects]) ?? look;
  const faults = faultsOf(values, letters);
  const request = useMemo(() => {
    const [some, others] = [sourceOf(queries, "query"), sourceOf(subjects, "subject")];
    if (!some || !others || Object.keys(faultsOf(values, letters)).length > 0) return undefined;
    return { ...valuesOf(values, letters), queries: some, subjects: others };
  }, [queries, subjects, values, letters]);
  const job = useJob<AlignmentEstimate>("/alignments", request, PLACED);
  const { estimate, against } = job;
  const wrong = { ...against, ...faults };
  useEffect(() => setLook(estimate?.parameters.alphabet ?? letters), [estimate, letters]);
  useDraft("alignment", useMemo(() => ({ query: queries, subject: subjects, values }), [queries, subjects, values]));
  const send = () => {
    if (request) void job.send<Alignment>(request, (made) => remember("alignments", made, namedPairs(nameOf(queries, "query"), nameOf(subjects, "subject"), estimate?.pairs ?? 1), estimate ? plural(estimate.pairs, "pair") : "", listsOf(queries, subjects)));
  };
  const example = () => {
    setValues({ ...values, alphabet: "" });
    lists.query.onChange(asText(ALPHA, checkOf({})));
    lists.subject.onChange(asText(BETA, checkOf({})));
  };
  const set = (next: Values) => {
    job.setProblem(undefined);
    setValues(next);
    if (next.alphabet === values.alphabet) return;
    [queries, subjects].forEach((list, place) => { if (list.text) lists.takes[place]!(asText(list.text, checkOf(next))); });
  };
  const input = { words: WORDS, check: checkOf(values), databases: boot.databases };
  return (
    <JobForm
      {...job}
      heading="New alignment"
      verb="Align"
      notes={lists.notes}
      missing={lists.missing}
      faults={wrong}
      labels={LABELS}
      estimate={estimate ? estimateText(`${plural(estimate.pairs, "pair")}, ${amount(estimate.cells)} cells`, "aligned", estimate) : ""}
      onSend={send}
      onFiles={lists.onFiles}
      side={<AlignSettings values={values} faults={wrong} letters={letters} onChange={set} />}
    >
      <ListInput {...input} {...lists.query} name="Queries" refused={against.queries} onExample={example} />
      <ListInput {...input} {...lists.subject} name="Subjects" refused={against.subjects} />
    </JobForm>
  );
}
