// The start of the pages of comparisons, which have a script of their own: searches do without it, and it without theirs.
import "./compare.css";
import { boot } from "../api";
import { start } from "../start";
import { ComparePage } from "./form";
import { ComparisonPage } from "./job";

start(() => (boot.view === "compare" ? <ComparePage /> : <ComparisonPage />));
