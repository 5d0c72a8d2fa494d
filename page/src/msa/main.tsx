// The start of the pages of MSAs, which have a script of their own.
import "./msa.css";
import { boot } from "../api";
import { JobPage, type Kind } from "../job";
import { start } from "../start";
import { MsaForm } from "./form";
import { ResultPage } from "./result";
import type { Msas } from "./types";

const MSA: Kind<Msas> = {
  noun: "MSA",
  doing: "Building an MSA",
  parts: "Different chains done",
  phases: { scoring: "Comparing with all sequences", aligning: "Aligning what was found", merging: "Laying out the rows" },
  listed: "msas",
  form: "/msas",
  another: "New MSA",
  result: (msas, lost) => <ResultPage msas={msas} lost={lost} />,
};

start(() => (boot.view === "msa-form" ? <MsaForm /> : <JobPage kind={MSA} first={boot.msas} />));
