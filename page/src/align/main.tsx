// The start of the pages of pairs, which have a script of their own.
import "./align.css";
import { boot } from "../api";
import { JobPage, type Kind } from "../job";
import { start } from "../start";
import { AlignPage } from "./form";
import { ResultPage } from "./result";
import type { Alignment } from "./types";

const PAIRS: Kind<Alignment> = {
  noun: "alignment",
  doing: "Aligning pairs",
  parts: "Parts done",
  phases: { scoring: "Aligning", aligning: "Aligning", merging: "Putting the pairs together" },
  listed: "alignments",
  form: "/align",
  another: "New alignment",
  result: (alignment, lost) => <ResultPage alignment={alignment} lost={lost} />,
};

start(() => (boot.view === "align" ? <AlignPage /> : <JobPage kind={PAIRS} first={boot.alignment} />));
