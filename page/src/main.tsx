// The page's start: the view that the server named is drawn into its shell.
import { render } from "preact";
import "./page.css";
import { boot } from "./api";
import { Door } from "./door";
import { FormPage } from "./form/form";
import { Nav } from "./nav";
import { SearchPage } from "./search";

const nav = document.getElementById("nav");
const main = document.getElementById("main");

function draw(): void {
  if (nav) render(<Nav />, nav);
  if (main) render(boot.door && !boot.user ? <Door enter={draw} /> : boot.view === "form" ? <FormPage /> : <SearchPage />, main);
}

draw();
