// The page's start: the view that the server named is drawn into its shell.
import { render } from "preact";
import "./page.css";
import { boot } from "./api";
import { Door } from "./door";
import { FormPage } from "./form/form";
import { HistoryPage } from "./history-page";
import { MissingPage } from "./missing";
import { Nav } from "./nav";
import { SearchPage } from "./search";

const nav = document.getElementById("nav");
const main = document.getElementById("main");

function draw(): void {
  if (nav) render(<Nav />, nav);
  if (main) render(<View />, main);
}

function View() {
  if (boot.door && !boot.user) return <Door enter={draw} />;
  if (boot.view === "missing") return <MissingPage />;
  if (boot.view === "history") return <HistoryPage />;
  return boot.view === "form" ? <FormPage /> : <SearchPage />;
}

draw();
