// The start of the pages of pairs, which have a script of their own.
import { render } from "preact";
import "./align.css";
import { boot } from "../api";
import { Door } from "../door";
import { JobPage, type Kind } from "../job";
import { Nav } from "../nav";
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
  result: (alignment) => <ResultPage alignment={alignment} />,
};
const nav = document.getElementById("nav");
const main = document.getElementById("main");

function draw(): void {
  if (nav) render(<Nav />, nav);
  if (main) render(<View />, main);
}

function View() {
  if (boot.door && !boot.user) return <Door enter={draw} />;
  return boot.view === "align" ? <AlignPage /> : <JobPage kind={PAIRS} first={boot.alignment} />;
}

draw();
