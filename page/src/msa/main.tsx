// The start of the pages of MSAs, which have a script of their own.
import { render } from "preact";
import "./msa.css";
import { boot } from "../api";
import { Door } from "../door";
import { JobPage, type Kind } from "../job";
import { Nav } from "../nav";
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
const nav = document.getElementById("nav");
const main = document.getElementById("main");

function draw(): void {
  if (nav) render(<Nav />, nav);
  if (main) render(<View />, main);
}

function View() {
  if (boot.door && !boot.user) return <Door enter={draw} />;
  return boot.view === "msa-form" ? <MsaForm /> : <JobPage kind={MSA} first={boot.msas} />;
}

draw();
