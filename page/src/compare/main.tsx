// The start of the pages of comparisons, which have a script of their own: searches do without it, and it without theirs.
import { render } from "preact";
import "./compare.css";
import { boot } from "../api";
import { Door } from "../door";
import { Nav } from "../nav";
import { ComparePage } from "./form";
import { ComparisonPage } from "./job";

const nav = document.getElementById("nav");
const main = document.getElementById("main");

function draw(): void {
  if (nav) render(<Nav />, nav);
  if (main) render(<View />, main);
}

function View() {
  if (boot.door && !boot.user) return <Door enter={draw} />;
  return boot.view === "compare" ? <ComparePage /> : <ComparisonPage />;
}

draw();
